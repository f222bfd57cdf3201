// Finds the functions of the next library.
#include "gomp.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static _Thread_local const void *current_caller;

const void *otter_gomp_caller(void)
{
    return current_caller;
}

void gomp_set_caller(const void *caller)
{
    current_caller = caller;
}

static _Thread_local const void *barrier_caller; // quirk 'gcc end place'

const void *otter_gomp_take_barrier(void)
{
    const void *caller = barrier_caller;
    barrier_caller = NULL;
    return caller;
}

void gomp_set_barrier(const void *caller)
{
    barrier_caller = caller;
}

// Without Otter in between, the dynamic linker would also end the program.
__attribute__((cold, noinline)) static void *look_up(void *_Atomic *found, const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) {
        fprintf(stderr, "otter: the OpenMP runtime has no %s\n", name);
        abort();
    }
    atomic_store_explicit(found, function, memory_order_release);
    return function;
}

void *gomp_next(void *_Atomic *found, const char *name)
{
    void *function = atomic_load_explicit(found, memory_order_acquire);
    return function ? function : look_up(found, name);
}
