// Parallel regions and implicit tasks, seen from the constructs inside them.
#pragma once

#include "record/thread.h"

// Whether the current task of `thread`, the calling one's, is an implicit task that is not recorded (the runtime's helper threads).
static inline bool otter_is_hidden_on(const struct otter_thread *thread)
{
    return OTTER_UNLIKELY(atomic_load_explicit(&thread->is_hidden, memory_order_relaxed));
}
static inline bool otter_is_hidden(void)
{
    return otter_is_hidden_on(otter_current_thread);
}

static inline bool otter_is_barrier(unsigned construct)
{
    return construct >= OTTER_CONSTRUCT_BARRIER &&
           construct <= OTTER_CONSTRUCT_BARRIER_IMPLEMENTATION;
}

// The time of an end that the runtime may tell late: not after the end of the region that the current implicit task belongs to.
uint64_t otter_stamp_end(struct otter_thread *thread);

// When the region of `frame` ended, or UINT64_MAX when it has not, or nobody knows any more.
uint64_t otter_parallel_end_time(const struct otter_frame *frame);
