// The fast path of the most frequent calls. It is inline, and calls nothing but strcmp() for
// labels.
//
// A call tries the fast path first. The fast path checks everything that it needs before it changes
// anything. If a check fails, the whole call takes the slow path in call.h.
#pragma once

#include "record/entry/call.h"
#include "record/thread/stack.h"
#include "trace/write/record_parts.h"

#define OTTER_LIKELY(condition) __builtin_expect(!!(condition), 1)

// Like otter_record_begin_on. `may_pend`: the bits of enum otter_pending that the call handles.
// *Returns* false if the call must take the slow path.
static inline bool otter_quick_begin(struct otter_thread *thread, uint32_t may_pend)
{
    if (OTTER_UNLIKELY(atomic_load_explicit(&thread->busy, memory_order_relaxed) ||
                       thread->is_paused || !otter_clock_is_quick())) {
        return false;
    }
    atomic_store_explicit(&thread->busy, 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    if (OTTER_LIKELY(otter_may_record(thread, false) && !(thread->pending & ~may_pend))) {
        return true;
    }
    otter_record_end(thread);
    return false;
}

// Stores the time of the call, after otter_quick_begin. *Returns* where to write its records, at
// most OTTER_RECORD_ROOM bytes in all; NULL if the call must take the slow path.
static inline uint8_t *otter_quick_stamp(struct otter_thread *thread, uint64_t *time)
{
    *time = otter_clock_now_quickly();
    uint8_t *at = otter_records_begin(thread->writer, *time);
    if (OTTER_LIKELY(at)) {
        thread->last_time = *time;
    }
    return at;
}

// Puts the switch to `task`, the current task, which was resumed; 0: an implicit or initial task.
static inline uint8_t *otter_quick_put_resumed(const struct otter_thread *thread, uint8_t *at,
                                               otter_task task)
{
    return otter_put_task(at, RECORD_TASK_SWITCH, task ? otter_id_location(task) : thread->location,
                          otter_id_number(task));
}
