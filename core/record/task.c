// Records how explicit tasks are created, executed and ended; each thread has a stack of them.
#include <stdatomic.h>

#include "otter/record.h"
#include "record/entry/call.h"
#include "record/entry/quick.h"
#include "record/thread/leave.h"
#include "record/thread/paused.h"
#include "record/thread/region.h"
#include "record/thread/start.h"
#include "record/thread/unnumbered.h"

// Whether any task was created while nothing could be recorded, so that it has no number.
static atomic_bool is_any_unknown;

static bool may_be_unknown(void)
{
    return atomic_load_explicit(&is_any_unknown, memory_order_relaxed);
}

// After a region of one thread, LLVM's runtime may have lost the 64 bits of GCC's enclosing task.
// While a tied task is on top, no other task runs here, so a missing id means that task (quirk
// 'lost task').
static bool may_be_nameless(const struct otter_thread *thread)
{
    const struct otter_frame *top = &thread->frames[thread->n_frames - 1];
    return top->kind == OTTER_FRAME_EXPLICIT && !(top->task & OTTER_ID_UNTIED) &&
           !otter_unnumbered_runs(thread) && !may_be_unknown();
}

// Names the encountering task if it is not the current one. A runtime that splits a taskloop may
// name an implicit task that is not running, without a code address (quirk 'split taskloop').
OTTER_COLD static void write_encountering(struct otter_thread *thread, uint64_t time,
                                          otter_task encountering, const void *code)
{
    bool is_nameless = !encountering && code && may_be_nameless(thread);
    if (!otter_is_unnumbered(encountering) && !is_nameless) {
        otter_write_parameter(thread->writer, time, OTTER_PARAMETER_ENCOUNTERING_TASK,
                              otter_id_public(encountering));
    }
}

OTTER_APART static otter_task create(const otter_task *encountering_at, unsigned flags,
                                     const void *code, struct otter_thread *thread)
{
    thread = otter_record_begin_on(thread, false);
    if (!thread) {
        atomic_store_explicit(&is_any_unknown, true, memory_order_relaxed);
        return 0;
    }
    uint64_t time = otter_stamp(thread);
    if (OTTER_UNLIKELY(thread->is_paused)) {
        otter_count_unrecorded(thread);
        thread->n_uncreated++;
    }
    otter_write_pending(thread, time);
    uint32_t region = otter_region(thread, OTTER_CONSTRUCT_TASK, flags, code);
    uint32_t number = otter_next_number(thread, &thread->n_tasks);
    otter_write_task_create(thread->writer, time, thread->location, number);
    otter_task encountering = otter_task_at(encountering_at);
    if (OTTER_UNLIKELY(encountering != otter_top_frame(thread)->task)) {
        write_encountering(thread, time, encountering, code);
    }
    uint64_t untied = flags & OTTER_TASK_UNTIED ? OTTER_ID_UNTIED : 0;
    otter_task task = otter_id_make(thread->location, region, number) | untied;
    thread->undeferred = flags & OTTER_TASK_UNDEFERRED ? task : 0;
    thread->undeferred_time = time;
    otter_record_end(thread);
    return task;
}

OTTER_APART static otter_task create_rarely(const otter_task *encountering, unsigned flags,
                                            const void *code, struct otter_thread *thread)
{
    otter_task task = thread->is_paused ? otter_unnumbered_create(thread, flags, code) : 0;
    return task ? task : create(encountering, flags, code, thread);
}

// *Returns* 0 if the call must take the slow path.
static inline otter_task create_quickly(struct otter_thread *thread, otter_task encountering,
                                        unsigned flags, const void *code)
{
    uint32_t region, number = thread->n_tasks + 1;
    if (!otter_region_is_cached(thread, OTTER_CONSTRUCT_TASK, flags, code, &region) ||
        encountering != otter_top_frame(thread)->task || flags & OTTER_TASK_UNTIED ||
        number == OTTER_LAST_NUMBER) {
        return 0;
    }
    uint64_t time;
    uint8_t *at = otter_quick_stamp(thread, &time);
    if (!at) {
        return 0;
    }
    at = otter_put_task(at, RECORD_TASK_CREATE, thread->location, number);
    otter_records_end(thread->writer, time, at, 1);
    otter_task task = otter_id_make(thread->location, region, number);
    thread->n_tasks = number;
    if (flags & OTTER_TASK_UNDEFERRED) {
        thread->undeferred = task;
        thread->undeferred_time = time;
    }
    return task;
}

