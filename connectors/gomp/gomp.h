// Entry points of GCC's OpenMP runtime, for code that GCC compiled and that runs on LLVM's runtime.
//
// LLVM's runtime lacks these entry points or implements them wrongly (the quirks 'gcc ...' of
// doc/quirks.md). `otter record` preloads this library before LLVM's runtime. Each function calls
// the function of the same name (for Fortran: of the C name) in the next library, and has the same
// result as libgomp's. The functions have no symbol version, so that the dynamic loader accepts
// them for every version. Calls that need no change are forwarded by sibling calls, so that a tool
// sees the program as the caller.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GOMP_EXPORT __attribute__((visibility("default")))

// *Returns* the place in the program from which this thread called the current entry point. A tool
// calls it when the runtime reports a place in this library.
GOMP_EXPORT const void *otter_gomp_caller(void);
void gomp_set_caller(const void *caller);

// *Returns* the place in the program at which this thread is beginning sections, or NULL if it is
// not. A tool calls this function when the runtime reports a loop.
GOMP_EXPORT const void *otter_gomp_sections(void);

// *Returns* the place in the program at which this thread is ending a loop or sections, once for
// each end; otherwise NULL. A tool calls this function when a barrier begins.
GOMP_EXPORT const void *otter_gomp_take_barrier(void);
void gomp_set_barrier(const void *caller);

// Looks up the function `name` in the next library once, and stores it in `*found`. Aborts the
// program if that function is missing, as the loader would. *Thread*: any.
void *gomp_next(void *_Atomic *found, const char *name);

#define GOMP_NEXT(name)                                                                            \
    ({                                                                                             \
        static void *_Atomic found;                                                                \
        (__typeof__(&name))gomp_next(&found, #name);                                               \
    })

typedef unsigned long long gomp_ull;

// ---- task.c

// Calls GOMP_task as if the program had called it from the place `caller`.
void gomp_task_from(const void *caller, void (*function)(void *), void *data,
                    void (*copy)(void *, void *), long size, long alignment, bool is_deferred,
                    unsigned flags, void **depend, int priority, void *detach);

GOMP_EXPORT void GOMP_task(void (*function)(void *), void *data, void (*copy)(void *, void *),
                           long size, long alignment, bool is_deferred, unsigned flags,
                           void **depend, int priority, void *detach);
GOMP_EXPORT void GOMP_taskwait_depend(void **depend);

// ---- taskloop.c

GOMP_EXPORT void GOMP_taskloop(void (*function)(void *), void *data, void (*copy)(void *, void *),
                               long size, long alignment, unsigned flags, unsigned long number,
                               int priority, long start, long end, long step);
GOMP_EXPORT void GOMP_taskloop_ull(void (*function)(void *), void *data,
                                   void (*copy)(void *, void *), long size, long alignment,
                                   unsigned flags, unsigned long number, int priority,
                                   gomp_ull start, gomp_ull end, gomp_ull step);
void GOMP_taskgroup_start(void); // this library does not define these three functions
void GOMP_taskgroup_end(void);
void GOMP_taskgroup_reduction_register(uintptr_t *reductions);

// ---- sections.c

GOMP_EXPORT unsigned GOMP_sections_start(unsigned n);
GOMP_EXPORT unsigned GOMP_sections_next(void);
GOMP_EXPORT void GOMP_parallel_sections(void (*function)(void *), void *data, unsigned n_threads,
                                        unsigned n, unsigned flags);
void GOMP_parallel(void (*function)(void *), void *data, unsigned n_threads,
                   unsigned flags); // this library does not define it
