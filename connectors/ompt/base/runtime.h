// Finds the OpenMP runtime that loaded the connector, and libotter-gomp.so, in the process.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Finds the runtime's code by an address in it. Runs once, before any callback.
void runtime_find(const void *address_in_runtime);

#pragma GCC visibility push(hidden)

extern uintptr_t runtime_address; // an address in the runtime's code

// The runtime's shared object; 0, 0, NULL where the runtime is linked into the program.
extern uintptr_t runtime_begin, runtime_size;
extern const char *runtime_path;

static inline bool runtime_contains(const void *code)
{
    return (uintptr_t)code - runtime_begin < runtime_size;
}

// The object libotter-gomp.so, and the place in the program from which it was called on this
// thread.
extern uintptr_t runtime_shim_begin, runtime_shim_size;
const void *runtime_caller_of_shim(void);

// A range that contains both objects, and perhaps others.
extern uintptr_t runtime_both_begin, runtime_both_size;

#pragma GCC visibility pop

// *Returns* the place at which GCC's code begins sections on this thread, or NULL. Quirk 'gcc
// sections'.
const void *runtime_sections(void);

// *Returns* the place at which GCC's code ends a loop or sections, once for each end, or NULL.
// Quirk 'gcc end place'.
const void *runtime_take_barrier(void);

// Like runtime_user_code, for code in the range of both objects.
const void *runtime_caller(const void *code);

// *Returns* `code`; the caller of libotter-gomp.so if `code` is in that library; NULL if `code` is
// in the runtime (quirk 'own address').
static inline const void *runtime_user_code(const void *code)
{
    bool is_users = (uintptr_t)code - runtime_both_begin >= runtime_both_size;
    return __builtin_expect(is_users, 1) ? code : runtime_caller(code);
}

// *Returns* a function that the runtime exports, or NULL if there is none or the runtime is linked
// into the program.
void *runtime_function(const char *name);
