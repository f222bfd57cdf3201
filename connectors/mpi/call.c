// Begins and ends the record of a call.
#include "call.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Thread_local uint32_t depth;
static atomic_bool is_off;

void call_switch_off(void)
{
    atomic_store(&is_off, true);
}

bool call_is_off(void)
{
    return atomic_load_explicit(&is_off, memory_order_relaxed);
}

uint64_t call_begin(enum otter_construct kind, const char *name)
{
    return depth++ == 0 && !call_is_off() ? otter_label_begin(kind, name, NULL) : 0;
}

bool call_is_outermost(void)
{
    return depth == 1 && !call_is_off();
}

void call_end(uint64_t call)
{
    depth--;
    if (call) {
        otter_label_end(call);
    }
}

// The library's names, newest first. RTLD_NOLOAD finds a library that is private to a plugin, too.
static void *library(void)
{
    static const char *const names[] = {"libmpi.so.40", "libmpich.so.12", "libmpi.so.12"};
    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        void *handle = dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD);
        if (handle) {
            return handle;
        }
    }
    return NULL;
}

// Without the function the program cannot continue: it would have failed to load without Otter.
__attribute__((cold, noinline)) static void *find_late(const char *name)
{
    void *handle = library();
    void *function = handle ? dlsym(handle, name) : NULL;
    if (!function) {
        otter_warn("%s is called, but no MPI library of the process has it", name);
        abort();
    }
    return function;
}

void *call_find(void *weak, const char *name)
{
    return __builtin_expect(weak != NULL, 1) ? weak : find_late(name);
}
