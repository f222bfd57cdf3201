// Stores what happens to each explicit task, and checks all tasks after all locations have been
// read.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/print.h"
#include "base/free.h"
#include "base/order.h"
#include "check/deviation.h"
#include "check/tasks.h"

enum { PAGE_BITS = 8, PAGE_SIZE = 1 << PAGE_BITS };

void otter_checked_tasks_init(struct otter_checked_tasks *tasks, size_t n_locations)
{
    *tasks = (struct otter_checked_tasks){.n_locations = n_locations};
    tasks->locations = calloc(n_locations + 1, sizeof *tasks->locations);
}

static void free_records(struct otter_checked_tasks *tasks)
{
    for (size_t i = 0; i < tasks->n_locations; i++) {
        free(tasks->locations[i].pages);
        tasks->locations[i].pages = NULL;
        tasks->locations[i].n_pages = 0;
    }
    otter_arena_finish(&tasks->pages);
    OTTER_FREE(tasks->segments.items, tasks->misplaced.items);
    tasks->segments.items = NULL;
    tasks->misplaced.items = NULL;
    tasks->segments.n = tasks->segments.room = tasks->misplaced.n = tasks->misplaced.room = 0;
}

void otter_checked_tasks_finish(struct otter_checked_tasks *tasks)
{
    free_records(tasks);
    free(tasks->locations);
}

static void add_pages(struct otter_checked_tasks_of *of, uint32_t page)
{
    uint32_t n = page < 2 * of->n_pages ? 2 * of->n_pages : page + 1;
    struct otter_checked_task **pages = realloc(of->pages, n * sizeof *pages);
    memset(pages + of->n_pages, 0, (n - of->n_pages) * sizeof *pages);
    of->pages = pages;
    of->n_pages = n;
}

struct otter_checked_task *otter_checked_task_at(struct otter_checked_tasks *tasks,
                                                 uint32_t creator, uint32_t number)
{
    struct otter_checked_tasks_of *of = &tasks->locations[creator];
    uint32_t page = (number - 1) >> PAGE_BITS;
    if (page >= of->n_pages) {
        add_pages(of, page);
    }
    if (!of->pages[page]) {
        of->pages[page] = otter_arena_get(&tasks->pages, PAGE_SIZE * sizeof **of->pages);
    }
    return &of->pages[page][(number - 1) & (PAGE_SIZE - 1)];
}

// ---- the verdict

struct judge {
    struct otter_checked_tasks *tasks;
    struct otter_check_report *report;
    struct otter_task_excuses excuses;
};

// The graph omits parts of the task, so the times of the task's location need not match.
static void note_inexact_time(const struct judge *judge, const struct otter_checked_task *task)
{
    judge->tasks->locations[task->location].is_time_inexact = true;
}

static void judge_end(const struct judge *judge, const struct otter_checked_task *task,
                      struct otter_deviation where)
{
    unsigned flags = task->flags;
    if (flags & OTTER_CHECKED_ENDED) {
        if (!(flags & (OTTER_CHECKED_BEGAN | OTTER_CHECKED_NEVER_RAN))) {
            otter_deviate(judge->report, OTTER_CHECK_TASKS, judge->excuses.lost, where,
                          "ended, but neither began nor is marked as never run");
        }
        return;
    }
    judge->tasks->n_endless++;
    otter_deviate(judge->report, OTTER_CHECK_TASKS,
                  flags & OTTER_CHECKED_UNTIED ? judge->excuses.untied : judge->excuses.endless,
                  where, "never ended");
}

// The runtime may cancel an untied task that waits for a thread after its first part. The recorder
// then reports that the task never ran.
static void judge_never_ran(const struct judge *judge, const struct otter_checked_task *task,
                            struct otter_deviation where)
{
    if (!(task->flags & OTTER_CHECKED_BEGAN)) {
        otter_deviate(judge->report, OTTER_CHECK_TASKS, OTTER_QUIRK_DISCARDED, where,
                      "was discarded");
    } else if (task->flags & OTTER_CHECKED_UNTIED) {
        otter_deviate(judge->report, OTTER_CHECK_TASKS, OTTER_QUIRK_DISCARDED, where,
                      "was discarded after part of it had run");
    } else {
        note_inexact_time(judge, task);
        otter_deviate(judge->report, OTTER_CHECK_TASKS, OTTER_QUIRK_NONE, where,
                      "began, and was ended where it did not run");
    }
}

static void judge_life(const struct judge *judge, const struct otter_checked_task *task,
                       struct otter_deviation where)
{
    unsigned flags = task->flags;
    if (!(flags & OTTER_CHECKED_CREATED)) {
        judge->tasks->n_uncreated++;
        otter_deviate(judge->report, OTTER_CHECK_TASKS, judge->excuses.lost, where,
                      "was never created, and %s",
                      flags & OTTER_CHECKED_BEGAN ? "began" : "is referred to");
        return;
    }
    where.time = task->created;
    where.location = where.creator;
    judge_end(judge, task, where);
    if (flags & OTTER_CHECKED_NEVER_RAN) {
        judge_never_ran(judge, task, where);
    }
    if ((flags & OTTER_CHECKED_BEGAN) && task->began < task->created) {
        otter_deviate(judge->report, OTTER_CHECK_TASKS, OTTER_QUIRK_NONE, where,
                      "began %" PRIu64 " tick%s before it was created", task->created - task->began,
                      otter_plural(task->created - task->began));
    }
    if ((flags & OTTER_CHECKED_ENDED) && task->ended < task->created) {
        otter_deviate(judge->report, OTTER_CHECK_TASKS, OTTER_QUIRK_NONE, where,
                      "ended %" PRIu64 " tick%s before it was created", task->created - task->ended,
                      otter_plural(task->created - task->ended));
    }
}

