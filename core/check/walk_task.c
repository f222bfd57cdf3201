// Checks the records of tasks: creation, switch, completion.
#include <inttypes.h>

#include "check/walk.h"

struct otter_checked_task *otter_walk_task(struct otter_event_checker *checker, otter_task_key key)
{
    if (key == OTTER_NOBODY || (uint32_t)key == 0) {
        return NULL;
    }
    return otter_checked_task_at(&checker->results.tasks, (uint32_t)(key >> 32), (uint32_t)key);
}

// The creator in the key is the index of a location.
static otter_task_key key_of(const struct otter_event_checker *checker,
                             const struct otter_event *event)
{
    const struct otter_comm *comm = &checker->options.definitions->comms[event->task.comm];
    return (uint64_t)comm->members[event->task.creator] << 32 | event->task.number;
}

// A task that was created during a pause gets its number at its first record. The missing creation
// is reported by otter_checked_tasks_judge().
static void count_number(struct otter_event_checker *checker, otter_task_key key)
{
    bool is_ours = (uint32_t)(key >> 32) == checker->location;
    if (is_ours && (uint32_t)key == checker->n_created + 1) {
        checker->n_created++;
    }
}

void otter_walk_task_create(struct otter_event_checker *checker, const struct otter_event *event)
{
    otter_task_key key = key_of(checker, event);
    struct otter_check_report *report = checker->options.report;
    struct otter_checked_task *task = otter_walk_task(checker, key);
    if (!task) {
        otter_walk_error(checker, OTTER_CHECK_TASKS, event->time,
                         "creates a task without a number");
        return;
    }
    if ((uint32_t)(key >> 32) != checker->location) {
        otter_deviate(report, OTTER_CHECK_TASKS, OTTER_QUIRK_NONE,
                      otter_walk_here_task(checker, event->time, key),
                      "is created by another location");
    } else if (checker->may_jump && event->task.number > checker->n_created) {
        checker->n_created = event->task.number;
    } else if (event->task.number != ++checker->n_created) {
        otter_deviate(report, OTTER_CHECK_TASKS, OTTER_QUIRK_NONE,
                      otter_walk_here_task(checker, event->time, key),
                      "is the task number %" PRIu32 " here", checker->n_created);
        checker->n_created = event->task.number;
    }
    if (task->flags & OTTER_CHECKED_CREATED) {
        otter_deviate(report, OTTER_CHECK_TASKS, OTTER_QUIRK_NONE,
                      otter_walk_here_task(checker, event->time, key), "is created a second time");
        return;
    }
    checker->may_jump = false;
    task->flags |= OTTER_CHECKED_CREATED;
    task->created = event->time;
}

void otter_walk_stop_segment(struct otter_event_checker *checker, uint64_t time)
{
    otter_task_key key = otter_walk_frame(checker)->current;
    const struct otter_checked_task *task = otter_walk_task(checker, key);
    // the task ended in the pause
    bool has_ended = checker->segment_begin == time && checker->resumed == time;
    if (!task || !(task->flags & OTTER_CHECKED_UNTIED) || has_ended) {
        return;
    }
    struct otter_segment segment = {.creator = (uint32_t)(key >> 32),
                                    .number = (uint32_t)key,
                                    .location = checker->location,
                                    .from = checker->segment_begin,
                                    .to = time};
    OTTER_VECTOR_APPEND(&checker->results.tasks.segments, segment);
}

static void start_segment(struct otter_event_checker *checker, otter_task_key key, uint64_t time)
{
    struct otter_checked_task *task = otter_walk_task(checker, key);
    checker->segment_begin = time;
    if (!task) {
        return;
    }
    bool has_begun = task->flags & OTTER_CHECKED_BEGAN;
    if (has_begun && task->location != checker->location) {
        task->flags |= OTTER_CHECKED_MIGRATED;
    }
    if (!has_begun || time < task->began) {
        task->location = (uint16_t)checker->location;
        task->began = time;
    }
    task->flags |= OTTER_CHECKED_BEGAN;
}

void otter_walk_task_switch(struct otter_event_checker *checker, const struct otter_event *event)
{
    struct otter_walk_frame *frame = otter_walk_frame(checker);
    otter_walk_stop_segment(checker, event->time);
    otter_task_key key = key_of(checker, event);
    if (event->task.number > 0) {
        count_number(checker, key);
        frame->current = key;
        start_segment(checker, key, event->time);
        return;
    }
    if ((uint32_t)(key >> 32) != checker->location) {
        otter_walk_error(checker, OTTER_CHECK_SWITCHES, event->time,
                         "switches to the implicit task of location %" PRIu64, key >> 32);
    }
    frame->current = frame->implicit;
    checker->has_helped |= !otter_walk_open(checker);
}

// Stores the end of a task that is not current: another thread ended it, or it never ran.
static void end_elsewhere(struct otter_event_checker *checker, otter_task_key key, uint64_t time)
{
    if (checker->left == key && checker->left_time == time) {
        return; // the usual end: Leave, then TaskComplete
    }
    struct otter_misplaced_end end = {.creator = (uint32_t)(key >> 32),
                                      .number = (uint32_t)key,
                                      .location = checker->location,
                                      .time = time};
    OTTER_VECTOR_APPEND(&checker->results.tasks.misplaced, end);
}

// A runtime may report the cancellation of an untied task twice (quirk 'cancelled twice'). It
// does so at the end of one of its parts, and when it discards the rest.
static void end_again(struct otter_event_checker *checker, const struct otter_event *event,
                      otter_task_key key, struct otter_checked_task *task)
{
    bool was_discarded = checker->next_never_ran || task->flags & OTTER_CHECKED_NEVER_RAN;
    task->flags |= OTTER_CHECKED_ENDED_TWICE;
    otter_deviate(checker->options.report, OTTER_CHECK_TASKS,
                  was_discarded && task->flags & OTTER_CHECKED_UNTIED ? OTTER_QUIRK_DISCARDED
                                                                      : OTTER_QUIRK_NONE,
                  otter_walk_here_task(checker, event->time, key), "ends once more");
}

void otter_walk_task_complete(struct otter_event_checker *checker, const struct otter_event *event)
{
    otter_task_key key = key_of(checker, event);
    struct otter_checked_task *task = otter_walk_task(checker, key);
    count_number(checker, key);
    checker->options.report->results[OTTER_CHECK_SWITCHES].n_tested++;
    if (!task) {
        otter_walk_error(checker, OTTER_CHECK_TASKS, event->time, "ends a task without a number");
        return;
    }
    if (task->flags & OTTER_CHECKED_ENDED) {
        end_again(checker, event, key, task);
        return;
    }
    task->flags |= OTTER_CHECKED_ENDED | (checker->next_never_ran ? OTTER_CHECKED_NEVER_RAN : 0);
    task->ended = event->time;
    if (otter_walk_frame(checker)->current == key) {
        otter_walk_stop_segment(checker, event->time);
        otter_walk_frame(checker)->current = OTTER_NOBODY;
    } else if (!checker->next_never_ran) {
        end_elsewhere(checker, key, event->time);
    }
}
