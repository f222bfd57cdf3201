// Checks one record: its references must be defined, and its time in order.
#include <inttypes.h>

#include "base/text/print.h"
#include "check/walk.h"
#include "graph/build/build.h"

static bool names_known_creator(const struct otter_event_checker *checker,
                                const struct otter_event *event)
{
    const struct otter_definitions *definitions = checker->options.definitions;
    if (event->task.comm >= definitions->n_comms) {
        return false;
    }
    const struct otter_comm *comm = &definitions->comms[event->task.comm];
    return event->task.creator < comm->n_members &&
           comm->members[event->task.creator] < definitions->n_locations;
}

// The creator must be known. Number 0 names the creator's implicit task.
static bool names_possible_task(const struct otter_event_checker *checker,
                                const struct otter_event *event)
{
    const struct otter_definitions *definitions = checker->options.definitions;
    uint32_t creator = definitions->comms[event->task.comm].members[event->task.creator];
    return event->task.number == 0 ||
           otter_graph_may_be_task(definitions, creator, event->task.number);
}

// Returns whether the event has a reference. Stores the kind of an undefined reference, or NULL.
static bool find_reference(const struct otter_event_checker *checker,
                           const struct otter_event *event, const char **undefined)
{
    const struct otter_definitions *definitions = checker->options.definitions;
    switch (event->kind) {
    case OTTER_RECORD_ENTER:
    case OTTER_RECORD_LEAVE:
        *undefined = event->region < definitions->n_regions ? NULL : "region";
        return true;
    case OTTER_RECORD_TEAM_BEGIN:
    case OTTER_RECORD_TEAM_END:
        *undefined = event->comm < definitions->n_comms ? NULL : "team";
        return true;
    case OTTER_RECORD_TASK_CREATE:
    case OTTER_RECORD_TASK_SWITCH:
    case OTTER_RECORD_TASK_COMPLETE:
        *undefined = !names_known_creator(checker, event)   ? "creator of a task"
                     : !names_possible_task(checker, event) ? "task number"
                                                            : NULL;
        return true;
    case OTTER_RECORD_PARAMETER:
        *undefined = event->parameter.definition < definitions->n_parameters ? NULL : "parameter";
        return true;
    case OTTER_RECORD_METRIC:
        *undefined = event->metric.definition < definitions->n_metrics ? NULL : "metric";
        return true;
    case OTTER_RECORD_SAMPLE:
        *undefined = event->context < definitions->n_contexts ? NULL : "calling context";
        return true;
    default: return false;
    }
}

bool otter_check_references(struct otter_event_checker *checker, const struct otter_event *event)
{
    const char *undefined;
    if (!find_reference(checker, event, &undefined)) {
        return true;
    }
    checker->options.report->results[OTTER_CHECK_DEFINITIONS].n_tested++;
    if (undefined) {
        otter_walk_error(checker, OTTER_CHECK_DEFINITIONS, event->time,
                         "%s names a %s that is not defined", otter_record_name(event->kind),
                         undefined);
    }
    return !undefined || event->kind <= OTTER_RECORD_LEAVE;
}

void otter_check_time(struct otter_event_checker *checker, const struct otter_event *event)
{
    const struct otter_clock *clock = &checker->options.definitions->clock;
    const char *name = otter_record_name(event->kind);
    checker->options.report->results[OTTER_CHECK_CLOCK].n_tested++;
    if (checker->n_events > 0 && event->time < checker->last.time) {
        uint64_t early = checker->last.time - event->time;
        otter_walk_error(checker, OTTER_CHECK_CLOCK, event->time,
                         "%s is %" PRIu64 " tick%s earlier than the %s before it", name, early,
                         otter_plural(early), otter_record_name(checker->last.kind));
    }
    if (clock->resolution == 0) {
        return;
    }
    if (event->time < clock->offset) {
        uint64_t early = clock->offset - event->time;
        otter_walk_error(checker, OTTER_CHECK_CLOCK, clock->offset,
                         "%s is %" PRIu64 " tick%s before the beginning of the archive's clock",
                         name, early, otter_plural(early));
    } else if (event->time - clock->offset > clock->length) {
        uint64_t late = event->time - clock->offset - clock->length;
        otter_walk_error(checker, OTTER_CHECK_CLOCK, event->time,
                         "%s is %" PRIu64 " tick%s after the end of the archive's clock", name,
                         late, otter_plural(late));
    }
}
