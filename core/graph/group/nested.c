// Finds the scopes that are nested in a scope of their own group.
#include <stdlib.h>

#include "graph/group/internal.h"
#include "base/free.h"
#include "graph/numbers.h"

// A depth-first search of the tree of scopes.
struct walk {
    const struct otter_graph *graph;
    uint32_t *first_child, *next; // links of each node; OTTER_NONE after the last
    uint32_t *n_open;             // for each group, the number of its scopes around the current one
};

// Fills the tree. Returns the first outermost scope.
static uint32_t link_scopes(struct walk *walk)
{
    uint32_t first = OTTER_NONE;
    for (uint32_t i = walk->graph->n_nodes; i-- > 0;) {
        const struct otter_node *node = &walk->graph->nodes[i];
        if (node->kind == OTTER_NODE_BEGIN) {
            uint32_t *list = node->scope == OTTER_NONE ? &first : &walk->first_child[node->scope];
            walk->next[i] = *list;
            *list = i;
        }
    }
    return first;
}

static void follow(struct walk *walk, const uint32_t *group_of, bool *is_nested)
{
    uint32_t node = link_scopes(walk);
    while (node != OTTER_NONE) {
        is_nested[node] = walk->n_open[group_of[node]]++ > 0;
        if (walk->first_child[node] != OTTER_NONE) {
            node = walk->first_child[node];
            continue;
        }
        uint32_t next = OTTER_NONE;
        while (node != OTTER_NONE && next == OTTER_NONE) {
            walk->n_open[group_of[node]]--;
            next = walk->next[node];
            node = walk->graph->nodes[node].scope;
        }
        node = next;
    }
}

bool *otter_groups_find_nested(const struct otter_groups *groups, const struct otter_graph *graph,
                               const uint32_t *group_of)
{
    struct walk walk = {
        .graph = graph,
        .first_child = otter_numbers_create(graph->n_nodes),
        .next = otter_numbers_create(graph->n_nodes),
        .n_open = calloc((size_t)groups->n_groups + 1, sizeof *walk.n_open),
    };
    bool *is_nested = calloc((size_t)graph->n_nodes + 1, sizeof *is_nested);
    if (walk.first_child && walk.next && walk.n_open && is_nested) {
        follow(&walk, group_of, is_nested);
    } else {
        free(is_nested);
        is_nested = NULL;
    }
    OTTER_FREE(walk.first_child, walk.next, walk.n_open);
    return is_nested;
}
