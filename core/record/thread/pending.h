// Records that wait for the thread's next call.
#pragma once

#include "record/thread/thread.h"

// Writes the pending records (enum otter_pending) before a record at `time`.
OTTER_COLD void otter_write_all_pending(struct otter_thread *thread, uint64_t time);

static inline void otter_write_pending(struct otter_thread *thread, uint64_t time)
{
    if (OTTER_UNLIKELY(thread->pending)) {
        otter_write_all_pending(thread, time);
    }
}

// Like otter_write_all_pending, but the record `except`, a bit of enum otter_pending, stays
// pending.
OTTER_COLD void otter_write_pending_except(struct otter_thread *thread, uint64_t time,
                                           enum otter_pending except);

// Notes that the thread has written a chunk; the next record reports it.
void otter_thread_note_flush(struct otter_thread *thread, uint64_t begin, uint64_t end);

// Writes the switch to the current task, which was resumed. Number 0 names an implicit or initial
// task.
void otter_write_resumed(struct otter_thread *thread, uint64_t time);
