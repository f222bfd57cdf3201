// Divides teams and loops among a number of threads.
#include <stdlib.h>
#include <string.h>

#include "base/free.h"

#include "analysis/replay/replay_plan.h"

static bool add_action(struct otter_replay *replay, struct otter_action action)
{
    return OTTER_VECTOR_ADD(&replay->actions, action);
}

static uint32_t n_members(const struct otter_replay *replay, uint32_t team)
{
    return replay->analysis->graph->teams[team].n_members;
}

// ---- teams

// Returns whether the region is in no other region.
static bool is_outermost(const struct otter_graph *graph, const struct otter_graph_team *team)
{
    return team->begin_node == OTTER_NONE || graph->nodes[team->begin_node].scope == OTTER_NONE;
}

static uint32_t largest_team(const struct otter_graph *graph)
{
    uint32_t most = 1;
    for (uint32_t i = 0; i < graph->n_teams; i++) {
        uint32_t n = graph->teams[i].n_members;
        most = is_outermost(graph, &graph->teams[i]) && n > most ? n : most;
    }
    return most;
}

static uint32_t thread_of_location(const struct otter_replay *replay, uint32_t location)
{
    uint32_t rank = replay->rank_of[location];
    return rank == OTTER_NONE ? 0 : rank % replay->n_threads;
}

// The outermost teams with the most threads scale: they get as many members as there are threads.
static void size_teams(struct otter_replay *replay)
{
    const struct otter_graph *graph = replay->analysis->graph;
    uint64_t recorded = replay->analysis->timeline.n_lines, most = largest_team(graph);
    for (uint32_t i = 0; i < graph->n_teams; i++) {
        const struct otter_graph_team *team = &graph->teams[i];
        struct otter_replay_team *own = &replay->teams[i];
        bool is_scaled = is_outermost(graph, team) && team->n_members == most &&
                         replay->n_threads != recorded && recorded > 0;
        uint64_t n = is_scaled ? (most * replay->n_threads + recorded / 2) / recorded : 0;
        own->n_threads = is_scaled ? (uint32_t)(n > 0 ? n : 1) : team->n_members;
        own->thread = team->begin_node == OTTER_NONE
                          ? OTTER_NONE
                          : thread_of_location(replay, graph->nodes[team->begin_node].location);
        own->first_extra = replay->n_contexts + replay->n_extra_contexts;
        uint32_t n_extra = own->n_threads > team->n_members ? own->n_threads - team->n_members : 0;
        replay->n_extra_contexts += n_extra;
        if (!is_scaled) {
            own->thread = OTTER_NONE;
        }
    }
}

// Members of teams that do not scale stay on their threads.
static bool place_contexts(struct otter_replay *replay)
{
    const struct otter_graph *graph = replay->analysis->graph;
    size_t n = replay->n_contexts + (size_t)replay->n_extra_contexts + 1;
    uint32_t *places = realloc(replay->thread_of, n * sizeof *places);
    if (!places) {
        return false;
    }
    replay->thread_of = places;
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        uint32_t context = replay->context[i];
        if (context != OTTER_NONE) {
            uint32_t index = replay->team[context];
            const struct otter_replay_team *team =
                index == OTTER_NONE ? NULL : &replay->teams[index];
            places[context] = team && team->thread != OTTER_NONE
                                  ? (team->thread + replay->member[context]) % replay->n_threads
                                  : thread_of_location(replay, graph->tasks[i].location);
        }
    }
    for (uint32_t i = 0; i < graph->n_teams; i++) {
        const struct otter_replay_team *team = &replay->teams[i];
        for (uint32_t k = n_members(replay, i); k < team->n_threads; k++) {
            uint32_t base = team->thread == OTTER_NONE ? 0 : team->thread;
            places[team->first_extra + k - n_members(replay, i)] = (base + k) % replay->n_threads;
        }
    }
    return true;
}

// ---- loops

static enum otter_loop_mode mode_of(const struct otter_replay *replay,
                                    const struct otter_loop *loop)
{
    const struct otter_replay_changes *changes = replay->changes;
    bool is_balanced = changes && changes->changes && loop->region != OTTER_NONE &&
                       loop->region < replay->analysis->account.n_labels &&
                       (changes->changes[loop->region] & OTTER_REPLAY_BALANCE);
    uint32_t n = n_members(replay, loop->team);
    if (is_balanced && !loop->is_odd) {
        return OTTER_LOOP_EVEN;
    }
    if (loop->n_chunks > 0 && n > 1) { // a team of one thread has only one chunk
        return OTTER_LOOP_QUEUED;
    }
    bool is_kept = loop->is_odd || replay->teams[loop->team].n_threads == n;
    return is_kept ? OTTER_LOOP_KEPT : OTTER_LOOP_SPLIT;
}

