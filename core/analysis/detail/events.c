// Reads the events of a run again.
#include "analysis/detail/events.h"

bool otter_events_have(const struct otter_definitions *definitions,
                       bool (*is_of_kind)(enum otter_construct construct))
{
    for (uint32_t i = 0; i < definitions->n_regions; i++) {
        if (is_of_kind(otter_definitions_construct(definitions, i))) {
            return true;
        }
    }
    return false;
}

struct reading {
    otter_event_function *add;
    void *part;
    bool is_short_of_memory;
};

static bool pass_on(void *user, const struct otter_event *event)
{
    struct reading *reading = user;
    reading->is_short_of_memory =
        reading->is_short_of_memory || !reading->add(reading->part, event);
    return !reading->is_short_of_memory;
}

bool otter_events_read(const struct otter_analysis *analysis,
                       bool (*is_of_kind)(enum otter_construct construct),
                       otter_event_function *add, void *part)
{
    struct reading reading = {.add = add, .part = part};
    if (analysis->source.read &&
        (!is_of_kind || otter_events_have(analysis->definitions, is_of_kind))) {
        for (uint32_t i = 0; i < analysis->definitions->n_locations; i++) {
            struct otter_complaint damage;
            analysis->source.read(analysis->source.run, i, pass_on, &reading, &damage);
        }
    }
    return !reading.is_short_of_memory;
}
