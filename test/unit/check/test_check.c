// The checker's verdict on a sound recording of two threads, and on each way to break the
// recording.
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "check/events.h"

// ---- definitions

enum {
    INITIAL,
    PARALLEL,
    TASK,
    UNTIED,
    TASKWAIT,
    BARRIER,
    OLD_BARRIER,
    CRITICAL,
    BLOCK,
    SINGLE,
    LOOP,
    FLUSH,
    N_REGIONS
};

static const struct otter_region regions[N_REGIONS] = {
    [INITIAL] = {.name = "initial", .construct = OTTER_CONSTRUCT_INITIAL_TASK, .description = ""},
    [PARALLEL] = {.name = "parallel", .construct = OTTER_CONSTRUCT_PARALLEL, .description = ""},
    [TASK] = {.name = "task", .construct = OTTER_CONSTRUCT_TASK, .description = ""},
    [UNTIED] = {.name = "task", .construct = OTTER_CONSTRUCT_TASK, .description = "untied"},
    [TASKWAIT] = {.name = "taskwait", .construct = OTTER_CONSTRUCT_TASKWAIT, .description = ""},
    [BARRIER] = {.name = "barrier",
                 .construct = OTTER_CONSTRUCT_BARRIER_PARALLEL,
                 .description = ""},
    [OLD_BARRIER] = {.name = "barrier",
                     .construct = OTTER_CONSTRUCT_BARRIER_IMPLICIT,
                     .description = ""},
    [CRITICAL] = {.name = "critical", .construct = OTTER_CONSTRUCT_CRITICAL, .description = ""},
    [BLOCK] = {.name = "block", .construct = OTTER_CONSTRUCT_CRITICAL_BLOCK, .description = ""},
    [SINGLE] = {.name = "single", .construct = OTTER_CONSTRUCT_SINGLE, .description = ""},
    [LOOP] = {.name = "loop", .construct = OTTER_CONSTRUCT_LOOP, .description = ""},
    [FLUSH] = {.name = "flush", .construct = OTTER_CONSTRUCT_FLUSH, .description = ""},
};

enum { ALL_THREADS, TEAM, ALONE, N_COMMS };

static const uint32_t members[] = {0, 1};
static const struct otter_comm comms[N_COMMS] = {
    [ALL_THREADS] = {.name = "", .parent = OTTER_NONE, .members = members, .n_members = 2},
    [TEAM] = {.name = "", .parent = ALL_THREADS, .members = members, .n_members = 2},
    [ALONE] = {.name = "", .parent = ALL_THREADS, .members = members, .n_members = 1},
};

enum { NEVER_RAN, DETACHED, DEPEND_IN, ITERATIONS, CHUNK, N_PARAMETERS };

static const struct otter_parameter_definition parameters[N_PARAMETERS] = {
    [NEVER_RAN] = {.name = "", .kind = OTTER_PARAMETER_TASK_NEVER_RAN},
    [DETACHED] = {.name = "", .kind = OTTER_PARAMETER_TASK_DETACHED},
    [DEPEND_IN] = {.name = "depend in", .kind = OTTER_PARAMETER_DEPEND_IN},
    [ITERATIONS] = {.name = "iterations", .kind = OTTER_PARAMETER_ITERATIONS},
    [CHUNK] = {.name = "loop chunk", .kind = OTTER_PARAMETER_CHUNK_LOOP},
};

enum { MAX_EVENTS = 64 };

// ---- the recording

#define REGION(kind_, location_, time_, region_)                                                   \
    {                                                                                              \
        .time = time_, .location = location_, .kind = OTTER_RECORD_##kind_,                        \
        {                                                                                          \
            .region = region_                                                                      \
        }                                                                                          \
    }
#define TASK_OF(kind_, location_, time_, creator_, number_)                                        \
    {                                                                                              \
        .time = time_, .location = location_, .kind = OTTER_RECORD_TASK_##kind_,                   \
        {                                                                                          \
            .task = { ALL_THREADS, creator_, number_ }                                             \
        }                                                                                          \
    }
#define TEAM_OF(kind_, location_, time_)                                                           \
    {                                                                                              \
        .time = time_, .location = location_, .kind = OTTER_RECORD_TEAM_##kind_,                   \
        {                                                                                          \
            .comm = TEAM                                                                           \
        }                                                                                          \
    }
#define LOCK(kind_, location_, time_)                                                              \
    {                                                                                              \
        .time = time_, .location = location_, .kind = OTTER_RECORD_##kind_##_LOCK,                 \
        {                                                                                          \
            .lock = {7, 1}                                                                         \
        }                                                                                          \
    }
#define PARAMETER(location_, time_, definition_, value_)                                           \
    {                                                                                              \
        .time = time_, .location = location_, .kind = OTTER_RECORD_PARAMETER,                      \
        {                                                                                          \
            .parameter = { definition_, value_ }                                                   \
        }                                                                                          \
    }

enum {
    ENTER_INITIAL,
    FORK,
    BEGIN_TEAM,
    ENTER_PARALLEL,
    CREATE_1,
    CREATE_2,
    ENTER_WAIT,
    SWITCH_1,
    ENTER_1,
    LEAVE_1,
    COMPLETE_1,
    SWITCH_BACK,
    LEAVE_WAIT,
    ENTER_CRITICAL,
    ACQUIRE,
    ENTER_BLOCK,
    LEAVE_BLOCK,
    RELEASE,
    LEAVE_CRITICAL,
    ENTER_BARRIER,
    LEAVE_BARRIER,
    LEAVE_PARALLEL,
    END_TEAM,
    JOIN,
    LEAVE_INITIAL,
    WORKER_BEGIN_TEAM,
    WORKER_ENTER_PARALLEL,
    WORKER_ENTER_BARRIER,
    WORKER_SWITCH_2,
    WORKER_ENTER_2,
    WORKER_LEAVE_2,
    WORKER_COMPLETE_2,
    WORKER_SWITCH_BACK,
    WORKER_LEAVE_BARRIER,
    WORKER_LEAVE_PARALLEL,
    WORKER_END_TEAM,
    N_EVENTS
};