static void judge_task(const struct judge *judge, const struct otter_checked_task *task,
                       struct otter_deviation where)
{
    judge->report->results[OTTER_CHECK_TASKS].n_tested++;
    judge->report->n_tasks += task->flags & OTTER_CHECKED_CREATED ? 1 : 0;
    judge_life(judge, task, where);
    if (!(task->flags & OTTER_CHECKED_BEGAN)) {
        return;
    }
    judge->report->results[OTTER_CHECK_EXECUTION].n_tested++;
    if (task->flags & OTTER_CHECKED_ENDED_TWICE) {
        note_inexact_time(judge, task);
    } else if ((task->flags & OTTER_CHECKED_MIGRATED) && !(task->flags & OTTER_CHECKED_UNTIED)) {
        note_inexact_time(judge, task);
        where.location = task->location;
        where.time = task->began;
        // a task without a recorded creation may be untied
        bool is_known = task->flags & OTTER_CHECKED_CREATED;
        otter_deviate(judge->report, OTTER_CHECK_EXECUTION,
                      is_known ? OTTER_QUIRK_NONE : judge->excuses.lost, where,
                      "is tied, began here, and ran on other threads too");
    }
}

static void judge_tasks_of(const struct judge *judge, const struct otter_checked_tasks_of *of,
                           uint32_t creator)
{
    for (uint32_t page = 0; page < of->n_pages; page++) {
        for (uint32_t i = 0; of->pages[page] && i < PAGE_SIZE; i++) {
            const struct otter_checked_task *task = &of->pages[page][i];
            if (task->flags) {
                judge_task(judge, task,
                           (struct otter_deviation){.location = OTTER_NONE,
                                                    .creator = creator,
                                                    .number = (page << PAGE_BITS) + i + 1});
            }
        }
    }
}

// The end of an untied task is reported by the thread that returns to the runtime last (quirk 'late
// untied end').
static void judge_misplaced_ends(const struct judge *judge, struct otter_checked_tasks *tasks)
{
    for (size_t i = 0; i < tasks->misplaced.n; i++) {
        const struct otter_misplaced_end *end = &tasks->misplaced.items[i];
        const struct otter_checked_task *task =
            otter_checked_task_at(tasks, end->creator, end->number);
        if (task->flags & (OTTER_CHECKED_NEVER_RAN | OTTER_CHECKED_DETACHED)) {
            continue;
        }
        struct otter_deviation where = {.location = end->location,
                                        .time = end->time,
                                        .creator = end->creator,
                                        .number = end->number};
        bool is_untied = task->flags & OTTER_CHECKED_UNTIED;
        otter_deviate(judge->report, OTTER_CHECK_SWITCHES,
                      is_untied ? OTTER_QUIRK_UNTIED : OTTER_QUIRK_NONE, where,
                      "ended here, where it was not the current task");
    }
}

static int compare_segments(const void *a, const void *b)
{
    const struct otter_segment *left = a, *right = b;
    return OTTER_BY_3(left, right, creator, number, from);
}

static void judge_segment(const struct judge *judge, struct otter_checked_tasks *tasks,
                          const struct otter_segment *segment, const struct otter_segment *before)
{
    struct otter_deviation where = {.location = segment->location,
                                    .time = segment->from,
                                    .creator = segment->creator,
                                    .number = segment->number};
    // After a loss of events, a switch to an unrecorded task may carry the number of another task.
    enum otter_quirk quirk =
        judge->excuses.lost == OTTER_QUIRK_LOST ? OTTER_QUIRK_LOST : OTTER_QUIRK_NONE;
    const struct otter_checked_task *task =
        otter_checked_task_at(tasks, segment->creator, segment->number);
    if ((task->flags & OTTER_CHECKED_ENDED) && task->ended < segment->from) {
        otter_deviate(judge->report, OTTER_CHECK_EXECUTION, quirk, where, "runs after its end");
    }
    bool is_same =
        before && before->creator == segment->creator && before->number == segment->number;
    if (is_same && before->location != segment->location && before->to > segment->from) {
        otter_deviate(judge->report, OTTER_CHECK_EXECUTION, quirk, where,
                      "runs on location %" PRIu32 " for another %" PRIu64 " tick%s",
                      before->location, before->to - segment->from,
                      otter_plural(before->to - segment->from));
    }
}

static void judge_segments(const struct judge *judge, struct otter_checked_tasks *tasks)
{
    if (tasks->segments.n > 1) {
        qsort(tasks->segments.items, tasks->segments.n, sizeof *tasks->segments.items,
              compare_segments);
    }
    for (size_t i = 0; i < tasks->segments.n; i++) {
        judge_segment(judge, tasks, &tasks->segments.items[i],
                      i > 0 ? &tasks->segments.items[i - 1] : NULL);
    }
}

void otter_checked_tasks_judge(struct otter_checked_tasks *tasks, struct otter_check_report *report,
                               struct otter_task_excuses excuses)
{
    struct judge judge = {.tasks = tasks, .report = report, .excuses = excuses};
    judge_misplaced_ends(&judge, tasks);
    judge_segments(&judge, tasks);
    for (uint32_t i = 0; i < tasks->n_locations; i++) {
        judge_tasks_of(&judge, &tasks->locations[i], i);
    }
    free_records(tasks);
}
