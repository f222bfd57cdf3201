// Finds the first place at which two graphs differ.
#include "graph/hash/difference.h"

#include <stdlib.h>
#include <string.h>

#include "base/free.h"
#include "base/order.h"
#include "graph/hash/naming.h"
#include "graph/numbers.h"

// A graph with its naming tree. The root has the index n_nodes.
struct side {
    const struct otter_graph *graph;
    struct otter_naming naming;
    struct otter_hash *subtrees; // digest of each node and the tree below it
    uint32_t *first_child;       // n_nodes + 2
    uint32_t *children;
    uint32_t *partners; // the node of the other graph, once the trees are known to be equal
    uint16_t *reached; // for each node, the kinds of edges that reach it from one node (mark_edges)
};

// ---- the trees

static bool list_children(struct side *side)
{
    uint32_t n_nodes = side->graph->n_nodes;
    side->first_child = calloc(n_nodes + (size_t)3, sizeof *side->first_child);
    side->children = malloc((n_nodes + (size_t)1) * sizeof *side->children);
    if (!side->first_child || !side->children) {
        return false;
    }
    for (uint32_t i = 0; i < n_nodes; i++) {
        side->first_child[side->naming.parents[i] + 2]++;
    }
    for (uint32_t i = 2; i < n_nodes + 3; i++) {
        side->first_child[i] += side->first_child[i - 1];
    }
    for (uint32_t i = 0; i < n_nodes; i++) {
        side->children[side->first_child[side->naming.parents[i] + 1]++] = i;
    }
    return true;
}

static bool sum_subtrees(struct side *side)
{
    uint32_t n_nodes = side->graph->n_nodes;
    struct otter_hash *sums = calloc(n_nodes + (size_t)1, sizeof *sums);
    side->subtrees = calloc(n_nodes + (size_t)1, sizeof *side->subtrees);
    bool is_good = sums && side->subtrees;
    for (uint32_t i = n_nodes; is_good && i-- > 0;) {
        uint32_t node = side->naming.order[i], parent = side->naming.parents[node];
        struct otter_hash own = otter_hash_mix(side->naming.names[node], sums[node]);
        side->subtrees[node] = otter_hash_mix_number(own, side->naming.ranks[node]);
        sums[parent] = otter_hash_add(sums[parent], side->subtrees[node]);
    }
    if (is_good) {
        side->subtrees[n_nodes] = sums[n_nodes];
    }
    free(sums);
    return is_good;
}

static bool init(struct side *side, const struct otter_graph *graph,
                 const struct otter_labels *labels)
{
    *side = (struct side){.graph = graph, .naming = {.graph = graph, .n_units = 1}};
    side->partners = otter_numbers_create(graph->n_nodes);
    side->reached = calloc(graph->n_nodes + (size_t)1, sizeof *side->reached);
    return side->partners && side->reached && otter_naming_begin(&side->naming, labels) &&
           list_children(side) && sum_subtrees(side);
}

static void finish(struct side *side)
{
    otter_naming_finish(&side->naming);
    OTTER_FREE(side->subtrees, side->first_child, side->children, side->partners, side->reached);
}

// ---- children in order

static bool is_task(const struct otter_graph *graph, uint32_t node)
{
    return graph->nodes[node].kind == OTTER_NODE_TASK;
}

// Compares children in program order: tasks by number, then other tasks, then the rest by their
// start.
static int compare_places(const void *a, const void *b, void *user)
{
    const struct side *side = user;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const uint32_t *ranks = side->naming.ranks;
    const struct otter_node *nodes = side->graph->nodes;
    int order = OTTER_COMPARE(ranks[x] - 1, ranks[y] - 1); // rank 0 comes last
    order = order ? order : is_task(side->graph, y) - is_task(side->graph, x);
    order = order ? order : OTTER_COMPARE(nodes[x].start, nodes[y].start);
    return order ? order : OTTER_COMPARE(x, y);
}

static int compare_subtrees(const void *a, const void *b, void *user)
{
    const struct side *side = user;
    const struct otter_hash *left = &side->subtrees[*(const uint32_t *)a];
    const struct otter_hash *right = &side->subtrees[*(const uint32_t *)b];
    int order = OTTER_BY_2(left, right, high, low);
    return order ? order : compare_places(a, b, user);
}

struct children {
    uint32_t *nodes;
    uint32_t n;
};