static const struct otter_event sound[N_EVENTS] = {
    [ENTER_INITIAL] = REGION(ENTER, 0, 10, INITIAL),
    [FORK] = {.time = 20, .kind = OTTER_RECORD_FORK},
    [BEGIN_TEAM] = TEAM_OF(BEGIN, 0, 30),
    [ENTER_PARALLEL] = REGION(ENTER, 0, 30, PARALLEL),
    [CREATE_1] = TASK_OF(CREATE, 0, 40, 0, 1),
    [CREATE_2] = TASK_OF(CREATE, 0, 50, 0, 2),
    [ENTER_WAIT] = REGION(ENTER, 0, 60, TASKWAIT),
    [SWITCH_1] = TASK_OF(SWITCH, 0, 70, 0, 1),
    [ENTER_1] = REGION(ENTER, 0, 70, TASK),
    [LEAVE_1] = REGION(LEAVE, 0, 80, TASK),
    [COMPLETE_1] = TASK_OF(COMPLETE, 0, 80, 0, 1),
    [SWITCH_BACK] = TASK_OF(SWITCH, 0, 130, 0, 0),
    [LEAVE_WAIT] = REGION(LEAVE, 0, 130, TASKWAIT),
    [ENTER_CRITICAL] = REGION(ENTER, 0, 131, CRITICAL),
    [ACQUIRE] = LOCK(ACQUIRE, 0, 132),
    [ENTER_BLOCK] = REGION(ENTER, 0, 132, BLOCK),
    [LEAVE_BLOCK] = REGION(LEAVE, 0, 135, BLOCK),
    [RELEASE] = LOCK(RELEASE, 0, 135),
    [LEAVE_CRITICAL] = REGION(LEAVE, 0, 135, CRITICAL),
    [ENTER_BARRIER] = REGION(ENTER, 0, 140, BARRIER),
    [LEAVE_BARRIER] = REGION(LEAVE, 0, 150, BARRIER),
    [LEAVE_PARALLEL] = REGION(LEAVE, 0, 155, PARALLEL),
    [END_TEAM] = TEAM_OF(END, 0, 155),
    [JOIN] = {.time = 160, .kind = OTTER_RECORD_JOIN},
    [LEAVE_INITIAL] = REGION(LEAVE, 0, 170, INITIAL),
    [WORKER_BEGIN_TEAM] = TEAM_OF(BEGIN, 1, 35),
    [WORKER_ENTER_PARALLEL] = REGION(ENTER, 1, 35, PARALLEL),
    [WORKER_ENTER_BARRIER] = REGION(ENTER, 1, 60, BARRIER),
    [WORKER_SWITCH_2] = TASK_OF(SWITCH, 1, 90, 0, 2),
    [WORKER_ENTER_2] = REGION(ENTER, 1, 90, TASK),
    [WORKER_LEAVE_2] = REGION(LEAVE, 1, 120, TASK),
    [WORKER_COMPLETE_2] = TASK_OF(COMPLETE, 1, 120, 0, 2),
    [WORKER_SWITCH_BACK] = TASK_OF(SWITCH, 1, 150, 1, 0),
    [WORKER_LEAVE_BARRIER] = REGION(LEAVE, 1, 150, BARRIER),
    [WORKER_LEAVE_PARALLEL] = REGION(LEAVE, 1, 161, PARALLEL),
    [WORKER_END_TEAM] = TEAM_OF(END, 1, 161),
};

struct recording {
    struct otter_event events[MAX_EVENTS];
    size_t n;
    struct otter_location locations[2];
    struct otter_definitions definitions;
    struct otter_event_checker_options options;
    struct otter_check_report report;
    uint64_t running[2], between[2], n_singles, n_loops;
};

static int set_up(void **state)
{
    struct recording *recording = calloc(1, sizeof *recording);
    memcpy(recording->events, sound, sizeof sound);
    recording->n = N_EVENTS;
    recording->definitions = (struct otter_definitions){
        .regions = regions,
        .n_regions = N_REGIONS,
        .comms = comms,
        .n_comms = N_COMMS,
        .parameters = parameters,
        .n_parameters = N_PARAMETERS,
        .locations = recording->locations,
        .n_locations = 2,
        .clock = {.resolution = 1000000000, .offset = 5, .length = 200},
    };
    recording->options = (struct otter_event_checker_options){
        .definitions = &recording->definitions, .report = &recording->report, .is_ours = true};
    *state = recording;
    return 0;
}

static int tear_down(void **state)
{
    free(*state);
    return 0;
}

static void delete(struct recording *recording, size_t index)
{
    memmove(&recording->events[index], &recording->events[index + 1],
            (recording->n - index - 1) * sizeof recording->events[0]);
    recording->n--;
}

static void insert(struct recording *recording, size_t index, struct otter_event event)
{
    assert_true(recording->n < MAX_EVENTS);
    memmove(&recording->events[index + 1], &recording->events[index],
            (recording->n - index) * sizeof event);
    recording->events[index] = event;
    recording->n++;
}

static void exchange(struct recording *recording, size_t a, size_t b)
{
    struct otter_event event = recording->events[a];
    recording->events[a] = recording->events[b];
    recording->events[b] = event;
}

static void check_location(struct recording *recording, struct otter_event_checker *checker,
                           uint32_t location)
{
    otter_event_checker_begin(checker, location);
    for (size_t i = 0; i < recording->n; i++) {
        if (recording->events[i].location == location) {
            otter_event_checker_add(checker, &recording->events[i]);
        }
    }
    otter_event_checker_end(checker, 0, true);
}

static void check(struct recording *recording)
{
    struct otter_event_checker *checker = otter_event_checker_create(&recording->options);
    for (uint32_t i = 0; i < 2; i++) {
        check_location(recording, checker, i);
    }
    otter_event_checker_judge(checker);
    const struct otter_event_results *results = otter_event_checker_results(checker);
    for (uint32_t i = 0; i < 2; i++) {
        recording->running[i] = results->times[i].running;
        recording->between[i] = results->times[i].between;
    }
    recording->n_singles = results->n_singles;
    recording->n_loops = results->n_loops;
    otter_event_checker_destroy(checker);
}

// Counts the events of each location for its definition.
static void define_counts(struct recording *recording)
{
    recording->locations[0].n_events = recording->locations[1].n_events = 0;
    for (size_t i = 0; i < recording->n; i++) {
        recording->locations[recording->events[i].location].n_events++;
    }
}

static void play(struct recording *recording)
{
    define_counts(recording);
    check(recording);
}

static uint64_t n_of(const struct recording *recording, enum otter_check check_,
                     enum otter_quirk quirk)
{
    return recording->report.results[check_].deviations[quirk].n;
}

