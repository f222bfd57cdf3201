// The OpenMP runtime that a program uses, and the runtime on which Otter can record it.
//
// GCC's libgomp has no tools interface. LLVM's libomp also defines libgomp's functions, and
// replaces it if it is loaded first.
#pragma once

#include "launcher/program.h"

enum otter_openmp_kind {
    OTTER_OPENMP_NONE = 0, // no runtime was found
    OTTER_OPENMP_LLVM,     // libomp or Intel's libiomp5, perhaps linked statically
    OTTER_OPENMP_GNU,
};

enum otter_openmp_obstacle {
    OTTER_OBSTACLE_NONE = 0,
    OTTER_OBSTACLE_FORBIDDEN, // the user forbids libomp: --libomp=none
    OTTER_OBSTACLE_NOT_FOUND, // no libomp on this system
    OTTER_OBSTACLE_DETACH,    // tasks with a detach clause crash on libomp
    OTTER_OBSTACLE_TARGET,    // target regions fail on libomp
    OTTER_OBSTACLE_SCAN,      // libomp aborts the program at a scan
    OTTER_OBSTACLE_DOACROSS,  // doacross loops crash on libomp with one thread
    OTTER_OBSTACLE_SYMBOL,    // libomp lacks a symbol of libgomp that the program needs
};

struct otter_openmp {
    enum otter_openmp_kind kind;
    // The runtime's file, owned by the program or equal to `preload`; NULL if linked statically.
    const char *library;
    // Members for a program built with GCC.
    char *preload; // the libomp to preload; NULL: see `obstacle`
    char *shim;    // libotter-gomp.so, preloaded before `preload`; NULL: not found
    enum otter_openmp_obstacle obstacle;
    char *obstacle_text; // the end of a message; NULL without an obstacle
};

// Inspects the program with an OpenMP runtime that a launcher starts (mpirun ./app). *Returns*
// false if there is no such program, or if `launcher` itself has an OpenMP runtime; `launched` then
// needs no finish.
bool otter_openmp_find_launched(struct otter_program *launched,
                                const struct otter_program *launcher, char *const *arguments);

// `libomp`: the path of a libomp, "none", or NULL to search for a libomp.
void otter_openmp_init(struct otter_openmp *openmp, const struct otter_program *program,
                       const char *libomp);
void otter_openmp_finish(struct otter_openmp *openmp);

// Returns why programs cannot run on `preload`, as the end of a message, or NULL.
const char *otter_openmp_fault(const struct otter_openmp *openmp);

// Returns the value of OMP_TOOL if it prevents runtimes from loading a tool, or NULL.
const char *otter_openmp_ban(void);

// Returns whether the program's runtime has a tools interface, since a runtime may be built without
// one.
bool otter_openmp_takes_tools(const struct otter_openmp *openmp);

// Returns the path of the program or library that contains an OpenMP tool of its own, or NULL.
const char *otter_openmp_other_tool(const struct otter_program *program);
