// Checks the events of each location, with the thread's open regions, teams and current task.
#include <inttypes.h>
#include <stdlib.h>

#include "base/text/print.h"
#include "base/free.h"
#include "check/events.h"
#include "check/walk.h"

// Returns false for the recorder's own records, which may occur between any two records of the
// thread.
static bool is_of_thread(enum otter_record kind)
{
    return kind >= OTTER_RECORD_ENTER && kind <= OTTER_RECORD_PARAMETER;
}

static bool is_closing(enum otter_record kind)
{
    return kind == OTTER_RECORD_LEAVE || kind == OTTER_RECORD_TEAM_END || kind == OTTER_RECORD_JOIN;
}

// Enter and Leave are checked in the archives of any tool.
static void check_region(struct otter_event_checker *checker, const struct otter_event *event)
{
    if (event->kind != OTTER_RECORD_ENTER && event->kind != OTTER_RECORD_LEAVE) {
        return;
    }
    if (checker->options.is_ours) {
        otter_walk_count_repaired(checker, event);
        otter_walk_need_task(checker, event);
    }
    if (event->kind == OTTER_RECORD_ENTER) {
        otter_walk_enter(checker, event);
    } else {
        otter_walk_leave(checker, event);
    }
}

static void check_event(struct otter_event_checker *checker, const struct otter_event *event)
{
    if (!is_of_thread(event->kind)) {
        return;
    }
    if (event->kind != OTTER_RECORD_PARAMETER) {
        otter_walk_set_owner(checker, event);
    }
    switch (event->kind) {
    case OTTER_RECORD_ENTER:
    case OTTER_RECORD_LEAVE: check_region(checker, event); break;
    case OTTER_RECORD_FORK:
        otter_walk_need_task(checker, event);
        checker->has_begun |= checker->frames.n == 1;
        otter_walk_begin_team(checker, OTTER_WALK_FORK);
        break;
    case OTTER_RECORD_JOIN: otter_walk_end_team(checker, event, OTTER_WALK_FORK); break;
    case OTTER_RECORD_TEAM_BEGIN: otter_walk_team_begin(checker, event); break;
    case OTTER_RECORD_TEAM_END: otter_walk_team_end(checker, event); break;
    case OTTER_RECORD_TASK_CREATE:
        otter_walk_need_task(checker, event);
        otter_walk_task_create(checker, event);
        break;
    case OTTER_RECORD_TASK_SWITCH: otter_walk_task_switch(checker, event); break;
    case OTTER_RECORD_TASK_COMPLETE: otter_walk_task_complete(checker, event); break;
    case OTTER_RECORD_ACQUIRE_LOCK: otter_walk_acquire_lock(checker, event); break;
    case OTTER_RECORD_RELEASE_LOCK: otter_walk_release_lock(checker, event); break;
    case OTTER_RECORD_PARAMETER: otter_walk_parameter(checker, event); return;
    default: break;
    }
    checker->next_never_ran = false;
}

static bool is_in_team_of_one(const struct otter_event_checker *checker)
{
    const struct otter_definitions *definitions = checker->options.definitions;
    uint32_t comm = otter_walk_frame(checker)->comm;
    return comm < definitions->n_comms && definitions->comms[comm].n_members == 1;
}

// Older runtimes report both the last barrier of a region and the barrier of a construct as
// "implicit". In a team of one thread they report only the construct's (quirk 'one barrier kind').
static bool ends_region(const struct otter_event_checker *checker, enum otter_construct construct)
{
    return construct == OTTER_CONSTRUCT_BARRIER_PARALLEL ||
           construct == OTTER_CONSTRUCT_BARRIER_TEAMS ||
           (construct == OTTER_CONSTRUCT_BARRIER_IMPLICIT && !is_in_team_of_one(checker));
}

// Returns whether the graph shows only the code executed in the construct.
static bool is_mere_scope(enum otter_construct construct)
{
    return (construct >= OTTER_CONSTRUCT_LOOP && construct <= OTTER_CONSTRUCT_WORK_UNKNOWN) ||
           (construct >= OTTER_CONSTRUCT_CRITICAL && construct <= OTTER_CONSTRUCT_MUTEX_UNKNOWN) ||
           (construct >= OTTER_CONSTRUCT_KOKKOS_FOR && construct <= OTTER_CONSTRUCT_KOKKOS_COPY) ||
           construct == OTTER_CONSTRUCT_PHASE;
}

// A flush ends no fragment. A signal handler may execute a flush anywhere, even between the last
// barrier and the end of a region.
static bool is_of_flush(const struct otter_event_checker *checker, const struct otter_event *event)
{
    return (event->kind == OTTER_RECORD_ENTER || event->kind == OTTER_RECORD_LEAVE) &&
           otter_walk_construct(checker, event->region) == OTTER_CONSTRUCT_FLUSH;
}

// Returns whether the event has the time of all Leaves since the barrier. Such regions were closed
// with the parallel region.
static bool is_closed_with_region(const struct otter_event_checker *checker,
                                  const struct otter_event *event)
{
    return checker->closing_time == 0 || checker->closing_time == event->time;
}