static struct children children_of(struct side *side, uint32_t node,
                                   int (*compare)(const void *, const void *, void *))
{
    uint32_t first = side->first_child[node];
    struct children found = {side->children + first, side->first_child[node + 1] - first};
    if (found.n > 1) {
        qsort_r(found.nodes, found.n, sizeof *found.nodes, compare, side);
    }
    return found;
}

// On both sides, moves the children whose subtree the other side lacks to the start of the array.
static void cancel(const struct side *sides, struct children *left, struct children *right)
{
    uint32_t n_left = 0, n_right = 0, i = 0, k = 0;
    while (i < left->n || k < right->n) {
        const struct otter_hash *a = i < left->n ? &sides[0].subtrees[left->nodes[i]] : NULL;
        const struct otter_hash *b = k < right->n ? &sides[1].subtrees[right->nodes[k]] : NULL;
        int order = !a ? 1 : !b ? -1 : OTTER_BY_2(a, b, high, low);
        if (order < 0) {
            left->nodes[n_left++] = left->nodes[i++];
        } else if (order > 0) {
            right->nodes[n_right++] = right->nodes[k++];
        } else {
            i++;
            k++;
        }
    }
    left->n = n_left;
    right->n = n_right;
}

static uint32_t count_tasks(const struct side *side, uint32_t node)
{
    const struct otter_graph *graph = side->graph;
    uint32_t n = 0;
    for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
        n += graph->edge_kind[e] == OTTER_EDGE_CREATION;
    }
    return n;
}

// ---- where the trees differ

static bool is_alike(const struct side *sides, uint32_t a, uint32_t b)
{
    return sides[0].naming.ranks[a] == sides[1].naming.ranks[b] &&
           otter_hash_is_equal(sides[0].naming.names[a], sides[1].naming.names[b]);
}

static uint32_t find_alike(const struct side *sides, unsigned side, uint32_t node,
                           const struct children *others)
{
    for (uint32_t i = 0; i < others->n; i++) {
        uint32_t other = others->nodes[i];
        if (side == 0 ? is_alike(sides, node, other) : is_alike(sides, other, node)) {
            return other;
        }
    }
    return OTTER_NONE;
}

// Sets `nodes` to the first pair of children that differ; OTTER_NONE for a child that is missing.
// Returns whether both have the same kind and label; then only their subtrees differ.
static bool find_pair(const struct side *sides, const struct children *rests, uint32_t nodes[2])
{
    nodes[0] = rests[0].n > 0 ? rests[0].nodes[0] : OTTER_NONE;
    nodes[1] = rests[1].n > 0 ? rests[1].nodes[0] : OTTER_NONE;
    uint32_t ranks[2] = {UINT32_MAX, UINT32_MAX};
    for (unsigned i = 0; i < 2; i++) {
        ranks[i] = nodes[i] == OTTER_NONE ? UINT32_MAX : sides[i].naming.ranks[nodes[i]] - 1;
    }
    unsigned first = nodes[0] == OTTER_NONE || (nodes[1] != OTTER_NONE && ranks[1] < ranks[0]);
    uint32_t alike = find_alike(sides, first, nodes[first], &rests[!first]);
    if (alike != OTTER_NONE) {
        nodes[!first] = alike;
        return true;
    }
    bool is_other = nodes[!first] != OTTER_NONE &&
                    find_alike(sides, !first, nodes[!first], &rests[first]) == OTTER_NONE;
    nodes[!first] = is_other ? nodes[!first] : OTTER_NONE;
    return false;
}

static void descend(struct side *sides, struct otter_difference *difference)
{
    uint32_t nodes[2] = {sides[0].graph->n_nodes, sides[1].graph->n_nodes};
    for (bool is_below = true; is_below;) {
        struct children rests[2];
        for (unsigned i = 0; i < 2; i++) {
            difference->parents[i] = nodes[i] < sides[i].graph->n_nodes ? nodes[i] : OTTER_NONE;
            rests[i] = children_of(&sides[i], nodes[i], compare_subtrees);
        }
        cancel(sides, &rests[0], &rests[1]);
        for (unsigned i = 0; i < 2; i++) {
            qsort_r(rests[i].nodes, rests[i].n, sizeof *rests[i].nodes, compare_places, &sides[i]);
        }
        is_below = (rests[0].n > 0 || rests[1].n > 0) && find_pair(sides, rests, nodes);
    }
    bool is_missing = nodes[0] == OTTER_NONE || nodes[1] == OTTER_NONE;
    difference->kind = is_missing ? OTTER_DIFFERENCE_NODE : OTTER_DIFFERENCE_LABEL;
    memcpy(difference->nodes, nodes, sizeof nodes);
    for (unsigned i = 0; i < 2; i++) {
        uint32_t parent = difference->parents[i];
        difference->n_tasks[i] = parent == OTTER_NONE ? 0 : count_tasks(&sides[i], parent);
    }
}

