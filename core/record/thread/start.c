// Starts explicit tasks: reopens the constructs of untied tasks and numbers unnumbered ones.
#include "record/thread/start.h"

#include "record/thread/suspended.h"
#include "record/thread/unnumbered.h"

void otter_reopen_constructs(struct otter_thread *thread, uint64_t time, otter_task task)
{
    struct otter_open open[OTTER_MAX_SUSPENDED_OPEN];
    uint32_t n = otter_suspended_remove(task, open);
    for (uint32_t i = 0; i < n; i++) {
        open[i].is_written = false;
        open[i].transfer = 0; // the transfer's end was written when the task left its thread
        otter_write_enter(thread->writer, time, open[i].region);
        otter_open_push(thread, open[i]);
    }
}

otter_task otter_assign_number(struct otter_thread *thread, otter_task *at)
{
    uint32_t region = otter_unnumbered_region(otter_task_at(at));
    thread->n_uncreated++;
    uint32_t number = otter_next_number(thread, &thread->n_tasks);
    otter_task task = otter_id_make(thread->location, region, number);
    otter_task_set(at, task);
    return task;
}

void otter_start_unnumbered(struct otter_thread *thread, uint64_t time, otter_task *at)
{
    otter_task before = otter_task_at(at);
    otter_start_task(thread, time, otter_assign_number(thread, at));
    if (before & OTTER_UNNUMBERED_IS_WAITING) {
        uint32_t region = otter_unnumbered_wait_region(before);
        otter_write_enter(thread->writer, time, region);
        otter_open_push(thread, (struct otter_open){.region = region,
                                                    .construct = OTTER_CONSTRUCT_TASKWAIT,
                                                    .is_wait = true});
    }
}

void otter_number_current_task(struct otter_thread *thread, uint64_t time)
{
    otter_task *at = thread->unnumbered;
    thread->unnumbered = NULL;
    if (otter_is_unnumbered(otter_task_at(at))) {
        otter_start_unnumbered(thread, time, at);
    }
}
