// Compares the members of each team between two barriers and over their whole time.
#include "analysis/path/barriers.h"

#include <stdlib.h>

#include "base/free.h"
#include "graph/node.h"
#include "graph/numbers.h"

struct team {
    uint64_t longest_parts; // sum over barriers
    uint64_t longest_member;
    uint64_t waiting; // in all barriers
    uint32_t n_barriers;
    bool is_left_out; // has explicit tasks, regions inside, or a single barrier
};

struct sums {
    const struct otter_graph *graph;
    const struct otter_pieces *pieces;
    uint32_t *team_of; // of each task; OTTER_NONE: not the implicit task of a team
    struct team *teams;
    // of each node: the task's work since its last barrier; of a barrier: the largest
    uint64_t *parts;
    uint64_t *waits;   // of each barrier: how long its members waited
    uint64_t *members; // of each task: its work
};

static void find_teams(struct sums *sums)
{
    const struct otter_graph *graph = sums->graph;
    for (uint32_t i = 0; i < graph->n_teams; i++) {
        for (uint32_t k = 0; k < graph->teams[i].n_members; k++) {
            sums->team_of[graph->members[graph->teams[i].first_member + k]] = i;
        }
    }
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        uint32_t creator = graph->tasks[i].creator;
        bool is_explicit = graph->tasks[i].kind != OTTER_TASK_KIND_IMPLICIT;
        if (is_explicit && creator != OTTER_NONE && sums->team_of[creator] != OTTER_NONE) {
            sums->teams[sums->team_of[creator]].is_left_out = true;
        }
    }
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        uint32_t team = sums->team_of[graph->nodes[i].task];
        if (graph->nodes[i].kind == OTTER_NODE_BEGIN && team != OTTER_NONE) {
            sums->teams[team].is_left_out = true;
        }
        if (team != OTTER_NONE && otter_node_is_barrier(graph, i)) {
            sums->teams[team].n_barriers++;
        }
    }
    // with a single barrier, the longest part is the longest member's: no gain
    for (uint32_t i = 0; i < graph->n_teams; i++) {
        sums->teams[i].is_left_out |= sums->teams[i].n_barriers < 2;
    }
}

// Sets the longest part before each barrier, and for other nodes the part up to the node.
static void follow(struct sums *sums, uint32_t node, uint32_t edge)
{
    const struct otter_graph *graph = sums->graph;
    uint32_t to = graph->edge_to[edge];
    if (graph->edge_kind[edge] != OTTER_EDGE_ORDER || otter_node_is_barrier(graph, node)) {
        return;
    }
    if (otter_node_is_barrier(graph, to)) {
        sums->parts[to] = sums->parts[node] > sums->parts[to] ? sums->parts[node] : sums->parts[to];
        sums->waits[to] += sums->parts[node];
    } else if (graph->nodes[to].task == graph->nodes[node].task) {
        sums->parts[to] = sums->parts[node];
    }
}

static void add_node(struct sums *sums, uint32_t node)
{
    const struct otter_graph *graph = sums->graph;
    uint32_t task = graph->nodes[node].task, team = sums->team_of[task];
    if (team == OTTER_NONE || sums->teams[team].is_left_out) {
        return;
    }
    if (otter_node_is_barrier(graph, node)) {
        uint64_t whole = sums->parts[node] * graph->teams[team].n_members;
        sums->waits[node] = whole > sums->waits[node] ? whole - sums->waits[node] : 0;
        sums->teams[team].longest_parts += sums->parts[node];
        sums->teams[team].waiting += sums->waits[node];
    } else {
        sums->parts[node] += otter_slim_get(&sums->pieces->work, node);
    }
    for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
        follow(sums, node, e);
    }
}

