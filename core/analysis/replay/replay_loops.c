// Finds the worksharing loops of a run: which shares belong together, and between which barriers
// they are.
#include <stdlib.h>
#include <string.h>

#include "analysis/replay/replay_plan.h"
#include "base/free.h"
#include "graph/numbers.h"
#include "trace/schema.h"

enum { MAX_INSERTED = 16 }; // chunks of a loop; up to this many are sorted quickly by insertion

struct search {
    struct otter_replay *replay;
    const struct otter_graph *graph;
    uint32_t *share_at; // of each node: the first share in it
    uint32_t *begin;    // of each task: the last barrier or fork; then the next barrier or join
    uint32_t *last;     // of each task: its last loop since `begin`; OTTER_NONE: none
    bool is_short_of_memory;
};

static bool is_barrier(const struct otter_replay *replay, uint32_t node)
{
    const struct otter_graph *graph = replay->analysis->graph;
    if (graph->nodes[node].kind != OTTER_NODE_SYNC) {
        return false;
    }
    enum otter_construct construct =
        otter_definitions_construct(graph->definitions, graph->nodes[node].region);
    return otter_construct_is_barrier(construct) && !otter_replay_drops_node(replay, node);
}

// Returns the member that the node belongs to; OTTER_NONE: none.
static uint32_t member_of(const struct search *search, uint32_t node)
{
    uint32_t task = search->graph->nodes[node].task;
    bool is_member = otter_node_is_piece(&search->graph->nodes[node]) &&
                     otter_replay_team_of(search->replay, task) != OTTER_NONE;
    return is_member ? task : OTTER_NONE;
}

static void begin_phases(struct search *search, uint32_t node)
{
    const struct otter_replay *replay = search->replay;
    for (uint32_t e = replay->first_edge[node]; e < replay->first_edge[node + 1]; e++) {
        uint32_t task = member_of(search, replay->edge_to[e]);
        if (task != OTTER_NONE) {
            search->begin[task] = node;
            search->last[task] = OTTER_NONE;
        }
    }
}

static uint32_t add_phase(struct search *search, uint32_t begin, uint32_t team)
{
    struct otter_replay *replay = search->replay;
    if (!OTTER_VECTOR_RESERVE(&replay->phases)) {
        search->is_short_of_memory = true;
        return OTTER_NONE;
    }
    uint32_t index = replay->phases.n++, last = replay->teams[team].last_phase;
    replay->phases.items[index] = (struct otter_phase){.begin = begin,
                                                       .end = OTTER_NONE,
                                                       .first_loop = OTTER_NONE,
                                                       .next = OTTER_NONE,
                                                       .before = last,
                                                       .team = team};
    *(last == OTTER_NONE ? &replay->teams[team].first_phase : &replay->phases.items[last].next) =
        index;
    replay->teams[team].last_phase = index;
    replay->first_phase[begin] = index;
    return index;
}

// Returns the loop that follows the task's last one, in the phase that begins at `begin`.
static uint32_t find_loop(struct search *search, uint32_t begin, uint32_t task, uint32_t region)
{
    struct otter_replay *replay = search->replay;
    uint32_t phase = replay->first_phase[begin], team = otter_replay_team_of(replay, task);
    phase = phase != OTTER_NONE ? phase : add_phase(search, begin, team);
    if (phase == OTTER_NONE || replay->phases.items[phase].team != team) {
        return OTTER_NONE;
    }
    uint32_t last = search->last[task];
    uint32_t *place = last == OTTER_NONE ? &replay->phases.items[phase].first_loop
                                         : &replay->loops.items[last].next;
    if (*place != OTTER_NONE) {
        return *place;
    }
    uint32_t index = replay->loops.n;
    *place = index; // before the list moves
    if (!OTTER_VECTOR_ADD(&replay->loops, (struct otter_loop){.region = region,
                                                              .team = team,
                                                              .phase = phase,
                                                              .next = OTTER_NONE})) {
        *place = OTTER_NONE;
        search->is_short_of_memory = true;
        return OTTER_NONE;
    }
    return index;
}

