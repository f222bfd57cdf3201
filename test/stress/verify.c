// Verifies an archive: the rules of all archives, and the counts of the play.
#include "verify.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/read/reader.h"

enum { MAX_DEPTH = 4096, MAX_LOCKS = 64, MAX_COMPLAINTS = 20 };

struct location {
    uint32_t open[MAX_DEPTH], teams[MAX_DEPTH];
    unsigned n_open, n_teams, n_forks;
    uint64_t n_created, last_time;
    uint32_t held_order[MAX_LOCKS];
};

struct check {
    const struct otter_definitions *definitions;
    struct location *locations;
    uint64_t *
        n_tasks_before; // tasks have running numbers, location by location, after the first reading
    uint8_t *ends;      // end of each task
    uint64_t n_created, n_completed, n_joins, n_acquired, n_entered, n_remarks;
    uint64_t last_of[MAX_PLAYERS];
    uint64_t n_orders[MAX_LOCKS], last_order[MAX_LOCKS];
    bool is_second_reading;
    unsigned n_complaints;
};

static void complain(struct check *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void complain(struct check *check, const char *format, ...)
{
    if (check->n_complaints++ >= MAX_COMPLAINTS) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

// ---- the first reading: rules for single locations

static void enter(struct check *check, struct location *at, const struct otter_event *event)
{
    check->n_entered++;
    if (event->region >= check->definitions->n_regions) {
        complain(check, "location %u enters the undefined region %u", event->location,
                 event->region);
    }
    if (at->n_open < MAX_DEPTH) {
        at->open[at->n_open++] = event->region;
    }
}

static void leave(struct check *check, struct location *at, const struct otter_event *event)
{
    if (at->n_open == 0 || at->open[at->n_open - 1] != event->region) {
        complain(check, "location %u leaves region %u, which is not the innermost", event->location,
                 event->region);
    }
    at->n_open -= at->n_open > 0;
}

static void begin_team(struct check *check, struct location *at, const struct otter_event *event)
{
    const struct otter_definitions *definitions = check->definitions;
    bool is_member = false;
    for (size_t i = 0;
         event->comm < definitions->n_comms && i < definitions->comms[event->comm].n_members; i++) {
        is_member = is_member || definitions->comms[event->comm].members[i] == event->location;
    }
    if (!is_member) {
        complain(check, "location %u is not a member of comm %u", event->location, event->comm);
    }
    if (at->n_teams < MAX_DEPTH) {
        at->teams[at->n_teams++] = event->comm;
    }
}

static void end_team(struct check *check, struct location *at, const struct otter_event *event)
{
    if (at->n_teams == 0 || at->teams[at->n_teams - 1] != event->comm) {
        complain(check, "location %u ends team %u, which is not the innermost", event->location,
                 event->comm);
    }
    at->n_teams -= at->n_teams > 0;
}

static void create_task(struct check *check, struct location *at, const struct otter_event *event)
{
    at->n_created++;
    check->n_created++;
    if (event->task.creator != event->location || event->task.number != at->n_created) {
        complain(check, "location %u creates task %u.%u as its %" PRIu64 "th", event->location,
                 event->task.creator, event->task.number, at->n_created);
    }
}

static void take_lock(struct check *check, struct location *at, const struct otter_event *event)
{
    uint32_t id = event->lock.id % MAX_LOCKS;
    check->n_acquired++;
    check->n_orders[id]++;
    check->last_order[id] =
        event->lock.order > check->last_order[id] ? event->lock.order : check->last_order[id];
    at->held_order[id] = event->lock.order;
}

static void give_lock(struct check *check, struct location *at, const struct otter_event *event)
{
    uint32_t id = event->lock.id % MAX_LOCKS;
    if (at->held_order[id] != event->lock.order) {
        complain(check, "location %u releases lock %u of acquisition %u, but acquired it as %u",
                 event->location, event->lock.id, event->lock.order, at->held_order[id]);
    }
    at->held_order[id] = 0;
}

// A player's remarks are numbered. A player may use several threads, one after the other.
static void take_remark(struct check *check, const struct otter_event *event)
{
    if (check->definitions->parameters[event->parameter.definition].kind !=
        OTTER_PARAMETER_ITERATION) {
        return;
    }
    check->n_remarks++;
    uint64_t player = event->parameter.value >> PLAYER_SHIFT,
             n = event->parameter.value & UINT32_MAX;
    if (player >= MAX_PLAYERS || n != check->last_of[player] + 1) {
        complain(check,
                 "location %u: remark %" PRIu64 " of player %" PRIu64 " does not follow %" PRIu64,
                 event->location, n, player, player < MAX_PLAYERS ? check->last_of[player] : 0);
    }
    if (player < MAX_PLAYERS) {
        check->last_of[player] = n;
    }
}

static void look_at(struct check *check, const struct otter_event *event)
{
    struct location *at = &check->locations[event->location];
    if (event->time < at->last_time) {
        complain(check, "location %u: time goes back", event->location);
    }
    at->last_time = event->time;
    switch (event->kind) {
    case OTTER_RECORD_ENTER: enter(check, at, event); break;
    case OTTER_RECORD_LEAVE: leave(check, at, event); break;
    case OTTER_RECORD_TEAM_BEGIN: begin_team(check, at, event); break;
    case OTTER_RECORD_TEAM_END: end_team(check, at, event); break;
    case OTTER_RECORD_FORK: at->n_forks++; break;
    case OTTER_RECORD_JOIN:
        at->n_forks--;
        check->n_joins++;
        break;
    case OTTER_RECORD_TASK_CREATE: create_task(check, at, event); break;
    case OTTER_RECORD_ACQUIRE_LOCK: take_lock(check, at, event); break;
    case OTTER_RECORD_RELEASE_LOCK: give_lock(check, at, event); break;
    case OTTER_RECORD_PARAMETER: take_remark(check, event); break;
    default: break;
    }
}

// ---- the second reading: ends of tasks on other locations

static void look_at_task(struct check *check, const struct otter_event *event, bool may_be_lost)
{
    uint32_t creator = event->task.creator, number = event->task.number;
    if (number == 0) {
        return; // an implicit task
    }
    if (creator >= check->definitions->n_locations ||
        number > check->locations[creator].n_created) {
        if (!may_be_lost) {
            complain(check, "location %u: task %u.%u was never created", event->location, creator,
                     number);
        }
        return;
    }
    if (event->kind == OTTER_RECORD_TASK_COMPLETE) {
        check->n_completed++;
        if (check->ends[check->n_tasks_before[creator] + number - 1]++) {
            complain(check, "task %u.%u completes twice", creator, number);
        }
    }
}

static bool on_event(void *user, const struct otter_event *event)
{
    struct check *check = user;
    if (!check->is_second_reading) {
        look_at(check, event);
    } else if (event->kind == OTTER_RECORD_TASK_SWITCH ||
               event->kind == OTTER_RECORD_TASK_COMPLETE) {
        look_at_task(check, event, false);
    }
    return true;
}

static void read_all(struct check *check, struct otter_archive *archive)
{
    struct otter_complaint complaint;
    if (otter_archive_read_all(archive, on_event, check, NULL, &complaint)) {
        complain(check, "%s", complaint.text);
    }
}

static void read_tasks(struct check *check, struct otter_archive *archive)
{
    size_t n_locations = check->definitions->n_locations;
    check->n_tasks_before = calloc(n_locations + 1, sizeof(*check->n_tasks_before));
    check->ends = calloc(check->n_created + 1, 1);
    for (size_t i = 0; i < n_locations; i++) {
        check->n_tasks_before[i + 1] = check->n_tasks_before[i] + check->locations[i].n_created;
    }
    check->is_second_reading = true;
    read_all(check, archive);
}

// ---- the numbers

static void compare(struct check *check, const char *what, uint64_t got, uint64_t wanted)
{
    if (got != wanted) {
        complain(check, "%" PRIu64 " %s, but %" PRIu64 " were played", got, what, wanted);
    }
}

static void compare_players(struct check *check, const struct play *play,
                            const struct shared *shared)
{
    for (unsigned i = 0; i < MAX_PLAYERS; i++) {
        uint64_t n_begun = shared->players[i].n_begun, n_done = shared->players[i].n_done,
                 n = check->last_of[i];
        uint64_t least =
            play->is_clean || play->is_killed ? n_done : shared->n_done_before_close[i];
        if (n > n_begun || n < least) {
            complain(check,
                     "player %u: %" PRIu64 " remarks; begun %" PRIu64 ", done %" PRIu64
                     ", done before the end %" PRIu64,
                     i, n, n_begun, n_done, shared->n_done_before_close[i]);
        }
    }
}

static void compare_clean(struct check *check, struct otter_archive *archive,
                          const struct shared *shared)
{
    const char *lost = otter_archive_property(archive, "OTTER::LOST");
    const char *repaired = otter_archive_property(archive, "OTTER::REPAIRED");
    const char *unbegun = otter_archive_property(archive, "OTTER::UNBEGUN");
    const char *unfinished = otter_archive_property(archive, "OTTER::UNFINISHED");
    if (!lost || strcmp(lost, "0") || !repaired || strcmp(repaired, "0") || !unbegun ||
        strcmp(unbegun, "0") || !unfinished || strcmp(unfinished, "0")) {
        complain(check, "lost %s, repaired %s, unbegun %s, unfinished %s", lost ? lost : "?",
                 repaired ? repaired : "?", unbegun ? unbegun : "?", unfinished ? unfinished : "?");
    }
    if (shared->n_tasks) { // players of endless plays are not counted
        compare(check, "tasks completed", check->n_completed, check->n_created);
    }
    compare(check, "regions", check->n_joins, shared->n_regions);
    compare(check, "acquisitions", check->n_acquired, shared->n_acquired);
    for (unsigned i = 0; i < MAX_LOCKS; i++) {
        compare(check, "orders of a lock", check->last_order[i], check->n_orders[i]);
    }
}

static uint64_t visits_after(const struct otter_definitions *definitions)
{
    static const char prefix[] = "OTTER::TOTALS::";
    uint64_t n = 0;
    for (size_t i = 0; i < definitions->n_properties; i++) {
        bool is_total = strncmp(definitions->properties[i].name, prefix, sizeof(prefix) - 1) == 0;
        n += is_total ? strtoull(definitions->properties[i].value, NULL, 10) : 0;
    }
    return n;
}

// Every call without a record is counted: as a lost event, or as a visit.
static void compare_limited(struct check *check, struct otter_archive *archive,
                            const struct play *play, const struct shared *shared)
{
    const char *lost = otter_archive_property(archive, "OTTER::LOST");
    uint64_t n_lost = lost ? strtoull(lost, NULL, 10) : 0;
    uint64_t n_recorded =
        check->n_remarks + check->n_created + check->n_entered + check->n_completed;
    if (n_recorded == shared->n_calls) {
        complain(check, "the limit was not reached");
    }
    if (strcmp(play->when_full, "stop") == 0) {
        compare(check, "calls, recorded or lost", n_recorded + n_lost, shared->n_calls);
        return;
    }
    compare(check, "visits", check->n_entered + visits_after(check->definitions), shared->n_visits);
    compare(check, "lost calls", n_lost, 0);
}

static void compare_ends(struct check *check, const struct play *play)
{
    for (size_t i = 0; i < check->definitions->n_locations; i++) {
        const struct location *at = &check->locations[i];
        if (check->definitions->locations[i].damage) {
            complain(check, "location %zu is damaged: %s", i,
                     check->definitions->locations[i].damage);
        }
        if (!play->is_killed && (at->n_open || at->n_teams)) {
            complain(check, "location %zu: %u constructs and %u teams are open at the end", i,
                     at->n_open, at->n_teams);
        }
    }
}

bool verify_archive(const char *path, const struct play *play, const struct shared *shared)
{
    struct otter_archive *archive = NULL;
    struct otter_complaint complaint;
    if (otter_archive_open(path, &archive, &complaint)) {
        fprintf(stderr, "%s\n", complaint.text);
        return false;
    }
    struct check check = {.definitions = otter_archive_definitions(archive)};
    check.locations = calloc(check.definitions->n_locations + 1, sizeof(*check.locations));
    read_all(&check, archive);
    read_tasks(&check, archive);
    compare_ends(&check, play);
    compare_players(&check, play, shared);
    if (play->is_clean) {
        compare_clean(&check, archive, shared);
        compare(&check, "tasks", check.n_created, shared->n_tasks);
    }
    if (play->when_full) {
        compare_limited(&check, archive, play, shared);
    }
    fprintf(stderr, "%zu locations, %" PRIu64 " tasks, %u complaints\n",
            check.definitions->n_locations, check.n_created, check.n_complaints);
    free(check.ends);
    free(check.n_tasks_before);
    free(check.locations);
    otter_archive_close(archive);
    return check.n_complaints == 0;
}
