// The state of a thread between two events: open regions, teams, the current task, held deviations.
#include "check/walk.h"

#include <stdarg.h>
#include <stdio.h>

struct otter_walk_frame *otter_walk_frame(const struct otter_event_checker *checker)
{
    return &checker->frames.items[checker->frames.n - 1];
}

struct otter_walk_open_region *otter_walk_open(const struct otter_event_checker *checker)
{
    return checker->open.n > 0 ? &checker->open.items[checker->open.n - 1] : NULL;
}

void otter_walk_push_frame(struct otter_event_checker *checker, uint32_t comm)
{
    otter_task_key implicit = (uint64_t)++checker->n_instances << 32;
    OTTER_VECTOR_APPEND(&checker->frames, ((struct otter_walk_frame){comm, implicit, implicit}));
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
    return otter_definitions_construct(checker->options.definitions, region);
}

void otter_walk_error(struct otter_event_checker *checker, enum otter_check check, uint64_t time,
                      const char *format, ...)
{
    char text[sizeof((struct otter_deviation *)NULL)->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    otter_deviate(checker->options.report, check, OTTER_QUIRK_NONE, otter_walk_here(checker, time),
                  "%s", text);
}

void otter_walk_defer(struct otter_event_checker *checker, enum otter_check check,
                      struct otter_deviation where, const char *text)
{
    if (checker->n_deferred < OTTER_MAX_DEFERRED && checker->options.excuse) {
        checker->deferred[checker->n_deferred++] = (struct otter_walk_deferred){check, where, text};
        return;
    }
    otter_deviate(checker->options.report, check, checker->options.excuse, where, "%s", text);
}

void otter_walk_report_deferred(struct otter_event_checker *checker, enum otter_quirk quirk)
{
    for (size_t i = 0; i < checker->n_deferred; i++) {
        const struct otter_walk_deferred *deferred = &checker->deferred[i];
        otter_deviate(checker->options.report, deferred->check, quirk, deferred->where, "%s",
                      deferred->text);
    }
    checker->n_deferred = 0;
}

void otter_walk_need_task(struct otter_event_checker *checker, const struct otter_event *event)
{
    checker->options.report->results[OTTER_CHECK_SWITCHES].n_tested++;
    if (otter_walk_frame(checker)->current == OTTER_NOBODY) {
        otter_walk_defer(checker, OTTER_CHECK_SWITCHES,
                         otter_walk_here_task(checker, event->time, checker->left),
                         "was left, but no switch names the next task");
    }
}
