// The start of an explicit task on a thread's stack.
#pragma once

#include "record/thread/ids.h"
#include "record/thread/stack.h"

// Reopens the constructs that the untied task had open when it left its thread.
OTTER_COLD void otter_reopen_constructs(struct otter_thread *thread, uint64_t time,
                                        otter_task task);

// Makes `task` begin or, if it is untied, resume.
static inline void otter_start_task(struct otter_thread *thread, uint64_t time, otter_task task)
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
        otter_reopen_constructs(thread, time, task);
    }
}

// Gives the unnumbered task at `at` a number of this thread, and returns its id.
otter_task otter_assign_number(struct otter_thread *thread, otter_task *at);

// Numbers the task at `at` and makes it the current one. If the task is in a taskwait, enters that
// taskwait.
OTTER_COLD void otter_start_unnumbered(struct otter_thread *thread, uint64_t time, otter_task *at);

// Gives the current task, which is unnumbered, its number and pushes it on the stack.
void otter_number_current_task(struct otter_thread *thread, uint64_t time);
