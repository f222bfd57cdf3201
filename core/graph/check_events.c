// What can be seen in the events of one location alone. It follows the thread as the recorder did: what is open, which task runs.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "graph/check_internal.h"
#include "graph/check_states.h"

// A task on this location: creator << 32 | number; of implicit and initial tasks, which have no number: instance << 32.
typedef uint64_t task_key;

static const task_key nobody = UINT64_MAX; // has left, and no switch says who goes on

struct open_region {
    uint32_t region;
    task_key task; // that entered it
};

// A parallel region that this thread is in, or the bottom.
struct frame {
    uint32_t comm;
    task_key implicit, current;
};

enum team_kind { TEAM_FORK, TEAM_MEMBER };

struct held {
    uint32_t lock, order;
};

struct event_list {
    void *items;
    size_t n, room;
};

// A deviation that is none when it is among the records that close what a program had left open.
struct held_back {
    enum otter_check check;
    struct otter_deviation where;
    const char *text;
};

enum { MAX_HELD_BACK = 64 };

struct otter_event_checker {
    struct otter_event_checker_options options;
    struct otter_checked_tasks tasks;
    struct otter_location_time *times; // by location
    uint64_t n_singles, n_loops;
    bool has_cancel, is_short_of_memory;

    // the location
    uint32_t location;
    uint64_t n_events, first_time;
    struct otter_event last;
    struct event_list open, frames, teams, locks;
    uint32_t n_instances, n_created;
    uint64_t segment_begin;
    bool next_never_ran, has_untied, nests_by_task;
    task_key left; // the task whose region was left last, and when
    uint64_t left_time;
    struct held_back held_back[MAX_HELD_BACK];
    size_t n_held_back;
    struct otter_states states;
    bool is_behind_barrier; // one that may end a region, and nothing came since
    uint64_t running_at_barrier;
    bool has_helped; // came back from a task with nothing open
    uint64_t between;
};

// ---- lists

static void *push(struct otter_event_checker *checker, struct event_list *list, size_t size)
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

static struct frame *top_frame(const struct otter_event_checker *checker)
{
    return (struct frame *)checker->frames.items + checker->frames.n - 1;
}

static struct open_region *top_open(const struct otter_event_checker *checker)
{
    return checker->open.n ? (struct open_region *)checker->open.items + checker->open.n - 1 : NULL;
}

static bool push_frame(struct otter_event_checker *checker, uint32_t comm)
{
    struct frame *frame = push(checker, &checker->frames, sizeof *frame);
    if (frame) {
        task_key implicit = (uint64_t)++checker->n_instances << 32;
        *frame = (struct frame){comm, implicit, implicit};
    }
    return frame;
}

// ---- what is wrong

static struct otter_deviation here(const struct otter_event_checker *checker, uint64_t time)
{
    return (struct otter_deviation){.location = checker->location, .time = time};
}

static struct otter_deviation here_task(const struct otter_event_checker *checker, uint64_t time,
                                        task_key task)
{
    struct otter_deviation where = here(checker, time);
    if (task != nobody && (uint32_t)task) {
        where.creator = (uint32_t)(task >> 32);
        where.number = (uint32_t)task;
    }
    return where;
}

static const char *region_name(const struct otter_event_checker *checker, uint32_t region)
{
    const struct otter_definitions *definitions = checker->options.definitions;
    return region < definitions->n_regions ? definitions->regions[region].name : "undefined";
}

static enum otter_construct construct_of(const struct otter_event_checker *checker, uint32_t region)
{
    const struct otter_definitions *definitions = checker->options.definitions;
    return region < definitions->n_regions ? definitions->regions[region].construct
                                           : OTTER_CONSTRUCT_UNKNOWN;
}

// Only what closes constructs may follow, if this is to be excused.
static void hold_back(struct otter_event_checker *checker, enum otter_check check,
                      struct otter_deviation where, const char *text)
{
    if (checker->n_held_back < MAX_HELD_BACK && checker->options.excuse) {
        checker->held_back[checker->n_held_back++] = (struct held_back){check, where, text};
        return;
    }
    otter_deviate(checker->options.report, check, checker->options.excuse, where, "%s", text);
}