static uint64_t n_errors(const struct recording *recording, enum otter_check check_)
{
    return n_of(recording, check_, OTTER_QUIRK_NONE);
}

static uint64_t n_all_errors(const struct recording *recording)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < OTTER_N_CHECKS; i++) {
        n += n_errors(recording, (enum otter_check)i);
    }
    return n;
}

static const struct otter_deviation *first_of(const struct recording *recording,
                                              enum otter_check check_, enum otter_quirk quirk)
{
    return &recording->report.results[check_].deviations[quirk].first[0];
}

// Plays the recording and expects `n` errors of this check, and none of other checks.
static const struct otter_deviation *play_and_find(struct recording *recording,
                                                   enum otter_check check_, uint64_t n)
{
    play(recording);
    assert_int_equal(n_errors(recording, check_), n);
    assert_int_equal(n_all_errors(recording), n);
    return first_of(recording, check_, OTTER_QUIRK_NONE);
}

// ---- stories

static void sound_recording_has_no_deviation(void **state)
{
    struct recording *recording = *state;
    play(recording);
    for (unsigned i = 0; i < OTTER_N_CHECKS; i++) {
        assert_int_equal(otter_check_errors(&recording->report.results[i]), 0);
        assert_int_equal(otter_check_notes(&recording->report.results[i]), 0);
    }
    assert_int_equal(recording->report.n_events, N_EVENTS);
    assert_int_equal(recording->report.n_tasks, 2);
    assert_int_equal(recording->report.results[OTTER_CHECK_NESTING].n_tested, 10);
    assert_int_equal(recording->report.results[OTTER_CHECK_TEAMS].n_tested, 3);
    assert_int_equal(recording->report.results[OTTER_CHECK_LOCKS].n_tested, 1);
    assert_int_equal(recording->report.results[OTTER_CHECK_EXECUTION].n_tested, 2);
    assert_int_equal(recording->report.results[OTTER_CHECK_CLOCK].n_tested, N_EVENTS);
}

static void states_of_a_thread_add_up_to_its_time(void **state)
{
    struct recording *recording = *state;
    play(recording);
    const struct otter_check_times *times = &recording->report.times;
    assert_int_equal(times->wall, 160 + 126);
    assert_int_equal(times->waiting[OTTER_CONSTRUCT_TASKWAIT], 10 + 50);
    assert_int_equal(times->waiting[OTTER_CONSTRUCT_BARRIER_PARALLEL], 10 + 30 + 30);
    assert_int_equal(times->locks, 1);
    assert_int_equal(times->forking, 10 + 5 + 5 + 11);
    assert_int_equal(times->running, 10 + 30 + 10 + 1 + 3 + 5 + 10 + 25 + 30);
    assert_int_equal(times->outside, 0);
    assert_int_equal(recording->running[0], 10 + 30 + 10 + 1 + 3 + 5 + 10 + 1); // with the lock
    assert_int_equal(recording->running[1], 25 + 30);
}

// The end of a construct is missing: the recorder closed the construct with the region, after the
// barrier.
static void what_is_closed_with_a_region_is_not_running(void **state)
{
    struct recording *recording = *state;
    insert(recording, LEAVE_PARALLEL,
           (struct otter_event)REGION(LEAVE, 0, recording->events[LEAVE_PARALLEL].time, LOOP));
    insert(recording, ENTER_BARRIER, (struct otter_event)REGION(ENTER, 0, 140, LOOP));
    play(recording);
    assert_int_equal(n_all_errors(recording), 0);
    assert_int_equal(recording->running[0], 10 + 30 + 10 + 1 + 3 + 5 + 10 + 1);
}

// A construct that ends with the region extends after the barrier.
static void what_is_left_behind_a_barrier_was_running(void **state)
{
    struct recording *recording = *state;
    insert(recording, LEAVE_PARALLEL, (struct otter_event)REGION(LEAVE, 0, 153, LOOP));
    insert(recording, ENTER_BARRIER, (struct otter_event)REGION(ENTER, 0, 140, LOOP));
    play(recording);
    assert_int_equal(n_all_errors(recording), 0);
    assert_int_equal(recording->running[0], 10 + 30 + 10 + 1 + 3 + 5 + 5 + 10 + 1);
}

// Two constructs end after the barrier, the second with the region: the program executed in
// between.
static void what_is_left_before_the_region_was_running(void **state)
{
    struct recording *recording = *state;
    insert(recording, LEAVE_PARALLEL, (struct otter_event)REGION(LEAVE, 0, 155, SINGLE));
    insert(recording, LEAVE_PARALLEL, (struct otter_event)REGION(LEAVE, 0, 152, LOOP));
    insert(recording, ENTER_BARRIER, (struct otter_event)REGION(ENTER, 0, 140, LOOP));
    insert(recording, ENTER_BARRIER, (struct otter_event)REGION(ENTER, 0, 140, SINGLE));
    play(recording);
    assert_int_equal(n_all_errors(recording), 0);
    assert_int_equal(recording->running[0], 10 + 30 + 10 + 1 + 3 + 5 + 5 + 10 + 1);
}

// A signal handler may flush after the barrier, where the graph has no fragment.
static void a_flush_behind_the_last_barrier_does_not_make_it_running(void **state)
{
    struct recording *recording = *state;
    insert(recording, LEAVE_PARALLEL, (struct otter_event)REGION(LEAVE, 0, 153, FLUSH));
    insert(recording, LEAVE_PARALLEL, (struct otter_event)REGION(ENTER, 0, 153, FLUSH));
    play(recording);
    assert_int_equal(n_all_errors(recording), 0);
    assert_int_equal(recording->running[0], 10 + 30 + 10 + 1 + 3 + 5 + 10 + 1);
}

static void leave_of_another_region_does_not_nest(void **state)
{
    struct recording *recording = *state;
    recording->events[LEAVE_WAIT].region = BARRIER;
    const struct otter_deviation *deviation = play_and_find(recording, OTTER_CHECK_NESTING, 1);
    assert_int_equal(deviation->location, 0);
    assert_int_equal(deviation->time, 130);
    assert_string_equal(deviation->text, "leaves barrier, taskwait was entered last");
}

static void region_that_stays_open_does_not_nest(void **state)
{
    struct recording *recording = *state;
    delete (recording, LEAVE_INITIAL);
    assert_string_equal(play_and_find(recording, OTTER_CHECK_NESTING, 1)->text,
                        "1 region is still open at its end, the innermost is initial");
}