// A static loop assigns equal blocks in turn, unless each member has a single block.
static bool has_blocks(const struct otter_loop *loop, uint64_t n_members)
{
    return loop->block > 0 && loop->block != (loop->iterations + n_members - 1) / n_members;
}

// Returns how many items the members before `member` have, if `n_members` share `n` items and the
// first ones may have one more.
static uint64_t items_before(uint64_t n, uint64_t n_members, uint64_t member)
{
    uint64_t rest = n % n_members;
    return member * (n / n_members) + (member < rest ? member : rest);
}

// Returns the number of whole iterations in the parts before `part`.
static uint64_t iterations_before(const struct otter_replay *replay, const struct otter_loop *loop,
                                  uint64_t n_parts, uint64_t part)
{
    if (!has_blocks(loop, n_members(replay, loop->team))) {
        return items_before(loop->iterations, n_parts, part);
    }
    uint64_t n_blocks = (loop->iterations + (uint64_t)loop->block - 1) / loop->block;
    uint64_t before = loop->block * items_before(n_blocks, n_parts, part);
    bool has_last = n_blocks > 0 && (n_blocks - 1) % n_parts < part;
    return before - (has_last ? n_blocks * loop->block - loop->iterations : 0);
}

// Returns the work of the recorded shares before `share`, and of the first `at` of `n` equal parts
// of `share`.
static uint64_t work_up_to(const struct otter_replay *replay, const struct otter_loop *loop,
                           uint64_t share, uint64_t at, uint64_t n)
{
    const uint64_t *before = &replay->work_before[loop->first_share + share];
    return before[0] + (uint64_t)((double)(before[1] - before[0]) * (double)at / (double)n);
}

// Each iteration takes the mean time of its recorded share; if members had blocks, the mean of the
// whole loop.
static uint64_t work_of_iterations(const struct otter_replay *replay, const struct otter_loop *loop,
                                   uint64_t n)
{
    uint64_t n_shares = n_members(replay, loop->team);
    if (has_blocks(loop, n_shares)) {
        return (uint64_t)((double)loop->work * (double)n / loop->iterations);
    }
    uint64_t size = loop->iterations / n_shares, n_longer = loop->iterations % n_shares;
    uint64_t share = n < n_longer * (size + 1) ? n / (size + 1)
                     : size > 0                ? n_longer + (n - n_longer * (size + 1)) / size
                                               : n_shares;
    uint64_t first = items_before(loop->iterations, n_shares, share);
    return share < n_shares ? work_up_to(replay, loop, share, n - first, size + (share < n_longer))
                            : loop->work;
}

// Returns the work of a loop up to the start of a part.
static uint64_t part_begins(const struct otter_replay *replay, const struct otter_loop *loop,
                            uint32_t part)
{
    uint64_t n = n_members(replay, loop->team), n_parts = replay->teams[loop->team].n_threads;
    if (loop->mode == OTTER_LOOP_EVEN && loop->iterations > 0 && loop->iterations < n_parts) {
        n_parts = loop->iterations; // no member executes less than one iteration
    }
    if (part >= n_parts) {
        return loop->work;
    }
    if (loop->mode == OTTER_LOOP_EVEN) {
        return (uint64_t)((double)loop->work * part / (double)n_parts);
    }
    if (loop->iterations > 0) {
        return work_of_iterations(replay, loop, iterations_before(replay, loop, n_parts, part));
    }
    return work_up_to(replay, loop, part * n / n_parts, part * n % n_parts, n_parts);
}

uint64_t otter_replay_part(const struct otter_replay *replay, const struct otter_loop *loop,
                           uint32_t member)
{
    if (member >= replay->teams[loop->team].n_threads) {
        return 0;
    }
    if (loop->parts == OTTER_NONE) {
        return part_begins(replay, loop, member + 1) - part_begins(replay, loop, member);
    }
    const struct otter_action *action =
        &replay->actions.items[replay->parts.items[loop->parts + member]];
    bool takes_locks = otter_replay_takes_locks(replay, replay->n_threads);
    uint64_t ticks = 0;
    for (; action->kind != OTTER_ACTION_LOOP_END; action++) {
        bool is_counted = action->kind == OTTER_ACTION_COMPUTE ||
                          (action->kind == OTTER_ACTION_HAND_OVER && takes_locks);
        ticks += is_counted ? action->value : 0;
    }
    return ticks;
}

// The walk over all shares of a loop with locks, by thread number.
struct cut {
    struct otter_replay *replay;
    const struct otter_loop *loop;
    uint32_t share, action, n_held;
    uint64_t done, in_action; // work of the loop, and of this action
};