static void release_held_back(struct otter_event_checker *checker, enum otter_quirk quirk)
{
    for (size_t i = 0; i < checker->n_held_back; i++) {
        const struct held_back *held = &checker->held_back[i];
        otter_deviate(checker->options.report, held->check, quirk, held->where, "%s", held->text);
    }
    checker->n_held_back = 0;
}

static void check_someone_runs(struct otter_event_checker *checker, const struct otter_event *event)
{
    checker->options.report->results[OTTER_CHECK_SWITCHES].n_tested++;
    if (top_frame(checker)->current == nobody) {
        hold_back(checker, OTTER_CHECK_SWITCHES, here_task(checker, event->time, checker->left),
                  "has left, and no switch says who goes on");
    }
}

// ---- definitions

static bool names_known_task(const struct otter_event_checker *checker,
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

// What an event names that is not defined, or NULL.
static const char *undefined_reference(const struct otter_event_checker *checker,
                                       const struct otter_event *event)
{
    const struct otter_definitions *definitions = checker->options.definitions;
    switch (event->kind) {
    case OTTER_RECORD_ENTER:
    case OTTER_RECORD_LEAVE: return event->region < definitions->n_regions ? NULL : "region";
    case OTTER_RECORD_TEAM_BEGIN:
    case OTTER_RECORD_TEAM_END: return event->comm < definitions->n_comms ? NULL : "team";
    case OTTER_RECORD_TASK_CREATE:
    case OTTER_RECORD_TASK_SWITCH:
    case OTTER_RECORD_TASK_COMPLETE:
        return names_known_task(checker, event) ? NULL : "creator of a task";
    case OTTER_RECORD_PARAMETER:
        return event->parameter.definition < definitions->n_parameters ? NULL : "parameter";
    default: return NULL;
    }
}

// False when the event cannot be followed.
static bool check_references(struct otter_event_checker *checker, const struct otter_event *event)
{
    bool has_reference =
        event->kind <= OTTER_RECORD_PARAMETER && event->kind != OTTER_RECORD_FORK &&
        event->kind != OTTER_RECORD_JOIN && event->kind != OTTER_RECORD_ACQUIRE_LOCK &&
        event->kind != OTTER_RECORD_RELEASE_LOCK && event->kind != OTTER_RECORD_OTHER;
    if (!has_reference) {
        return true;
    }
    checker->options.report->results[OTTER_CHECK_DEFINITIONS].n_tested++;
    const char *what = undefined_reference(checker, event);
    if (what) {
        otter_deviate(checker->options.report, OTTER_CHECK_DEFINITIONS, OTTER_QUIRK_NONE,
                      here(checker, event->time), "%s names a %s that is not defined",
                      otter_record_name(event->kind), what);
    }
    return !what || event->kind <= OTTER_RECORD_LEAVE;
}

// ---- clock

static void check_time(struct otter_event_checker *checker, const struct otter_event *event)
{
    const struct otter_clock *clock = &checker->options.definitions->clock;
    struct otter_check_report *report = checker->options.report;
    report->results[OTTER_CHECK_CLOCK].n_tested++;
    if (checker->n_events > 0 && event->time < checker->last.time) {
        otter_deviate(report, OTTER_CHECK_CLOCK, OTTER_QUIRK_NONE, here(checker, event->time),
                      "%s is %" PRIu64 " ticks earlier than the %s before it",
                      otter_record_name(event->kind), checker->last.time - event->time,
                      otter_record_name(checker->last.kind));
    }
    if (clock->resolution == 0) {
        return;
    }
    if (event->time < clock->offset) {
        otter_deviate(report, OTTER_CHECK_CLOCK, OTTER_QUIRK_NONE, here(checker, clock->offset),
                      "%s is %" PRIu64 " ticks before the beginning of the archive's clock",
                      otter_record_name(event->kind), clock->offset - event->time);
    } else if (event->time - clock->offset > clock->length) {
        otter_deviate(report, OTTER_CHECK_CLOCK, OTTER_QUIRK_NONE, here(checker, event->time),
                      "%s is %" PRIu64 " ticks after the end of the archive's clock",
                      otter_record_name(event->kind), event->time - clock->offset - clock->length);
    }
}

// ---- tasks

// NULL: an implicit task, or memory is short.
static struct otter_checked_task *checked_task(struct otter_event_checker *checker, task_key key)
{
    if (key == nobody || (uint32_t)key == 0) {
        return NULL;
    }
    struct otter_checked_task *task =
        otter_checked_task_at(&checker->tasks, (uint32_t)(key >> 32), (uint32_t)key);
    checker->is_short_of_memory |= !task;
    return task;
}

// The key of the explicit task that an event names: its creator as a location.
static task_key key_of(const struct otter_event_checker *checker, const struct otter_event *event)
{
    const struct otter_comm *comm = &checker->options.definitions->comms[event->task.comm];
    return (uint64_t)comm->members[event->task.creator] << 32 | event->task.number;
}

static void on_task_create(struct otter_event_checker *checker, const struct otter_event *event)
{
    task_key key = key_of(checker, event);
    struct otter_check_report *report = checker->options.report;
    struct otter_checked_task *task = checked_task(checker, key);
    if (!task) {
        otter_deviate(report, OTTER_CHECK_TASKS, OTTER_QUIRK_NONE, here(checker, event->time),
                      "creates a task without a number");
        return;
    }
    if ((uint32_t)(key >> 32) != checker->location) {
        otter_deviate(report, OTTER_CHECK_TASKS, OTTER_QUIRK_NONE,
                      here_task(checker, event->time, key), "is created by another location");
    } else if (event->task.number != ++checker->n_created) {
        otter_deviate(report, OTTER_CHECK_TASKS, OTTER_QUIRK_NONE,
                      here_task(checker, event->time, key), "is the task number %" PRIu32 " here",
                      checker->n_created);
        checker->n_created = event->task.number;
    }
    if (task->flags & OTTER_CHECKED_CREATED) {
        otter_deviate(report, OTTER_CHECK_TASKS, OTTER_QUIRK_NONE,
                      here_task(checker, event->time, key), "is created once more");
        return;
    }
    task->flags |= OTTER_CHECKED_CREATED;
    task->created = event->time;
}

// An untied task leaves this thread: what it did here is kept, to be compared with what it did elsewhere.
static void stop_segment(struct otter_event_checker *checker, uint64_t time)
{
    task_key key = top_frame(checker)->current;
    const struct otter_checked_task *task = checked_task(checker, key);
    if (!task || !(task->flags & OTTER_CHECKED_UNTIED)) {
        return;
    }
    struct otter_segment segment = {.creator = (uint32_t)(key >> 32),
                                    .number = (uint32_t)key,
                                    .location = checker->location,
                                    .from = checker->segment_begin,
                                    .to = time};
    checker->is_short_of_memory |= !otter_checked_segment_add(&checker->tasks, segment);
}

static void start_segment(struct otter_event_checker *checker, task_key key, uint64_t time)
{
    struct otter_checked_task *task = checked_task(checker, key);
    checker->segment_begin = time;
    if (!task) {
        return;
    }
    if (!(task->flags & OTTER_CHECKED_BEGAN)) {
        task->location = (uint16_t)checker->location;
        task->began = time;
    } else if (task->location != checker->location) {
        task->flags |= OTTER_CHECKED_WANDERED;
        task->began = time < task->began ? time : task->began;
    }
    task->flags |= OTTER_CHECKED_BEGAN;
}

static void on_task_switch(struct otter_event_checker *checker, const struct otter_event *event)
{
    struct frame *frame = top_frame(checker);
    stop_segment(checker, event->time);
    task_key key = key_of(checker, event);
    if (event->task.number > 0) {
        frame->current = key;
        start_segment(checker, key, event->time);
        return;
    }
    if ((uint32_t)(key >> 32) != checker->location) {
        otter_deviate(checker->options.report, OTTER_CHECK_SWITCHES, OTTER_QUIRK_NONE,
                      here(checker, event->time),
                      "switches to the implicit task of location %" PRIu64, key >> 32);
    }
    frame->current = frame->implicit;
    checker->has_helped |= !top_open(checker);
}

// Where the task is not the current one: an end by another thread, or of a task that never ran.
static void end_elsewhere(struct otter_event_checker *checker, task_key key, uint64_t time)
{
    if (checker->left == key && checker->left_time == time) {
        return; // {Leave, TaskComplete}
    }
    struct otter_strange_end end = {.creator = (uint32_t)(key >> 32),
                                    .number = (uint32_t)key,
                                    .location = checker->location,
                                    .time = time};
    checker->is_short_of_memory |= !otter_checked_strange_add(&checker->tasks, end);
}

static void on_task_complete(struct otter_event_checker *checker, const struct otter_event *event)
{
    task_key key = key_of(checker, event);
    struct otter_checked_task *task = checked_task(checker, key);
    checker->options.report->results[OTTER_CHECK_SWITCHES].n_tested++;
    if (!task) {
        otter_deviate(checker->options.report, OTTER_CHECK_TASKS, OTTER_QUIRK_NONE,
                      here(checker, event->time), "ends a task without a number");
        return;
    }
    if (task->flags & OTTER_CHECKED_ENDED) {
        otter_deviate(checker->options.report, OTTER_CHECK_TASKS, OTTER_QUIRK_NONE,
                      here_task(checker, event->time, key), "ends once more");
        return;
    }
    task->flags |= OTTER_CHECKED_ENDED | (checker->next_never_ran ? OTTER_CHECKED_NEVER_RAN : 0);
    task->ended = event->time;
    if (top_frame(checker)->current == key) {
        stop_segment(checker, event->time);
        top_frame(checker)->current = nobody;
    } else if (!checker->next_never_ran) {
        end_elsewhere(checker, key, event->time);
    }
}

static void on_parameter(struct otter_event_checker *checker, const struct otter_event *event)
{
    const struct otter_definitions *definitions = checker->options.definitions;
    uint64_t value = event->parameter.value;
    switch (definitions->parameters[event->parameter.definition].kind) {
    case OTTER_PARAMETER_TASK_NEVER_RAN: checker->next_never_ran = true; break;
    case OTTER_PARAMETER_TASK_DETACHED:
        if (value >> 32 < definitions->n_locations) {
            struct otter_checked_task *task = checked_task(checker, value);
            if (task) {
                task->flags |= OTTER_CHECKED_DETACHED;
            }
        }
        break;
    default: break;
    }
}

// ---- teams

static void on_team_event(struct otter_event_checker *checker, const struct otter_event *event,
                          enum team_kind kind)
{
    unsigned char *team = push(checker, &checker->teams, sizeof *team);
    if (team) {
        *team = (unsigned char)kind;
        checker->options.report->results[OTTER_CHECK_TEAMS].n_tested++;
    }
}

// Ends what was begun last, if it is of this kind.
static void end_team_event(struct otter_event_checker *checker, const struct otter_event *event,
                           enum team_kind kind)
{
    const unsigned char *teams = checker->teams.items;
    if (checker->teams.n == 0 || teams[checker->teams.n - 1] != kind) {
        hold_back(checker, OTTER_CHECK_TEAMS, here(checker, event->time),
                  kind == TEAM_FORK ? "a join of what was not forked last"
                                    : "the end of a team that was not begun last");
        return;
    }
    checker->teams.n--;
}

static bool is_member(const struct otter_event_checker *checker, uint32_t comm)
{
    const struct otter_comm *team = &checker->options.definitions->comms[comm];
    for (size_t i = 0; i < team->n_members; i++) {
        if (team->members[i] == checker->location) {
            return true;
        }
    }
    return false;
}

static void on_team_begin(struct otter_event_checker *checker, const struct otter_event *event)
{
    on_team_event(checker, event, TEAM_MEMBER);
    stop_segment(checker, event->time);
    push_frame(checker, event->comm);
    if (event->comm < checker->options.definitions->n_comms && !is_member(checker, event->comm)) {
        otter_deviate(checker->options.report, OTTER_CHECK_TEAMS, OTTER_QUIRK_NONE,
                      here(checker, event->time),
                      "is no member of team %" PRIu32 ", which it begins", event->comm);
    }
}

static void on_team_end(struct otter_event_checker *checker, const struct otter_event *event)
{
    end_team_event(checker, event, TEAM_MEMBER);
    if (checker->frames.n == 1) {
        return; // said above
    }
    stop_segment(checker, event->time);
    if (top_frame(checker)->comm != event->comm) {
        otter_deviate(checker->options.report, OTTER_CHECK_TEAMS, OTTER_QUIRK_NONE,
                      here(checker, event->time), "ends team %" PRIu32 ", began team %" PRIu32,
                      event->comm, top_frame(checker)->comm);
    }
    checker->frames.n--;
    checker->segment_begin = event->time;
}

// ---- locks

static void on_acquire(struct otter_event_checker *checker, const struct otter_event *event)
{
    checker->options.report->results[OTTER_CHECK_LOCKS].n_tested++;
    const struct held *locks = checker->locks.items;
    for (size_t i = 0; i < checker->locks.n; i++) {
        if (locks[i].lock == event->lock.id) {
            otter_deviate(checker->options.report, OTTER_CHECK_LOCKS, OTTER_QUIRK_NONE,
                          here(checker, event->time), "acquires lock %" PRIu32 ", which it holds",
                          event->lock.id);
            return;
        }
    }
    struct held *held = push(checker, &checker->locks, sizeof *held);
    if (held) {
        *held = (struct held){event->lock.id, event->lock.order};
    }
}

static void on_release(struct otter_event_checker *checker, const struct otter_event *event)
{
    struct held *locks = checker->locks.items;
    for (size_t i = 0; i < checker->locks.n; i++) {
        if (locks[i].lock == event->lock.id) {
            if (locks[i].order != event->lock.order) {
                otter_deviate(checker->options.report, OTTER_CHECK_LOCKS, OTTER_QUIRK_NONE,
                              here(checker, event->time),
                              "releases lock %" PRIu32 " as number %" PRIu32
                              ", acquired it as %" PRIu32,
                              event->lock.id, event->lock.order, locks[i].order);
            }
            locks[i] = locks[--checker->locks.n];
            return;
        }
    }
    otter_deviate(checker->options.report, OTTER_CHECK_LOCKS,
                  checker->has_untied ? OTTER_QUIRK_UNTIED : checker->options.lost,
                  here(checker, event->time), "releases lock %" PRIu32 ", which it does not hold",
                  event->lock.id);
}

// ---- regions

static void on_enter(struct otter_event_checker *checker, const struct otter_event *event)
{
    enum otter_construct construct = construct_of(checker, event->region);
    struct open_region *open = push(checker, &checker->open, sizeof *open);
    if (open) {
        *open = (struct open_region){event->region, top_frame(checker)->current};
    }
    if (construct == OTTER_CONSTRUCT_CANCEL) {
        checker->has_cancel = true;
    }
    struct otter_checked_task *task = construct == OTTER_CONSTRUCT_TASK
                                          ? checked_task(checker, top_frame(checker)->current)
                                          : NULL;
    if (!task) {
        return;
    }
    const char *details = checker->options.definitions->regions[event->region].description;
    if (strstr(details, "untied")) {
        task->flags |= OTTER_CHECKED_UNTIED;
        checker->has_untied = true;
    }
    if (strstr(details, "target")) {
        task->flags |= OTTER_CHECKED_TARGET;
    }
}

// The current task ends or, untied, leaves this thread; the next record says who goes on.
static void leave_task(struct otter_event_checker *checker, uint64_t time)
{
    stop_segment(checker, time);
    checker->left = top_frame(checker)->current;
    checker->left_time = time;
    top_frame(checker)->current = nobody;
}

static void check_leaver(struct otter_event_checker *checker, const struct otter_event *event,
                         task_key entered)
{
    task_key current = top_frame(checker)->current;
    if (current != nobody && entered != current) {
        hold_back(checker, OTTER_CHECK_SWITCHES, here_task(checker, event->time, current),
                  "leaves what another task entered");
        return;
    }
    if (construct_of(checker, event->region) == OTTER_CONSTRUCT_TASK && current != nobody) {
        leave_task(checker, event->time);
    }
}

static void on_leave(struct otter_event_checker *checker, const struct otter_event *event)
{
    struct otter_check_report *report = checker->options.report;
    report->results[OTTER_CHECK_NESTING].n_tested++;
    const struct open_region *open = top_open(checker);
    if (!open) {
        otter_deviate(report, OTTER_CHECK_NESTING, OTTER_QUIRK_NONE, here(checker, event->time),
                      "leaves %.60s, nothing is open", region_name(checker, event->region));
        return;
    }
    if (open->region != event->region) {
        otter_deviate(report, OTTER_CHECK_NESTING, OTTER_QUIRK_NONE, here(checker, event->time),
                      "leaves %.50s, %.50s was entered last", region_name(checker, event->region),
                      region_name(checker, open->region));
    }
    task_key entered = open->task;
    checker->open.n--;
    if (checker->options.is_ours) {
        check_leaver(checker, event, entered);
    }
}

// Otter closes a single or a loop without an end with the barrier behind it, at one time.
static void count_repaired(struct otter_event_checker *checker, const struct otter_event *event)
{
    enum otter_construct entered = construct_of(checker, event->region);
    bool is_barrier = entered >= OTTER_CONSTRUCT_BARRIER && entered <= OTTER_CONSTRUCT_SYNC_UNKNOWN;
    if (!is_barrier || checker->n_events == 0 || checker->last.kind != OTTER_RECORD_LEAVE ||
        checker->last.time != event->time) {
        return;
    }
    enum otter_construct left = construct_of(checker, checker->last.region);
    checker->n_singles += left == OTTER_CONSTRUCT_SINGLE;
    checker->n_loops += left != OTTER_CONSTRUCT_SINGLE && left >= OTTER_CONSTRUCT_LOOP &&
                        left <= OTTER_CONSTRUCT_TASKLOOP;
}

// ---- all events

static bool is_closing(enum otter_record kind)
{
    return kind == OTTER_RECORD_LEAVE || kind == OTTER_RECORD_TEAM_END || kind == OTTER_RECORD_JOIN;
}

// What any tool may write: regions.
static void follow_region(struct otter_event_checker *checker, const struct otter_event *event)
{
    if (event->kind == OTTER_RECORD_ENTER) {
        if (checker->options.is_ours) {
            count_repaired(checker, event);
            check_someone_runs(checker, event);
        }
        on_enter(checker, event);
    } else if (event->kind == OTTER_RECORD_LEAVE) {
        if (checker->options.is_ours) {
            check_someone_runs(checker, event);
        }
        on_leave(checker, event);
    }
}

static void follow(struct otter_event_checker *checker, const struct otter_event *event)
{
    switch (event->kind) {
    case OTTER_RECORD_ENTER:
    case OTTER_RECORD_LEAVE: follow_region(checker, event); break;
    case OTTER_RECORD_FORK:
        check_someone_runs(checker, event);
        on_team_event(checker, event, TEAM_FORK);
        break;
    case OTTER_RECORD_JOIN: end_team_event(checker, event, TEAM_FORK); break;
    case OTTER_RECORD_TEAM_BEGIN: on_team_begin(checker, event); break;
    case OTTER_RECORD_TEAM_END: on_team_end(checker, event); break;
    case OTTER_RECORD_TASK_CREATE:
        check_someone_runs(checker, event);
        on_task_create(checker, event);
        break;
    case OTTER_RECORD_TASK_SWITCH: on_task_switch(checker, event); break;
    case OTTER_RECORD_TASK_COMPLETE: on_task_complete(checker, event); break;
    case OTTER_RECORD_ACQUIRE_LOCK: on_acquire(checker, event); break;
    case OTTER_RECORD_RELEASE_LOCK: on_release(checker, event); break;
    case OTTER_RECORD_PARAMETER: on_parameter(checker, event); return;
    default: break;
    }
    checker->next_never_ran = false;
}

static bool ends_region(enum otter_construct construct)
{
    return construct == OTTER_CONSTRUCT_BARRIER_IMPLICIT ||
           construct == OTTER_CONSTRUCT_BARRIER_PARALLEL ||
           construct == OTTER_CONSTRUCT_BARRIER_TEAMS;
}

// What comes behind the barrier at the end of a region is the runtime's: the graph has no fragment there.
static void follow_end_of_region(struct otter_event_checker *checker,
                                 const struct otter_event *event)
{
    if (event->kind == OTTER_RECORD_BUFFER_FLUSH) {
        return;
    }
    enum otter_construct left = event->kind == OTTER_RECORD_LEAVE
                                    ? construct_of(checker, event->region)
                                    : OTTER_CONSTRUCT_UNKNOWN;
    if (checker->is_behind_barrier &&
        (left == OTTER_CONSTRUCT_PARALLEL || left == OTTER_CONSTRUCT_TEAMS)) {
        otter_states_was_forking(&checker->states, checker->running_at_barrier);
    }
    checker->is_behind_barrier = ends_region(left);
    checker->running_at_barrier = checker->states.times.running;
}

static void follow_states(struct otter_event_checker *checker, const struct otter_event *event)
{
    const struct open_region *open = top_open(checker);
    const unsigned char *teams = checker->teams.items;
    otter_states_pass(&checker->states, event->time, open != NULL,
                      open ? construct_of(checker, open->region) : OTTER_CONSTRUCT_UNKNOWN,
                      checker->teams.n > 0 && teams[checker->teams.n - 1] == TEAM_FORK);
    follow_end_of_region(checker, event);
    if (!open && checker->has_helped) {
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
    check_time(checker, event);
    if (checker->n_held_back > 0 && !is_closing(event->kind)) {
        release_held_back(checker, OTTER_QUIRK_NONE);
    }
    if (check_references(checker, event)) {
        if (checker->options.is_ours) {
            follow_states(checker, event);
            follow(checker, event);
        } else {
            checker->nests_by_task |= event->kind == OTTER_RECORD_TASK_SWITCH;
            if (!checker->nests_by_task) {
                follow_region(checker, event);
            }
        }
    }
    checker->last = *event;
    checker->n_events++;
    return !checker->is_short_of_memory;
}

// ---- the end of a location

static void check_counts(struct otter_event_checker *checker, uint64_t n_others)
{
    struct otter_check_report *report = checker->options.report;
    uint64_t n = checker->n_events + n_others;
    uint64_t defined = checker->options.definitions->locations[checker->location].n_events;
    report->results[OTTER_CHECK_COUNTS].n_tested++;
    if (n != defined) {
        otter_deviate(report, OTTER_CHECK_COUNTS, OTTER_QUIRK_NONE, here(checker, 0),
                      "has %" PRIu64 " events, %" PRIu64 " are defined", n, defined);
    }
}

static void check_all_is_closed(struct otter_event_checker *checker)
{
    struct otter_check_report *report = checker->options.report;
    enum otter_quirk excuse = checker->options.excuse;
    struct otter_deviation where = here(checker, checker->last.time);
    if (checker->open.n > 0) {
        otter_deviate(report, OTTER_CHECK_NESTING, OTTER_QUIRK_NONE, where,
                      "%zu regions are still open at its end, the innermost is %.60s",
                      checker->open.n, region_name(checker, top_open(checker)->region));
    }
    if (checker->teams.n > 0) {
        otter_deviate(report, OTTER_CHECK_TEAMS, excuse, where,
                      "%zu forks and teams are still open at its end", checker->teams.n);
    }
    if (checker->locks.n > 0) {
        enum otter_quirk quirk = checker->has_untied ? OTTER_QUIRK_UNTIED : excuse;
        otter_deviate(report, OTTER_CHECK_LOCKS, quirk, where,
                      "%zu locks are still held at its end", checker->locks.n);
    }
}

static void check_states(struct otter_event_checker *checker)
{
    uint64_t wall = checker->last.time - checker->first_time;
    uint64_t sum = otter_states_sum(&checker->states);
    struct otter_check_report *report = checker->options.report;
    report->results[OTTER_CHECK_TIME].n_tested++;
    if (sum != wall) {
        otter_deviate(report, OTTER_CHECK_TIME, OTTER_QUIRK_NONE, here(checker, 0),
                      "its states add up to %" PRIu64 " ticks, it lived for %" PRIu64, sum, wall);
    }
    checker->times[checker->location] =
        (struct otter_location_time){.running = otter_states_of_fragments(&checker->states),
                                     .between = checker->between,
                                     .has_untied = checker->has_untied};
    otter_states_add(&report->times, &checker->states, wall);
}

bool otter_event_checker_end(struct otter_event_checker *checker, uint64_t n_others, bool is_whole)
{
    checker->options.report->n_events += checker->n_events + n_others;
    release_held_back(checker, checker->options.excuse);
    if (checker->n_events > 0 && checker->options.is_ours) {
        check_states(checker);
        stop_segment(checker, checker->last.time);
    }
    if (is_whole) {
        check_counts(checker, n_others);
    }
    if (is_whole && checker->n_events > 0 && !checker->nests_by_task) {
        check_all_is_closed(checker);
    }
    return !checker->is_short_of_memory;
}

bool otter_event_checker_begin(struct otter_event_checker *checker, uint32_t location)
{
    checker->location = location;
    checker->n_events = checker->first_time = 0;
    checker->last = (struct otter_event){0};
    checker->open.n = checker->frames.n = checker->teams.n = checker->locks.n = 0;
    checker->n_instances = checker->n_created = 0;
    checker->next_never_ran = checker->has_untied = checker->nests_by_task = false;
    checker->left = nobody;
    checker->n_held_back = 0;
    checker->is_behind_barrier = checker->has_helped = false;
    checker->between = 0;
    return push_frame(checker, OTTER_NONE);
}

// ---- the whole

struct otter_event_checker *
otter_event_checker_create(const struct otter_event_checker_options *options)
{
    struct otter_event_checker *checker = calloc(1, sizeof *checker);
    if (!checker) {
        return NULL;
    }
    checker->options = *options;
    size_t n_locations = options->definitions->n_locations;
    checker->times = calloc(n_locations + 1, sizeof *checker->times);
    if (!checker->times || otter_checked_tasks_init(&checker->tasks, n_locations)) {
        otter_event_checker_destroy(checker);
        return NULL;
    }
    return checker;
}

void otter_event_checker_destroy(struct otter_event_checker *checker)
{
    if (!checker) {
        return;
    }
    otter_checked_tasks_finish(&checker->tasks);
    free(checker->times);
    free(checker->open.items);
    free(checker->frames.items);
    free(checker->teams.items);
    free(checker->locks.items);
    free(checker);
}

void otter_event_checker_judge(struct otter_event_checker *checker)
{
    const struct otter_event_checker_options *options = &checker->options;
    if (options->is_ours) {
        otter_checked_tasks_judge(&checker->tasks, options->report, options->excuse, options->lost);
    }
}

const struct otter_location_time *
otter_event_checker_time(const struct otter_event_checker *checker, uint32_t location)
{
    return &checker->times[location];
}

uint64_t otter_event_checker_repaired(const struct otter_event_checker *checker,
                                      enum otter_quirk quirk)
{
    return quirk == OTTER_QUIRK_SINGLE ? checker->n_singles
           : quirk == OTTER_QUIRK_LOOP ? checker->n_loops
                                       : 0;
}

bool otter_event_checker_cancelled(const struct otter_event_checker *checker)
{
    return checker->has_cancel;
}
