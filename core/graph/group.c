#include "graph/group.h"

#include <stdlib.h>
#include <string.h>

// While grouping.
struct grouping {
    const struct otter_graph *graph;
    const struct otter_labels *labels;
    struct otter_groups *groups;
    uint32_t *
        label_of; // a region: number of its label; regions may share one. The last: that of no region
    uint32_t *group_of_key; // label, kind, kind of task: index of the group
    uint32_t *group_of;     // a node
    uint32_t *slots;        // a hash table of indexes of edges
    uint32_t n_slots;       // a power of two
};

uint64_t otter_node_duration(const struct otter_graph *graph, const struct otter_node *node)
{
    if (node->kind == OTTER_NODE_END && node->scope != OTTER_NONE) {
        uint64_t begin = graph->nodes[node->scope].start;
        return node->end > begin ? node->end - begin : 0;
    }
    return node->end - node->start;
}

static int compare_labels(const void *a, const void *b, void *user)
{
    const struct otter_labels *labels = user;
    const struct otter_label *first = otter_label_of(labels, *(const uint32_t *)a);
    const struct otter_label *second = otter_label_of(labels, *(const uint32_t *)b);
    int order = strcmp(first->what, second->what);
    return order ? order : strcmp(first->where, second->where);
}

// Gives each distinct label a number. Returns how many there are; 0: out of memory.
static uint32_t number_labels(struct grouping *grouping)
{
    uint32_t n_regions = (uint32_t)grouping->labels->n_regions + 1, n = 0;
    uint32_t *sorted = malloc(n_regions * sizeof *sorted);
    grouping->label_of = malloc(n_regions * sizeof *grouping->label_of);
    if (!sorted || !grouping->label_of) {
        free(sorted);
        return 0;
    }
    for (uint32_t i = 0; i < n_regions; i++) {
        sorted[i] = i;
    }
    void *labels = (void *)(uintptr_t)grouping->labels;
    qsort_r(sorted, n_regions, sizeof *sorted, compare_labels, labels);
    for (uint32_t i = 0; i < n_regions; i++) {
        bool is_new = i == 0 || compare_labels(&sorted[i - 1], &sorted[i], labels) != 0;
        n += is_new;
        grouping->label_of[sorted[i]] = n - 1;
    }
    free(sorted);
    return n;
}

static size_t key_of(const struct grouping *grouping, const struct otter_node *node)
{
    uint32_t no_region = (uint32_t)grouping->labels->n_regions;
    size_t label = grouping->label_of[node->region < no_region ? node->region : no_region];
    bool has_body = node->kind == OTTER_NODE_TASK || node->kind == OTTER_NODE_FRAGMENT;
    size_t task_kind = has_body && node->task < grouping->graph->n_tasks
                           ? grouping->graph->tasks[node->task].kind
                           : OTTER_TASK_KIND_UNKNOWN;
    return (label * OTTER_N_NODE_KINDS + node->kind) * OTTER_N_TASK_KINDS + task_kind;
}

// Room for one more after `n`, where the room is the next power of two. NULL: out of memory, and `array` stays.
static void *grow(void *array, uint32_t n, size_t size)
{
    bool is_full = (n & (n - 1)) == 0;
    return is_full ? realloc(array, (n ? (size_t)n * 2 : 1) * size) : array;
}

static bool add_node(struct grouping *grouping, uint32_t i)
{
    const struct otter_node *node = &grouping->graph->nodes[i];
    struct otter_groups *groups = grouping->groups;
    uint32_t *group = &grouping->group_of_key[key_of(grouping, node)];
    if (*group == OTTER_NONE) {
        void *grown = grow(groups->groups, groups->n_groups, sizeof *groups->groups);
        if (!grown) {
            return false;
        }
        groups->groups = grown;
        *group = groups->n_groups++;
        groups->groups[*group] = (struct otter_group){.first_node = i};
    }
    struct otter_group *to = &groups->groups[*group];
    uint64_t duration = otter_node_duration(grouping->graph, node);
    to->n_nodes++;
    to->total += duration;
    to->longest = duration > to->longest ? duration : to->longest;
    grouping->group_of[i] = *group;
    return true;
}

