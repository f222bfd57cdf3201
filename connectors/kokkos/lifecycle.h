// The connector's own life, from its first hook to its last. Any thread may call these.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

enum lifecycle_stage { LIFECYCLE_BEFORE = 0, LIFECYCLE_ATTACHED, LIFECYCLE_OVER };

// enum lifecycle_stage; only lifecycle.c changes it.
extern atomic_int lifecycle_stage;

// Joins the session. Threads that come meanwhile wait, so that nothing of theirs is lost.
void lifecycle_attach(void);

// Whether a hook has anything to do. Older versions of Kokkos call hooks before kokkosp_init_library: the first of them attaches. Kokkos may go
// on after it has said that it ends, on threads of its own; what it does then is nobody's.
static inline bool is_recording(void)
{
    if (__builtin_expect(
            atomic_load_explicit(&lifecycle_stage, memory_order_acquire) == LIFECYCLE_BEFORE, 0)) {
        lifecycle_attach();
    }
    return atomic_load_explicit(&lifecycle_stage, memory_order_relaxed) == LIFECYCLE_ATTACHED;
}
