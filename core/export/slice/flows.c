// Finds the slices at both ends of each edge.
#include "export/slice/flows.h"

#include <stdlib.h>

#include "base/free.h"
#include "export/slice/stacks.h"
#include "graph/numbers.h"

static void note_slice(void *user, const struct otter_stack_slice *slice)
{
    struct otter_flows *flows = user;
    if (slice->node == OTTER_NONE) {
        return;
    }
    struct otter_flow_node *node = &flows->nodes[slice->node];
    node->begin = node->end == 0 ? slice->begin : node->begin;
    node->last_begin = slice->begin;
    node->end = slice->end;
}

static bool has_slices(const struct otter_flows *flows, uint32_t node)
{
    return flows->nodes[node].end > 0;
}

static bool is_of_chain(enum otter_edge_kind kind)
{
    return kind == OTTER_EDGE_ORDER || kind == OTTER_EDGE_NESTING;
}

// Finds the nearest nodes along chains: `before` in forward order, `after` in backward order.
static void find_neighbours(struct otter_flows *flows)
{
    const struct otter_graph *graph = flows->view->analysis.graph;
    const struct otter_ready *ready = &flows->view->analysis.ready;
    for (uint32_t i = 0; i < ready->n_order; i++) {
        uint32_t from = ready->order[i];
        flows->before[from] = has_slices(flows, from) ? from : flows->before[from];
        for (uint32_t e = graph->first_edge[from]; e < graph->first_edge[from + 1]; e++) {
            uint32_t *before = &flows->before[graph->edge_to[e]];
            if (is_of_chain(graph->edge_kind[e]) && *before == OTTER_NONE) {
                *before = flows->before[from];
            }
        }
    }
    for (uint32_t i = ready->n_order; i-- > 0;) {
        uint32_t from = ready->order[i], after = has_slices(flows, from) ? from : OTTER_NONE;
        for (uint32_t e = graph->first_edge[from]; e < graph->first_edge[from + 1]; e++) {
            if (is_of_chain(graph->edge_kind[e]) && after == OTTER_NONE) {
                after = flows->after[graph->edge_to[e]];
            }
        }
        flows->after[from] = after;
    }
}

enum otter_status otter_flows_init(struct otter_flows *flows, const struct otter_view *view)
{
    uint32_t n = view->analysis.graph->n_nodes;
    *flows = (struct otter_flows){.view = view,
                                  .nodes = calloc(n + 1, sizeof *flows->nodes),
                                  .before = otter_numbers_create(n),
                                  .after = otter_numbers_create(n)};
    if (!flows->nodes || !flows->before || !flows->after) {
        return OTTER_NO_MEMORY;
    }
    otter_stacks_each(view, &(struct otter_stack_sink){.open = note_slice, .user = flows});
    find_neighbours(flows);
    return OTTER_OK;
}

void otter_flows_finish(struct otter_flows *flows)
{
    OTTER_FREE(flows->nodes, flows->before, flows->after);
    *flows = (struct otter_flows){0};
}

bool otter_flow_of(const struct otter_flows *flows, uint32_t node, uint32_t e,
                   struct otter_flow *flow)
{
    const struct otter_graph *graph = flows->view->analysis.graph;
    *flow = (struct otter_flow){.from = flows->before[node],
                                .to = flows->after[graph->edge_to[e]],
                                .kind = (enum otter_edge_kind)graph->edge_kind[e]};
    return !is_of_chain(flow->kind) && flow->from != OTTER_NONE && flow->to != OTTER_NONE &&
           flow->from != flow->to && flows->nodes[flow->from].end <= flows->nodes[flow->to].begin;
}
