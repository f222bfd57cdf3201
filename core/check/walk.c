// The state of a thread between two events: open regions, teams, the current task, held deviations.
#include "check/walk.h"

#include <stdlib.h>

void *otter_walk_push(struct otter_event_checker *checker, struct otter_walk_list *list,
                      size_t size)
{
    if (list->n == list->room) {
        size_t room = list->room ? 2 * list->room : 32;
        void *items = realloc(list->items, room * size);
        if (!items) {
            checker->is_short_of_memory = true;
            return NULL;
        }
        list->items = items;
        list->room = room;
    }
    return (char *)list->items + size * list->n++;
}

struct otter_walk_frame *otter_walk_frame(const struct otter_event_checker *checker)
{
    return (struct otter_walk_frame *)checker->frames.items + checker->frames.n - 1;
}

struct otter_walk_open_region *otter_walk_open(const struct otter_event_checker *checker)
{
    return checker->open.n
               ? (struct otter_walk_open_region *)checker->open.items + checker->open.n - 1
               : NULL;
}

bool otter_walk_push_frame(struct otter_event_checker *checker, uint32_t comm)
{
    struct otter_walk_frame *frame = otter_walk_push(checker, &checker->frames, sizeof *frame);
    if (frame) {
        otter_task_key implicit = (uint64_t)++checker->n_instances << 32;
        *frame = (struct otter_walk_frame){comm, implicit, implicit};
    }
    return frame;
}

struct otter_deviation otter_walk_here(const struct otter_event_checker *checker, uint64_t time)
{
    return (struct otter_deviation){.location = checker->location, .time = time};
}

struct otter_deviation otter_walk_here_task(const struct otter_event_checker *checker,
                                            uint64_t time, otter_task_key task)
{
    struct otter_deviation where = otter_walk_here(checker, time);
    if (task != OTTER_NOBODY && (uint32_t)task) {
        where.creator = (uint32_t)(task >> 32);
        where.number = (uint32_t)task;
    }
    return where;
}

const char *otter_walk_region_name(const struct otter_event_checker *checker, uint32_t region)
{
    const struct otter_definitions *definitions = checker->options.definitions;
    return region < definitions->n_regions ? definitions->regions[region].name : "undefined";
}

enum otter_construct otter_walk_construct(const struct otter_event_checker *checker,
                                          uint32_t region)
{
    const struct otter_definitions *definitions = checker->options.definitions;
    return region < definitions->n_regions ? definitions->regions[region].construct
                                           : OTTER_CONSTRUCT_UNKNOWN;
}

void otter_walk_hold_back(struct otter_event_checker *checker, enum otter_check check,
                          struct otter_deviation where, const char *text)
{
    if (checker->n_held_back < OTTER_MAX_HELD_BACK && checker->options.excuse) {
        checker->held_back[checker->n_held_back++] =
            (struct otter_walk_held_back){check, where, text};
        return;
    }
    otter_deviate(checker->options.report, check, checker->options.excuse, where, "%s", text);
}

void otter_walk_release(struct otter_event_checker *checker, enum otter_quirk quirk)
{
    for (size_t i = 0; i < checker->n_held_back; i++) {
        const struct otter_walk_held_back *held = &checker->held_back[i];
        otter_deviate(checker->options.report, held->check, quirk, held->where, "%s", held->text);
    }
    checker->n_held_back = 0;
}

void otter_walk_need_task(struct otter_event_checker *checker, const struct otter_event *event)
{
    checker->options.report->results[OTTER_CHECK_SWITCHES].n_tested++;
    if (otter_walk_frame(checker)->current == OTTER_NOBODY) {
        otter_walk_hold_back(checker, OTTER_CHECK_SWITCHES,
                             otter_walk_here_task(checker, event->time, checker->left),
                             "has left, and no switch says who goes on");
    }
}
