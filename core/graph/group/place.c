// Finds the place of each node: the path of labelled scopes around it.
#include "graph/group/place.h"

#include <stdlib.h>

#include "graph/node.h"
#include "graph/numbers.h"
#include "graph/group/numbering.h"
#include "trace/schema.h"

struct finding {
    const struct otter_graph *graph;
    const uint32_t *label_of;
    struct otter_places *places;
    struct otter_numbering numbering; // pairs: a place and a label in it
    uint32_t *path; // nodes whose places are unknown, each in the scope that follows
};

static bool is_labelled_begin(const struct otter_graph *graph, uint32_t node)
{
    return graph->nodes[node].kind == OTTER_NODE_BEGIN &&
           otter_construct_is_labelled(otter_node_construct(graph, node));
}

// Returns whether a Kokkos construct is a single launch: any construct except a region.
static bool is_kernel(enum otter_construct construct)
{
    return otter_construct_is_kokkos(construct) && construct != OTTER_CONSTRUCT_KOKKOS_REGION;
}

static bool has_labels(const struct otter_graph *graph)
{
    bool has = false;
    for (size_t i = 0; i < graph->definitions->n_regions && !has; i++) {
        has = otter_construct_is_labelled(graph->definitions->regions[i].construct);
    }
    return has;
}

static bool add_place(struct otter_places *places, struct otter_place place)
{
    return OTTER_VECTOR_ADD(places, place);
}

// Sets *place to the place that the node `begin` begins inside the place `around`. Adds the place
// if its path is new.
static bool enter(struct finding *finding, uint32_t around, uint32_t begin, uint32_t *place)
{
    const struct otter_graph *graph = finding->graph;
    uint32_t label = finding->label_of[graph->nodes[begin].region], number;
    for (uint32_t outer = around; outer != 0; outer = finding->places->items[outer].parent) {
        uint32_t begin_of_outer = finding->places->items[outer].begin;
        if (finding->label_of[graph->nodes[begin_of_outer].region] == label) {
            *place = outer;
            return true;
        }
    }
    if (!otter_numbering_find(&finding->numbering, (struct otter_triple){.a = around, .b = label},
                              &number)) {
        return false;
    }
    *place = number + 1;
    finding->places->items[around].is_plain = false;
    return *place < finding->places->n ||
           add_place(
               finding->places,
               (struct otter_place){.parent = around,
                                    .begin = begin,
                                    .is_plain = is_kernel(otter_node_construct(graph, begin))});
}

// Walks from a node outwards to a scope whose place is known, and back.
static bool find_place(struct finding *finding, uint32_t node)
{
    uint32_t *of_nodes = finding->places->of_nodes, n = 0;
    for (; node != OTTER_NONE && of_nodes[node] == OTTER_NONE;
         node = finding->graph->nodes[node].scope) {
        finding->path[n++] = node;
    }
    uint32_t place = node == OTTER_NONE ? 0 : of_nodes[node];
    while (n > 0) {
        node = finding->path[--n];
        if (is_labelled_begin(finding->graph, node) && !enter(finding, place, node, &place)) {
            return false;
        }
        of_nodes[node] = place;
    }
    return true;
}

static bool is_task(const struct otter_graph *graph, const struct otter_node *node)
{
    uint8_t kind = node->task < graph->n_tasks ? graph->tasks[node->task].kind : 0;
    return otter_node_has_body(node) && kind != OTTER_TASK_KIND_IMPLICIT &&
           kind != OTTER_TASK_KIND_INITIAL;
}

static bool find_places(struct finding *finding)
{
    const struct otter_graph *graph = finding->graph;
    finding->path = otter_numbers_create(graph->n_nodes);
    finding->places->of_nodes = otter_numbers_create(graph->n_nodes);
    if (!finding->path || !finding->places->of_nodes) {
        return false;
    }
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        if (!find_place(finding, i)) {
            return false;
        }
        if (is_task(graph, &graph->nodes[i])) {
            finding->places->items[finding->places->of_nodes[i]].is_plain = false;
        }
    }
    return true;
}

bool otter_places_init(struct otter_places *places, const struct otter_graph *graph,
                       const uint32_t *label_of)
{
    *places = (struct otter_places){0};
    struct finding finding = {.graph = graph, .label_of = label_of, .places = places};
    bool is_done =
        add_place(places, (struct otter_place){.parent = OTTER_NONE, .begin = OTTER_NONE}) &&
        (!has_labels(graph) || find_places(&finding));
    free(finding.path);
    otter_numbering_finish(&finding.numbering);
    if (!is_done) {
        otter_places_finish(places);
    }
    return is_done;
}

void otter_places_finish(struct otter_places *places)
{
    free(places->items);
    free(places->of_nodes);
    *places = (struct otter_places){0};
}