// Copies actions up to `end` of the work, and beyond it while a lock is held.
static bool copy_part(struct cut *cut, uint64_t end, bool is_last)
{
    struct otter_replay *replay = cut->replay;
    while (cut->share < n_members(replay, cut->loop->team)) {
        const struct otter_share *share =
            &replay->shares.items[replay->ordered[cut->loop->first_share + cut->share]];
        cut->action = cut->action == 0 ? share->first + 1 : cut->action;
        struct otter_action action = replay->actions.items[cut->action];
        bool is_over = cut->done >= end && cut->n_held == 0 && !is_last;
        if (is_over) {
            break;
        }
        if (action.kind == OTTER_ACTION_LOOP_END) {
            cut->share++;
            cut->action = 0;
            continue;
        }
        if (action.kind == OTTER_ACTION_COMPUTE) {
            action.value -= cut->in_action;
            uint64_t left = end > cut->done ? end - cut->done : 0;
            bool is_cut = !is_last && cut->n_held == 0 && left < action.value;
            action.value = is_cut ? left : action.value;
            cut->done += action.value;
            cut->in_action = is_cut ? cut->in_action + left : 0;
            cut->action += !is_cut;
        } else {
            cut->done += action.kind == OTTER_ACTION_HAND_OVER ? action.value : 0;
            cut->n_held += action.kind == OTTER_ACTION_ACQUIRE;
            cut->n_held -= action.kind == OTTER_ACTION_RELEASE && cut->n_held > 0;
            cut->action++;
        }
        if (action.kind != OTTER_ACTION_CHUNK && !add_action(replay, action)) {
            return false;
        }
    }
    return add_action(replay, (struct otter_action){.kind = OTTER_ACTION_LOOP_END});
}

// A loop without locks is divided only by its work.
static bool cut_loop(struct otter_replay *replay, struct otter_loop *loop)
{
    uint32_t n = replay->teams[loop->team].n_threads;
    struct cut cut = {.replay = replay, .loop = loop};
    loop->parts = replay->parts.n;
    for (uint32_t i = 0; i < n; i++) {
        if (!OTTER_VECTOR_ADD(&replay->parts, replay->actions.n)) {
            return false;
        }
        if (!copy_part(&cut, part_begins(replay, loop, i + 1), i + 1 == n)) {
            return false;
        }
    }
    return true;
}

static bool divide_loops(struct otter_replay *replay)
{
    for (uint32_t i = 0; i < replay->loops.n; i++) {
        struct otter_loop *loop = &replay->loops.items[i];
        loop->mode = mode_of(replay, loop);
        loop->parts = OTTER_NONE;
        bool has_new_parts = loop->mode == OTTER_LOOP_SPLIT || loop->mode == OTTER_LOOP_EVEN;
        if (has_new_parts && loop->has_locks && !cut_loop(replay, loop)) {
            return false;
        }
    }
    return true;
}

// Additional members have a node in each phase, which executes their parts of its loops.
static bool add_extra_nodes(struct otter_replay *replay)
{
    for (uint32_t i = 0; i < replay->phases.n; i++) {
        struct otter_phase *phase = &replay->phases.items[i];
        uint32_t n = n_members(replay, phase->team), n_new = replay->teams[phase->team].n_threads;
        phase->n_extra = n_new > n ? n_new - n : 0;
        phase->first_extra = replay->n_extra_nodes;
        phase->actions = replay->actions.n;
        replay->n_extra_nodes += phase->n_extra;
        for (uint32_t k = phase->first_loop; k != OTTER_NONE && phase->n_extra > 0;
             k = replay->loops.items[k].next) {
            struct otter_action begin = {k, replay->actions.n + 2, OTTER_ACTION_LOOP};
            bool is_kept = replay->loops.items[k].mode == OTTER_LOOP_KEPT;
            if (!is_kept &&
                (!add_action(replay, begin) ||
                 !add_action(replay, (struct otter_action){.kind = OTTER_ACTION_LOOP_END}))) {
                return false;
            }
        }
        if (!add_action(replay, (struct otter_action){.kind = OTTER_ACTION_END})) {
            return false;
        }
    }
    return true;
}

// ---- the span

struct paths {
    const struct otter_replay *replay;
    uint64_t *lengths; // the heaviest path to the start of each node
    uint64_t *weights; // the weight of each node; NULL: its duration
    uint64_t *extra;   // the heaviest path to the end of each additional member's last part
    uint64_t span;
};