// ---- where edges differ

// Pairs all nodes of two equal trees.
static void pair(struct side *sides)
{
    uint32_t n_nodes = sides[0].graph->n_nodes;
    for (uint32_t i = 0; i <= n_nodes; i++) {
        uint32_t node = i == 0 ? n_nodes : sides[0].naming.order[i - 1];
        uint32_t partner = i == 0 ? n_nodes : sides[0].partners[node];
        struct children left = children_of(&sides[0], node, compare_subtrees);
        struct children right = children_of(&sides[1], partner, compare_subtrees);
        for (uint32_t k = 0; k < left.n && k < right.n; k++) {
            sides[0].partners[left.nodes[k]] = right.nodes[k];
            sides[1].partners[right.nodes[k]] = left.nodes[k];
        }
    }
}

// Sets or clears, at their targets, the kinds of all edges from `node`.
static void mark_edges(const struct side *side, uint32_t node, bool is_marked)
{
    const struct otter_graph *graph = side->graph;
    for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
        uint16_t *kinds = &side->reached[graph->edge_to[e]];
        *kinds = is_marked ? (uint16_t)(*kinds | 1U << graph->edge_kind[e]) : 0;
    }
}

// Returns the first edge of `from` that its partner lacks, or n_edges. Time: linear in the edges of
// both nodes, since a creator may have an edge to every task.
static uint32_t find_edge(const struct side *side, const struct side *other, uint32_t from)
{
    const struct otter_graph *graph = side->graph;
    uint32_t e = graph->first_edge[from];
    mark_edges(other, side->partners[from], true);
    while (e < graph->first_edge[from + 1] &&
           other->reached[side->partners[graph->edge_to[e]]] >> graph->edge_kind[e] & 1) {
        e++;
    }
    mark_edges(other, side->partners[from], false);
    return e < graph->first_edge[from + 1] ? e : graph->n_edges;
}

static bool compare_edges(const struct side *sides, uint32_t node,
                          struct otter_difference *difference)
{
    for (unsigned i = 0; i < 2; i++) {
        const struct side *side = &sides[i];
        uint32_t from = i == 0 ? node : sides[0].partners[node];
        uint32_t edge = find_edge(side, &sides[!i], from);
        if (edge < side->graph->n_edges) {
            difference->kind = OTTER_DIFFERENCE_EDGE;
            difference->edge_kind = side->graph->edge_kind[edge];
            difference->nodes[i] = from;
            difference->nodes[!i] = side->partners[from];
            difference->targets[i] = side->graph->edge_to[edge];
            return true;
        }
    }
    return false;
}

static void find_edges(struct side *sides, struct otter_difference *difference)
{
    pair(sides);
    for (uint32_t i = 0; i < sides[0].graph->n_nodes; i++) {
        if (compare_edges(sides, sides[0].naming.order[i], difference)) {
            return;
        }
    }
}

bool otter_graph_differ(const struct otter_graph *const graphs[2],
                        const struct otter_labels *const labels[2],
                        struct otter_difference *difference)
{
    struct side sides[2] = {{0}};
    *difference = (struct otter_difference){.parents = {OTTER_NONE, OTTER_NONE},
                                            .nodes = {OTTER_NONE, OTTER_NONE},
                                            .targets = {OTTER_NONE, OTTER_NONE}};
    bool is_good = init(&sides[0], graphs[0], labels[0]) && init(&sides[1], graphs[1], labels[1]);
    if (is_good && otter_hash_is_equal(sides[0].subtrees[graphs[0]->n_nodes],
                                       sides[1].subtrees[graphs[1]->n_nodes])) {
        find_edges(sides, difference);
    } else if (is_good) {
        descend(sides, difference);
    }
    finish(&sides[0]);
    finish(&sides[1]);
    return is_good;
}
