// Unnumbered tasks, which are created during pauses. A paused thread gives its new tasks no number
// and stores nothing about them. Everything that is known about them is in the 64 bits that the
// runtime carries for Otter.
//
// Such a task gets a permanent number when a recording thread encounters it, or when it begins a
// construct other than a taskwait in the pause. Untied tasks always have numbers, since runtimes do
// not always report when they change threads.
#pragma once

#include "record/thread/region.h"
#include "record/thread/stack.h"

// Bits of an unnumbered task:
// - 63: 0; in the id of a numbered task, 1
// - 62: always set
// - 61: it has begun
// - 60: it is in a taskwait
// - 47-32: its region
// - 15-0: the region of the taskwait
#define OTTER_UNNUMBERED_VALID (UINT64_C(1) << 62)
#define OTTER_UNNUMBERED_HAS_BEGUN (UINT64_C(1) << 61)
#define OTTER_UNNUMBERED_IS_WAITING (UINT64_C(1) << 60)
#define OTTER_UNNUMBERED_WAIT_REGION UINT64_C(0xffff)

static inline bool otter_is_unnumbered(otter_task task)
{
    return task >> 62 == 1;
}

static inline uint32_t otter_unnumbered_region(otter_task task)
{
    return (uint32_t)(task >> 32) & 0xffff;
}

static inline uint32_t otter_unnumbered_wait_region(otter_task task)
{
    return (uint32_t)(task & OTTER_UNNUMBERED_WAIT_REGION);
}

// Reads and writes are atomic, since another thread may read them while the task runs, as the bits
// of a new task's creator.
static inline otter_task otter_task_at(const otter_task *at)
{
    return at ? __atomic_load_n(at, __ATOMIC_RELAXED) : 0;
}

static inline void otter_task_set(otter_task *at, otter_task task)
{
    __atomic_store_n(at, task, __ATOMIC_RELAXED);
}

// *Returns* whether the current task is unnumbered and thus not on top of the stack. The thread is
// paused.
static inline bool otter_unnumbered_runs(const struct otter_thread *thread)
{
    return thread->unnumbered;
}

// ---- Calls that change only `unnumbered`. They do not set `busy`, since no other thread accesses
// `unnumbered`.

// *Returns* whether such a call suffices, since no change is requested.
static inline bool otter_unnumbered_may_continue(const struct otter_thread *thread)
{
    return atomic_load_explicit(&thread->stop, memory_order_relaxed) == OTTER_STOP_NONE;
}

// Switches from one unnumbered task to another, which begins or resumes. *Returns* false if a full
// switch is necessary.
static inline bool otter_unnumbered_switch(struct otter_thread *thread, otter_task *at,
                                           bool may_begin)
{
    otter_task task = otter_task_at(at);
    if (!otter_is_unnumbered(task) || !otter_unnumbered_may_continue(thread)) {
        return false;
    }
    if (may_begin) {
        otter_task_set(at, task | OTTER_UNNUMBERED_HAS_BEGUN);
    }
    thread->unnumbered = at;
    return true;
}

// Creates an unnumbered task. *Returns* 0 if a full creation is necessary.
static inline otter_task otter_unnumbered_create(struct otter_thread *thread, unsigned flags,
                                                 const void *code)
{
    uint32_t region;
    if (flags & OTTER_TASK_UNTIED || !otter_unnumbered_may_continue(thread) ||
        !otter_region_is_cached(thread, OTTER_CONSTRUCT_TASK, flags, code, &region)) {
        return 0;
    }
    otter_count_unrecorded(thread);
    return OTTER_UNNUMBERED_VALID | (uint64_t)region << 32;
}

// Puts the current task, which is unnumbered, into a taskwait.
static inline void otter_unnumbered_set_wait(struct otter_thread *thread, uint32_t region)
{
    otter_task task = otter_task_at(thread->unnumbered) & ~OTTER_UNNUMBERED_WAIT_REGION;
    otter_task_set(thread->unnumbered, task | OTTER_UNNUMBERED_IS_WAITING | region);
}

// Begins or ends a taskwait of the current task. *Returns* false if a full record is necessary.
static inline bool otter_unnumbered_begin_wait(struct otter_thread *thread, const void *code)
{
    uint32_t region;
    if (!otter_unnumbered_may_continue(thread) ||
        !otter_region_is_cached(thread, OTTER_CONSTRUCT_TASKWAIT, 0, code, &region)) {
        return false;
    }
    otter_unnumbered_set_wait(thread, region);
    return true;
}
static inline bool otter_unnumbered_end_wait(struct otter_thread *thread)
{
    if (!otter_unnumbered_may_continue(thread)) {
        return false;
    }
    otter_task_set(thread->unnumbered,
                   otter_task_at(thread->unnumbered) &
                       ~(OTTER_UNNUMBERED_IS_WAITING | OTTER_UNNUMBERED_WAIT_REGION));
    return true;
}

// ---- Switches between unnumbered and numbered tasks. The thread is paused and busy.

// Begins or resumes the task at `at`, which becomes the current task.
static inline void otter_unnumbered_run(struct otter_thread *thread, otter_task *at)
{
    otter_task_set(at, otter_task_at(at) | OTTER_UNNUMBERED_HAS_BEGUN);
    thread->unnumbered = at;
    thread->pending |= OTTER_PENDING_UNNUMBERED;
    atomic_store_explicit(&thread->is_hidden, false, memory_order_relaxed);
}

// Makes the task on top of the stack the current one.
static inline void otter_unnumbered_stop(struct otter_thread *thread)
{
    thread->unnumbered = NULL;
    thread->pending &= ~(uint32_t)OTTER_PENDING_UNNUMBERED;
    bool is_hidden = otter_top_frame(thread)->kind == OTTER_FRAME_HIDDEN;
    atomic_store_explicit(&thread->is_hidden, is_hidden, memory_order_relaxed);
}
