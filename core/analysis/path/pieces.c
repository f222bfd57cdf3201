// Assigns the time of each thread's intervals to the nodes of the fragments view.
#include "analysis/path/pieces.h"

#include <stdlib.h>

#include "analysis/time/states.h"
#include "graph/numbers.h"

static bool gather(struct otter_pieces *pieces, const struct otter_graph *graph,
                   const struct otter_timeline *timeline)
{
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        uint32_t line = timeline->line_of[graph->nodes[i].location];
        if (otter_node_is_piece(&graph->nodes[i]) && line != OTTER_NONE) {
            pieces->lines[line].n++;
        }
    }
    for (uint32_t i = 0; i < pieces->n_lines; i++) {
        pieces->lines[i].nodes = malloc((pieces->lines[i].n + 1) * sizeof(uint32_t));
        pieces->lines[i].n = 0;
        if (!pieces->lines[i].nodes) {
            return false;
        }
    }
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        uint32_t line = timeline->line_of[graph->nodes[i].location];
        if (otter_node_is_piece(&graph->nodes[i]) && line != OTTER_NONE) {
            pieces->lines[line].nodes[pieces->lines[line].n++] = i;
        }
    }
    return true;
}

static uint64_t overlap(uint64_t a_begin, uint64_t a_end, uint64_t b_begin, uint64_t b_end)
{
    uint64_t begin = a_begin > b_begin ? a_begin : b_begin;
    uint64_t end = a_end < b_end ? a_end : b_end;
    return begin < end ? end - begin : 0;
}

// Time in which the thread was preempted is not work.
static uint64_t lost_in(const struct otter_thread_line *line, const struct otter_node *node,
                        uint64_t begin, uint64_t end)
{
    begin = node->start > begin ? node->start : begin;
    end = node->end < end ? node->end : end;
    return begin < end && line->off.n > 0 ? otter_ticks_preempted(line, begin, end) : 0;
}

// Both lists are sorted by time, so one walk finds each overlap once. An interval without a piece
// belongs to the runtime: it is between the last barrier of a region and the region's end.
static void assign(struct otter_pieces *pieces, const struct otter_graph *graph,
                   struct otter_timeline *timeline, uint32_t index)
{
    struct otter_thread_line *line = &timeline->lines[index];
    const struct otter_thread_pieces *own = &pieces->lines[index];
    uint32_t first = 0;
    for (uint32_t i = 0; i < line->intervals.n; i++) {
        struct otter_interval *interval = &line->intervals.items[i];
        uint64_t end = otter_interval_end(timeline, line, i), claimed = 0;
        if (interval->state != OTTER_STATE_EXECUTING) {
            continue;
        }
        while (first < own->n && graph->nodes[own->nodes[first]].end <= interval->begin) {
            first++;
        }
        for (uint32_t k = first; k < own->n && graph->nodes[own->nodes[k]].start < end; k++) {
            const struct otter_node *node = &graph->nodes[own->nodes[k]];
            uint64_t common = overlap(node->start, node->end, interval->begin, end);
            uint64_t work = otter_slim_get(&pieces->work, own->nodes[k]) + common;
            otter_slim_set(&pieces->work, own->nodes[k],
                           work - lost_in(line, node, interval->begin, end));
            claimed += common;
        }
        if (claimed == 0) {
            interval->state = OTTER_STATE_FORKING;
        }
    }
}

enum otter_status otter_pieces_init(struct otter_pieces *pieces, const struct otter_graph *graph,
                                    struct otter_timeline *timeline)
{
    *pieces = (struct otter_pieces){.n_lines = timeline->n_lines};
    pieces->lines = calloc(timeline->n_lines + 1, sizeof *pieces->lines);
    if (!pieces->lines || !otter_slim_init(&pieces->work, graph->n_nodes) ||
        !gather(pieces, graph, timeline)) {
        otter_pieces_finish(pieces);
        return OTTER_NO_MEMORY;
    }
    for (uint32_t i = 0; i < timeline->n_lines; i++) {
        if (!otter_indexes_sort(pieces->lines[i].nodes, pieces->lines[i].n, &graph->nodes->start,
                                sizeof *graph->nodes)) {
            otter_pieces_finish(pieces);
            return OTTER_NO_MEMORY;
        }
        assign(pieces, graph, timeline, i);
    }
    if (pieces->work.is_short_of_memory) {
        otter_pieces_finish(pieces);
        return OTTER_NO_MEMORY;
    }
    return OTTER_OK;
}

void otter_pieces_each(const struct otter_pieces *pieces, const struct otter_graph *graph,
                       otter_piece_function *use, void *user)
{
    for (uint32_t i = 0; i < pieces->n_lines; i++) {
        for (uint32_t k = 0; k < pieces->lines[i].n; k++) {
            use(user, pieces->lines[i].nodes[k]);
        }
    }
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        if (graph->nodes[i].kind == OTTER_NODE_DEVICE) {
            use(user, i);
        }
    }
}

void otter_pieces_finish(struct otter_pieces *pieces)
{
    for (uint32_t i = 0; i < pieces->n_lines && pieces->lines; i++) {
        free(pieces->lines[i].nodes);
    }
    free(pieces->lines);
    otter_slim_finish(&pieces->work);
    *pieces = (struct otter_pieces){0};
}
