// Which OpenMP runtime a program uses, and whether it can be had on one that can be traced.
//
// GCC's libgomp has no tools interface. LLVM's libomp offers libgomp's functions too, and takes over when it is loaded first.
#pragma once

#include "cli/program.h"

enum otter_openmp_kind {
    OTTER_OPENMP_NONE = 0, // none that can be seen
    OTTER_OPENMP_LLVM,     // libomp or Intel's libiomp5, also linked statically
    OTTER_OPENMP_GNU,
};

enum otter_openmp_obstacle {
    OTTER_OBSTACLE_NONE = 0,
    OTTER_OBSTACLE_FORBIDDEN, // --libomp=none
    OTTER_OBSTACLE_NOT_FOUND, // no libomp on this system
    OTTER_OBSTACLE_DETACH,    // tasks with a detach clause crash on libomp
    OTTER_OBSTACLE_TARGET,    // target regions go wrong on libomp
    OTTER_OBSTACLE_SCAN,      // libomp aborts the program at a scan
    OTTER_OBSTACLE_DOACROSS,  // doacross loops of one thread crash on libomp, and there is one
    OTTER_OBSTACLE_SYMBOL,    // libomp lacks a symbol that the program wants of libgomp: `symbol`
};

struct otter_openmp {
    enum otter_openmp_kind kind;
    const char *
        library; // the runtime's file; NULL when linked statically. Belongs to the program, or is `preload`
    char *preload; // the libomp to load first, for a GNU program; NULL for the reason in `obstacle`
    char *shim;    // libotter-gomp.so, for a GNU program; it goes before `preload`. NULL: not found
    enum otter_openmp_obstacle obstacle;
    char *obstacle_text; // the end of a sentence, "LLVM's was not found"; NULL without an obstacle
};

// `libomp`: the path of a libomp, "none", or NULL: search for one.
void otter_openmp_init(struct otter_openmp *openmp, const struct otter_program *program,
                       const char *libomp);
void otter_openmp_finish(struct otter_openmp *openmp);

// Why nothing can run on `preload`, or NULL when it can: the end of a sentence.
const char *otter_openmp_fault(const struct otter_openmp *openmp);

// The value of OMP_TOOL that keeps runtimes from loading a tool, or NULL when none does.
const char *otter_openmp_ban(void);

// Has the library that the program runs on a tools interface? A runtime may be built without.
bool otter_openmp_takes_tools(const struct otter_openmp *openmp);

// The program or library, other than an OpenMP runtime, that brings its own OpenMP tool; or NULL.
const char *otter_openmp_other_tool(const struct otter_program *program);
