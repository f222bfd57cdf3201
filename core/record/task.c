// Explicit tasks: creation, execution on a thread's stack of tasks, end.
#include "otter/record.h"

#include "record/pause.h"
#include "record/region.h"
#include "record/suspended.h"
#include "record/thread.h"

otter_task otter_task_create(otter_task encountering, unsigned flags, const void *code)
{
    uint64_t time;
    struct otter_thread *thread = otter_record_begin_at(&time);
    if (!thread) {
        return 0;
    }
    uint32_t region = otter_region(thread, OTTER_CONSTRUCT_TASK, flags, code);
    uint32_t number = ++thread->n_tasks;
    otter_write_task_create(thread->writer, time, thread->location, number);
    if (OTTER_UNLIKELY(encountering != otter_top_frame(thread)->task)) {
        otter_write_parameter(thread->writer, time, OTTER_PARAMETER_ENCOUNTERING_TASK,
                              otter_id_public(encountering));
    }
    uint64_t untied = flags & OTTER_TASK_UNTIED ? OTTER_ID_UNTIED : 0;
    otter_task task = otter_id_make(thread->location, region, number) | untied;
    thread->undeferred = flags & OTTER_TASK_UNDEFERRED ? task : 0;
    thread->undeferred_time = time;
    otter_record_end(thread);
    return task;
}

// The task below the one that left the thread goes on. While it waits, the runtime may at once go on with another: then there
// is nothing to tell.
static void resume(struct otter_thread *thread, uint64_t time)
{
    const struct otter_frame *frame = otter_top_frame(thread);
    if (thread->n_open > frame->first_open && thread->open[thread->n_open - 1].is_wait) {
        thread->pending |= OTTER_PENDING_RESUME;
        return;
    }
    otter_write_resumed(thread, time);
}

// The current task leaves this thread unfinished; what it had open is opened again where it resumes.
OTTER_COLD static void suspend(struct otter_thread *thread, uint64_t time)
{
    const struct otter_frame *frame = otter_top_frame(thread);
    uint32_t n_open = thread->n_open - frame->first_open;
    otter_suspended_keep(frame->task, thread->open + frame->first_open, n_open);
    otter_leave_down_to(thread, time, frame->first_open);
    otter_pause_note(thread, OTTER_FATE_LEFT);
    otter_frame_pop(thread);
    resume(thread, time);
}

OTTER_COLD static void reopen(struct otter_thread *thread, uint64_t time, otter_task task)
{
    struct otter_open open[OTTER_MAX_SUSPENDED_OPEN];
    uint32_t n = otter_suspended_take(task, open);
    for (uint32_t i = 0; i < n; i++) {
        open[i].is_written = false;
        otter_write_enter(thread->writer, time, open[i].region);
        otter_open_push(thread, open[i]);
    }
}

// `task` begins, or an untied one resumes.
static void start(struct otter_thread *thread, uint64_t time, otter_task task)
{
    uint32_t region = otter_id_region(task);
    otter_write_task_switch(thread->writer, time, otter_id_location(task), otter_id_number(task));
    otter_write_enter(thread->writer, time, region);
    struct otter_frame *frame = otter_frame_push(thread, OTTER_FRAME_EXPLICIT);
    if (!frame) {
        return;
    }
    frame->task = task;
    otter_open_push(thread,
                    (struct otter_open){.region = region, .construct = OTTER_CONSTRUCT_TASK});
    if (OTTER_UNLIKELY(task & OTTER_ID_UNTIED)) {
        reopen(thread, time, task);
    }
}

// LLVM's runtime says nothing where the last part of an untied task ends, if the thread that ran the part before comes back to it
// only later: that thread then tells the task's end. Here the task is gone when the runtime speaks of another as the current one.
void otter_untied_is_gone(struct otter_thread *thread, uint64_t time)
{
    const struct otter_frame *frame = otter_top_frame(thread);
    thread->n_repaired += otter_leave_down_to(thread, time, frame->first_open);
    otter_pause_note(thread, OTTER_FATE_LEFT);
    otter_frame_pop(thread);
    resume(thread, time);
}

static bool is_gone(struct otter_thread *thread, otter_task current)
{
    const struct otter_frame *frame = otter_top_frame(thread);
    return thread->n_frames > 1 && (frame->task & OTTER_ID_UNTIED) && frame->task != current;
}