static void leave_without_enter_does_not_nest(void **state)
{
    struct recording *recording = *state;
    delete (recording, ENTER_INITIAL);
    assert_non_null(
        strstr(play_and_find(recording, OTTER_CHECK_NESTING, 1)->text, "nothing is open"));
}

static void fork_that_is_not_joined_is_an_error(void **state)
{
    struct recording *recording = *state;
    delete (recording, JOIN);
    assert_string_equal(play_and_find(recording, OTTER_CHECK_TEAMS, 1)->text,
                        "1 fork or team is still open at its end");
}

static void join_inside_of_the_team_is_an_error(void **state)
{
    struct recording *recording = *state;
    exchange(recording, JOIN, END_TEAM);
    recording->events[END_TEAM].time = recording->events[JOIN].time = 160;
    play(recording);
    assert_int_equal(n_errors(recording, OTTER_CHECK_TEAMS), 2); // and the fork stays open
}

static void thread_of_another_team_is_an_error(void **state)
{
    struct recording *recording = *state;
    struct otter_comm others[N_COMMS];
    memcpy(others, comms, sizeof comms);
    others[TEAM].n_members = 1;
    recording->definitions.comms = others;
    const struct otter_deviation *deviation = play_and_find(recording, OTTER_CHECK_TEAMS, 1);
    assert_int_equal(deviation->location, 1);
    assert_int_equal(deviation->time, 35);
}

static void end_of_another_team_is_an_error(void **state)
{
    struct recording *recording = *state;
    recording->events[WORKER_END_TEAM].comm = ALL_THREADS;
    play_and_find(recording, OTTER_CHECK_TEAMS, 1);
}

static void lock_may_be_kept_to_the_end(void **state)
{
    struct recording *recording = *state;
    delete (recording, RELEASE);
    play_and_find(recording, OTTER_CHECK_LOCKS, 0);
    assert_int_equal(n_of(recording, OTTER_CHECK_LOCKS, OTTER_QUIRK_KEPT_LOCK), 1);
}

static void lock_that_is_not_held_cannot_be_released(void **state)
{
    struct recording *recording = *state;
    delete (recording, ACQUIRE);
    play_and_find(recording, OTTER_CHECK_LOCKS, 1);
}

static void lock_is_released_as_it_was_acquired(void **state)
{
    struct recording *recording = *state;
    recording->events[RELEASE].lock.order = 2;
    play_and_find(recording, OTTER_CHECK_LOCKS, 1);
}

static void task_is_created_by_the_location_of_its_id(void **state)
{
    struct recording *recording = *state;
    insert(recording, WORKER_ENTER_BARRIER, (struct otter_event)TASK_OF(CREATE, 1, 40, 0, 3));
    play(recording);
    assert_int_equal(n_errors(recording, OTTER_CHECK_TASKS), 2); // and it never ends
    assert_string_equal(first_of(recording, OTTER_CHECK_TASKS, OTTER_QUIRK_NONE)->text,
                        "is created by another location");
}

static void numbers_of_tasks_have_no_gaps(void **state)
{
    struct recording *recording = *state;
    for (size_t i = 0; i < recording->n; i++) {
        struct otter_event *event = &recording->events[i];
        bool is_task =
            event->kind >= OTTER_RECORD_TASK_CREATE && event->kind <= OTTER_RECORD_TASK_COMPLETE;
        event->task.number += is_task && event->task.number == 2;
    }
    const struct otter_deviation *deviation = play_and_find(recording, OTTER_CHECK_TASKS, 1);
    assert_int_equal(deviation->number, 3);
    assert_int_equal(deviation->time, 50);
}

static void task_is_created_once(void **state)
{
    struct recording *recording = *state;
    recording->events[CREATE_2].task.number = 1;
    play(recording);
    assert_string_equal(
        recording->report.results[OTTER_CHECK_TASKS].deviations[OTTER_QUIRK_NONE].first[1].text,
        "is created a second time");
}

static void task_begins_after_its_creation(void **state)
{
    struct recording *recording = *state;
    recording->events[WORKER_ENTER_BARRIER].time = 40;
    recording->events[WORKER_SWITCH_2].time = recording->events[WORKER_ENTER_2].time = 45;
    const struct otter_deviation *deviation = play_and_find(recording, OTTER_CHECK_TASKS, 1);
    assert_string_equal(deviation->text, "began 5 ticks before it was created");
    assert_int_equal(deviation->creator, 0);
    assert_int_equal(deviation->number, 2);
}

static void task_without_creation_is_an_error(void **state)
{
    struct recording *recording = *state;
    delete (recording, CREATE_2);
    assert_string_equal(play_and_find(recording, OTTER_CHECK_TASKS, 1)->text,
                        "was never created, and began");
}

static void task_without_end_is_an_error(void **state)
{
    struct recording *recording = *state;
    delete (recording, WORKER_COMPLETE_2);
    assert_string_equal(play_and_find(recording, OTTER_CHECK_TASKS, 1)->text, "never ended");
}

static void task_without_end_is_a_note_when_the_archive_says_so(void **state)
{
    struct recording *recording = *state;
    delete (recording, WORKER_COMPLETE_2);
    recording->options.excuse = OTTER_QUIRK_UNFINISHED;
    play_and_find(recording, OTTER_CHECK_TASKS, 0);
    assert_int_equal(n_of(recording, OTTER_CHECK_TASKS, OTTER_QUIRK_UNFINISHED), 1);
}

static void task_ends_once(void **state)
{
    struct recording *recording = *state;
    insert(recording, WORKER_SWITCH_BACK, sound[WORKER_COMPLETE_2]);
    assert_string_equal(play_and_find(recording, OTTER_CHECK_TASKS, 1)->text, "ends once more");
}

static void task_that_ended_must_have_begun(void **state)
{
    struct recording *recording = *state;
    delete (recording, WORKER_LEAVE_2);
    delete (recording, WORKER_ENTER_2);
    delete (recording, WORKER_SWITCH_2);
    play(recording);
    assert_int_equal(n_errors(recording, OTTER_CHECK_TASKS), 1);
    assert_int_equal(n_errors(recording, OTTER_CHECK_SWITCHES), 1); // it ends where it does not run
}