otter_task otter_task_create(const otter_task *encountering, unsigned flags, const void *code)
{
    struct otter_thread *thread = otter_current_thread;
    if (OTTER_LIKELY(otter_quick_begin(thread, 0))) {
        otter_task task = create_quickly(thread, otter_task_at(encountering), flags, code);
        otter_record_end(thread);
        if (OTTER_LIKELY(task)) {
            return task;
        }
    }
    return create_rarely(encountering, flags, code, thread);
}

// ---- execution

static bool has_departed(struct otter_thread *thread, otter_task current)
{
    const struct otter_frame *frame = otter_top_frame(thread);
    return thread->n_frames > 1 && (frame->task & OTTER_ID_UNTIED) && frame->task != current &&
           !otter_unnumbered_runs(thread);
}

// Leaves tasks until `prior`, the current task, is on top (quirk 'late untied end').
static void leave_departed(struct otter_thread *thread, uint64_t time, otter_task *prior)
{
    bool has_left_any = false;
    while (has_departed(thread, otter_task_at(prior))) {
        otter_write_pending(thread, time);
        otter_leave_task(thread, time);
        has_left_any = true;
    }
    if (has_left_any && otter_is_unnumbered(otter_task_at(prior))) {
        otter_run_unnumbered(thread, time, prior); // `prior` was below the tasks that left
    }
}

// *Returns* whether the current untied task leaves the thread and the task below it, `next`,
// resumes. If the task below is tied, it has not left this thread. If `next` is unnumbered and has
// begun, it is the task below. If `next` is 0, it is unknown.
static bool leaves_for(const struct otter_thread *thread, otter_task next)
{
    if (thread->n_frames == 1 || !(thread->frames[thread->n_frames - 1].task & OTTER_ID_UNTIED) ||
        otter_unnumbered_runs(thread)) {
        return false;
    }
    return otter_is_unnumbered(next) ? next & OTTER_UNNUMBERED_HAS_BEGUN
                                     : next == thread->frames[thread->n_frames - 2].task;
}

// An undeferred task begins at its creation unless another call came between the two.
static uint64_t stamp_switch(struct otter_thread *thread, otter_task next)
{
    bool begins_at_once =
        next == thread->undeferred && next && thread->last_time == thread->undeferred_time;
    return begins_at_once ? thread->last_time : otter_stamp(thread);
}

// LLVM's runtime may name one untied task of a team of one thread as both `prior` and `next`. It
// does so where the task resumes, and around calls that may interrupt it (quirk 'untied switch').
OTTER_COLD static void switch_to_itself(struct otter_thread *thread, uint64_t time, otter_task task)
{
    if (task != otter_top_frame(thread)->task) {
        otter_write_pending(thread, time);
        otter_start_task(thread, time, task);
    }
}

static void begin_on_top(struct otter_thread *thread, uint64_t time, otter_task task)
{
    thread->pending &= ~(uint32_t)OTTER_PENDING_RESUME;
    if (OTTER_UNLIKELY(thread->pending)) {
        otter_unnumbered_stop(thread);
        otter_write_all_pending(thread, time);
    }
    otter_start_task(thread, time, task);
}

// *Returns* whether `next` was created while nothing could be recorded. Excludes implicit tasks,
// since none switches to itself, and Otter stores nothing in their bits. If the current task is
// explicit, implicit and unknown tasks cannot be distinguished.
static bool is_unknown(const struct otter_thread *thread, const otter_task *prior,
                       const otter_task *next)
{
    return may_be_unknown() && next && prior && prior != next && !otter_task_at(next) &&
           !otter_task_at(prior) &&
           thread->frames[thread->n_frames - 1].kind != OTTER_FRAME_EXPLICIT;
}