// After the last barrier of a region only the runtime executes code. The graph has no fragment
// there, so the time is attributed to forking.
static void note_end_of_region(struct otter_event_checker *checker, const struct otter_event *event)
{
    if (!is_of_thread(event->kind) || is_of_flush(checker, event)) {
        return;
    }
    bool is_leave = event->kind == OTTER_RECORD_LEAVE;
    enum otter_construct left =
        is_leave ? otter_walk_construct(checker, event->region) : OTTER_CONSTRUCT_UNKNOWN;
    bool is_region = left == OTTER_CONSTRUCT_PARALLEL || left == OTTER_CONSTRUCT_TEAMS;
    bool may_end = checker->is_behind_barrier && is_leave && is_closed_with_region(checker, event);
    if (may_end && is_region) {
        otter_states_was_forking(&checker->states, checker->running_at_barrier);
    } else if (may_end && is_mere_scope(left)) {
        checker->closing_time = event->time;
        return;
    }
    checker->is_behind_barrier = ends_region(checker, left);
    checker->running_at_barrier = checker->states.times.running;
    checker->closing_time = 0;
}

// Records with the time at which a pause ends describe what changed during the pause.
static void note_pause(struct otter_event_checker *checker, const struct otter_event *event)
{
    if (event->is_on == !checker->is_paused) {
        return;
    }
    checker->is_paused = !event->is_on;
    otter_walk_set_owner(checker, event);
    if (checker->is_paused) {
        otter_walk_stop_segment(checker, event->time);
        OTTER_VECTOR_APPEND(
            &checker->results.pauses,
            ((struct otter_pause_span){checker->location, event->time, UINT64_MAX}));
        return;
    }
    checker->results.pauses.items[checker->results.pauses.n - 1].on = event->time;
    checker->may_jump = true;
    checker->resumed = checker->segment_begin = event->time;
    checker->is_behind_barrier = false;
}

static void add_state(struct otter_event_checker *checker, const struct otter_event *event)
{
    if (checker->is_paused) {
        otter_states_pause(&checker->states, event->time);
        return;
    }
    const struct otter_walk_open_region *open = otter_walk_open(checker);
    bool is_forking =
        checker->teams.n > 0 && checker->teams.items[checker->teams.n - 1] == OTTER_WALK_FORK;
    otter_states_pass(&checker->states, event->time, open != NULL,
                      open ? otter_walk_construct(checker, open->region) : OTTER_CONSTRUCT_UNKNOWN,
                      is_forking);
    note_end_of_region(checker, event);
    if (!open && !is_forking && !checker->is_over && (checker->has_helped || checker->has_begun)) {
        checker->between += event->time > checker->last.time ? event->time - checker->last.time : 0;
    }
}

bool otter_event_checker_add(void *user, const struct otter_event *event)
{
    struct otter_event_checker *checker = user;
    if (checker->n_events == 0) {
        checker->first_time = event->time;
        otter_states_begin(&checker->states, event->time);
    }
    otter_check_time(checker, event);
    if (is_of_thread(event->kind) && !is_closing(event->kind)) {
        otter_walk_report_deferred(checker, OTTER_QUIRK_NONE);
    }
    if (otter_check_references(checker, event)) {
        if (checker->options.is_ours) {
            add_state(checker, event);
            if (event->kind == OTTER_RECORD_MEASUREMENT) {
                note_pause(checker, event);
            }
            check_event(checker, event);
        } else {
            checker->nests_by_task |= event->kind == OTTER_RECORD_TASK_SWITCH;
            if (!checker->nests_by_task) {
                check_region(checker, event);
            }
        }
    }
    if (is_of_thread(event->kind)) {
        checker->before = *event;
    }
    checker->last = *event;
    checker->n_events++;
    return true;
}

// ---- the end of a location

static void check_counts(struct otter_event_checker *checker, uint64_t n_others)
{
    struct otter_check_report *report = checker->options.report;
    uint64_t n = checker->n_events + n_others;
    uint64_t defined = checker->options.definitions->locations[checker->location].n_events;
    report->results[OTTER_CHECK_COUNTS].n_tested++;
    if (n != defined) {
        otter_walk_error(checker, OTTER_CHECK_COUNTS, 0,
                         "has %" PRIu64 " event%s, %" PRIu64 " %s defined", n, otter_plural(n),
                         defined, defined == 1 ? "is" : "are");
    }
}

static void check_all_is_closed(struct otter_event_checker *checker)
{
    uint64_t time = checker->last.time;
    if (checker->open.n > 0) {
        otter_walk_error(checker, OTTER_CHECK_NESTING, time,
                         "%" PRIu32 " region%s still open at its end, the innermost is %.60s",
                         checker->open.n, checker->open.n == 1 ? " is" : "s are",
                         otter_walk_region_name(checker, otter_walk_open(checker)->region));
    }
    if (checker->teams.n > 0) {
        otter_deviate(checker->options.report, OTTER_CHECK_TEAMS, checker->options.excuse,
                      otter_walk_here(checker, time), "%" PRIu32 " fork%s still open at its end",
                      checker->teams.n, checker->teams.n == 1 ? " or team is" : "s and teams are");
    }
    otter_walk_end_locks(checker);
}

