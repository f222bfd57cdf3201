// Creates a replay and executes it under several policies.
#include "analysis/replay/replay.h"

#include <stdlib.h>

#include "analysis/path/scaled.h"
#include "analysis/replay/replay_plan.h"

static enum otter_status find_behind(struct otter_replay *replay)
{
    const struct otter_graph *graph = replay->analysis->graph;
    const struct otter_ready *ready = &replay->analysis->ready;
    replay->behind = calloc(graph->n_nodes + (size_t)1, sizeof *replay->behind);
    if (!replay->behind) {
        return OTTER_NO_MEMORY;
    }
    for (uint32_t i = ready->n_order; i-- > 0;) {
        uint32_t node = ready->order[i];
        for (uint32_t e = replay->first_edge[node]; e < replay->first_edge[node + 1]; e++) {
            uint64_t behind = replay->behind[replay->edge_to[e]];
            replay->behind[node] = behind > replay->behind[node] ? behind : replay->behind[node];
        }
        replay->behind[node] += otter_slim_get(&replay->durations, node);
    }
    return OTTER_OK;
}

static bool drops_a_lock(const struct otter_replay *replay)
{
    const struct otter_marks *marks = &replay->analysis->marks;
    for (size_t i = 0; i < marks->definitions->n_locations && replay->has_drops; i++) {
        for (uint32_t k = 0; k < marks->locations[i].n; k++) {
            const struct otter_mark *mark = &marks->locations[i].items[k];
            if (mark->kind == OTTER_MARK_ACQUIRE && otter_replay_drops(replay, mark->region)) {
                return true;
            }
        }
    }
    return false;
}

static void set_changes(struct otter_replay *replay, const struct otter_replay_changes *changes)
{
    replay->changes = changes;
    replay->has_drops = replay->has_own_times = replay->has_cut_offs = false;
    for (uint32_t i = 0; i < replay->analysis->account.n_labels && changes; i++) {
        replay->has_drops |= otter_replay_drops(replay, i);
        replay->has_own_times |= changes->factors && changes->factors[i] != 1;
        replay->has_cut_offs |= changes->cut_offs && changes->cut_offs[i] != OTTER_NONE;
    }
    replay->has_own_times |= replay->has_cut_offs || drops_a_lock(replay);
}

static enum otter_status make_times(struct otter_replay *replay)
{
    enum otter_status status = otter_replay_make_actions(replay);
    OTTER_THEN(status, otter_replay_find_loops(replay));
    return status;
}

// The times are new, so loops must be divided again.
static void forget(struct otter_replay *replay)
{
    replay->n_threads = 0;
}

// Rebuilds the actions and loops that the old or the new changes affect.
enum otter_status otter_replay_change(struct otter_replay *replay,
                                      const struct otter_replay_changes *changes)
{
    bool has_new_waits = replay->drops_waits, has_new_times = replay->has_own_times;
    set_changes(replay, changes);
    enum otter_status status = otter_replay_find_cut(replay);
    OTTER_THEN(status, otter_replay_make_edges(replay));
    has_new_waits = has_new_waits || replay->drops_waits || !replay->durations.items;
    has_new_times = has_new_times || has_new_waits || replay->has_own_times;
    if (has_new_times) {
        OTTER_THEN(status, make_times(replay));
    }
    forget(replay);
    return status;
}

struct otter_replay *otter_replay_create(const struct otter_analysis *analysis,
                                         const struct otter_replay_changes *changes)
{
    struct otter_replay *replay = calloc(1, sizeof *replay);
    if (!replay) {
        return NULL;
    }
    replay->analysis = analysis;
    replay->has_preemption = otter_replay_preempted(analysis) > 0;
    if (otter_latencies_init(&replay->latencies, analysis->graph, &analysis->pieces,
                             &analysis->ready, NULL) ||
        otter_replay_measure_locks(replay) || otter_replay_place_tasks(replay) ||
        otter_replay_change(replay, changes)) {
        otter_replay_destroy(replay);
        return NULL;
    }
    return replay;
}

void otter_replay_destroy(struct otter_replay *replay)
{
    if (!replay) {
        return;
    }
    void *const parts[] = {
        replay->own_edge_kind, replay->own_first_edge, replay->own_edge_to,   replay->behind,
        replay->actions_of,    replay->position,       replay->position_end,  replay->context,
        replay->member,        replay->team,           replay->actions.items, replay->shares.items,
        replay->loops.items,   replay->phases.items,   replay->chunks,        replay->ordered,
        replay->work_before,   replay->teams,          replay->first_phase,   replay->thread_of,
        replay->parts.items,   replay->rank_of,        replay->cut,           replay->lock_times,
        replay->locks.items,   replay->ends.items,
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        free(parts[i]);
    }
    otter_slim_finish(&replay->durations);
    otter_latencies_finish(&replay->latencies);
    free(replay);
}