// Makes the task an unnumbered one, without a code address.
OTTER_COLD static void begin_unknown(struct otter_thread *thread, uint64_t time, otter_task *at)
{
    uint64_t region = otter_region_of(OTTER_CONSTRUCT_TASK, 0, 0);
    otter_task_set(at, OTTER_UNNUMBERED_VALID | region << 32);
    otter_run_unnumbered(thread, time, at);
}

// Called if the current task is untied, or if `next` has no number.
OTTER_APART static void switch_with_care(struct otter_thread *thread, uint64_t time,
                                         otter_task *prior, otter_task *next)
{
    leave_departed(thread, time, prior);
    otter_task task = otter_task_at(next);
    if (leaves_for(thread, task)) {
        otter_write_pending(thread, time);
        otter_suspend_task(thread, time, next);
    } else if (otter_is_unnumbered(task)) {
        otter_run_unnumbered(thread, time, next);
    } else if (task) {
        begin_on_top(thread, time, task);
    } else if (is_unknown(thread, prior, next)) {
        begin_unknown(thread, time, next);
    }
}

OTTER_APART static void switch_task(otter_task *prior, otter_task *next_at,
                                    struct otter_thread *thread)
{
    thread = otter_record_begin_on(thread, false);
    if (!thread) {
        return;
    }
    otter_task next = otter_task_at(next_at);
    uint64_t time = stamp_switch(thread, next);
    if (OTTER_UNLIKELY(next && next == otter_task_at(prior))) {
        switch_to_itself(thread, time, next);
    } else if (OTTER_UNLIKELY(otter_top_frame(thread)->task & OTTER_ID_UNTIED ||
                              !(next & OTTER_ID_VALID))) {
        switch_with_care(thread, time, prior, next_at);
    } else {
        begin_on_top(thread, time, next);
    }
    otter_record_end(thread);
}

OTTER_APART static void switch_rarely(otter_task *prior, otter_task *next,
                                      struct otter_thread *thread)
{
    if (!otter_unnumbered_runs(thread) || !otter_unnumbered_switch(thread, next, true)) {
        switch_task(prior, next, thread);
    }
}

// *Returns* false if the call must take the slow path.
static inline bool switch_quickly(struct otter_thread *thread, otter_task prior, otter_task next)
{
    bool is_tied = next >> 62 == OTTER_ID_VALID >> 62;
    if (!is_tied || next == prior || otter_top_frame(thread)->task & OTTER_ID_UNTIED ||
        thread->n_frames == thread->frames_room || thread->n_open == thread->open_room) {
        return false;
    }
    struct otter_location_writer *writer = thread->writer;
    bool begins_at_once =
        next == thread->undeferred && thread->last_time == thread->undeferred_time;
    uint64_t time = thread->last_time;
    uint8_t *at =
        begins_at_once ? otter_records_continue(writer, time) : otter_quick_stamp(thread, &time);
    if (!at) {
        return false;
    }
    uint32_t region = otter_id_region(next);
    at = otter_put_task(at, RECORD_TASK_SWITCH, otter_id_location(next), otter_id_number(next));
    at = otter_put_region(at, RECORD_ENTER, region);
    otter_records_end(writer, time, at, 2);
    thread->pending = 0;
    otter_frame_put(thread, OTTER_FRAME_EXPLICIT)->task = next;
    thread->open[thread->n_open++] =
        (struct otter_open){.region = region, .construct = OTTER_CONSTRUCT_TASK};
    return true;
}

void otter_task_switch(otter_task *prior, otter_task *next)
{
    struct otter_thread *thread = otter_current_thread;
    if (OTTER_LIKELY(otter_quick_begin(thread, OTTER_PENDING_RESUME))) {
        bool is_done = switch_quickly(thread, otter_task_at(prior), otter_task_at(next));
        otter_record_end(thread);
        if (OTTER_LIKELY(is_done)) {
            return;
        }
    }
    switch_rarely(prior, next, thread);
}

