// Walks back from the last end of a run.
#include "analysis/path/realised.h"

#include <stdlib.h>

#include "base/free.h"
#include "base/order.h"
#include "graph/numbers.h"

struct walk {
    struct otter_realised *realised;
    const struct otter_way_back *way;
    struct otter_way_part part;
    uint64_t time;  // the path is known from this time to the end
    bool has_begun; // the part has a step
    bool is_short_of_memory;
};

// If the beginning of an archive is missing, nodes may be earlier than the part.
static void step_to(struct walk *walk, uint64_t begin, uint32_t node, enum otter_step_reason reason)
{
    begin = begin > walk->part.begin ? begin : walk->part.begin;
    if (begin >= walk->time) {
        return;
    }
    struct otter_realised *realised = walk->realised;
    bool is_first = !walk->has_begun;
    struct otter_walk_part part = {.first = realised->steps.n, .end = walk->time};
    if ((is_first && !OTTER_VECTOR_ADD(&realised->parts, part)) ||
        !OTTER_VECTOR_ADD(&realised->steps,
                          (struct otter_stored_step){begin, node, (uint8_t)reason, is_first})) {
        walk->is_short_of_memory = true;
        return;
    }
    walk->has_begun = true;
    walk->time = begin;
}

struct otter_path_step otter_realised_step(const struct otter_realised *realised, uint32_t i)
{
    const struct otter_stored_step *step = &realised->steps.items[i];
    uint32_t low = 0, high = step->is_first ? realised->parts.n : 0;
    OTTER_SEARCH(low, high, k, realised->parts.items[k].first < i)
    uint64_t end = step->is_first ? realised->parts.items[low].end : step[-1].begin;
    return (struct otter_path_step){step->begin, end, step->node,
                                    (enum otter_step_reason)step->reason};
}

// ---- predecessors

static bool find_occupants(struct otter_way_back *way, const struct otter_pieces *pieces)
{
    way->occupant = otter_numbers_create(way->graph->n_nodes);
    if (!way->occupant) {
        return false;
    }
    for (uint32_t i = 0; i < pieces->n_lines; i++) {
        for (uint32_t k = 1; k < pieces->lines[i].n; k++) {
            way->occupant[pieces->lines[i].nodes[k]] = pieces->lines[i].nodes[k - 1];
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

enum otter_status otter_way_back_init(struct otter_way_back *way, const struct otter_graph *graph,
                                      const struct otter_pieces *pieces,
                                      const struct otter_ready *ready)
{
    *way =
        (struct otter_way_back){.graph = graph, .ready = ready, .last = last_piece(graph, pieces)};
    return find_occupants(way, pieces) ? OTTER_OK : OTTER_NO_MEMORY;
}

void otter_way_back_finish(struct otter_way_back *way)
{
    free(way->occupant);
    *way = (struct otter_way_back){0};
}

static bool is_on_path(const struct otter_graph *graph, uint32_t node)
{
    enum otter_node_kind kind = (enum otter_node_kind)graph->nodes[node].kind;
    return otter_node_is_piece(&graph->nodes[node]) || kind == OTTER_NODE_DEVICE ||
           otter_node_is_mpi(graph, node);
}

// Returns the latest piece that `node` waited for. A cycle in a damaged archive ends the search.
static uint32_t latest_predecessor(const struct otter_way_back *way, uint32_t node)
{
    uint32_t at = way->ready->last[node];
    for (uint32_t n = 0; at != OTTER_NONE && n < way->graph->n_nodes; n++) {
        if (is_on_path(way->graph, at)) {
            return at;
        }
        at = way->ready->last[at];
    }
    return OTTER_NONE;
}

uint32_t otter_way_back_from(const struct otter_way_back *way, uint32_t node, bool *was_busy)
{
    const struct otter_node *nodes = way->graph->nodes;
    uint32_t waited_for = latest_predecessor(way, node), occupant = way->occupant[node];
    *was_busy = occupant != OTTER_NONE && nodes[occupant].end <= nodes[node].start &&
                (waited_for == OTTER_NONE || nodes[occupant].end > nodes[waited_for].end);
    return *was_busy ? occupant : waited_for;
}

// ---- steps

// The step of `node` begins with the node or with the part, whichever is later.
static void step_through(struct walk *walk, uint32_t node)
{
    const struct otter_graph *graph = walk->way->graph;
    step_to(walk, graph->nodes[node].start, node,
            otter_node_is_mpi(graph, node) ? OTTER_STEP_MPI : OTTER_STEP_EXECUTED);
}

// Ends at the start of the part, or at the first piece.
static void walk_back(struct walk *walk, uint32_t node)
{
    const struct otter_graph *graph = walk->way->graph;
    for (uint32_t n = 0; node != OTTER_NONE && n <= graph->n_nodes; n++) {
        bool was_busy;
        if (node != walk->part.from) {
            step_through(walk, node);
        }
        if (walk->time <= walk->part.begin) {
            return;
        }
        uint32_t before = otter_way_back_from(walk->way, node, &was_busy);
        if (before != OTTER_NONE) {
            step_to(walk, graph->nodes[before].end, node,
                    was_busy ? OTTER_STEP_DISPATCH : OTTER_STEP_LATENCY);
        }
        node = before;
    }
}

enum otter_status otter_realised_add(struct otter_realised *realised,
                                     const struct otter_way_back *way, struct otter_way_part part)
{
    struct walk walk = {.realised = realised, .way = way, .part = part, .time = part.end};
    uint32_t from = part.from != OTTER_NONE ? part.from : way->last;
    if (part.from == OTTER_NONE && from != OTTER_NONE) {
        step_to(&walk, way->graph->nodes[from].end, OTTER_NONE, OTTER_STEP_OUTSIDE);
    }
    walk_back(&walk, from);
    step_to(&walk, part.begin, OTTER_NONE, OTTER_STEP_OUTSIDE);
    return walk.is_short_of_memory ? OTTER_NO_MEMORY : OTTER_OK;
}

enum otter_status otter_realised_init(struct otter_realised *realised,
                                      const struct otter_timeline *timeline,
                                      const struct otter_graph *graph,
                                      const struct otter_pieces *pieces,
                                      const struct otter_ready *ready)
{
    struct otter_way_back way;
    *realised = (struct otter_realised){0};
    enum otter_status status = otter_way_back_init(&way, graph, pieces, ready);
    OTTER_THEN(status, otter_realised_add(
                           realised, &way,
                           (struct otter_way_part){timeline->begin, timeline->end, OTTER_NONE}));
    otter_way_back_finish(&way);
    OTTER_VECTOR_SHRINK(&realised->steps);
    return status;
}

void otter_realised_finish(struct otter_realised *realised)
{
    OTTER_FREE(realised->steps.items, realised->parts.items);
    *realised = (struct otter_realised){0};
}
