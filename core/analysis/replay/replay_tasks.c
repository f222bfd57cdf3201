// Decides on which threads the tasks of a replay may be executed: positions, contexts, waits.
//
// Positions are assigned so that descendants of a task follow it, and likewise descendants of a
// team's members. So the tasks that a waiting thread may begin form a range.
#include <stdlib.h>

#include "analysis/replay/replay_plan.h"
#include "base/order.h"
#include "graph/numbers.h"
#include "trace/schema.h"

struct numbering {
    struct otter_replay *replay;
    const struct otter_graph *graph;
    uint32_t *first_child, *next_sibling;
    uint32_t n; // positions so far
};

// Explicit and target tasks with a creator are not roots.
static bool is_root(const struct otter_graph_task *task)
{
    return task->creator == OTTER_NONE || task->kind == OTTER_TASK_KIND_INITIAL ||
           task->kind == OTTER_TASK_KIND_IMPLICIT;
}

// for qsort's comparison; thread-local, since several threads read ranks
static _Thread_local const struct otter_graph_task *sorted_tasks;

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const struct otter_graph_task *left = &sorted_tasks[x], *right = &sorted_tasks[y];
    if (left->location != right->location) {
        return left->location < right->location ? -1 : 1;
    }
    return left->number != right->number ? (left->number < right->number ? -1 : 1)
                                         : (x > y) - (x < y);
}

// Sorts by number, since the order of tasks in memory depends on the order of reading.
static bool link_children(struct numbering *numbering)
{
    const struct otter_graph *graph = numbering->graph;
    uint32_t n = 0, *children = malloc((graph->n_tasks + (size_t)1) * sizeof *children);
    bool are_sorted = true;
    sorted_tasks = graph->tasks;
    for (uint32_t i = 0; i < graph->n_tasks && children; i++) {
        if (!is_root(&graph->tasks[i])) {
            are_sorted = are_sorted && (n == 0 || compare(&children[n - 1], &i) < 0);
            children[n++] = i;
        }
    }
    if (!are_sorted) {
        qsort(children, n, sizeof *children, compare);
    }
    for (uint32_t i = n; i-- > 0;) {
        uint32_t *first = &numbering->first_child[graph->tasks[children[i]].creator];
        numbering->next_sibling[children[i]] = *first;
        *first = children[i];
    }
    free(children);
    return children;
}

static void rank_locations(struct otter_replay *replay)
{
    const struct otter_timeline *timeline = &replay->analysis->timeline;
    for (uint32_t i = 0, n = 0; i < timeline->definitions->n_locations; i++) {
        replay->rank_of[i] = timeline->line_of[i] != OTTER_NONE ? n++ : OTTER_NONE;
    }
}

// Walks down and back without a stack, since each task knows its creator.
static void number_tree(struct numbering *numbering, uint32_t root)
{
    struct otter_replay *replay = numbering->replay;
    uint32_t task = root;
    replay->position[task] = numbering->n++;
    for (;;) {
        uint32_t next = numbering->first_child[task];
        while (next == OTTER_NONE) {
            replay->position_end[task] = numbering->n;
            if (task == root) {
                return;
            }
            next = numbering->next_sibling[task];
            task = numbering->graph->tasks[task].creator;
        }
        task = next;
        replay->position[task] = numbering->n++;
    }
}

static void add_root(struct numbering *numbering, uint32_t task, uint32_t team, uint32_t member)
{
    struct otter_replay *replay = numbering->replay;
    if (task < numbering->graph->n_tasks && replay->position[task] == OTTER_NONE) {
        replay->team[replay->n_contexts] = team;
        replay->member[replay->n_contexts] = member;
        replay->context[task] = replay->n_contexts++;
        number_tree(numbering, task);
    }
}

// Tasks of a damaged archive may be created in a cycle.
static void number_all(struct numbering *numbering)
{
    const struct otter_graph *graph = numbering->graph;
    for (uint32_t i = 0; i < graph->n_teams; i++) {
        struct otter_replay_team *team = &numbering->replay->teams[i];
        *team = (struct otter_replay_team){.first = numbering->n};
        for (uint32_t k = 0; k < graph->teams[i].n_members; k++) {
            uint32_t task = graph->members[graph->teams[i].first_member + k];
            if (task < graph->n_tasks && is_root(&graph->tasks[task])) {
                add_root(numbering, task, i, k);
            }
        }
        team->end = numbering->n;
    }
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        if (is_root(&graph->tasks[i])) {
            add_root(numbering, i, OTTER_NONE, 0);
        }
    }
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        if (numbering->replay->position[i] == OTTER_NONE) {
            numbering->replay->position[i] = numbering->n++;
            numbering->replay->position_end[i] = numbering->n;
        }
    }
}

