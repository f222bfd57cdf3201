// Finds the slices at both ends of each edge, and lists the flows that leave and reach each node.
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

// ---- lists

struct flow {
    uint32_t from, to; // nodes with slices
};

// Returns false if the edge `e` of `node` is not a flow.
static bool find_flow(const struct otter_flows *flows, uint32_t node, uint32_t e, struct flow *flow)
{
    const struct otter_graph *graph = flows->view->analysis.graph;
    *flow = (struct flow){flows->before[node], flows->after[graph->edge_to[e]]};
    return !is_of_chain(graph->edge_kind[e]) && flow->from != OTTER_NONE &&
           flow->to != OTTER_NONE && flow->from != flow->to &&
           flows->nodes[flow->from].end <= flows->nodes[flow->to].begin;
}

typedef void flow_function(struct otter_flows *flows, struct flow flow, uint32_t e);

static void each_flow(struct otter_flows *flows, flow_function *use)
{
    const struct otter_graph *graph = flows->view->analysis.graph;
    struct flow flow;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        for (uint32_t e = graph->first_edge[i]; e < graph->first_edge[i + 1]; e++) {
            if (find_flow(flows, i, e, &flow)) {
                use(flows, flow, e);
            }
        }
    }
}

static void count_flow(struct otter_flows *flows, struct flow flow, uint32_t e)
{
    flows->leaving.first[flow.from + 1]++;
    flows->reaching.first[flow.to + 1]++;
}

static void list_flow(struct otter_flows *flows, struct flow flow, uint32_t e)
{
    flows->leaving.edges[flows->leaving.first[flow.from]++] = e;
    flows->reaching.edges[flows->reaching.first[flow.to]++] = e;
}

static void allocate(struct otter_flow_list *list, const struct otter_graph *graph)
{
    list->first = calloc((size_t)graph->n_nodes + 2, sizeof *list->first);
    list->edges = calloc((size_t)graph->n_edges + 1, sizeof *list->edges);
}

// Turns counts into end positions.
static void add_up(struct otter_flow_list *list, uint32_t n_nodes)
{
    for (uint32_t i = 0; i < n_nodes; i++) {
        list->first[i + 1] += list->first[i];
    }
}

// Turns end positions back into start positions.
static void shift(struct otter_flow_list *list, uint32_t n_nodes)
{
    for (uint32_t i = n_nodes; i > 0; i--) {
        list->first[i] = list->first[i - 1];
    }
    list->first[0] = 0;
}

static void list_flows(struct otter_flows *flows)
{
    const struct otter_graph *graph = flows->view->analysis.graph;
    allocate(&flows->leaving, graph);
    allocate(&flows->reaching, graph);
    each_flow(flows, count_flow);
    add_up(&flows->leaving, graph->n_nodes);
    add_up(&flows->reaching, graph->n_nodes);
    each_flow(flows, list_flow);
    shift(&flows->leaving, graph->n_nodes);
    shift(&flows->reaching, graph->n_nodes);
}

void otter_flows_init(struct otter_flows *flows, const struct otter_view *view)
{
    uint32_t n = view->analysis.graph->n_nodes;
    *flows = (struct otter_flows){.view = view,
                                  .nodes = calloc(n + 1, sizeof *flows->nodes),
                                  .before = otter_numbers_create(n),
                                  .after = otter_numbers_create(n)};
    otter_stacks_each(view, &(struct otter_stack_sink){.open = note_slice, .user = flows});
    find_neighbours(flows);
    list_flows(flows);
}

void otter_flows_finish(struct otter_flows *flows)
{
    OTTER_FREE(flows->nodes, flows->before, flows->after, flows->leaving.first,
               flows->leaving.edges, flows->reaching.first, flows->reaching.edges);
    *flows = (struct otter_flows){0};
}
