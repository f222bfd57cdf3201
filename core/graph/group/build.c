// Groups the nodes and edges of a graph by label.
#include "graph/group/group.h"

#include <stdlib.h>
#include <string.h>

#include "base/free.h"
#include "graph/group/internal.h"
#include "graph/node.h"
#include "graph/numbers.h"
#include "graph/group/numbering.h"
#include "graph/group/place.h"
#include "trace/schema.h"

// Stands in a group's key in place of the kinds, if the group follows another group.
enum { FOLLOWS = UINT16_MAX };

struct grouping {
    const struct otter_graph *graph;
    const struct otter_labels *labels;
    struct otter_groups *groups;
    uint32_t *label_of; // number of each name's label; several names may have one label
    struct otter_places places;
    struct otter_numbering keys;    // groups: place, label, kinds
    struct otter_numbering pairs;   // edges: from, to, kind
    uint32_t *group_of;             // group of each node
    uint32_t group_room, edge_room; // sizes of the arrays in `groups`
    uint32_t *before;               // previous node in the chain of each node; NULL without labels
};

uint64_t otter_node_duration(const struct otter_graph *graph, const struct otter_node *node)
{
    if (node->kind == OTTER_NODE_END && node->scope != OTTER_NONE) {
        uint64_t begin = graph->nodes[node->scope].start;
        return node->end > begin ? node->end - begin : 0;
    }
    return node->end - node->start;
}

// Returns the construct of a region with a Kokkos label, otherwise 0. The construct is needed
// because a Kokkos region and a kernel may have equal labels. Labels of OpenMP constructs contain
// the construct.
static int labelled_construct(const struct grouping *grouping, uint32_t region)
{
    const struct otter_definitions *definitions = grouping->graph->definitions;
    bool is_labelled = region < definitions->n_regions &&
                       otter_construct_is_labelled(definitions->regions[region].construct);
    return is_labelled ? (int)definitions->regions[region].construct : 0;
}

// A node's name is its region, or n_regions if it has none; names of implied barriers at the ends
// of regions follow. Returns the number of regions, plus one for no region.
static uint32_t n_regions_and_none(const struct grouping *grouping)
{
    return (uint32_t)grouping->labels->n_regions + 1;
}

static uint32_t name_of(const struct grouping *grouping, const struct otter_node *node)
{
    uint32_t n = n_regions_and_none(grouping);
    uint32_t region = node->region < n - 1 ? node->region : n - 1;
    bool is_implied = node->kind == OTTER_NODE_SYNC && node->flags & OTTER_NODE_IMPLIED;
    return is_implied ? n + region : region;
}

static int compare_labels(const void *a, const void *b, void *user)
{
    const struct grouping *grouping = user;
    uint32_t n = n_regions_and_none(grouping);
    uint32_t name = *(const uint32_t *)a, other_name = *(const uint32_t *)b;
    const struct otter_label *label = otter_label_of(grouping->labels, name % n);
    const struct otter_label *other = otter_label_of(grouping->labels, other_name % n);
    int order = labelled_construct(grouping, name) - labelled_construct(grouping, other_name);
    order = order ? order
                  : strcmp(name < n ? label->what : OTTER_IMPLIED_BARRIER,
                           other_name < n ? other->what : OTTER_IMPLIED_BARRIER);
    return order ? order : strcmp(label->where, other->where);
}

// Gives each distinct label a number. Returns false if out of memory.
static bool number_labels(struct grouping *grouping)
{
    uint32_t n_names = 2 * n_regions_and_none(grouping), n = 0;
    uint32_t *sorted = otter_numbers_create(n_names);
    grouping->label_of = otter_numbers_create(n_names);
    if (!sorted || !grouping->label_of) {
        free(sorted);
        return false;
    }
    for (uint32_t i = 0; i < n_names; i++) {
        sorted[i] = i;
    }
    qsort_r(sorted, n_names, sizeof *sorted, compare_labels, grouping);
    for (uint32_t i = 0; i < n_names; i++) {
        bool is_new = i == 0 || compare_labels(&sorted[i - 1], &sorted[i], grouping) != 0;
        n += is_new;
        grouping->label_of[sorted[i]] = n - 1;
    }
    free(sorted);
    return true;
}

static bool is_in_whole(const struct grouping *grouping, uint32_t node)
{
    const struct otter_places *places = &grouping->places;
    return places->of_nodes && places->items[places->of_nodes[node]].is_plain;
}

// Returns whether a node is the start or the end of a labelled scope.
static bool delimits(const struct grouping *grouping, uint32_t i, enum otter_node_kind kind)
{
    const struct otter_node *node = &grouping->graph->nodes[i];
    return node->kind == kind && labelled_construct(grouping, node->region) != 0;
}

static bool is_fence(const struct grouping *grouping, uint32_t node)
{
    return otter_node_construct(grouping->graph, node) == OTTER_CONSTRUCT_KOKKOS_FENCE;
}

