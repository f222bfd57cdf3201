// The code addresses of constructs compiled by GCC.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <omp-tools.h>

extern __attribute__((visibility("hidden"))) _Atomic bool gcc_has_tasks; // only gcc.c changes it

// Finds out whether an already loaded object has tasks or regions compiled by GCC. Runs once, after
// runtime_find() and before any callback is registered.
void gcc_begin(void);

// Makes the runtime forget the address of the region whose final barrier this thread enters.
// Otherwise the runtime reports this address for the first construct of a task that the thread
// executes in the barrier. Quirk 'stale region'.
void gcc_forget_region(void);

static inline bool gcc_may_have_tasks(void)
{
    return __builtin_expect(atomic_load_explicit(&gcc_has_tasks, memory_order_relaxed), 0);
}

// Reads the place from the frame of the runtime function that the program called.
// *Returns* `code` if that frame is not near this one, or its return address is not near `code`.
// Quirk 'stale place'.
static inline const void *gcc_place(const ompt_frame_t *frame, const void *code)
{
    if (!gcc_may_have_tasks()) {
        return code;
    }
    const uintptr_t near_frame = 4096, near_code = UINT64_C(1) << 28;
    const void *const *at = frame ? frame->enter_frame.ptr : NULL;
    if ((uintptr_t)at - (uintptr_t)__builtin_frame_address(0) >= near_frame) {
        return code;
    }
    const void *place = at[1];
    return (uintptr_t)place - (uintptr_t)code + near_code < 2 * near_code ? place : code;
}