static void discarded_task_is_a_note(void **state)
{
    struct recording *recording = *state;
    delete (recording, WORKER_LEAVE_2);
    delete (recording, WORKER_ENTER_2);
    delete (recording, WORKER_SWITCH_2);
    insert(recording, WORKER_SWITCH_2, (struct otter_event)PARAMETER(1, 120, NEVER_RAN, TASK));
    play_and_find(recording, OTTER_CHECK_TASKS, 0);
    assert_int_equal(n_of(recording, OTTER_CHECK_TASKS, OTTER_QUIRK_DISCARDED), 1);
}

static void task_that_never_ran_did_not_begin(void **state)
{
    struct recording *recording = *state;
    insert(recording, WORKER_COMPLETE_2, (struct otter_event)PARAMETER(1, 120, NEVER_RAN, TASK));
    play_and_find(recording, OTTER_CHECK_TASKS, 1);
}

static void parameters_belong_to_the_record_before_them(void **state)
{
    struct recording *recording = *state;
    insert(recording, CREATE_2, (struct otter_event)PARAMETER(0, 40, DEPEND_IN, 1));
    insert(recording, CREATE_2 + 1, (struct otter_event)PARAMETER(0, 40, DEPEND_IN, 2));
    insert(recording, CREATE_2 + 2, (struct otter_event)PARAMETER(0, 45, CHUNK, 0));
    insert(recording, CREATE_2 + 3, (struct otter_event)PARAMETER(0, 45, ITERATIONS, 9));
    play_and_find(recording, OTTER_CHECK_PARAMETERS, 0);
    assert_int_equal(recording->report.results[OTTER_CHECK_PARAMETERS].n_tested, 4);
}

// The recorder stores each chunk when it is full.
static void what_the_recorder_does_for_itself_may_come_between(void **state)
{
    struct recording *recording = *state;
    static const struct otter_event written = {.time = 40, .kind = OTTER_RECORD_BUFFER_FLUSH};
    insert(recording, CREATE_2, written);
    insert(recording, CREATE_2 + 1, (struct otter_event)PARAMETER(0, 40, DEPEND_IN, 1));
    const size_t moved = 2; // task 2 is discarded
    for (size_t n = 0; n < 3; n++) {
        delete (recording, WORKER_SWITCH_2 + moved);
    }
    struct otter_event flush = {.time = 120, .location = 1, .kind = OTTER_RECORD_BUFFER_FLUSH};
    insert(recording, WORKER_SWITCH_2 + moved,
           (struct otter_event)PARAMETER(1, 120, NEVER_RAN, TASK));
    insert(recording, WORKER_SWITCH_2 + moved + 1, flush);
    play(recording);
    assert_int_equal(n_all_errors(recording), 0);
    assert_int_equal(n_of(recording, OTTER_CHECK_TASKS, OTTER_QUIRK_DISCARDED), 1);
}

static void dependence_without_a_task_is_an_error(void **state)
{
    struct recording *recording = *state;
    insert(recording, CREATE_1, (struct otter_event)PARAMETER(0, 30, DEPEND_IN, 1));
    insert(recording, CREATE_2 + 1, (struct otter_event)PARAMETER(0, 44, DEPEND_IN, 1)); // too late
    assert_string_equal(play_and_find(recording, OTTER_CHECK_PARAMETERS, 2)->text,
                        "\"depend in\" does not belong to the record before it");
}

static void end_that_is_announced_must_follow(void **state)
{
    struct recording *recording = *state;
    insert(recording, ENTER_WAIT, (struct otter_event)PARAMETER(0, 60, NEVER_RAN, TASK));
    play_and_find(recording, OTTER_CHECK_PARAMETERS, 1);
}

static void end_that_is_announced_last_must_follow(void **state)
{
    struct recording *recording = *state;
    recording->n = 0;
    insert(recording, 0, (struct otter_event)PARAMETER(0, 20, NEVER_RAN, 0));
    play_and_find(recording, OTTER_CHECK_PARAMETERS, 1);
}

static void a_switch_names_the_next_task(void **state)
{
    struct recording *recording = *state;
    delete (recording, SWITCH_BACK);
    const struct otter_deviation *deviation = play_and_find(recording, OTTER_CHECK_SWITCHES, 8);
    assert_string_equal(deviation->text, "was left, but no switch names the next task");
    assert_int_equal(deviation->number, 1);
}

static void next_task_needs_no_switch_back(void **state)
{
    struct recording *recording = *state;
    // the leader runs task 2 as well, straight after task 1
    for (size_t i = WORKER_SWITCH_2; i <= WORKER_COMPLETE_2; i++) {
        struct otter_event event = recording->events[WORKER_SWITCH_2 + 2 * (i - WORKER_SWITCH_2)];
        event.location = 0;
        insert(recording, SWITCH_BACK + (i - WORKER_SWITCH_2), event);
    }
    for (size_t i = 0; i < 5; i++) {
        delete (recording, WORKER_SWITCH_2 + 4);
    }
    play_and_find(recording, OTTER_CHECK_SWITCHES, 0);
}

static void who_entered_leaves(void **state)
{
    struct recording *recording = *state;
    delete (recording, LEAVE_1);
    delete (recording, ENTER_1); // the task's own region
    // another task enters
    insert(recording, SWITCH_1, (struct otter_event)REGION(ENTER, 0, 65, TASK));
    insert(recording, COMPLETE_1 - 1, (struct otter_event)REGION(LEAVE, 0, 80, TASK));
    play(recording);
    assert_int_equal(n_errors(recording, OTTER_CHECK_SWITCHES), 1);
    assert_string_equal(first_of(recording, OTTER_CHECK_SWITCHES, OTTER_QUIRK_NONE)->text,
                        "leaves a region that another task entered");
}

static void switch_to_the_implicit_task_of_another_is_an_error(void **state)
{
    struct recording *recording = *state;
    recording->events[WORKER_SWITCH_BACK].task.creator = 0;
    play_and_find(recording, OTTER_CHECK_SWITCHES, 1);
}

static void no_task_forks_before_a_switch_names_it(void **state)
{
    struct recording *recording = *state;
    insert(recording, SWITCH_BACK, (struct otter_event){.time = 101, .kind = OTTER_RECORD_JOIN});
    insert(recording, SWITCH_BACK,
           (struct otter_event){.time = 100, .kind = OTTER_RECORD_FORK, .threads = 1});
    play(recording);
    assert_int_equal(n_errors(recording, OTTER_CHECK_SWITCHES), 1);
    const struct otter_deviation *deviation =
        first_of(recording, OTTER_CHECK_SWITCHES, OTTER_QUIRK_NONE);
    assert_int_equal(deviation->time, 100);
    assert_non_null(strstr(deviation->text, "no switch names the next task"));
}