static void write_end(struct otter_thread *thread, uint64_t time, otter_task task,
                      enum otter_task_end how)
{
    if (OTTER_UNLIKELY(how == OTTER_TASK_END_DETACHED)) {
        otter_write_parameter(thread->writer, time, OTTER_PARAMETER_TASK_DETACHED,
                              otter_id_public(task));
        return;
    }
    if (OTTER_UNLIKELY(how == OTTER_TASK_END_CANCELLED)) {
        otter_write_parameter(thread->writer, time, OTTER_PARAMETER_TASK_CANCELLED,
                              otter_id_public(task));
    }
    otter_write_task_complete(thread->writer, time, otter_id_location(task), otter_id_number(task));
}

static void end_current(struct otter_thread *thread, uint64_t time, enum otter_task_end how,
                        otter_task *next)
{
    if (OTTER_UNLIKELY(thread->pending)) {
        otter_unnumbered_stop(thread); // the unnumbered task ended without a report
        otter_write_all_pending(thread, time);
    }
    const struct otter_frame *frame = otter_top_frame(thread);
    thread->n_repaired += otter_leave_down_to(thread, time, frame->first_open) - 1;
    write_end(thread, time, frame->task, how);
    if (OTTER_UNLIKELY(how == OTTER_TASK_END_DETACHED)) {
        otter_pause_note(thread, OTTER_FATE_DETACHED);
    }
    otter_frame_pop(thread);
    otter_resume_task(thread, time, next);
}

// Drops the tasks above the first `n` frames; their ends were not reported.
static void drop_above(struct otter_thread *thread, uint64_t time, uint32_t n)
{
    while (thread->n_frames > n && otter_top_frame(thread)->kind == OTTER_FRAME_EXPLICIT) {
        otter_leave_task(thread, time);
        otter_write_pending(thread, time);
    }
    if (thread->n_frames > n) { // a region lies between the frames
        thread->n_repaired += otter_leave_down_to(thread, time, thread->frames[n].first_open);
        thread->n_frames = n;
    }
}

// Ends a task that is not the current one, since it never began or tasks above it never ended.
OTTER_COLD static void end_other(struct otter_thread *thread, uint64_t time, otter_task task,
                                 enum otter_task_end how, otter_task *next)
{
    otter_write_pending(thread, time);
    for (uint32_t i = thread->n_frames - 1; i > 0; i--) {
        if (thread->frames[i - 1].task == task) {
            drop_above(thread, time, i);
            end_current(thread, time, how, next);
            return;
        }
    }
    // An untied task may have ended on another thread: see otter_leave_task.
    if (!(task & OTTER_ID_UNTIED) || how == OTTER_TASK_END_CANCELLED) {
        otter_write_parameter(thread->writer, time, OTTER_PARAMETER_TASK_NEVER_RAN,
                              otter_id_region(task));
    }
    write_end(thread, time, task, how);
}

// A task that ran in the pause leaves no record.
static void end_unnumbered(struct otter_thread *thread, uint64_t time, otter_task *at,
                           enum otter_task_end how, otter_task *next)
{
    if (!thread->is_paused) {
        if (!(otter_task_at(at) & OTTER_UNNUMBERED_HAS_BEGUN)) {
            end_other(thread, time, otter_assign_number(thread, at), how, next);
        }
    } else if (otter_is_unnumbered(otter_task_at(next))) {
        otter_unnumbered_run(thread, next);
    } else {
        otter_unnumbered_stop(thread);
    }
}

// Counts an end without creation, unless the creation was counted as lost.
static void count_uncreated(struct otter_thread *thread)
{
    thread->n_unbegun += !may_be_unknown();
}