// Returns the group that a fence, or a row of fences, follows; OTTER_NONE for other nodes. Kokkos
// has one label for its fences after all kernels of a kind. One group for these fences would have
// edges from and to all kernels.
static uint32_t followed_group(const struct grouping *grouping, uint32_t node)
{
    uint32_t before =
        grouping->before && is_fence(grouping, node) ? grouping->before[node] : OTTER_NONE;
    if (before == OTTER_NONE || before >= node) { // the previous node has no group yet
        return OTTER_NONE;
    }
    uint32_t group = grouping->group_of[before];
    const struct otter_group *found = &grouping->groups->groups[group];
    return is_fence(grouping, found->first_node) ? found->follows : group;
}

// Finds for each node the previous node in its chain; a barrier, which is in several chains, gets
// any of them. Returns false if out of memory.
static bool find_before(struct grouping *grouping)
{
    const struct otter_graph *graph = grouping->graph;
    if (!grouping->places.of_nodes) {
        return true;
    }
    grouping->before = otter_numbers_create(graph->n_nodes);
    if (!grouping->before) {
        return false;
    }
    for (uint32_t from = 0; from < graph->n_nodes; from++) {
        for (uint32_t e = graph->first_edge[from]; e < graph->first_edge[from + 1]; e++) {
            if (graph->edge_kind[e] == OTTER_EDGE_ORDER) {
                grouping->before[graph->edge_to[e]] = from;
            }
        }
    }
    return true;
}

static struct otter_triple key_of(const struct grouping *grouping, uint32_t i)
{
    const struct otter_node *node = &grouping->graph->nodes[i];
    if (is_in_whole(grouping, i)) {
        return (struct otter_triple){grouping->places.of_nodes[i], OTTER_NONE, OTTER_NONE};
    }
    uint32_t task_kind = otter_node_has_body(node) && node->task < grouping->graph->n_tasks
                             ? grouping->graph->tasks[node->task].kind
                             : OTTER_TASK_KIND_UNKNOWN;
    uint32_t follows = followed_group(grouping, i);
    if (follows != OTTER_NONE) {
        return (struct otter_triple){follows, grouping->label_of[node->region], FOLLOWS};
    }
    return (struct otter_triple){
        .a = grouping->places.of_nodes ? grouping->places.of_nodes[i] : 0,
        .b = grouping->label_of[name_of(grouping, node)],
        .c = node->kind * OTTER_N_TASK_KINDS + task_kind,
    };
}

static struct otter_group new_group(const struct grouping *grouping, uint32_t node)
{
    uint32_t place = grouping->places.of_nodes ? grouping->places.of_nodes[node] : 0;
    bool is_whole = is_in_whole(grouping, node);
    return (struct otter_group){
        .first_node = is_whole ? grouping->places.items[place].begin : node,
        .place = place,
        .follows = followed_group(grouping, node),
        .is_whole = is_whole,
    };
}

static bool is_counted(const struct grouping *grouping, const struct otter_group *group,
                       uint32_t node, enum otter_node_kind delimiter)
{
    return !group->is_whole || delimits(grouping, node, delimiter);
}

static bool add_node(struct grouping *grouping, uint32_t i)
{
    struct otter_groups *groups = grouping->groups;
    struct otter_triple key = key_of(grouping, i);
    uint32_t number;
    if (!otter_numbering_find(&grouping->keys, key, &number)) {
        return false;
    }
    if (number == groups->n_groups) {
        if (!otter_vector_reserve((void **)&groups->groups, number, &grouping->group_room,
                                  sizeof *groups->groups)) {
            return false;
        }
        groups->groups[groups->n_groups++] = new_group(grouping, i);
    }
    struct otter_group *group = &groups->groups[number];
    group->n_nodes += is_counted(grouping, group, i, OTTER_NODE_BEGIN);
    grouping->group_of[i] = number;
    return true;
}

static bool add_nodes(struct grouping *grouping)
{
    uint32_t n_nodes = grouping->graph->n_nodes;
    grouping->group_of = otter_numbers_create(n_nodes);
    for (uint32_t i = 0; grouping->group_of && i < n_nodes; i++) {
        if (!add_node(grouping, i)) {
            return false;
        }
    }
    return grouping->group_of != NULL;
}

static void add_time(const struct grouping *grouping, uint32_t i)
{
    struct otter_group *group = &grouping->groups->groups[grouping->group_of[i]];
    if (is_counted(grouping, group, i, OTTER_NODE_END)) {
        uint64_t duration = otter_node_duration(grouping->graph, &grouping->graph->nodes[i]);
        group->total += duration;
        group->longest = duration > group->longest ? duration : group->longest;
    }
}

