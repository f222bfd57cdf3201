// Checks Enter and Leave records: nesting, the leaving task, repaired ends.
#include <string.h>

#include "check/walk.h"

void otter_walk_enter(struct otter_event_checker *checker, const struct otter_event *event)
{
    enum otter_construct construct = otter_walk_construct(checker, event->region);
    otter_task_key current = otter_walk_frame(checker)->current;
    OTTER_VECTOR_APPEND(&checker->open, ((struct otter_walk_open_region){event->region, current}));
    checker->is_over = false;
    checker->has_begun |= checker->frames.n == 1 && (uint32_t)current == 0;
    checker->results.has_cancel |= construct == OTTER_CONSTRUCT_CANCEL;
    struct otter_checked_task *task =
        construct == OTTER_CONSTRUCT_TASK ? otter_walk_task(checker, current) : NULL;
    if (!task) {
        return;
    }
    if (strstr(checker->options.definitions->regions[event->region].description, "untied")) {
        task->flags |= OTTER_CHECKED_UNTIED;
        checker->has_untied = true;
    }
}

// The current task ends or, if untied, leaves this thread. The next record names the task that runs
// next.
static void leave_task(struct otter_event_checker *checker, uint64_t time)
{
    otter_walk_stop_segment(checker, time);
    checker->left = otter_walk_frame(checker)->current;
    checker->left_time = time;
    otter_walk_frame(checker)->current = OTTER_NOBODY;
}

static void check_leaver(struct otter_event_checker *checker, const struct otter_event *event,
                         otter_task_key entered)
{
    otter_task_key current = otter_walk_frame(checker)->current;
    if (current != OTTER_NOBODY && entered != current) {
        otter_walk_defer(checker, OTTER_CHECK_SWITCHES,
                         otter_walk_here_task(checker, event->time, current),
                         "leaves a region that another task entered");
        return;
    }
    if (otter_walk_construct(checker, event->region) == OTTER_CONSTRUCT_TASK &&
        current != OTTER_NOBODY) {
        leave_task(checker, event->time);
    }
}

void otter_walk_leave(struct otter_event_checker *checker, const struct otter_event *event)
{
    checker->options.report->results[OTTER_CHECK_NESTING].n_tested++;
    const struct otter_walk_open_region *open = otter_walk_open(checker);
    if (!open) {
        otter_walk_error(checker, OTTER_CHECK_NESTING, event->time, "leaves %.60s, nothing is open",
                         otter_walk_region_name(checker, event->region));
        return;
    }
    if (open->region != event->region) {
        otter_walk_error(checker, OTTER_CHECK_NESTING, event->time,
                         "leaves %.50s, %.50s was entered last",
                         otter_walk_region_name(checker, event->region),
                         otter_walk_region_name(checker, open->region));
    }
    otter_task_key entered = open->task;
    checker->is_over =
        otter_walk_construct(checker, event->region) == OTTER_CONSTRUCT_INITIAL_TASK &&
        checker->frames.n == 1;
    checker->open.n--;
    if (checker->options.is_ours) {
        check_leaver(checker, event, entered);
    }
}

// Returns whether the event closes a single or a loop whose end the runtime did not report.
static bool ends_work(const struct otter_event *event, enum otter_construct construct)
{
    if (event->kind == OTTER_RECORD_LEAVE) {
        return construct == OTTER_CONSTRUCT_PARALLEL || construct == OTTER_CONSTRUCT_TASK;
    }
    return construct >= OTTER_CONSTRUCT_BARRIER && construct <= OTTER_CONSTRUCT_SYNC_UNKNOWN;
}

void otter_walk_count_repaired(struct otter_event_checker *checker, const struct otter_event *event)
{
    const struct otter_event *before = &checker->before;
    if (!ends_work(event, otter_walk_construct(checker, event->region)) ||
        before->kind != OTTER_RECORD_LEAVE || before->time != event->time) {
        return;
    }
    enum otter_construct left = otter_walk_construct(checker, before->region);
    checker->results.n_singles += left == OTTER_CONSTRUCT_SINGLE;
    checker->results.n_loops += left != OTTER_CONSTRUCT_SINGLE && left >= OTTER_CONSTRUCT_LOOP &&
                                left <= OTTER_CONSTRUCT_TASKLOOP;
}
