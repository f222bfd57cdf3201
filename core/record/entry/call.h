// The start and end of every recording call.
//
// A call consists of: thread = otter_record_begin(); if (!thread) return; time =
// otter_stamp(thread); ...; otter_record_end(thread). Between begin and end, only the thread itself
// accesses its struct; outside of calls, only a thread that has stopped it does.
//
// Memory order, on any processor: a call stores `busy`, then reads `stop`, without a fence between
// them. The thread that stops others stores `stop`, executes membarrier(), which is a fence on each
// processor that runs this process, and then reads `busy`. So one of them sees the other's store.
// The end of a call is a release, and the reading of `busy` an acquire: what the call stored is
// complete when `busy` is 0.
#pragma once

#include "record/thread/pending.h"
#include "record/thread/thread.h"

// Prepares the calling thread for recording. *Returns* NULL if it cannot record; the event then
// counts as lost.
OTTER_COLD struct otter_thread *otter_record_begin_stopped(void);

// `is_again`: the call repeats an earlier one, so a requested pause can wait.
static inline bool otter_may_record(const struct otter_thread *thread, bool is_again)
{
    return is_again ? otter_is_recording(thread)
                    : atomic_load_explicit(&thread->stop, memory_order_relaxed) == OTTER_STOP_NONE;
}

static inline struct otter_thread *otter_record_begin_on(struct otter_thread *thread, bool is_again)
{
    if (OTTER_UNLIKELY(!otter_may_record(thread, is_again))) {
        return otter_record_begin_stopped();
    }
    // A signal handler that interrupts a record of its thread must not write into that record.
    if (OTTER_UNLIKELY(atomic_load_explicit(&thread->busy, memory_order_relaxed))) {
        thread->n_lost_in_handlers++;
        return NULL;
    }
    // The compiler must not exchange this store and the test after it; see above for the processor.
    atomic_store_explicit(&thread->busy, 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    if (OTTER_UNLIKELY(!otter_may_record(thread, is_again))) {
        atomic_store_explicit(&thread->busy, 0, memory_order_release);
        return otter_record_begin_stopped();
    }
    OTTER_ASSUME(thread);
    return thread;
}

// *Returns* the calling thread, ready to record; NULL: the event is dropped.
static inline struct otter_thread *otter_record_begin(void)
{
    return otter_record_begin_on(otter_current_thread, false);
}

// Like otter_record_begin, for an addition to the previous record; no pause begins or ends in
// between.
static inline struct otter_thread *otter_record_begin_again(void)
{
    return otter_record_begin_on(otter_current_thread, true);
}

static inline void otter_record_end(struct otter_thread *thread)
{
    atomic_store_explicit(&thread->busy, 0, memory_order_release);
}

// Like otter_record_begin for a call that changes the thread's state and writes nothing. A thread
// without a location gets none.
static inline struct otter_thread *otter_state_begin(void)
{
    struct otter_thread *thread = otter_thread_self();
    bool is_unopened =
        thread && atomic_load_explicit(&thread->stop, memory_order_relaxed) == OTTER_STOP_UNOPENED;
    return is_unopened ? thread : otter_record_begin();
}

// Begins most calls. *Returns* the thread, ready to write at `time` and with nothing pending, or
// NULL.
static inline struct otter_thread *otter_record_begin_at(uint64_t *time)
{
    struct otter_thread *thread = otter_record_begin();
    if (thread) {
        *time = otter_stamp(thread);
        otter_write_pending(thread, *time);
    }
    return thread;
}

// Like otter_record_begin_at, for a call that changes no state of the thread: *Returns* NULL while
// the thread is paused.
static inline struct otter_thread *otter_record_begin_mark(uint64_t *time)
{
    struct otter_thread *thread = otter_record_begin();
    if (!thread) {
        return NULL;
    }
    *time = otter_stamp(thread);
    if (OTTER_UNLIKELY(thread->is_paused)) {
        otter_write_pending_except(thread, *time, OTTER_PENDING_UNNUMBERED);
        otter_record_end(thread);
        return NULL;
    }
    otter_write_pending(thread, *time);
    return thread;
}

// Counts one lost event if the calling thread has failed.
OTTER_COLD void otter_thread_count_lost(void);