static void no_task_creates_another_before_a_switch_names_it(void **state)
{
    struct recording *recording = *state;
    struct otter_event create = TASK_OF(CREATE, 0, 100, 0, 3);
    insert(recording, SWITCH_BACK, create);
    play(recording);
    assert_int_equal(n_errors(recording, OTTER_CHECK_SWITCHES), 1);
    assert_int_equal(first_of(recording, OTTER_CHECK_SWITCHES, OTTER_QUIRK_NONE)->time, 100);
}

static void closing_records_are_a_note_when_the_archive_says_so(void **state)
{
    struct recording *recording = *state;
    delete (recording, WORKER_SWITCH_BACK);
    recording->options.excuse = OTTER_QUIRK_UNFINISHED;
    play_and_find(recording, OTTER_CHECK_SWITCHES, 0);
    assert_int_equal(n_of(recording, OTTER_CHECK_SWITCHES, OTTER_QUIRK_UNFINISHED), 2);
}

static void what_is_followed_by_more_is_no_closing_record(void **state)
{
    struct recording *recording = *state;
    delete (recording, SWITCH_BACK); // the critical section follows
    recording->options.excuse = OTTER_QUIRK_UNFINISHED;
    play(recording);
    assert_true(n_errors(recording, OTTER_CHECK_SWITCHES) > 0);
}

// Task 2 also ran on the leader, from 82 to 100.
static void wander(struct recording *recording, uint32_t region)
{
    static const struct otter_event more[] = {
        TASK_OF(SWITCH, 0, 82, 0, 2),
        REGION(ENTER, 0, 82, TASK),
        REGION(LEAVE, 0, 100, TASK),
    };
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        insert(recording, SWITCH_BACK + i, more[i]);
    }
    for (size_t i = 0; i < recording->n; i++) {
        struct otter_event *event = &recording->events[i];
        bool is_region = event->kind == OTTER_RECORD_ENTER || event->kind == OTTER_RECORD_LEAVE;
        if (is_region && event->region == TASK && event->time > 80) {
            event->region = region;
        }
    }
}

static void tied_task_stays_on_its_thread(void **state)
{
    struct recording *recording = *state;
    wander(recording, TASK);
    assert_non_null(strstr(play_and_find(recording, OTTER_CHECK_EXECUTION, 1)->text, "tied"));
}

static void a_wandering_task_began_where_it_ran_first(void **state)
{
    struct recording *recording = *state;
    wander(recording, TASK);
    for (size_t i = SWITCH_BACK; i < SWITCH_BACK + 3; i++) {
        recording->events[i].time = 125; // after the worker's part, which is read later
    }
    const struct otter_deviation *deviation = play_and_find(recording, OTTER_CHECK_EXECUTION, 1);
    assert_int_equal(deviation->location, 1);
    assert_int_equal(deviation->time, 90);
}

static void untied_task_runs_on_one_thread_at_a_time(void **state)
{
    struct recording *recording = *state;
    wander(recording, UNTIED);
    const struct otter_deviation *deviation = play_and_find(recording, OTTER_CHECK_EXECUTION, 1);
    assert_string_equal(deviation->text, "runs on location 0 for another 10 ticks");
    assert_int_equal(deviation->location, 1);
}

// The task runs until its nested region begins, and from its end on.
static void untied_task_around_a_region_runs_on_one_thread_at_a_time(void **state)
{
    struct recording *recording = *state;
    wander(recording, UNTIED);
    static const struct otter_event nested[] = {
        {.time = 95, .kind = OTTER_RECORD_FORK},
        TEAM_OF(BEGIN, 0, 95),
        REGION(ENTER, 0, 95, PARALLEL),
        REGION(LEAVE, 0, 96, PARALLEL),
        TEAM_OF(END, 0, 96),
        {.time = 96, .kind = OTTER_RECORD_JOIN},
    };
    for (size_t i = 0; i < sizeof nested / sizeof *nested; i++) {
        insert(recording, SWITCH_BACK + 2 + i, nested[i]);
    }
    const struct otter_deviation *deviation = play_and_find(recording, OTTER_CHECK_EXECUTION, 2);
    assert_string_equal(deviation->text, "runs on location 0 for another 5 ticks");
}

static void untied_task_may_change_its_thread(void **state)
{
    struct recording *recording = *state;
    wander(recording, UNTIED);
    recording->events[SWITCH_BACK + 2].time = 85;
    play_and_find(recording, OTTER_CHECK_EXECUTION, 0);
}

static void late_end_of_an_untied_task_is_a_note(void **state)
{
    struct recording *recording = *state;
    wander(recording, UNTIED);
    recording->events[SWITCH_BACK + 2].time = 85;
    struct otter_event end = TASK_OF(COMPLETE, 0, 125, 0, 2);
    for (size_t i = 0; i < recording->n; i++) {
        if (recording->events[i].location == 1 &&
            recording->events[i].kind == OTTER_RECORD_TASK_COMPLETE) {
            delete (recording, i);
        }
    }
    insert(recording, SWITCH_BACK + 3, end);
    play_and_find(recording, OTTER_CHECK_SWITCHES, 0);
    assert_int_equal(n_of(recording, OTTER_CHECK_SWITCHES, OTTER_QUIRK_UNTIED), 1);
}

static void detached_task_is_ended_by_whoever_fulfils_it(void **state)
{
    struct recording *recording = *state;
    recording->events[WORKER_COMPLETE_2] = (struct otter_event)PARAMETER(1, 120, DETACHED, 2);
    insert(recording, ENTER_CRITICAL, (struct otter_event)TASK_OF(COMPLETE, 0, 131, 0, 2));
    play_and_find(recording, OTTER_CHECK_SWITCHES, 0);
}

static void time_does_not_go_back(void **state)
{
    struct recording *recording = *state;
    recording->events[CREATE_2].time = 39;
    const struct otter_deviation *deviation = play_and_find(recording, OTTER_CHECK_CLOCK, 1);
    assert_string_equal(deviation->text,
                        "task create is 1 tick earlier than the task create before it");
}

static void time_stays_within_the_clock(void **state)
{
    struct recording *recording = *state;
    recording->definitions.clock.offset = 11;
    recording->definitions.clock.length = 158; // until 169
    play_and_find(recording, OTTER_CHECK_CLOCK, 2);
}