static int by_node(const void *a, const void *b)
{
    const struct otter_team_node *x = a, *y = b;
    return OTTER_BY_2(x, y, node, team);
}

static bool list_ends(struct otter_replay *replay)
{
    const struct otter_graph *graph = replay->analysis->graph;
    bool is_good = true;
    for (uint32_t i = 0; i < graph->n_teams && is_good; i++) {
        struct otter_team_node begin = {graph->teams[i].begin_node, i};
        struct otter_team_node end = {graph->teams[i].end_node, i};
        bool is_known = begin.node != OTTER_NONE && end.node != OTTER_NONE;
        is_good = !is_known ||
                  (OTTER_VECTOR_ADD(&replay->ends, begin) && OTTER_VECTOR_ADD(&replay->ends, end));
    }
    OTTER_SORT(&replay->ends, by_node);
    return is_good;
}

// ---- waits

static enum otter_reach reach_of(const struct otter_replay *replay, const struct otter_graph *graph,
                                 uint32_t to)
{
    if (graph->nodes[to].kind == OTTER_NODE_FULFIL) {
        return OTTER_REACH_END; // the body has ended
    }
    if (graph->nodes[to].kind == OTTER_NODE_END) {
        return OTTER_REACH_TEAM; // a team of one thread reports no barrier
    }
    if (graph->nodes[to].kind != OTTER_NODE_SYNC || otter_replay_drops_node(replay, to)) {
        return OTTER_REACH_NOTHING;
    }
    enum otter_construct construct =
        otter_definitions_construct(graph->definitions, graph->nodes[to].region);
    if (otter_construct_is_barrier(construct)) {
        return OTTER_REACH_TEAM;
    }
    return construct >= OTTER_CONSTRUCT_TASKWAIT && construct <= OTTER_CONSTRUCT_TASKGROUP
               ? OTTER_REACH_DESCENDANTS
               : OTTER_REACH_NOTHING;
}

enum otter_reach otter_replay_reach(const struct otter_replay *replay, uint32_t node)
{
    const struct otter_graph *graph = replay->analysis->graph;
    bool is_member = otter_replay_team_of(replay, graph->nodes[node].task) != OTTER_NONE;
    for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
        bool is_end = is_member && graph->nodes[graph->edge_to[e]].kind == OTTER_NODE_END;
        if (is_end || graph->edge_kind[e] == OTTER_EDGE_ORDER) {
            return reach_of(replay, graph, graph->edge_to[e]);
        }
    }
    return OTTER_REACH_END;
}

enum otter_status otter_replay_place_tasks(struct otter_replay *replay)
{
    const struct otter_graph *graph = replay->analysis->graph;
    size_t n = graph->n_tasks, n_roots = 0;
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        n_roots += is_root(&graph->tasks[i]);
    }
    struct numbering numbering = {.replay = replay,
                                  .graph = graph,
                                  .first_child = otter_numbers_create(n),
                                  .next_sibling = otter_numbers_create(n)};
    replay->position = otter_numbers_create(n);
    replay->position_end = otter_numbers_create(n);
    replay->context = otter_numbers_create(n);
    replay->member = otter_numbers_create(n_roots);
    replay->team = otter_numbers_create(n_roots);
    replay->rank_of = otter_numbers_create(graph->definitions->n_locations);
    replay->teams = calloc(graph->n_teams + (size_t)1, sizeof *replay->teams);
    bool is_good = numbering.first_child && numbering.next_sibling && replay->position &&
                   replay->position_end && replay->context && replay->member && replay->team &&
                   replay->teams && replay->rank_of;
    is_good = is_good && list_ends(replay) && link_children(&numbering);
    if (is_good) {
        rank_locations(replay);
        number_all(&numbering);
    }
    free(numbering.first_child);
    free(numbering.next_sibling);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}