double otter_replay_preempted(const struct otter_analysis *analysis)
{
    const struct otter_timeline *timeline = &analysis->timeline;
    uint64_t off =
        otter_timeline_off(timeline, true, true) + otter_timeline_off(timeline, true, false);
    return (double)off / (double)(analysis->account.total + 1);
}

static enum otter_status divide(struct otter_replay *replay, uint32_t n_threads)
{
    const struct otter_analysis *analysis = replay->analysis;
    enum otter_status status = OTTER_OK;
    bool is_quiet = (replay->is_always_quiet || n_threads != analysis->timeline.n_lines) &&
                    replay->has_preemption;
    if (is_quiet != replay->is_quiet) {
        otter_latencies_finish(&replay->latencies);
        status = otter_latencies_init(&replay->latencies, analysis->graph, &analysis->pieces,
                                      &analysis->ready, is_quiet ? &analysis->timeline : NULL);
        replay->is_quiet = status ? replay->is_quiet : is_quiet;
        OTTER_THEN(status, make_times(replay));
        forget(replay);
    }
    return status ? status : otter_replay_divide(replay, n_threads);
}

void otter_replay_be_quiet(struct otter_replay *replay, bool takes_turns)
{
    replay->is_always_quiet = true;
    replay->takes_turns = takes_turns;
}

static uint64_t share_of(uint64_t ticks, uint32_t n_threads)
{
    return (ticks + n_threads - 1) / n_threads;
}

// If the threads of the run take turns on fewer processors, returns the least time in which these
// execute the work. Otherwise returns 0.
static uint64_t turns_of(const struct otter_replay *replay, uint32_t n_threads)
{
    const struct otter_account *account = &replay->analysis->account;
    uint32_t n = account->n_processors;
    bool takes_turns = replay->takes_turns && n_threads == replay->analysis->timeline.n_lines &&
                       n > 0 && n_threads > n;
    double asleep =
        account->executing > 0 ? (double)account->blocked / (double)account->executing : 0;
    return takes_turns ? share_of(otter_scaled(replay->work, asleep < 1 ? 1 - asleep : 0), n) : 0;
}

enum otter_status otter_replay_run_policy(struct otter_replay *replay, uint32_t n_threads,
                                          enum otter_replay_policy policy, uint64_t *ticks)
{
    enum otter_status status = divide(replay, n_threads);
    if (!status && policy == OTTER_REPLAY_CRITICAL) {
        status = find_behind(replay);
    }
    OTTER_THEN(status, otter_replay_execute(replay, policy, ticks));
    free(replay->behind);
    replay->behind = NULL;
    uint64_t least = status ? 0 : turns_of(replay, n_threads);
    if (!status && *ticks < least) {
        *ticks = least;
    }
    return status;
}

void otter_replay_watch(struct otter_replay *replay, uint64_t *starts)
{
    replay->starts = starts;
}

void otter_replay_watch_idle(struct otter_replay *replay, double *idle, const bool *is_first)
{
    replay->idle = idle;
    replay->is_first = is_first;
}

enum otter_status otter_replay_bound(struct otter_replay *replay, uint32_t n_threads,
                                     uint64_t *ticks)
{
    if (divide(replay, n_threads) || otter_replay_find_span(replay)) {
        return OTTER_NO_MEMORY;
    }
    uint64_t share = share_of(replay->work, n_threads), turns = turns_of(replay, n_threads);
    share = share > turns ? share : turns;
    *ticks = share > replay->span ? share : replay->span;
    return OTTER_OK;
}

// Returns the time of a replay on one thread. Once all nodes without predecessors have started, the
// thread always has something to execute.
static uint64_t one_after_the_other(const struct otter_replay *replay)
{
    const struct otter_graph *graph = replay->analysis->graph;
    const struct otter_ready *ready = &replay->analysis->ready;
    uint64_t ticks = 0, begin = replay->analysis->timeline.begin, last = begin;
    for (uint32_t i = 0; i < ready->n_order; i++) {
        uint32_t node = ready->order[i];
        bool is_first = ready->last[node] == OTTER_NONE;
        ticks += otter_slim_get(&replay->durations, node);
        last = is_first && graph->nodes[node].start > last ? graph->nodes[node].start : last;
    }
    return ticks + last - begin;
}

void otter_replay_join(struct otter_replay_times *times)
{
    times->least = UINT64_MAX;
    times->most = 0;
    for (unsigned i = 0; i < OTTER_N_REPLAY_POLICIES; i++) {
        uint64_t least = times->of[i].least, most = times->of[i].most;
        times->least = least < times->least ? least : times->least;
        times->most = most > times->most ? most : times->most;
    }
}

static void scale(struct otter_replay_times *times, double shortest, double longest)
{
    times->lower = otter_scaled(times->lower, shortest);
    times->upper = otter_scaled(times->upper, longest);
    for (unsigned i = 0; i < OTTER_N_REPLAY_POLICIES; i++) {
        times->of[i].least = otter_scaled(times->of[i].least, shortest);
        times->of[i].most = otter_scaled(times->of[i].most, longest);
    }
    otter_replay_join(times);
}

