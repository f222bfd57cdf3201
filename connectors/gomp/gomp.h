// Entry points of GCC's OpenMP runtime that LLVM's lacks or serves wrongly for code that GCC
// compiled.
//
// `otter record` preloads this library before LLVM's runtime. Each function here does what libgomp
// does, by the function of the same name (that of C, for Fortran) in the next library that has one.
// Nothing here has a symbol version, so that the dynamic loader takes it for every version. What is
// passed on unchanged is passed on by a sibling call: a tool then sees the program as the caller.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GOMP_EXPORT __attribute__((visibility("default")))

// Returns the place in the program that called the entry point that this thread is in. A tool that
// gets a place in this library calls it.
GOMP_EXPORT const void *otter_gomp_caller(void);
void gomp_set_caller(const void *caller);

// The function `name` of the next library, looked up once. Any thread may call it. Ends the program
// when there is none, as the loader does for a symbol that it does not find.
void *gomp_next(void *_Atomic *found, const char *name);

#define GOMP_NEXT(name)                                                                            \
    ({                                                                                             \
        static void *_Atomic found;                                                                \
        (__typeof__(&name))gomp_next(&found, #name);                                               \
    })

typedef unsigned long long gomp_ull;

// ---- task.c

// GOMP_task for the place `caller` of the program.
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
void GOMP_taskgroup_start(void); // these of the next library alone
void GOMP_taskgroup_end(void);
void GOMP_taskgroup_reduction_register(uintptr_t *reductions);

// ---- loop.c

typedef bool gomp_start(long start, long end, long step, long chunk, long *begin, long *stop);
typedef bool gomp_start_any(long start, long end, long step, long schedule, long chunk, long *begin,
                            long *stop, uintptr_t *reductions, void **memory);
typedef bool gomp_ull_start(bool is_up, gomp_ull start, gomp_ull end, gomp_ull step, gomp_ull chunk,
                            gomp_ull *begin, gomp_ull *stop);
typedef bool gomp_ull_start_runtime(bool is_up, gomp_ull start, gomp_ull end, gomp_ull step,
                                    gomp_ull *begin, gomp_ull *stop);
typedef bool gomp_ull_start_any(bool is_up, gomp_ull start, gomp_ull end, gomp_ull step,
                                long schedule, gomp_ull chunk, gomp_ull *begin, gomp_ull *stop,
                                uintptr_t *reductions, void **memory);
typedef bool gomp_ull_next(gomp_ull *begin, gomp_ull *stop);

GOMP_EXPORT gomp_start GOMP_loop_ordered_static_start;
GOMP_EXPORT gomp_ull_start GOMP_loop_ull_static_start, GOMP_loop_ull_dynamic_start,
    GOMP_loop_ull_guided_start, GOMP_loop_ull_nonmonotonic_dynamic_start,
    GOMP_loop_ull_nonmonotonic_guided_start, GOMP_loop_ull_ordered_static_start,
    GOMP_loop_ull_ordered_dynamic_start, GOMP_loop_ull_ordered_guided_start;
GOMP_EXPORT gomp_ull_start_runtime GOMP_loop_ull_runtime_start,
    GOMP_loop_ull_nonmonotonic_runtime_start, GOMP_loop_ull_maybe_nonmonotonic_runtime_start,
    GOMP_loop_ull_ordered_runtime_start;
GOMP_EXPORT gomp_ull_start_any GOMP_loop_ull_start, GOMP_loop_ull_ordered_start;
GOMP_EXPORT gomp_ull_next GOMP_loop_ull_static_next, GOMP_loop_ull_dynamic_next,
    GOMP_loop_ull_guided_next, GOMP_loop_ull_runtime_next, GOMP_loop_ull_nonmonotonic_dynamic_next,
    GOMP_loop_ull_nonmonotonic_guided_next, GOMP_loop_ull_nonmonotonic_runtime_next,
    GOMP_loop_ull_maybe_nonmonotonic_runtime_next, GOMP_loop_ull_ordered_static_next,
    GOMP_loop_ull_ordered_dynamic_next, GOMP_loop_ull_ordered_guided_next,
    GOMP_loop_ull_ordered_runtime_next;
GOMP_EXPORT void GOMP_scope_start(uintptr_t *reductions);
gomp_start_any GOMP_loop_start; // of the next library alone
