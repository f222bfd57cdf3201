// Finds the edges between groups that close a cycle, by a depth-first search.
#include <stdlib.h>

#include "base/free.h"

#include "graph/group/internal.h"

enum visit {
    NOT_VISITED = 0,
    ON_PATH,
    DONE,
};

struct walk {
    struct otter_groups *groups;
    uint32_t *first_edge; // n_groups + 1, indexes in `sorted`
    uint32_t *sorted;     // edges, sorted by their sources
    uint32_t *next_edge;  // first edge of each group that was not visited
    uint32_t *path;
    uint8_t *visits; // enum visit
};

static bool allocate(struct walk *walk)
{
    size_t n_groups = walk->groups->n_groups, n_edges = walk->groups->n_edges;
    walk->first_edge = calloc(n_groups + 2, sizeof *walk->first_edge);
    walk->sorted = malloc((n_edges + 1) * sizeof *walk->sorted);
    walk->next_edge = malloc((n_groups + 1) * sizeof *walk->next_edge);
    walk->path = malloc((n_groups + 1) * sizeof *walk->path);
    walk->visits = calloc(n_groups + 1, sizeof *walk->visits);
    return walk->first_edge && walk->sorted && walk->next_edge && walk->path && walk->visits;
}

static void sort_edges(struct walk *walk)
{
    const struct otter_groups *groups = walk->groups;
    for (uint32_t e = 0; e < groups->n_edges; e++) {
        walk->first_edge[groups->edges[e].from + 1]++;
    }
    for (uint32_t i = 0; i < groups->n_groups; i++) {
        walk->first_edge[i + 1] += walk->first_edge[i];
        walk->next_edge[i] = walk->first_edge[i];
    }
    for (uint32_t e = 0; e < groups->n_edges; e++) {
        walk->sorted[walk->next_edge[groups->edges[e].from]++] = e;
    }
    for (uint32_t i = 0; i < groups->n_groups; i++) {
        walk->next_edge[i] = walk->first_edge[i];
    }
}

static void walk_from(struct walk *walk, uint32_t start)
{
    uint32_t n = 0;
    walk->path[n++] = start;
    walk->visits[start] = ON_PATH;
    while (n > 0) {
        uint32_t group = walk->path[n - 1];
        if (walk->next_edge[group] == walk->first_edge[group + 1]) {
            walk->visits[group] = DONE;
            n--;
            continue;
        }
        struct otter_group_edge *edge =
            &walk->groups->edges[walk->sorted[walk->next_edge[group]++]];
        edge->is_back = walk->visits[edge->to] == ON_PATH;
        if (walk->visits[edge->to] == NOT_VISITED) {
            walk->visits[edge->to] = ON_PATH;
            walk->path[n++] = edge->to;
        }
    }
}

bool otter_groups_find_cycles(struct otter_groups *groups)
{
    struct walk walk = {.groups = groups};
    bool is_done = allocate(&walk);
    if (is_done) {
        sort_edges(&walk);
    }
    for (uint32_t i = 0; is_done && i < groups->n_groups; i++) {
        if (walk.visits[i] == NOT_VISITED) {
            walk_from(&walk, i);
        }
    }
    OTTER_FREE(walk.first_edge, walk.sorted, walk.next_edge, walk.path, walk.visits);
    return is_done;
}
