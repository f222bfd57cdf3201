// A list scheduler over the fragments view.
#include "analysis/replay.h"

#include <stdlib.h>

struct entry {
    uint64_t key; // the end of a running node; what decides among ready nodes
    uint32_t node;
};

// A binary heap with the least key first. It has room for all nodes.
struct heap {
    struct entry *items;
    uint32_t n;
};

struct schedule {
    const struct otter_replay *replay;
    const struct otter_graph *graph;
    enum otter_replay_policy policy;
    uint32_t *n_waiting_for; // predecessors of each node that have not ended
    struct heap ready, running;
    uint64_t time, n_made_ready;
    uint32_t n_idle;
};

static bool is_before(const struct entry *a, const struct entry *b)
{
    return a->key != b->key ? a->key < b->key : a->node < b->node;
}

static void push(struct heap *heap, struct entry entry)
{
    uint32_t at = heap->n++;
    while (at > 0 && is_before(&entry, &heap->items[(at - 1) / 2])) {
        heap->items[at] = heap->items[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap->items[at] = entry;
}

static struct entry pop(struct heap *heap)
{
    struct entry first = heap->items[0], last = heap->items[--heap->n];
    uint32_t at = 0;
    for (uint32_t child = 1; child < heap->n; child = 2 * at + 1) {
        child += child + 1 < heap->n && is_before(&heap->items[child + 1], &heap->items[child]);
        if (!is_before(&heap->items[child], &last)) {
            break;
        }
        heap->items[at] = heap->items[child];
        at = child;
    }
    if (heap->n > 0) {
        heap->items[at] = last;
    }
    return first;
}

static bool needs_thread(const struct schedule *schedule, uint32_t node)
{
    return otter_node_is_piece(&schedule->graph->nodes[node]) &&
           schedule->replay->durations[node] > 0;
}

static void make_ready(struct schedule *schedule, uint32_t node)
{
    if (!needs_thread(schedule, node)) {
        push(&schedule->running,
             (struct entry){schedule->time + schedule->replay->durations[node], node});
        return;
    }
    uint64_t n = schedule->n_made_ready++;
    uint64_t key = schedule->policy == OTTER_REPLAY_FIFO ? n
                   : schedule->policy == OTTER_REPLAY_LIFO
                       ? UINT64_MAX - n
                       : UINT64_MAX - schedule->replay->behind[node];
    push(&schedule->ready, (struct entry){key, node});
}

static void start_ready(struct schedule *schedule)
{
    while (schedule->n_idle > 0 && schedule->ready.n > 0) {
        uint32_t node = pop(&schedule->ready).node;
        push(&schedule->running,
             (struct entry){schedule->time + schedule->replay->durations[node], node});
        schedule->n_idle--;
    }
}

static void end_node(struct schedule *schedule, uint32_t node)
{
    const struct otter_graph *graph = schedule->graph;
    schedule->n_idle += needs_thread(schedule, node);
    for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
        if (--schedule->n_waiting_for[graph->edge_to[e]] == 0) {
            make_ready(schedule, graph->edge_to[e]);
        }
    }
}

// All nodes that end at one time end before others start.
static uint64_t execute(struct schedule *schedule)
{
    const struct otter_graph *graph = schedule->graph;
    for (uint32_t e = 0; e < graph->n_edges; e++) {
        schedule->n_waiting_for[graph->edge_to[e]]++;
    }
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        if (schedule->n_waiting_for[i] == 0) {
            make_ready(schedule, i);
        }
    }
    start_ready(schedule);
    while (schedule->running.n > 0) {
        struct entry ended = pop(&schedule->running);
        schedule->time = ended.key;
        end_node(schedule, ended.node);
        if (schedule->running.n == 0 || schedule->running.items[0].key > schedule->time) {
            start_ready(schedule);
        }
    }
    return schedule->time;
}

