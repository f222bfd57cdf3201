// Lists the flows that leave and reach each node.
#include "export/slice/flow_lists.h"

#include <stdlib.h>

#include "base/free.h"

typedef void flow_function(struct otter_flow_lists *lists, const struct otter_flow *flow,
                           uint32_t e);

static void each_flow(struct otter_flow_lists *lists, const struct otter_flows *flows,
                      flow_function *use)
{
    const struct otter_graph *graph = flows->view->analysis.graph;
    struct otter_flow flow;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        for (uint32_t e = graph->first_edge[i]; e < graph->first_edge[i + 1]; e++) {
            if (otter_flow_of(flows, i, e, &flow)) {
                use(lists, &flow, e);
            }
        }
    }
}

static void count_flow(struct otter_flow_lists *lists, const struct otter_flow *flow, uint32_t e)
{
    (void)e;
    lists->leaving.first[flow->from + 1]++;
    lists->reaching.first[flow->to + 1]++;
}

static void list_flow(struct otter_flow_lists *lists, const struct otter_flow *flow, uint32_t e)
{
    lists->leaving.edges[lists->leaving.first[flow->from]++] = e;
    lists->reaching.edges[lists->reaching.first[flow->to]++] = e;
}

static bool allocate(struct otter_flow_list *list, const struct otter_graph *graph)
{
    list->first = calloc((size_t)graph->n_nodes + 2, sizeof *list->first);
    list->edges = calloc((size_t)graph->n_edges + 1, sizeof *list->edges);
    return list->first && list->edges;
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

enum otter_status otter_flow_lists_init(struct otter_flow_lists *lists,
                                        const struct otter_flows *flows)
{
    const struct otter_graph *graph = flows->view->analysis.graph;
    *lists = (struct otter_flow_lists){0};
    if (!allocate(&lists->leaving, graph) || !allocate(&lists->reaching, graph)) {
        return OTTER_NO_MEMORY;
    }
    each_flow(lists, flows, count_flow);
    add_up(&lists->leaving, graph->n_nodes);
    add_up(&lists->reaching, graph->n_nodes);
    each_flow(lists, flows, list_flow);
    shift(&lists->leaving, graph->n_nodes);
    shift(&lists->reaching, graph->n_nodes);
    return OTTER_OK;
}

void otter_flow_lists_finish(struct otter_flow_lists *lists)
{
    OTTER_FREE(lists->leaving.first, lists->leaving.edges, lists->reaching.first,
               lists->reaching.edges);
    *lists = (struct otter_flow_lists){0};
}