// The shares form one loop if each member has exactly one of them, all with the same region.
static void add_shares(struct search *search, uint32_t node)
{
    struct otter_replay *replay = search->replay;
    uint32_t task = member_of(search, node);
    for (uint32_t i = search->share_at[node]; i < replay->shares.n; i++) {
        struct otter_share *share = &replay->shares.items[i];
        if (share->node != node || task == OTTER_NONE || search->begin[task] == OTTER_NONE) {
            break;
        }
        uint32_t index = find_loop(search, search->begin[task], task, share->region);
        if (index == OTTER_NONE) {
            continue;
        }
        search->last[task] = index;
        struct otter_loop *loop = &replay->loops.items[index];
        loop->is_odd |= loop->region != share->region;
        loop->n_shares++;
        loop->work += share->work;
        loop->n_chunks += share->n_chunks;
        loop->has_locks |= share->has_locks;
        loop->iterations =
            share->iterations > loop->iterations ? share->iterations : loop->iterations;
        loop->block = share->block > loop->block ? share->block : loop->block;
        share->loop = index;
    }
}

static void find_ends(struct search *search)
{
    struct otter_replay *replay = search->replay;
    const struct otter_ready *ready = &replay->analysis->ready;
    memset(search->begin, 0xff, (search->graph->n_tasks + (size_t)1) * sizeof *search->begin);
    for (uint32_t i = ready->n_order; i-- > 0;) {
        uint32_t node = ready->order[i], task = member_of(search, node);
        if (task == OTTER_NONE) {
            continue;
        }
        for (uint32_t e = replay->first_edge[node]; e < replay->first_edge[node + 1]; e++) {
            uint32_t to = replay->edge_to[e];
            bool is_end = is_barrier(replay, to) || search->graph->nodes[to].kind == OTTER_NODE_END;
            search->begin[task] = is_end ? to : search->begin[task];
        }
        uint32_t share = search->share_at[node];
        uint32_t loop = share != OTTER_NONE ? replay->shares.items[share].loop : OTTER_NONE;
        if (loop != OTTER_NONE) {
            replay->phases.items[replay->loops.items[loop].phase].end = search->begin[task];
        }
    }
}

// ---- shares and chunks in order

static int compare(const void *a, const void *b)
{
    const struct otter_chunk *x = a, *y = b;
    return x->time != y->time ? (x->time < y->time ? -1 : 1)
                              : (x->member > y->member) - (x->member < y->member);
}

// The chunks of a member are already in order; those with equal time and place keep their order.
static void sort(struct otter_chunk *chunks, uint32_t n)
{
    if (n > MAX_INSERTED) {
        qsort(chunks, n, sizeof *chunks, compare);
        return;
    }
    for (uint32_t i = 1; i < n; i++) {
        struct otter_chunk chunk = chunks[i];
        uint32_t place = i;
        for (; place > 0 && compare(&chunks[place - 1], &chunk) > 0; place--) {
            chunks[place] = chunks[place - 1];
        }
        chunks[place] = chunk;
    }
}

// Makes room for the shares and chunks of each loop.
static bool reserve(struct otter_replay *replay)
{
    size_t n_shares = 0, n_chunks = 0;
    for (uint32_t i = 0; i < replay->loops.n; i++) {
        struct otter_loop *loop = &replay->loops.items[i];
        uint32_t n_members = replay->analysis->graph->teams[loop->team].n_members;
        loop->is_odd |= loop->n_shares != n_members;
        loop->first_share = (uint32_t)n_shares;
        loop->first_chunk = (uint32_t)n_chunks;
        n_shares += loop->is_odd ? 0 : n_members + 1;
        n_chunks += loop->n_chunks;
        loop->n_chunks = 0;
    }
    replay->ordered = otter_numbers_create(n_shares);
    replay->work_before = calloc(n_shares + 1, sizeof *replay->work_before);
    replay->chunks = malloc((n_chunks + 1) * sizeof *replay->chunks);
    return replay->ordered && replay->work_before && replay->chunks;
}