static enum otter_status run_policy(const struct otter_replay *replay, uint32_t n_threads,
                                    enum otter_replay_policy policy, uint64_t *time)
{
    const struct otter_graph *graph = replay->analysis->graph;
    struct schedule schedule = {
        .replay = replay, .graph = graph, .policy = policy, .n_idle = n_threads};
    size_t n = graph->n_nodes + 1;
    schedule.n_waiting_for = calloc(n, sizeof *schedule.n_waiting_for);
    schedule.ready.items = malloc(n * sizeof *schedule.ready.items);
    schedule.running.items = malloc(n * sizeof *schedule.running.items);
    bool is_good = schedule.n_waiting_for && schedule.ready.items && schedule.running.items;
    *time = is_good ? execute(&schedule) : 0;
    free(schedule.n_waiting_for);
    free(schedule.ready.items);
    free(schedule.running.items);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

enum otter_status otter_replay_run(const struct otter_replay *replay, uint32_t n_threads,
                                   struct otter_replay_times *times)
{
    *times = (struct otter_replay_times){UINT64_MAX, 0};
    for (unsigned i = 0; i < OTTER_N_REPLAY_POLICIES; i++) {
        uint64_t time;
        if (run_policy(replay, n_threads, (enum otter_replay_policy)i, &time)) {
            return OTTER_NO_MEMORY;
        }
        times->least = time < times->least ? time : times->least;
        times->most = time > times->most ? time : times->most;
    }
    return OTTER_OK;
}

// ---- durations

struct scaling {
    const struct otter_analysis *analysis;
    const double *factors;
    double scaled, whole;
};

static void scale_part(void *user, uint32_t label, enum otter_state state, uint64_t ticks)
{
    if (state != OTTER_STATE_EXECUTING) {
        return;
    }
    struct scaling *scaling = user;
    scaling->whole += (double)ticks;
    scaling->scaled +=
        (double)ticks * scaling->factors[otter_account_label(&scaling->analysis->account, label)];
}

static bool has_join(const struct otter_graph *graph, const uint32_t *last, uint32_t node)
{
    return graph->nodes[node].kind == OTTER_NODE_SYNC && last[node] != OTTER_NONE &&
           graph->nodes[last[node]].task != graph->nodes[node].task;
}

// The work of a node, scaled, and what the runtime needs for it.
static uint64_t duration_of(const struct otter_analysis *analysis, const double *factors,
                            uint32_t node)
{
    const struct otter_graph *graph = analysis->graph;
    const struct otter_node *at = &graph->nodes[node];
    uint64_t work = otter_node_work(graph, &analysis->pieces, &analysis->costs, node);
    uint64_t costs = analysis->costs.creating_in[node];
    costs += otter_node_begins_task(graph, node) ? analysis->costs.scheduling : 0;
    costs += has_join(graph, analysis->ready.last, node) ? analysis->costs.join : 0;
    if (factors && work > 0) {
        struct scaling scaling = {analysis, factors, 0, 0};
        otter_piece_labels(analysis, node, at->start, at->end, scale_part, &scaling);
        work = (uint64_t)((double)work * (scaling.whole > 0 ? scaling.scaled / scaling.whole : 1));
    }
    return work + costs;
}

static void find_behind(struct otter_replay *replay)
{
    const struct otter_graph *graph = replay->analysis->graph;
    const struct otter_ready *ready = &replay->analysis->ready;
    for (uint32_t i = ready->n_order; i-- > 0;) {
        uint32_t node = ready->order[i];
        for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
            uint64_t behind = replay->behind[graph->edge_to[e]];
            replay->behind[node] = behind > replay->behind[node] ? behind : replay->behind[node];
        }
        replay->behind[node] += replay->durations[node];
    }
}

enum otter_status otter_replay_init(struct otter_replay *replay,
                                    const struct otter_analysis *analysis, const double *factors)
{
    uint32_t n = analysis->graph->n_nodes;
    *replay = (struct otter_replay){.analysis = analysis};
    replay->durations = malloc((n + (size_t)1) * sizeof *replay->durations);
    replay->behind = calloc(n + (size_t)1, sizeof *replay->behind);
    if (!replay->durations || !replay->behind) {
        otter_replay_finish(replay);
        return OTTER_NO_MEMORY;
    }
    for (uint32_t i = 0; i < n; i++) {
        replay->durations[i] = duration_of(analysis, factors, i);
    }
    find_behind(replay);
    return OTTER_OK;
}

void otter_replay_finish(struct otter_replay *replay)
{
    free(replay->durations);
    free(replay->behind);
    *replay = (struct otter_replay){0};
}