// The runtime's own threads execute target tasks (quirk 'hidden helper').
static void check_helper(struct otter_event_checker *checker)
{
    if (checker->has_helped) {
        otter_deviate(checker->options.report, OTTER_CHECK_EXECUTION, OTTER_QUIRK_HELPER,
                      otter_walk_here(checker, checker->first_time),
                      "executes tasks outside of any region");
    }
}

static void check_states(struct otter_event_checker *checker)
{
    uint64_t wall = checker->last.time - checker->first_time;
    uint64_t sum = otter_states_sum(&checker->states);
    struct otter_check_report *report = checker->options.report;
    report->results[OTTER_CHECK_TIME].n_tested++;
    if (sum != wall) {
        otter_walk_error(checker, OTTER_CHECK_TIME, 0,
                         "its states add up to %" PRIu64 " ticks, its events span %" PRIu64, sum,
                         wall);
    }
    uint64_t running = otter_states_of_fragments(&checker->states);
    checker->results.times[checker->location] = (struct otter_location_time){
        .running = running + (checker->has_begun ? checker->between : 0),
        .between = checker->has_begun ? 0 : checker->between,
        .has_untied = checker->has_untied};
    otter_states_add(&report->times, &checker->states, wall);
}

// A device's stream runs no tasks and never waits, and a processor has only switches.
static bool is_thread(const struct otter_event_checker *checker)
{
    enum otter_location_kind kind = checker->options.definitions->locations[checker->location].kind;
    return kind != OTTER_LOCATION_ACCELERATOR && kind != OTTER_LOCATION_METRIC;
}

void otter_event_checker_end(struct otter_event_checker *checker, uint64_t n_others, bool is_whole)
{
    checker->options.report->n_events += checker->n_events + n_others;
    otter_walk_report_deferred(checker, checker->options.excuse);
    if (checker->n_events > 0 && checker->options.is_ours && is_thread(checker)) {
        check_states(checker);
        check_helper(checker);
        otter_walk_stop_segment(checker, checker->last.time);
    }
    if (is_whole) {
        check_counts(checker, n_others);
    }
    if (is_whole && !checker->options.excuse) {
        otter_walk_set_owner(checker,
                             // ends the last parameters, since no later record can own them
                             &(struct otter_event){0});
    }
    if (is_whole && checker->n_events > 0 && !checker->nests_by_task) {
        check_all_is_closed(checker);
    }
}

void otter_event_checker_begin(struct otter_event_checker *checker, uint32_t location)
{
    checker->location = location;
    checker->n_events = checker->first_time = 0;
    checker->last = (struct otter_event){0};
    checker->open.n = checker->frames.n = checker->teams.n = checker->locks.n = 0;
    checker->n_instances = checker->n_created = 0;
    checker->next_never_ran = checker->has_untied = checker->nests_by_task = false;
    checker->left = OTTER_NOBODY;
    checker->owner = checker->before = (struct otter_event){0};
    checker->awaits_end = checker->is_paused = checker->may_jump = false;
    checker->resumed = 0;
    checker->n_deferred = 0;
    checker->is_behind_barrier = checker->has_helped = checker->has_begun = false;
    checker->is_over = false;
    checker->closing_time = 0;
    checker->between = 0;
    otter_walk_push_frame(checker, OTTER_NONE);
}

// ---- the whole archive

struct otter_event_checker *
otter_event_checker_create(const struct otter_event_checker_options *options)
{
    struct otter_event_checker *checker = calloc(1, sizeof *checker);
    checker->options = *options;
    size_t n_locations = options->definitions->n_locations;
    checker->results.times = calloc(n_locations + 1, sizeof *checker->results.times);
    otter_checked_tasks_init(&checker->results.tasks, n_locations);
    return checker;
}

void otter_event_checker_destroy(struct otter_event_checker *checker)
{
    otter_checked_tasks_finish(&checker->results.tasks);
    OTTER_FREE(checker->results.times, checker->open.items, checker->frames.items,
               checker->teams.items, checker->locks.items, checker->results.pauses.items,
               checker->odd_locks.items, checker);
}

void otter_event_checker_judge(struct otter_event_checker *checker)
{
    const struct otter_event_checker_options *options = &checker->options;
    enum otter_quirk paused = checker->results.pauses.n > 0 ? OTTER_QUIRK_PAUSED : OTTER_QUIRK_NONE;
    if (!options->is_ours) {
        return;
    }
    struct otter_task_excuses excuses = {.endless = options->excuse ? options->excuse : paused,
                                         .lost = options->lost ? options->lost : paused};
    bool is_repaired = !excuses.endless && options->has_repairs;
    excuses.untied = is_repaired ? OTTER_QUIRK_REPAIRED : excuses.endless;
    otter_checked_tasks_judge(&checker->results.tasks, options->report, excuses);
    otter_walk_judge_locks(checker);
}

const struct otter_event_results *
otter_event_checker_results(const struct otter_event_checker *checker)
{
    return &checker->results;
}
