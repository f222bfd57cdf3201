// The state of the connector between its first hook and its last. *Thread*: any.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

enum lifecycle_stage {
    LIFECYCLE_BEFORE = 0,
    LIFECYCLE_RUNS,  // hooks are recorded, or forwarded, or both
    LIFECYCLE_ENDED, // after kokkosp_finalize_library
    LIFECYCLE_IDLE,  // hooks do nothing: there is no session and no next tool
};

// enum lifecycle_stage; only lifecycle.c changes it.
extern atomic_int lifecycle_stage;

// Joins the session, or joins it again after the end. *Returns* whether hooks have anything to do.
bool lifecycle_begin(void);

// Returns whether hooks have anything to do. The first hook joins the session, since hooks may
// precede kokkosp_init_library, or follow kokkosp_finalize_library (quirk 'early hooks').
static inline bool is_recording(void)
{
    int stage = atomic_load_explicit(&lifecycle_stage, memory_order_acquire);
    return __builtin_expect(stage == LIFECYCLE_RUNS, 1) ||
           (stage != LIFECYCLE_IDLE && lifecycle_begin());
}