static enum otter_status run_all(struct otter_replay *replay, uint32_t n_threads,
                                 struct otter_replay_times *times)
{
    *times = (struct otter_replay_times){0};
    for (unsigned i = 0; i < OTTER_N_REPLAY_POLICIES; i++) {
        uint64_t time;
        if (otter_replay_run_policy(replay, n_threads, (enum otter_replay_policy)i, &time)) {
            return OTTER_NO_MEMORY;
        }
        times->of[i].least = times->of[i].most = time;
    }
    otter_replay_join(times);
    if (otter_replay_bound(replay, n_threads, &times->lower)) {
        return OTTER_NO_MEMORY;
    }
    bool has_cycle = replay->analysis->ready.n_order < replay->analysis->graph->n_nodes;
    if (has_cycle && times->lower > times->least) { // a damaged archive
        times->lower = times->least;
    }
    times->upper = one_after_the_other(replay);
    return OTTER_OK;
}

void otter_replay_doubts(const struct otter_replay *replay, uint64_t before, uint64_t ticks,
                         double *shorter, double *longer)
{
    double gain = replay->has_cut_offs && ticks < before ? 1 - (double)ticks / (double)before : 0;
    *shorter = 1 / (1 + OTTER_REPLAY_CUT_OFF_LESS * gain);
    *longer = 1 + OTTER_REPLAY_CUT_OFF_MORE * gain;
}

void otter_replay_widen(const struct otter_replay *replay, uint64_t before,
                        struct otter_replay_times *times)
{
    double shorter, longer;
    otter_replay_doubts(replay, before, times->least, &shorter, &longer);
    scale(times, shorter, longer);
}

// Subtracts `fewer` ticks, but at most two thirds.
static uint64_t less(uint64_t ticks, uint64_t fewer)
{
    uint64_t least = ticks / 3;
    return ticks > fewer + least ? ticks - fewer : least;
}

// Subtracts the most that it can have cost to take the chunks of loops with several threads.
static void subtract_chunks(const struct otter_replay *replay, struct otter_replay_times *times)
{
    uint64_t n = 0, n_others = replay->analysis->timeline.n_lines - 1;
    for (uint32_t i = 0; i < replay->shares.n; i++) {
        n += replay->shares.items[i].n_chunks;
    }
    uint64_t fewer = n * n_others * otter_replay_taking(replay->analysis);
    times->lower = less(times->lower, fewer);
    for (unsigned i = 0; i < OTTER_N_REPLAY_POLICIES; i++) {
        times->of[i].least = less(times->of[i].least, fewer);
    }
}

// No single run shows how much threads slow each other down, whatever its number of threads.
enum otter_status otter_replay_run(struct otter_replay *replay, uint32_t n_threads,
                                   struct otter_replay_times *times)
{
    bool was_alone = replay->analysis->timeline.n_lines == 1, is_alone = n_threads == 1;
    enum otter_status status = run_all(replay, n_threads, times);
    if (status || was_alone == is_alone) {
        return status;
    }
    struct otter_replay_times worst;
    replay->is_at_worst = true;
    status = run_all(replay, n_threads, &worst);
    replay->is_at_worst = false;
    for (unsigned i = 0; i < OTTER_N_REPLAY_POLICIES && !status; i++) {
        uint64_t most = worst.of[i].most;
        times->of[i].most = most > times->of[i].most ? most : times->of[i].most;
    }
    times->upper = worst.upper;
    if (is_alone) {
        subtract_chunks(replay, times);
    }
    scale(times, is_alone ? 1 / OTTER_REPLAY_SHARING : 1, is_alone ? 1 : OTTER_REPLAY_SHARING);
    return status;
}

bool otter_replay_is_in_bounds(const struct otter_replay_times *times)
{
    return times->lower <= times->least && times->least <= times->most &&
           times->most <= times->upper;
}

// Counts odd loops and everything that members execute outside of loops.
double otter_replay_undivided(const struct otter_replay *replay)
{
    const struct otter_graph *graph = replay->analysis->graph;
    uint64_t undivided = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        bool is_member = otter_node_is_piece(&graph->nodes[i]) &&
                         otter_replay_team_of(replay, graph->nodes[i].task) != OTTER_NONE;
        undivided += is_member ? otter_slim_get(&replay->durations, i) : 0;
    }
    for (uint32_t i = 0; i < replay->shares.n; i++) {
        uint32_t loop = replay->shares.items[i].loop;
        bool is_divided = loop != OTTER_NONE && (!replay->loops.items[loop].is_odd ||
                                                 replay->loops.items[loop].n_chunks > 0);
        undivided -= is_divided ? replay->shares.items[i].work : 0;
    }
    return replay->work > 0 ? (double)undivided / (double)replay->work : 0;
}
