// Tasks that are no longer on top of a thread's stack, and the end of constructs.
#pragma once

#include "record/thread/pending.h"
#include "record/thread/unnumbered.h"

// Continues with an unnumbered task, which is new or was below the top of the stack.
void otter_run_unnumbered(struct otter_thread *thread, uint64_t time, otter_task *at);

// Resumes the task below. While that task waits, the runtime may immediately begin another one, so
// its switch stays pending. `at`: where the runtime stores the task's bits, if known.
static inline void otter_resume_task(struct otter_thread *thread, uint64_t time, otter_task *at)
{
    if (OTTER_UNLIKELY(otter_is_unnumbered(otter_task_at(at)))) {
        otter_run_unnumbered(thread, time, at);
        return;
    }
    const struct otter_frame *frame = otter_top_frame(thread);
    if (thread->n_open > frame->first_open && thread->open[thread->n_open - 1].is_wait) {
        thread->pending |= OTTER_PENDING_RESUME;
        return;
    }
    otter_write_resumed(thread, time);
}

// Called when the current task leaves this thread without having ended. Its open constructs are
// opened again where it resumes.
OTTER_COLD void otter_suspend_task(struct otter_thread *thread, uint64_t time, otter_task *next);

// Leaves the region and the open constructs of the current explicit task, which has left this
// thread without a report.
void otter_leave_task(struct otter_thread *thread, uint64_t time);

// *Returns* how many constructs stay open when the innermost `construct` of the current task ends;
// UINT32_MAX: none is open.
OTTER_COLD uint32_t otter_find_open(const struct otter_thread *thread,
                                    enum otter_construct construct);

// Ends the innermost open `construct` of the current task and all constructs open inside it. If
// none is open, counts the end as unbegun.
void otter_leave_innermost(struct otter_thread *thread, uint64_t time,
                           enum otter_construct construct);
