// Checks parameters: each belongs to the record before or after it, at the same time.
#include "check/walk.h"
#include "graph/build/build.h"

enum place {
    PLACE_ALONE, // written by a call of its own
    PLACE_AFTER_CREATION,
    PLACE_AFTER_LEAVE,
    PLACE_OF_DEPENDENCES, // after a creation, or in a `taskwait depend`
    PLACE_OF_ITERATIONS,  // after an Enter, or the parameter of a chunk
    PLACE_BEFORE_END,
    PLACE_OF_TEAM, // after a fork, the start of a team, or the end of a pause
};

static enum place place_of(enum otter_parameter parameter)
{
    switch (parameter) {
    case OTTER_PARAMETER_ENCOUNTERING_TASK: return PLACE_AFTER_CREATION;
    case OTTER_PARAMETER_TASK_DETACHED: return PLACE_AFTER_LEAVE;
    case OTTER_PARAMETER_PARALLEL: return PLACE_OF_TEAM;
    case OTTER_PARAMETER_ITERATIONS: return PLACE_OF_ITERATIONS;
    case OTTER_PARAMETER_TASK_NEVER_RAN:
    case OTTER_PARAMETER_TASK_CANCELLED: return PLACE_BEFORE_END;
    case OTTER_PARAMETER_DEPEND_SOURCE:
    case OTTER_PARAMETER_DEPEND_SINK: return PLACE_ALONE;
    default:
        return parameter >= OTTER_PARAMETER_DEPEND_UNKNOWN &&
                       parameter <= OTTER_PARAMETER_DEPEND_INOUT_ALL_MEMORY
                   ? PLACE_OF_DEPENDENCES
                   : PLACE_ALONE;
    }
}

static bool belongs(const struct otter_event_checker *checker, enum place place)
{
    const struct otter_event *owner = &checker->owner;
    bool is_enter = owner->kind == OTTER_RECORD_ENTER;
    switch (place) {
    case PLACE_AFTER_CREATION: return owner->kind == OTTER_RECORD_TASK_CREATE;
    case PLACE_AFTER_LEAVE: return owner->kind == OTTER_RECORD_LEAVE;
    case PLACE_OF_DEPENDENCES:
        return owner->kind == OTTER_RECORD_TASK_CREATE ||
               (is_enter &&
                otter_walk_construct(checker, owner->region) == OTTER_CONSTRUCT_TASKWAIT_DEPEND);
    case PLACE_OF_ITERATIONS: return is_enter || owner->kind == OTTER_RECORD_PARAMETER;
    case PLACE_OF_TEAM:
        return owner->kind == OTTER_RECORD_FORK || owner->kind == OTTER_RECORD_TEAM_BEGIN ||
               owner->kind == OTTER_RECORD_MEASUREMENT;
    case PLACE_ALONE:
    case PLACE_BEFORE_END: break;
    }
    return true;
}

static void note_detached(struct otter_event_checker *checker, uint64_t id)
{
    bool may_be =
        otter_graph_may_be_task(checker->options.definitions, (uint32_t)(id >> 32), (uint32_t)id);
    struct otter_checked_task *task = may_be ? otter_walk_task(checker, id) : NULL;
    if (task) {
        task->flags |= OTTER_CHECKED_DETACHED;
    }
}

static void complain(struct otter_event_checker *checker, uint64_t time, const char *name,
                     const char *what)
{
    otter_walk_error(checker, OTTER_CHECK_PARAMETERS, time, "\"%.40s\" %s", name, what);
}

void otter_walk_parameter(struct otter_event_checker *checker, const struct otter_event *event)
{
    const struct otter_parameter_definition *definition =
        &checker->options.definitions->parameters[event->parameter.definition];
    enum place place = place_of(definition->kind);
    checker->options.report->results[OTTER_CHECK_PARAMETERS].n_tested++;
    if (place == PLACE_ALONE) {
        checker->owner = *event;
    } else if (place == PLACE_BEFORE_END) {
        checker->awaits_end = true;
        checker->awaited_end = *event;
    } else if (checker->owner.time != event->time || !belongs(checker, place)) {
        complain(checker, event->time, definition->name, "does not belong to the record before it");
    }
    if (definition->kind == OTTER_PARAMETER_TASK_NEVER_RAN) {
        checker->next_never_ran = true;
    } else if (definition->kind == OTTER_PARAMETER_TASK_DETACHED) {
        note_detached(checker, event->parameter.value);
    }
}

void otter_walk_set_owner(struct otter_event_checker *checker, const struct otter_event *event)
{
    const struct otter_event *awaited = &checker->awaited_end;
    if (checker->awaits_end &&
        (event->kind != OTTER_RECORD_TASK_COMPLETE || event->time != awaited->time)) {
        complain(checker, awaited->time,
                 checker->options.definitions->parameters[awaited->parameter.definition].name,
                 "does not belong to the record after it");
    }
    checker->awaits_end = false;
    checker->owner = *event;
}
