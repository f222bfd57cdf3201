// What can be learnt about the OpenMP runtime that loaded us, and the program around it, from the loader.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Finds the runtime's code by an address in it. Once, before any callback.
void runtime_find(const void *address_in_runtime);

extern uintptr_t runtime_address; // some place in its code

// 0, 0, NULL: not a shared object of its own.
extern uintptr_t runtime_begin, runtime_size;
extern const char *runtime_path;

static inline bool runtime_contains(const void *code)
{
    return (uintptr_t)code - runtime_begin < runtime_size;
}

// The same of libotter-gomp.so, and the place in the program that called it on this thread.
extern uintptr_t runtime_shim_begin, runtime_shim_size;
const void *runtime_caller_of_shim(void);

// `code`, its caller when it lies in libotter-gomp.so, or NULL when it lies in the runtime: LLVM's
// gives addresses in itself for taskloop, after tail calls and in cancelled barriers, and no person
// knows these.
static inline const void *runtime_user_code(const void *code)
{
    if ((uintptr_t)code - runtime_shim_begin < runtime_shim_size) {
        return runtime_caller_of_shim();
    }
    return runtime_contains(code) ? NULL : code;
}

// A function that the runtime exports, or NULL: there is none, or the runtime is no shared object
// of its own.
void *runtime_function(const char *name);

// Whether telling us dependences may make the runtime write behind an array of its own (LLVM at
// least up to 19, in __kmpc_omp_taskwait_deps_51: mutexinoutset or inoutset of a task with if(0)),
// where depend_redirect() has failed. Returns true if a loaded object imports an affected entry
// point, or if the runtime is linked statically.
bool runtime_may_corrupt_dependences(void);

// Whether an object of the process, as it is now, has tasks that GCC compiled.
bool runtime_is_called_by_gcc(void);