static bool add_nodes(struct grouping *grouping, uint32_t n_labels)
{
    size_t n_keys = (size_t)n_labels * OTTER_N_NODE_KINDS * OTTER_N_TASK_KINDS;
    grouping->group_of_key = malloc(n_keys * sizeof *grouping->group_of_key);
    grouping->group_of =
        malloc(((size_t)grouping->graph->n_nodes + 1) * sizeof *grouping->group_of);
    if (!grouping->group_of_key || !grouping->group_of) {
        return false;
    }
    memset(grouping->group_of_key, 0xff, n_keys * sizeof *grouping->group_of_key);
    for (uint32_t i = 0; i < grouping->graph->n_nodes; i++) {
        if (!add_node(grouping, i)) {
            return false;
        }
    }
    return true;
}

// The slot of an edge between groups: its own, or the free one that it should take.
static uint32_t *find_slot(const struct grouping *grouping, uint32_t from, uint32_t to,
                           enum otter_edge_kind kind)
{
    uint64_t hash = ((uint64_t)from << 32 | to) * OTTER_N_EDGE_KINDS + kind;
    hash = (hash ^ hash >> 29) * UINT64_C(0x9e3779b97f4a7c15);
    for (uint32_t i = (uint32_t)(hash >> 32);; i++) {
        uint32_t *slot = &grouping->slots[i & (grouping->n_slots - 1)];
        if (*slot == OTTER_NONE) {
            return slot;
        }
        const struct otter_group_edge *edge = &grouping->groups->edges[*slot];
        if (edge->from == from && edge->to == to && edge->kind == kind) {
            return slot;
        }
    }
}

static bool grow_slots(struct grouping *grouping)
{
    uint32_t n_slots = grouping->n_slots ? 2 * grouping->n_slots : 256;
    uint32_t *slots = realloc(grouping->slots, n_slots * sizeof *slots);
    if (!slots) {
        return false;
    }
    memset(slots, 0xff, n_slots * sizeof *slots);
    grouping->slots = slots;
    grouping->n_slots = n_slots;
    for (uint32_t i = 0; i < grouping->groups->n_edges; i++) {
        const struct otter_group_edge *edge = &grouping->groups->edges[i];
        *find_slot(grouping, edge->from, edge->to, edge->kind) = i;
    }
    return true;
}

static bool add_edge(struct grouping *grouping, uint32_t from, uint32_t to,
                     enum otter_edge_kind kind)
{
    struct otter_groups *groups = grouping->groups;
    if (2 * groups->n_edges >= grouping->n_slots && !grow_slots(grouping)) {
        return false;
    }
    uint32_t *slot = find_slot(grouping, from, to, kind);
    if (*slot == OTTER_NONE) {
        void *grown = grow(groups->edges, groups->n_edges, sizeof *groups->edges);
        if (!grown) {
            return false;
        }
        groups->edges = grown;
        *slot = groups->n_edges++;
        groups->edges[*slot] = (struct otter_group_edge){.from = from, .to = to, .kind = kind};
    }
    groups->edges[*slot].n_edges++;
    return true;
}

static bool add_edges(struct grouping *grouping)
{
    const struct otter_graph *graph = grouping->graph;
    for (uint32_t from = 0; from < graph->n_nodes; from++) {
        for (uint32_t e = graph->first_edge[from]; e < graph->first_edge[from + 1]; e++) {
            uint32_t to = graph->edge_to[e];
            if (!add_edge(grouping, grouping->group_of[from], grouping->group_of[to],
                          (enum otter_edge_kind)graph->edge_kind[e])) {
                return false;
            }
        }
    }
    return true;
}

struct otter_groups *otter_groups_create(const struct otter_graph *graph,
                                         const struct otter_labels *labels)
{
    struct otter_groups *groups = calloc(1, sizeof *groups);
    if (!groups) {
        return NULL;
    }
    struct grouping grouping = {.graph = graph, .labels = labels, .groups = groups};
    uint32_t n_labels = number_labels(&grouping);
    if (n_labels == 0 || !add_nodes(&grouping, n_labels) || !add_edges(&grouping)) {
        otter_groups_destroy(groups);
        groups = NULL;
    }
    free(grouping.label_of);
    free(grouping.group_of_key);
    free(grouping.group_of);
    free(grouping.slots);
    return groups;
}

void otter_groups_destroy(struct otter_groups *groups)
{
    if (groups) {
        free(groups->groups);
        free(groups->edges);
        free(groups);
    }
}
