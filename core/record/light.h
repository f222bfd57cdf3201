// Tasks without a number. While a thread is paused the tasks that it creates get none, and nothing is remembered of them: what is known of such a
// task is in the 64 bits that the runtime carries for us. It gets its number, for good, where something must be remembered of it: when a thread
// that records meets it, or when it begins in the pause what it may have open at the end of that, but for a taskwait. Untied tasks
// are not made so: their runtime does not always say where one has gone.
#pragma once

#include "record/region.h"
#include "record/thread.h"

// 63: 0, otherwise it is a number; 62: always set; 61: it has begun; 60: it is in a taskwait; 47-32: its region; 15-0: that of the taskwait.
#define OTTER_LIGHT_VALID (UINT64_C(1) << 62)
#define OTTER_LIGHT_HAS_BEGUN (UINT64_C(1) << 61)
#define OTTER_LIGHT_IS_WAITING (UINT64_C(1) << 60)
#define OTTER_LIGHT_WAIT_REGION UINT64_C(0xffff)

static inline bool otter_is_light(otter_task task)
{
    return task >> 62 == 1;
}

static inline uint32_t otter_light_region(otter_task task)
{
    return (uint32_t)(task >> 32) & 0xffff;
}

static inline uint32_t otter_light_wait_region(otter_task task)
{
    return (uint32_t)(task & OTTER_LIGHT_WAIT_REGION);
}

// Who creates a task, or names it as the creator of another, may do so while it runs elsewhere.
static inline otter_task otter_task_at(const otter_task *at)
{
    return at ? __atomic_load_n(at, __ATOMIC_RELAXED) : 0;
}

static inline void otter_task_set(otter_task *at, otter_task task)
{
    __atomic_store_n(at, task, __ATOMIC_RELAXED);
}

// Whether the current task is one, and not what is on top of the thread's stack: the thread is paused.
static inline bool otter_light_runs(const struct otter_thread *thread)
{
    return thread->light;
}

// ---- what costs next to nothing. `light` is the thread's alone: a call that changes nothing else need not say that the thread is busy

// Whether that will do; what is wanted has not changed, either.
static inline bool otter_light_may_go_on(const struct otter_thread *thread)
{
    return atomic_load_explicit(&thread->stop, memory_order_relaxed) == OTTER_GO;
}

// From one to another, which begins, or goes on. False: there is more to do.
static inline bool otter_light_switch(struct otter_thread *thread, otter_task *at, bool may_begin)
{
    otter_task task = otter_task_at(at);
    if (!otter_is_light(task) || !otter_light_may_go_on(thread)) {
        return false;
    }
    if (may_begin) {
        otter_task_set(at, task | OTTER_LIGHT_HAS_BEGUN);
    }
    thread->light = at;
    return true;
}

// A new task in a pause; 0: there is more to do.
static inline otter_task otter_light_create(struct otter_thread *thread, unsigned flags,
                                            const void *code)
{
    uint32_t region;
    if (flags & OTTER_TASK_UNTIED || !otter_light_may_go_on(thread) ||
        !otter_region_is_cached(thread, OTTER_CONSTRUCT_TASK, flags, code, &region)) {
        return 0;
    }
    otter_count_unrecorded(thread);
    return OTTER_LIGHT_VALID | (uint64_t)region << 32;
}

// The current task, which is one, is in a taskwait from now on.
static inline void otter_light_set_wait(struct otter_thread *thread, uint32_t region)
{
    otter_task task = otter_task_at(thread->light) & ~OTTER_LIGHT_WAIT_REGION;
    otter_task_set(thread->light, task | OTTER_LIGHT_IS_WAITING | region);
}

// It begins a taskwait, or ends it. False: there is more to do.
static inline bool otter_light_begin_wait(struct otter_thread *thread, const void *code)
{
    uint32_t region;
    if (!otter_light_may_go_on(thread) ||
        !otter_region_is_cached(thread, OTTER_CONSTRUCT_TASKWAIT, 0, code, &region)) {
        return false;
    }
    otter_light_set_wait(thread, region);
    return true;
}
static inline bool otter_light_end_wait(struct otter_thread *thread)
{
    if (!otter_light_may_go_on(thread)) {
        return false;
    }
    otter_task_set(thread->light, otter_task_at(thread->light) &
                                      ~(OTTER_LIGHT_IS_WAITING | OTTER_LIGHT_WAIT_REGION));
    return true;
}

// ---- from and to tasks with numbers. The thread is paused, and busy

// The current task is the one at `at`, which begins or goes on.
static inline void otter_light_run(struct otter_thread *thread, otter_task *at)
{
    otter_task_set(at, otter_task_at(at) | OTTER_LIGHT_HAS_BEGUN);
    thread->light = at;
    thread->pending |= OTTER_PENDING_LIGHT;
    atomic_store_explicit(&thread->is_hidden, false, memory_order_relaxed);
}

// It is the one on top of the thread's stack.
static inline void otter_light_stop(struct otter_thread *thread)
{
    thread->light = NULL;
    thread->pending &= ~(uint32_t)OTTER_PENDING_LIGHT;
    bool is_hidden = otter_top_frame(thread)->kind == OTTER_FRAME_HIDDEN;
    atomic_store_explicit(&thread->is_hidden, is_hidden, memory_order_relaxed);
}
