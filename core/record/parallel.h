// Parallel regions and implicit tasks, as constructs inside them need them.
#pragma once

#include "record/thread.h"

// *Returns* whether the current task of `thread`, the calling one, is an unrecorded implicit task
// of the runtime's own threads.
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

// *Returns* the time of an end that the runtime may report late: not after the end of the current
// implicit task's region.
uint64_t otter_stamp_end(struct otter_thread *thread);

// *Returns* when the region of `frame` ended; UINT64_MAX if it has not ended or is no longer known.
uint64_t otter_parallel_end_time(const struct otter_frame *frame);