// *Returns* whether this is the end of the nameless current task, after which the task below it
// resumes.
static bool is_end_of_nameless(const struct otter_thread *thread, otter_task next)
{
    return may_be_nameless(thread) && next == thread->frames[thread->n_frames - 2].task;
}

OTTER_APART static void end(otter_task *at, enum otter_task_end how, otter_task *next,
                            struct otter_thread *thread)
{
    thread = otter_record_begin_on(thread, false);
    if (!thread) {
        return;
    }
    uint64_t time = otter_stamp(thread);
    otter_task task = otter_task_at(at);
    if (OTTER_UNLIKELY(otter_top_frame(thread)->task != task)) {
        if (otter_is_unnumbered(task)) {
            end_unnumbered(thread, time, at, how, next);
        } else if (task) {
            end_other(thread, time, task, how, next);
        } else if (is_end_of_nameless(thread, otter_task_at(next))) {
            end_current(thread, time, how, next);
        } else {
            count_uncreated(thread);
        }
    } else if (task) {
        end_current(thread, time, how, next);
    } else {
        count_uncreated(thread);
    }
    otter_record_end(thread);
}

OTTER_APART static void end_rarely(otter_task *task, enum otter_task_end how, otter_task *next,
                                   struct otter_thread *thread)
{
    if (!otter_unnumbered_runs(thread) || task != thread->unnumbered ||
        !otter_unnumbered_switch(thread, next, false)) {
        end(task, how, next, thread);
    }
}

// Ends the current task if it has nothing else open. *Returns* false if the call must take the
// slow path.
static inline bool end_quickly(struct otter_thread *thread, otter_task task, otter_task next)
{
    const struct otter_frame *frame = otter_top_frame(thread), *below = frame - 1;
    uint32_t n_open = frame->first_open;
    if (!task || frame->task != task || thread->n_open != n_open + 1 || otter_is_unnumbered(next)) {
        return false;
    }
    struct otter_location_writer *writer = thread->writer;
    uint64_t time;
    uint8_t *at = otter_quick_stamp(thread, &time);
    if (!at) {
        return false;
    }
    at = otter_put_region(at, RECORD_LEAVE, otter_id_region(task));
    at = otter_put_task(at, RECORD_TASK_COMPLETE, otter_id_location(task), otter_id_number(task));
    thread->n_open = n_open;
    thread->n_frames--;
    atomic_store_explicit(&thread->is_hidden, below->kind == OTTER_FRAME_HIDDEN,
                          memory_order_relaxed);
    if (n_open > below->first_open && thread->open[n_open - 1].is_wait) {
        thread->pending = OTTER_PENDING_RESUME;
        otter_records_end(writer, time, at, 2);
    } else {
        otter_records_end(writer, time, otter_quick_put_resumed(thread, at, below->task), 3);
    }
    return true;
}

void otter_task_end(otter_task *task, enum otter_task_end how, otter_task *next)
{
    struct otter_thread *thread = otter_current_thread;
    if (OTTER_LIKELY(how == OTTER_TASK_END_COMPLETE && otter_quick_begin(thread, 0))) {
        bool is_done = end_quickly(thread, otter_task_at(task), otter_task_at(next));
        otter_record_end(thread);
        if (OTTER_LIKELY(is_done)) {
            return;
        }
    }
    end_rarely(task, how, next, thread);
}

// For an unnumbered task nothing is recorded.
void otter_task_fulfil(const otter_task *at, bool late)
{
    otter_task task = otter_task_at(at);
    if (!task) {
        otter_unbegun();
        return;
    }
    if (otter_is_unnumbered(task)) {
        otter_thread_count_lost();
        return;
    }
    uint64_t time;
    struct otter_thread *thread = otter_record_begin_at(&time);
    if (!thread) {
        return;
    }
    if (late) {
        otter_write_task_complete(thread->writer, time, otter_id_location(task),
                                  otter_id_number(task));
    } else {
        otter_write_parameter(thread->writer, time, OTTER_PARAMETER_TASK_FULFILLED,
                              otter_id_public(task));
    }
    otter_record_end(thread);
}