// Adds the times of nodes to their groups. A scope inside a scope of its own group does not count,
// because the outer scope's time contains it.
static bool add_times(struct grouping *grouping)
{
    const struct otter_graph *graph = grouping->graph;
    bool *is_nested = otter_groups_find_nested(grouping->groups, graph, grouping->group_of);
    for (uint32_t i = 0; is_nested && i < graph->n_nodes; i++) {
        const struct otter_node *node = &graph->nodes[i];
        if (node->kind != OTTER_NODE_END || node->scope == OTTER_NONE || !is_nested[node->scope]) {
            add_time(grouping, i);
        }
    }
    free(is_nested);
    return is_nested != NULL;
}

// Links places and groups from the last to the first, so that each list is in ascending order.
static void link_places(struct otter_groups *groups)
{
    for (uint32_t i = groups->n_places - 1; i > 0; i--) {
        struct otter_group_place *parent = &groups->places[groups->places[i].parent];
        groups->places[i].next = parent->first_child;
        parent->first_child = i;
    }
    for (uint32_t i = groups->n_groups; i-- > 0;) {
        struct otter_group_place *place = &groups->places[groups->groups[i].place];
        groups->groups[i].next = place->first_group;
        place->first_group = i;
        place->n_groups++;
    }
}

static bool add_places(struct grouping *grouping)
{
    struct otter_groups *groups = grouping->groups;
    uint32_t n_places = grouping->places.n;
    groups->places = malloc(n_places * sizeof *groups->places);
    if (!groups->places) {
        return false;
    }
    groups->n_places = n_places;
    for (uint32_t i = 0; i < n_places; i++) {
        const struct otter_place *place = &grouping->places.items[i];
        groups->places[i] = (struct otter_group_place){
            .parent = place->parent,
            .begin = place->begin == OTTER_NONE ? OTTER_NONE : grouping->group_of[place->begin],
            .first_group = OTTER_NONE,
            .first_child = OTTER_NONE,
            .next = OTTER_NONE,
        };
    }
    link_places(groups);
    return true;
}

static bool add_edge(struct grouping *grouping, uint32_t from, uint32_t to,
                     enum otter_edge_kind kind)
{
    struct otter_groups *groups = grouping->groups;
    uint32_t number;
    if (!otter_numbering_find(&grouping->pairs, (struct otter_triple){from, to, kind}, &number)) {
        return false;
    }
    if (number == groups->n_edges) {
        if (!otter_vector_reserve((void **)&groups->edges, number, &grouping->edge_room,
                                  sizeof *groups->edges)) {
            return false;
        }
        groups->edges[groups->n_edges++] =
            (struct otter_group_edge){.from = from, .to = to, .kind = kind};
    }
    groups->edges[number].n_edges++;
    return true;
}

// Returns whether an edge is inside a kernel that is one group. The edge from the end of one launch
// to the start of the next is not inside, since it shows that the kernel is launched repeatedly.
static bool is_inner(const struct grouping *grouping, uint32_t from, uint32_t to)
{
    bool is_one = grouping->group_of[from] == grouping->group_of[to];
    bool leads_on =
        delimits(grouping, from, OTTER_NODE_END) && delimits(grouping, to, OTTER_NODE_BEGIN);
    return is_one && is_in_whole(grouping, from) && !leads_on;
}

static bool add_edges(struct grouping *grouping)
{
    const struct otter_graph *graph = grouping->graph;
    for (uint32_t from = 0; from < graph->n_nodes; from++) {
        for (uint32_t e = graph->first_edge[from]; e < graph->first_edge[from + 1]; e++) {
            uint32_t to = graph->edge_to[e];
            if (!is_inner(grouping, from, to) &&
                !add_edge(grouping, grouping->group_of[from], grouping->group_of[to],
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
    bool is_done =
        number_labels(&grouping) && otter_places_init(&grouping.places, graph, grouping.label_of) &&
        find_before(&grouping) && add_nodes(&grouping) && add_times(&grouping) &&
        add_places(&grouping) && add_edges(&grouping) && otter_groups_find_cycles(groups);
    if (!is_done) {
        otter_groups_destroy(groups);
        groups = NULL;
    }
    otter_places_finish(&grouping.places);
    otter_numbering_finish(&grouping.keys);
    otter_numbering_finish(&grouping.pairs);
    OTTER_FREE(grouping.label_of, grouping.group_of, grouping.before);
    return groups;
}

struct otter_groups *otter_groups_create_few(const struct otter_graph *graph,
                                             struct otter_labels *labels, uint32_t most,
                                             bool *has_merged)
{
    struct otter_groups *groups = otter_groups_create(graph, labels);
    *has_merged = false;
    if (!groups || groups->n_groups <= most) {
        return groups;
    }
    bool is_done = otter_labels_merge_numbers(labels, graph->definitions, has_merged) == OTTER_OK;
    if (*has_merged || !is_done) {
        otter_groups_destroy(groups);
        groups = is_done ? otter_groups_create(graph, labels) : NULL;
    }
    return groups;
}

void otter_groups_destroy(struct otter_groups *groups)
{
    if (groups) {
        OTTER_FREE(groups->groups, groups->places, groups->edges, groups);
    }
}