static void undefined_references_are_errors(void **state)
{
    struct recording *recording = *state;
    recording->events[ENTER_WAIT].region = recording->events[LEAVE_WAIT].region = OTTER_NONE;
    play_and_find(recording, OTTER_CHECK_DEFINITIONS, 2);
}

static void task_of_an_undefined_creator_is_an_error(void **state)
{
    struct recording *recording = *state;
    insert(recording, ENTER_WAIT, (struct otter_event)TASK_OF(SWITCH, 0, 55, 9, 1));
    play_and_find(recording, OTTER_CHECK_DEFINITIONS, 1);
}

// Otherwise each damaged record would reserve memory for a task that cannot exist.
static void task_with_a_number_beyond_all_records_is_not_followed(void **state)
{
    struct recording *recording = *state;
    insert(recording, CREATE_2 + 1, (struct otter_event)TASK_OF(COMPLETE, 0, 50, 0, 4000000000U));
    recording->events[CREATE_2 + 1].time = recording->events[CREATE_2].time;
    assert_string_equal(play_and_find(recording, OTTER_CHECK_DEFINITIONS, 1)->text,
                        "task complete names a task number that is not defined");
    assert_int_equal(recording->report.n_tasks, 2);
    assert_int_equal(recording->report.results[OTTER_CHECK_TASKS].n_tested, 2);
}

static void detached_task_with_a_number_beyond_all_records_is_not_followed(void **state)
{
    struct recording *recording = *state;
    insert(recording, LEAVE_1 + 1,
           (struct otter_event)PARAMETER(0, 0, DETACHED, UINT64_C(4000000000)));
    recording->events[LEAVE_1 + 1].time = recording->events[LEAVE_1].time;
    play(recording);
    assert_int_equal(recording->report.results[OTTER_CHECK_TASKS].n_tested, 2);
}

static void events_are_counted(void **state)
{
    struct recording *recording = *state;
    define_counts(recording);
    recording->locations[1].n_events++;
    check(recording);
    assert_int_equal(n_errors(recording, OTTER_CHECK_COUNTS), 1);
    assert_string_equal(first_of(recording, OTTER_CHECK_COUNTS, OTTER_QUIRK_NONE)->text,
                        "has 11 events, 12 are defined");
}

static void ends_that_the_barrier_made_are_counted(void **state)
{
    struct recording *recording = *state;
    insert(recording, ENTER_BARRIER, (struct otter_event)REGION(ENTER, 0, 136, LOOP));
    insert(recording, ENTER_BARRIER + 1, (struct otter_event)REGION(LEAVE, 0, 140, LOOP));
    insert(recording, ENTER_WAIT, (struct otter_event)REGION(ENTER, 0, 55, SINGLE));
    insert(recording, ENTER_WAIT + 1, (struct otter_event)REGION(LEAVE, 0, 60, SINGLE));
    insert(recording, WORKER_LEAVE_PARALLEL + 4, (struct otter_event)REGION(ENTER, 1, 155, SINGLE));
    insert(recording, WORKER_LEAVE_PARALLEL + 5, (struct otter_event)REGION(LEAVE, 1, 161, SINGLE));
    play(recording);
    assert_int_equal(n_all_errors(recording), 0);
    assert_int_equal(recording->n_singles, 2);
    assert_int_equal(recording->n_loops, 1);
}

static void archives_of_others_are_checked_for_what_holds_of_all(void **state)
{
    struct recording *recording = *state;
    recording->options.is_ours = false;
    for (size_t i = recording->n; i > 0; i--) {
        if (recording->events[i - 1].kind >= OTTER_RECORD_FORK) {
            delete (recording, i - 1);
        }
    }
    recording->events[recording->n - 1].region = BARRIER;
    play_and_find(recording, OTTER_CHECK_NESTING, 1);
    assert_int_equal(recording->report.results[OTTER_CHECK_TASKS].n_tested, 0);
}

static void regions_of_others_may_nest_by_task(void **state)
{
    struct recording *recording = *state;
    recording->options.is_ours = false;
    recording->events[LEAVE_WAIT].region = BARRIER; // after the first switch
    play_and_find(recording, OTTER_CHECK_NESTING, 0);
}

// Replaces the events of the recording with sound ones.
static void play_sound(struct recording *recording, const struct otter_event *events, size_t n)
{
    recording->n = n;
    memcpy(recording->events, events, n * sizeof *events);
    play(recording);
    assert_int_equal(n_all_errors(recording), 0);
}

static void time_between_tasks_of_a_helper_is_its_own(void **state)
{
    struct recording *recording = *state;
    static const struct otter_event helped[] = {
        TASK_OF(CREATE, 0, 40, 0, 1),    TASK_OF(CREATE, 0, 50, 0, 2),
        TASK_OF(SWITCH, 1, 60, 0, 1),    REGION(ENTER, 1, 60, TASK),
        REGION(LEAVE, 1, 70, TASK),      TASK_OF(COMPLETE, 1, 70, 0, 1),
        TASK_OF(SWITCH, 1, 70, 1, 0),    TASK_OF(SWITCH, 1, 100, 0, 2),
        REGION(ENTER, 1, 100, TASK),     REGION(LEAVE, 1, 110, TASK),
        TASK_OF(COMPLETE, 1, 110, 0, 2),
    };
    play_sound(recording, helped, sizeof helped / sizeof *helped);
    assert_int_equal(recording->running[1], 20);
    assert_int_equal(recording->between[1], 30);
    assert_int_equal(n_of(recording, OTTER_CHECK_EXECUTION, OTTER_QUIRK_HELPER), 1);
}

static void time_between_regions_is_the_programs(void **state)
{
    struct recording *recording = *state;
    static const struct otter_event kernels[] = {
        REGION(ENTER, 0, 10, LOOP),     REGION(LEAVE, 0, 20, LOOP),
        REGION(ENTER, 0, 50, LOOP),     REGION(LEAVE, 0, 60, LOOP),
        TEAM_OF(BEGIN, 1, 10),          REGION(ENTER, 1, 10, PARALLEL),
        REGION(LEAVE, 1, 20, PARALLEL), TEAM_OF(END, 1, 20),
        TEAM_OF(BEGIN, 1, 50),          REGION(ENTER, 1, 50, PARALLEL),
        REGION(LEAVE, 1, 60, PARALLEL), TEAM_OF(END, 1, 60),
    };
    play_sound(recording, kernels, sizeof kernels / sizeof *kernels);
    assert_int_equal(recording->running[0], 10 + 30 + 10);
    assert_int_equal(recording->running[1], 10 + 10); // a worker then belongs to no team
    assert_int_equal(recording->report.times.outside, 30 + 30);
}