// Whether an untied task, the current one, leaves for the task below it. A tied task stays where it began: what goes on above
// it is new, and a switch to 0 there is to a task of which we know nothing.
static bool leaves_for(const struct otter_thread *thread, otter_task next)
{
    return thread->n_frames > 1 && (thread->frames[thread->n_frames - 1].task & OTTER_ID_UNTIED) &&
           thread->frames[thread->n_frames - 2].task == next;
}

// An undeferred task begins with its creation, when nothing came between the two calls.
static uint64_t stamp_switch(struct otter_thread *thread, otter_task next)
{
    bool begins_at_once =
        next == thread->undeferred && next && thread->last_time == thread->undeferred_time;
    return begins_at_once ? thread->last_time : otter_stamp(thread);
}

// In a team of one thread LLVM's runtime names an untied task as the one before itself: where it comes back, and around what may
// interrupt it.
OTTER_COLD static void switch_to_itself(struct otter_thread *thread, uint64_t time, otter_task task)
{
    if (task != otter_top_frame(thread)->task) {
        otter_settle(thread, time);
        start(thread, time, task);
    }
}

static void switch_task(struct otter_thread *thread, uint64_t time, otter_task prior,
                        otter_task next)
{
    while (OTTER_UNLIKELY(is_gone(thread, prior))) {
        otter_settle(thread, time);
        otter_untied_is_gone(thread, time);
    }
    if (OTTER_UNLIKELY(leaves_for(thread, next))) {
        otter_settle(thread, time);
        suspend(thread, time);
    } else if (next) {
        thread->pending &= ~(uint32_t)OTTER_PENDING_RESUME;
        otter_settle(thread, time);
        start(thread, time, next);
    }
}

void otter_task_switch(otter_task prior, otter_task next)
{
    struct otter_thread *thread = otter_record_begin();
    if (!thread) {
        return;
    }
    uint64_t time = stamp_switch(thread, next);
    if (OTTER_UNLIKELY(prior == next && next)) {
        switch_to_itself(thread, time, next);
    } else {
        switch_task(thread, time, prior, next);
    }
    otter_record_end(thread);
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

static void end_current(struct otter_thread *thread, uint64_t time, enum otter_task_end how)
{
    const struct otter_frame *frame = otter_top_frame(thread);
    otter_settle(thread, time);
    thread->n_repaired += otter_leave_down_to(thread, time, frame->first_open) - 1;
    write_end(thread, time, frame->task, how);
    if (OTTER_UNLIKELY(how == OTTER_TASK_END_DETACHED)) {
        otter_pause_note(thread, OTTER_FATE_DETACHED);
    }
    otter_frame_pop(thread);
    resume(thread, time);
}

// A task that is not the current one: it never began, or others above it never ended.
OTTER_COLD static void end_other(struct otter_thread *thread, uint64_t time, otter_task task,
                                 enum otter_task_end how)
{
    otter_settle(thread, time);
    for (uint32_t i = thread->n_frames - 1; i > 0; i--) {
        if (thread->frames[i - 1].task == task) {
            thread->n_repaired += otter_leave_down_to(thread, time, thread->frames[i].first_open);
            thread->n_frames = i;
            end_current(thread, time, how);
            return;
        }
    }
    // An untied task may have ended on another thread: see otter_untied_is_gone.
    if (!(task & OTTER_ID_UNTIED) || how == OTTER_TASK_END_CANCELLED) {
        otter_write_parameter(thread->writer, time, OTTER_PARAMETER_TASK_NEVER_RAN,
                              otter_id_region(task));
    }
    write_end(thread, time, task, how);
}

void otter_task_end(otter_task task, enum otter_task_end how, otter_task next)
{
    struct otter_thread *thread = otter_record_begin();
    if (!thread) {
        return;
    }
    uint64_t time = otter_stamp(thread);
    if (OTTER_UNLIKELY(otter_top_frame(thread)->task != task)) {
        if (task) {
            end_other(thread, time, task, how);
        }
    } else if (task) {
        end_current(thread, time, how);
    }
    otter_record_end(thread);
}

void otter_task_fulfil(otter_task task, bool late)
{
    if (!task) {
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
