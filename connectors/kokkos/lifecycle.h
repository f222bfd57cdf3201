// The connector's own life, from its first hook to its last. Any thread may call these.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

enum lifecycle_stage {
    LIFECYCLE_BEFORE = 0,
    LIFECYCLE_RUNS,  // events are recorded, or passed on, or both
    LIFECYCLE_ENDED, // Kokkos has said so
    LIFECYCLE_IDLE,  // there is nobody to record or to pass on to
};

// enum lifecycle_stage; only lifecycle.c changes it.
extern atomic_int lifecycle_stage;

// Joins the session, or joins it again after the end. Returns whether a hook has anything to do.
bool lifecycle_begin(void);

// Whether a hook has anything to do. Older versions of Kokkos call hooks before kokkosp_init_library, and some programs after
// kokkosp_finalize_library: the first hook joins the session.
static inline bool is_recording(void)
{
    int stage = atomic_load_explicit(&lifecycle_stage, memory_order_acquire);
    return __builtin_expect(stage == LIFECYCLE_RUNS, 1) ||
           (stage != LIFECYCLE_IDLE && lifecycle_begin());
}
