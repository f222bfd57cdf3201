// Collects bars and samples of memory from events.
#include "view/lane/events.h"

#include "base/free.h"
#include "trace/schema.h"

// Returns whether the construct is a bar above the states of a thread.
static bool is_bar(enum otter_construct construct)
{
    switch (construct) {
    case OTTER_CONSTRUCT_PARALLEL:
    case OTTER_CONSTRUCT_TEAMS:
    case OTTER_CONSTRUCT_TASKGROUP:
    case OTTER_CONSTRUCT_CRITICAL_BLOCK:
    case OTTER_CONSTRUCT_ORDERED_BLOCK:
    case OTTER_CONSTRUCT_PHASE: return true;
    case OTTER_CONSTRUCT_SINGLE_OTHER: return false;
    default: break;
    }
    return (construct >= OTTER_CONSTRUCT_LOOP && construct <= OTTER_CONSTRUCT_WORK_UNKNOWN) ||
           (construct >= OTTER_CONSTRUCT_KOKKOS_FOR && construct <= OTTER_CONSTRUCT_KOKKOS_COPY) ||
           (construct >= OTTER_CONSTRUCT_TARGET && construct < OTTER_CONSTRUCT_TARGET_MAP);
}

void otter_view_events_init(struct otter_view_events *events,
                            const struct otter_definitions *definitions)
{
    *events = (struct otter_view_events){.definitions = definitions, .location = OTTER_NONE};
}

static void open_bar(struct otter_view_events *events, const struct otter_event *event)
{
    bool is_too_deep = events->open.n >= OTTER_MAX_BARS;
    events->n_too_deep += is_too_deep;
    OTTER_VECTOR_APPEND(&events->open, is_too_deep ? OTTER_NONE : events->bars.n);
    if (!is_too_deep) {
        OTTER_VECTOR_APPEND(
            &events->bars, (struct otter_bar){events->last_time, events->last_time, event->region,
                                              (uint16_t)event->location, (uint16_t)events->open.n});
    }
}

static void close_last(struct otter_view_events *events, uint64_t time)
{
    uint32_t bar = events->open.items[--events->open.n];
    if (bar != OTTER_NONE) {
        events->bars.items[bar].end = time;
    }
}

// Ends the innermost bar of this region, and the bars inside it that a damaged archive has left
// open. A bar that was left out has no region, so any region ends it.
static void close_bar(struct otter_view_events *events, const struct otter_event *event)
{
    uint32_t n = events->open.n;
    while (n > 0) {
        uint32_t bar = events->open.items[n - 1];
        if (bar == OTTER_NONE || events->bars.items[bar].region == event->region) {
            break;
        }
        n--;
    }
    while (n > 0 && events->open.n >= n) {
        close_last(events, events->last_time);
    }
}

static void end_location(struct otter_view_events *events)
{
    while (events->open.n > 0) {
        close_last(events, events->last_time);
    }
    events->end = events->last_time > events->end ? events->last_time : events->end;
}

static void add_sample(struct otter_view_events *events, const struct otter_event *event)
{
    uint32_t metric = event->metric.definition;
    bool is_memory = metric < events->definitions->n_metrics && event->metric.n_values > 0 &&
                     *events->definitions->metrics[metric].space;
    if (is_memory) {
        OTTER_VECTOR_APPEND(&events->samples, (struct otter_memory_sample){
                                                  event->time, event->metric.values[0], metric});
    }
}

static void add_section_change(struct otter_view_events *events, const struct otter_event *event)
{
    const struct otter_definitions *definitions = events->definitions;
    uint32_t definition = event->parameter.definition;
    enum otter_parameter kind = definition < definitions->n_parameters
                                    ? definitions->parameters[definition].kind
                                    : OTTER_PARAMETER_UNKNOWN;
    bool is_start = kind == OTTER_PARAMETER_SECTION_START;
    uint64_t region = event->parameter.value;
    if ((!is_start && kind != OTTER_PARAMETER_SECTION_STOP) || region >= definitions->n_regions ||
        definitions->regions[region].construct != OTTER_CONSTRUCT_KOKKOS_SECTION) {
        return;
    }
    OTTER_VECTOR_APPEND(&events->changes, (struct otter_section_change){
                                              events->last_time, (uint32_t)region, is_start});
}

bool otter_view_events_add(void *user, const struct otter_event *event)
{
    struct otter_view_events *events = user;
    if (event->location != events->location) {
        end_location(events);
        events->location = event->location;
        events->last_time = event->time;
    }
    events->last_time = event->time > events->last_time ? event->time : events->last_time;
    bool is_thread =
        events->definitions->locations[event->location].kind == OTTER_LOCATION_CPU_THREAD;
    bool is_of_bar = is_thread &&
                     (event->kind == OTTER_RECORD_ENTER || event->kind == OTTER_RECORD_LEAVE) &&
                     is_bar(otter_definitions_construct(events->definitions, event->region));
    if (is_of_bar && event->kind == OTTER_RECORD_ENTER) {
        open_bar(events, event);
    } else if (is_of_bar) {
        close_bar(events, event);
    } else if (event->kind == OTTER_RECORD_METRIC) {
        add_sample(events, event);
    } else if (event->kind == OTTER_RECORD_PARAMETER) {
        add_section_change(events, event);
    }
    return true;
}

void otter_view_events_end(struct otter_view_events *events)
{
    end_location(events);
}

void otter_view_events_finish(struct otter_view_events *events)
{
    OTTER_FREE(events->bars.items, events->changes.items, events->samples.items,
               events->open.items);
    *events = (struct otter_view_events){0};
}