static void time_behind_the_initial_task_is_nobodys(void **state)
{
    struct recording *recording = *state;
    play(recording);
    uint64_t running = recording->running[0];
    static const struct otter_event written = {.time = 180, .kind = OTTER_RECORD_BUFFER_FLUSH};
    insert(recording, LEAVE_INITIAL + 1, written);
    play(recording);
    assert_int_equal(n_all_errors(recording), 0);
    assert_int_equal(recording->running[0], running);
}

// A thread without an initial task, and without a call of the runtime that announces the thread.
static void time_between_forks_is_the_programs(void **state)
{
    struct recording *recording = *state;
    static const struct otter_event forks[] = {
        {.time = 10, .kind = OTTER_RECORD_FORK},
        TEAM_OF(BEGIN, 0, 15),
        REGION(ENTER, 0, 15, PARALLEL),
        REGION(LEAVE, 0, 25, PARALLEL),
        TEAM_OF(END, 0, 25),
        {.time = 30, .kind = OTTER_RECORD_JOIN},
        {.time = 50, .kind = OTTER_RECORD_FORK},
        {.time = 70, .kind = OTTER_RECORD_JOIN},
    };
    play_sound(recording, forks, sizeof forks / sizeof *forks);
    assert_int_equal(recording->running[0], 10 + 20);
    assert_int_equal(recording->report.times.forking, 5 + 5 + 20);
}

// Older runtimes do not distinguish implicit barriers, and report none at the end of a region of
// one thread.
static void barrier_of_a_thread_alone_is_that_of_a_construct(void **state)
{
    struct recording *recording = *state;
    static const struct otter_event alone[] = {
        {.time = 10, .kind = OTTER_RECORD_FORK},
        {.time = 15, .kind = OTTER_RECORD_TEAM_BEGIN, {.comm = ALONE}},
        REGION(ENTER, 0, 15, PARALLEL),
        REGION(ENTER, 0, 20, OLD_BARRIER),
        REGION(LEAVE, 0, 25, OLD_BARRIER),
        REGION(LEAVE, 0, 32, PARALLEL),
        {.time = 32, .kind = OTTER_RECORD_TEAM_END, {.comm = ALONE}},
        {.time = 35, .kind = OTTER_RECORD_JOIN},
    };
    play_sound(recording, alone, sizeof alone / sizeof *alone);
    assert_int_equal(recording->running[0], 5 + 7);
    assert_int_equal(recording->report.times.forking, 5 + 3);
}

#define STORY(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const struct CMUnitTest tests[] = {
    STORY(sound_recording_has_no_deviation),
    STORY(states_of_a_thread_add_up_to_its_time),
    STORY(what_is_closed_with_a_region_is_not_running),
    STORY(what_is_left_behind_a_barrier_was_running),
    STORY(what_is_left_before_the_region_was_running),
    STORY(a_flush_behind_the_last_barrier_does_not_make_it_running),
    STORY(leave_of_another_region_does_not_nest),
    STORY(region_that_stays_open_does_not_nest),
    STORY(leave_without_enter_does_not_nest),
    STORY(fork_that_is_not_joined_is_an_error),
    STORY(join_inside_of_the_team_is_an_error),
    STORY(thread_of_another_team_is_an_error),
    STORY(end_of_another_team_is_an_error),
    STORY(lock_may_be_kept_to_the_end),
    STORY(lock_that_is_not_held_cannot_be_released),
    STORY(lock_is_released_as_it_was_acquired),
    STORY(task_is_created_by_the_location_of_its_id),
    STORY(numbers_of_tasks_have_no_gaps),
    STORY(task_is_created_once),
    STORY(task_begins_after_its_creation),
    STORY(task_without_creation_is_an_error),
    STORY(task_without_end_is_an_error),
    STORY(task_without_end_is_a_note_when_the_archive_says_so),
    STORY(task_ends_once),
    STORY(task_that_ended_must_have_begun),
    STORY(discarded_task_is_a_note),
    STORY(task_that_never_ran_did_not_begin),
    STORY(parameters_belong_to_the_record_before_them),
    STORY(what_the_recorder_does_for_itself_may_come_between),
    STORY(dependence_without_a_task_is_an_error),
    STORY(end_that_is_announced_must_follow),
    STORY(end_that_is_announced_last_must_follow),
    STORY(a_switch_names_the_next_task),
    STORY(next_task_needs_no_switch_back),
    STORY(who_entered_leaves),
    STORY(switch_to_the_implicit_task_of_another_is_an_error),
    STORY(no_task_forks_before_a_switch_names_it),
    STORY(no_task_creates_another_before_a_switch_names_it),
    STORY(closing_records_are_a_note_when_the_archive_says_so),
    STORY(what_is_followed_by_more_is_no_closing_record),
    STORY(tied_task_stays_on_its_thread),
    STORY(a_wandering_task_began_where_it_ran_first),
    STORY(untied_task_runs_on_one_thread_at_a_time),
    STORY(untied_task_around_a_region_runs_on_one_thread_at_a_time),
    STORY(untied_task_may_change_its_thread),
    STORY(late_end_of_an_untied_task_is_a_note),
    STORY(detached_task_is_ended_by_whoever_fulfils_it),
    STORY(time_does_not_go_back),
    STORY(time_stays_within_the_clock),
    STORY(undefined_references_are_errors),
    STORY(task_of_an_undefined_creator_is_an_error),
    STORY(task_with_a_number_beyond_all_records_is_not_followed),
    STORY(detached_task_with_a_number_beyond_all_records_is_not_followed),
    STORY(events_are_counted),
    STORY(ends_that_the_barrier_made_are_counted),
    STORY(archives_of_others_are_checked_for_what_holds_of_all),
    STORY(regions_of_others_may_nest_by_task),
    STORY(time_between_tasks_of_a_helper_is_its_own),
    STORY(time_between_regions_is_the_programs),
    STORY(time_behind_the_initial_task_is_nobodys),
    STORY(time_between_forks_is_the_programs),
    STORY(barrier_of_a_thread_alone_is_that_of_a_construct),
};

int main(void)
{
    return cmocka_run_group_tests(tests, NULL, NULL);
}
