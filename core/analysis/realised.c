// Walks back from the last end of a run.
#include "analysis/realised.h"

#include <stdlib.h>

#include "graph/numbers.h"

struct walk {
    struct otter_realised *realised;
    const struct otter_graph *graph;
    const struct otter_ready *ready;
    uint32_t *occupant; // of each piece: the piece before it on its thread
    uint64_t first;     // the timeline's begin; an archive without beginnings has earlier nodes
    uint64_t time;      // the path is known from there to the end
    bool is_short_of_memory;
};

static void step_to(struct walk *walk, uint64_t begin, uint32_t node, enum otter_step_reason reason)
{
    begin = begin > walk->first ? begin : walk->first;
    if (begin >= walk->time) {
        return;
    }
    if (!OTTER_VECTOR_RESERVE(&walk->realised->steps)) {
        walk->is_short_of_memory = true;
        return;
    }
    walk->realised->steps.items[walk->realised->steps.n++] =
        (struct otter_path_step){begin, walk->time, node, reason};
    walk->time = begin;
}

static bool find_occupants(struct walk *walk, const struct otter_pieces *pieces)
{
    walk->occupant = otter_numbers_create(walk->graph->n_nodes);
    if (!walk->occupant) {
        return false;
    }
    for (uint32_t i = 0; i < pieces->n_lines; i++) {
        for (uint32_t k = 1; k < pieces->lines[i].n; k++) {
            walk->occupant[pieces->lines[i].nodes[k]] = pieces->lines[i].nodes[k - 1];
        }
    }
    return true;
}

static uint32_t last_piece(const struct otter_graph *graph, const struct otter_pieces *pieces)
{
    uint32_t last = OTTER_NONE;
    for (uint32_t i = 0; i < pieces->n_lines; i++) {
        for (uint32_t k = 0; k < pieces->lines[i].n; k++) {
            uint32_t node = pieces->lines[i].nodes[k];
            if (last == OTTER_NONE || otter_node_is_later(graph, node, last)) {
                last = node;
            }
        }
    }
    return last;
}

static bool is_executed(const struct otter_node *node)
{
    return otter_node_is_piece(node) || node->kind == OTTER_NODE_DEVICE;
}

// The latest piece that `node` waited for. A cycle of a damaged archive ends the search.
static uint32_t latest_predecessor(const struct walk *walk, uint32_t node)
{
    uint32_t at = walk->ready->last[node];
    for (uint32_t n = 0; at != OTTER_NONE && n < walk->graph->n_nodes; n++) {
        if (is_executed(&walk->graph->nodes[at])) {
            return at;
        }
        at = walk->ready->last[at];
    }
    return OTTER_NONE;
}

static void go_back(struct walk *walk, uint32_t node)
{
    const struct otter_node *nodes = walk->graph->nodes;
    for (uint32_t n = 0; node != OTTER_NONE && n <= walk->graph->n_nodes; n++) {
        step_to(walk, nodes[node].start, node, OTTER_STEP_EXECUTED);
        uint32_t waited_for = latest_predecessor(walk, node), occupant = walk->occupant[node];
        bool was_busy = occupant != OTTER_NONE && nodes[occupant].end <= nodes[node].start &&
                        (waited_for == OTTER_NONE || nodes[occupant].end > nodes[waited_for].end);
        uint32_t before = was_busy ? occupant : waited_for;
        if (before != OTTER_NONE) {
            step_to(walk, nodes[before].end, node,
                    was_busy ? OTTER_STEP_DISPATCH : OTTER_STEP_LATENCY);
        }
        node = before;
    }
}

enum otter_status otter_realised_init(struct otter_realised *realised,
                                      const struct otter_timeline *timeline,
                                      const struct otter_graph *graph,
                                      const struct otter_pieces *pieces,
                                      const struct otter_ready *ready)
{
    *realised = (struct otter_realised){0};
    struct walk walk = {.realised = realised,
                        .graph = graph,
                        .ready = ready,
                        .first = timeline->begin,
                        .time = timeline->end};
    bool is_good = find_occupants(&walk, pieces);
    uint32_t last = last_piece(graph, pieces);
    if (is_good && last != OTTER_NONE) {
        step_to(&walk, graph->nodes[last].end, OTTER_NONE, OTTER_STEP_OUTSIDE);
        go_back(&walk, last);
    }
    step_to(&walk, timeline->begin, OTTER_NONE, OTTER_STEP_OUTSIDE);
    free(walk.occupant);
    if (!is_good || walk.is_short_of_memory) {
        otter_realised_finish(realised);
        return OTTER_NO_MEMORY;
    }
    return OTTER_OK;
}

void otter_realised_finish(struct otter_realised *realised)
{
    free(realised->steps.items);
    *realised = (struct otter_realised){0};
}