// Chunks weigh 0, since any member may execute them. In a damaged archive, the shares of a node may
// exceed its time.
static void weigh(const struct paths *paths)
{
    const struct otter_replay *replay = paths->replay;
    const struct otter_graph *graph = replay->analysis->graph;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        paths->weights[i] = otter_slim_get(&replay->durations, i);
    }
    for (uint32_t i = 0; i < replay->shares.n; i++) {
        const struct otter_share *share = &replay->shares.items[i];
        const struct otter_loop *loop =
            share->loop == OTTER_NONE ? NULL : &replay->loops.items[share->loop];
        if (!loop || loop->mode == OTTER_LOOP_KEPT) {
            continue;
        }
        uint64_t *weight = &paths->weights[share->node];
        *weight -= share->work < *weight ? share->work : *weight;
        if (loop->mode != OTTER_LOOP_QUEUED) {
            uint32_t task = graph->nodes[share->node].task;
            *weight += otter_replay_part(replay, loop, otter_replay_number_of(replay, task));
        }
    }
}

static uint64_t weight_of(const struct paths *paths, uint32_t node)
{
    return paths->weights ? paths->weights[node] : otter_slim_get(&paths->replay->durations, node);
}

static void lengthen(uint64_t *length, uint64_t other)
{
    *length = other > *length ? other : *length;
}

static void pass_further_members(struct paths *paths, uint32_t phase, uint64_t length)
{
    const struct otter_replay *replay = paths->replay;
    const struct otter_phase *at = &replay->phases.items[phase];
    uint32_t first = replay->teams[at->team].first_extra - replay->n_contexts;
    for (uint32_t i = 0; i < at->n_extra; i++) {
        uint64_t *own = &paths->extra[first + i];
        lengthen(own, length);
        for (uint32_t k = at->first_loop; k != OTTER_NONE; k = replay->loops.items[k].next) {
            const struct otter_loop *loop = &replay->loops.items[k];
            bool is_new = loop->mode == OTTER_LOOP_SPLIT || loop->mode == OTTER_LOOP_EVEN;
            *own += is_new ? otter_replay_part(replay, loop, n_members(replay, at->team) + i) : 0;
        }
        lengthen(&paths->span, *own);
        if (at->end != OTTER_NONE) {
            lengthen(&paths->lengths[at->end], *own);
        }
    }
}

static void find_longest(struct paths *paths)
{
    const struct otter_replay *replay = paths->replay;
    const struct otter_ready *ready = &replay->analysis->ready;
    for (uint32_t i = 0; i < ready->n_order; i++) {
        uint32_t node = ready->order[i];
        uint64_t length = paths->lengths[node] + weight_of(paths, node);
        lengthen(&paths->span, length);
        for (uint32_t e = replay->first_edge[node]; e < replay->first_edge[node + 1]; e++) {
            if (otter_replay_has_edge(replay, e)) {
                lengthen(&paths->lengths[replay->edge_to[e]], length);
            }
        }
        if (otter_replay_phase_at(replay, node) != OTTER_NONE) {
            pass_further_members(paths, otter_replay_phase_at(replay, node), length);
        }
    }
}

enum otter_status otter_replay_find_span(struct otter_replay *replay)
{
    size_t n = replay->analysis->graph->n_nodes + (size_t)1;
    bool has_weights = replay->shares.n > 0 || replay->analysis->exclusions.n > 0;
    struct paths paths = {.replay = replay,
                          .lengths = calloc(n, sizeof *paths.lengths),
                          .weights = has_weights ? malloc(n * sizeof *paths.weights) : NULL,
                          .extra =
                              calloc(replay->n_extra_contexts + (size_t)1, sizeof *paths.extra)};
    bool is_good = paths.lengths && (paths.weights || !has_weights) && paths.extra;
    if (is_good && has_weights) {
        weigh(&paths);
    }
    if (is_good) {
        find_longest(&paths);
        for (uint32_t i = 0; i < replay->analysis->exclusions.n; i++) {
            lengthen(&paths.span,
                     otter_exclusion_sum(&replay->analysis->exclusions, i, paths.weights));
        }
        replay->span = paths.span;
    }
    OTTER_FREE(paths.lengths, paths.weights, paths.extra);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

enum otter_status otter_replay_divide(struct otter_replay *replay, uint32_t n_threads)
{
    if (replay->n_threads == n_threads && replay->is_priced_at_worst == replay->is_at_worst) {
        return OTTER_OK;
    }
    replay->n_threads = n_threads;
    replay->actions.n = replay->n_recorded_actions;
    replay->parts.n = replay->n_extra_nodes = replay->n_extra_contexts = 0;
    replay->defers = n_threads > 1 && largest_team(replay->analysis->graph) == 1;
    size_teams(replay);
    otter_replay_price(replay, n_threads);
    bool is_good = place_contexts(replay) && divide_loops(replay) && add_extra_nodes(replay);
    replay->n_threads = is_good ? n_threads : 0;
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}
