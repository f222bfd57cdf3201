// Leaves tasks that end or move without a report, and constructs that end out of order.
#include "record/thread/leave.h"

#include "record/thread/paused.h"
#include "record/thread/start.h"
#include "record/thread/suspended.h"

void otter_run_unnumbered(struct otter_thread *thread, uint64_t time, otter_task *at)
{
    if (thread->is_paused) {
        otter_unnumbered_run(thread, at);
        return;
    }
    thread->pending &= ~(uint32_t)OTTER_PENDING_RESUME;
    otter_write_pending(thread, time);
    otter_start_unnumbered(thread, time, at);
}

void otter_suspend_task(struct otter_thread *thread, uint64_t time, otter_task *next)
{
    const struct otter_frame *frame = otter_top_frame(thread);
    uint32_t n_open = thread->n_open - frame->first_open;
    otter_suspended_store(frame->task, thread->open + frame->first_open, n_open);
    otter_leave_down_to(thread, time, frame->first_open);
    otter_pause_note(thread, OTTER_FATE_LEFT);
    otter_frame_pop(thread);
    otter_resume_task(thread, time, next);
}

// LLVM's runtime may not report the end of an untied task's last part. The thread that executed the
// previous part then reports the task's end, but late. The task has left when the runtime names
// another task as the current one (quirk 'late untied end'). For a tied task the archive itself
// shows that its end is missing.
void otter_leave_task(struct otter_thread *thread, uint64_t time)
{
    const struct otter_frame *frame = otter_top_frame(thread);
    uint32_t n = otter_leave_down_to(thread, time, frame->first_open);
    thread->n_repaired += frame->task & OTTER_ID_UNTIED ? n : n - 1;
    otter_pause_note(thread, OTTER_FATE_LEFT);
    otter_frame_pop(thread);
    otter_resume_task(thread, time, NULL);
}

uint32_t otter_find_open(const struct otter_thread *thread, enum otter_construct construct)
{
    const struct otter_frame *frame = &thread->frames[thread->n_frames - 1];
    for (uint32_t i = thread->n_open; i > frame->first_open; i--) {
        if (thread->open[i - 1].construct == construct) {
            return i - 1;
        }
    }
    return UINT32_MAX;
}

OTTER_COLD static void leave_out_of_order(struct otter_thread *thread, uint64_t time,
                                          enum otter_construct construct)
{
    uint32_t n = otter_find_open(thread, construct);
    if (otter_top_frame(thread)->kind == OTTER_FRAME_HIDDEN) {
        return; // the task became hidden during this call
    }
    while (n == UINT32_MAX && (otter_top_frame(thread)->task & OTTER_ID_UNTIED)) {
        otter_leave_task(thread, time);
        otter_write_pending(thread, time);
        n = otter_find_open(thread, construct);
    }
    if (n == UINT32_MAX) {
        thread->n_unbegun++;
        return;
    }
    thread->n_repaired += otter_leave_down_to(thread, time, n) - 1;
}

void otter_leave_innermost(struct otter_thread *thread, uint64_t time,
                           enum otter_construct construct)
{
    const struct otter_frame *frame = otter_top_frame(thread);
    const struct otter_open *top = &thread->open[thread->n_open - 1];
    if (OTTER_UNLIKELY(thread->n_open <= frame->first_open || top->construct != construct)) {
        leave_out_of_order(thread, time, construct);
        return;
    }
    otter_write_leave(thread->writer, time, top->region);
    thread->n_open--;
}