static void store_share(struct otter_replay *replay, uint32_t index)
{
    const struct otter_share *share = &replay->shares.items[index];
    struct otter_loop *loop = &replay->loops.items[share->loop];
    uint32_t task = replay->analysis->graph->nodes[share->node].task;
    for (uint32_t i = share->first; i < share->end; i++) {
        const struct otter_action *action = &replay->actions.items[i];
        if (action->kind == OTTER_ACTION_CHUNK) {
            replay->chunks[loop->first_chunk + loop->n_chunks++] =
                (struct otter_chunk){action->value, i, otter_replay_number_of(replay, task)};
        }
    }
    if (!loop->is_odd) {
        uint32_t *place =
            &replay->ordered[loop->first_share + otter_replay_number_of(replay, task)];
        loop->is_odd = *place != OTTER_NONE;
        *place = index;
    }
}

// Chunks are assigned in the order in which members began them.
static void order_parts(struct otter_replay *replay)
{
    for (uint32_t i = 0; i < replay->shares.n; i++) {
        const struct otter_share *share = &replay->shares.items[i];
        bool has_loop = share->loop != OTTER_NONE; // otherwise it is replayed as recorded
        replay->actions.items[share->first] = (struct otter_action){
            share->loop, share->end, has_loop ? OTTER_ACTION_LOOP : OTTER_ACTION_LOOP_END};
        if (has_loop) {
            store_share(replay, i);
        }
    }
    for (uint32_t i = 0; i < replay->loops.n; i++) {
        const struct otter_loop *loop = &replay->loops.items[i];
        uint32_t n_members = replay->analysis->graph->teams[loop->team].n_members;
        sort(replay->chunks + loop->first_chunk, loop->n_chunks);
        for (uint32_t k = 0; k < n_members && !loop->is_odd; k++) {
            uint32_t at = loop->first_share + k;
            replay->work_before[at + 1] =
                replay->work_before[at] + replay->shares.items[replay->ordered[at]].work;
        }
    }
}

static void find_all(struct search *search)
{
    struct otter_replay *replay = search->replay;
    const struct otter_ready *ready = &replay->analysis->ready;
    for (uint32_t i = replay->shares.n; i-- > 0;) {
        search->share_at[replay->shares.items[i].node] = i;
    }
    for (uint32_t i = 0; i < ready->n_order && !search->is_short_of_memory; i++) {
        uint32_t node = ready->order[i];
        if (is_barrier(replay, node) || search->graph->nodes[node].kind == OTTER_NODE_BEGIN) {
            begin_phases(search, node);
        } else if (search->share_at[node] != OTTER_NONE) {
            add_shares(search, node);
        }
    }
    find_ends(search);
}

// Forgets what earlier changes have set.
static bool begin_loops(struct otter_replay *replay)
{
    const struct otter_graph *graph = replay->analysis->graph;
    void *const former[] = {replay->first_phase, replay->ordered, replay->work_before,
                            replay->chunks};
    for (size_t i = 0; i < sizeof former / sizeof *former; i++) {
        free(former[i]);
    }
    replay->ordered = NULL;
    replay->work_before = NULL;
    replay->chunks = NULL;
    replay->first_phase = replay->shares.n > 0 ? otter_numbers_create(graph->n_nodes) : NULL;
    replay->loops.n = replay->phases.n = 0;
    for (uint32_t i = 0; i < replay->shares.n; i++) {
        replay->shares.items[i].loop = OTTER_NONE;
    }
    for (uint32_t i = 0; i < graph->n_teams; i++) {
        replay->teams[i].first_phase = replay->teams[i].last_phase = OTTER_NONE;
    }
    return replay->first_phase || replay->shares.n == 0;
}

enum otter_status otter_replay_find_loops(struct otter_replay *replay)
{
    const struct otter_graph *graph = replay->analysis->graph;
    if (!begin_loops(replay)) {
        return OTTER_NO_MEMORY;
    }
    if (replay->shares.n == 0) { // there is no loop, so phases do not matter
        return OTTER_OK;
    }
    struct search search = {.replay = replay,
                            .graph = graph,
                            .share_at = otter_numbers_create(graph->n_nodes),
                            .begin = otter_numbers_create(graph->n_tasks),
                            .last = otter_numbers_create(graph->n_tasks)};
    bool is_good = search.share_at && search.begin && search.last;
    if (is_good) {
        find_all(&search);
        is_good = !search.is_short_of_memory && reserve(replay);
    }
    if (is_good) {
        order_parts(replay);
    }
    OTTER_FREE(search.share_at, search.begin, search.last);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}