// Work after the last barrier belongs to no part, and the longest member's time does not include
// it.
static void find_longest_members(struct sums *sums)
{
    const struct otter_graph *graph = sums->graph;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        for (uint32_t e = graph->first_edge[i]; e < graph->first_edge[i + 1]; e++) {
            if (graph->edge_kind[e] == OTTER_EDGE_ORDER &&
                otter_node_is_barrier(graph, graph->edge_to[e]) &&
                !otter_node_is_barrier(graph, i)) {
                sums->members[graph->nodes[i].task] += sums->parts[i];
            }
        }
    }
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        struct team *team = sums->team_of[i] != OTTER_NONE ? &sums->teams[sums->team_of[i]] : NULL;
        if (team && sums->members[i] > team->longest_member) {
            team->longest_member = sums->members[i];
        }
    }
}

static uint32_t region_around(const struct otter_graph *graph, uint32_t team)
{
    uint32_t fork = graph->teams[team].begin_node;
    return fork != OTTER_NONE ? graph->nodes[fork].region : OTTER_NONE;
}

static void share_gains(const struct sums *sums, struct otter_barrier_uses *uses)
{
    const struct otter_graph *graph = sums->graph;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        uint32_t team = sums->team_of[graph->nodes[i].task];
        if (!otter_node_is_barrier(graph, i) || team == OTTER_NONE ||
            sums->teams[team].is_left_out || sums->waits[i] == 0) {
            continue;
        }
        const struct team *whole = &sums->teams[team];
        if (whole->waiting == 0 || whole->longest_parts <= whole->longest_member) {
            continue; // nothing to gain; in a damaged archive, a member may exceed its parts
        }
        double gain = (double)(whole->longest_parts - whole->longest_member) *
                      graph->teams[team].n_members * (double)sums->waits[i] /
                      (double)whole->waiting;
        struct otter_barrier_use *use = &uses->items[graph->nodes[i].region];
        use->label = graph->nodes[i].region;
        use->around = region_around(graph, team);
        use->n++;
        use->gain += (uint64_t)(gain + 0.5);
    }
}

static void compress(struct otter_barrier_uses *uses, size_t n_labels)
{
    for (size_t i = 0; i < n_labels; i++) {
        if (uses->items[i].gain > 0) {
            uses->items[uses->n++] = uses->items[i];
        }
    }
}

static bool has_any(const struct sums *sums)
{
    uint32_t i = 0;
    while (i < sums->graph->n_teams && sums->teams[i].is_left_out) {
        i++;
    }
    return i < sums->graph->n_teams;
}

static bool measure(struct sums *sums, const struct otter_ready *ready,
                    struct otter_barrier_uses *uses)
{
    size_t n = sums->graph->n_nodes + (size_t)1;
    sums->parts = calloc(n, sizeof *sums->parts);
    sums->waits = calloc(n, sizeof *sums->waits);
    sums->members = calloc(sums->graph->n_tasks + (size_t)1, sizeof *sums->members);
    bool is_good = sums->parts && sums->waits && sums->members;
    if (is_good) {
        for (uint32_t i = 0; i < ready->n_order; i++) {
            add_node(sums, ready->order[i]);
        }
        find_longest_members(sums);
        share_gains(sums, uses);
    }
    OTTER_FREE(sums->parts, sums->waits, sums->members);
    return is_good;
}

enum otter_status otter_barrier_uses_init(struct otter_barrier_uses *uses,
                                          const struct otter_graph *graph,
                                          const struct otter_pieces *pieces,
                                          const struct otter_ready *ready)
{
    size_t n_labels = graph->definitions->n_regions;
    struct sums sums = {.graph = graph, .pieces = pieces};
    *uses = (struct otter_barrier_uses){calloc(n_labels + 1, sizeof *uses->items), 0};
    sums.team_of = otter_numbers_create(graph->n_tasks);
    sums.teams = calloc(graph->n_teams + (size_t)1, sizeof *sums.teams);
    bool is_good = uses->items && sums.team_of && sums.teams;
    if (is_good) {
        find_teams(&sums);
        is_good = !has_any(&sums) || measure(&sums, ready, uses);
        compress(uses, n_labels);
    }
    free(sums.team_of);
    free(sums.teams);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

void otter_barrier_uses_finish(struct otter_barrier_uses *uses)
{
    free(uses->items);
    *uses = (struct otter_barrier_uses){0};
}
