// Builds a graph node by node and edge by edge.
#include "small_graph.h"

#include <assert.h>
#include <stdlib.h>

enum { MAX_REGIONS = 32 };

void small_graph_init(struct small_graph *small, uint32_t n_nodes, uint32_t n_tasks)
{
    *small = (struct small_graph){.now = 1000};
    small->location = (struct otter_location){.name = "Initial thread 0"};
    small->regions = calloc(MAX_REGIONS, sizeof *small->regions);
    small->edges = calloc((size_t)3 * n_nodes + 1, sizeof *small->edges);
    small->graph.nodes = calloc(n_nodes + 1, sizeof *small->graph.nodes);
    small->graph.tasks = calloc(n_tasks + 1, sizeof *small->graph.tasks);
    small->graph.first_edge = calloc(n_nodes + 2, sizeof *small->graph.first_edge);
    small->definitions = (struct otter_definitions){
        .clock = {.resolution = 1000000000, .offset = 1000, .length = 1000000},
        .locations = &small->location,
        .n_locations = 1,
        .regions = small->regions,
    };
    small->graph.definitions = &small->definitions;
}

void small_graph_finish(struct small_graph *small)
{
    free(small->regions);
    free(small->edges);
    free(small->graph.nodes);
    free(small->graph.tasks);
    free(small->graph.first_edge);
    free(small->graph.edge_to);
    free(small->graph.edge_kind);
    free(small->graph.teams);
    free(small->graph.members);
}

uint32_t small_graph_region(struct small_graph *small, enum otter_construct construct,
                            const char *name, const char *canonical_name)
{
    assert(small->definitions.n_regions < MAX_REGIONS);
    small->regions[small->definitions.n_regions] = (struct otter_region){
        .name = name,
        .canonical_name = canonical_name,
        .description = "",
        .construct = construct,
        .file = "",
    };
    return (uint32_t)small->definitions.n_regions++;
}

uint32_t small_graph_task(struct small_graph *small, enum otter_task_kind kind, uint32_t creator,
                          uint32_t number)
{
    small->graph.tasks[small->graph.n_tasks] = (struct otter_graph_task){
        .first_node = OTTER_NONE,
        .last_node = OTTER_NONE,
        .creator = creator,
        .number = number,
        .kind = (uint8_t)kind,
    };
    return small->graph.n_tasks++;
}

uint32_t small_graph_node(struct small_graph *small, enum otter_node_kind kind, uint32_t task,
                          uint32_t region)
{
    uint32_t node = small->graph.n_nodes++;
    small->graph.nodes[node] = (struct otter_node){
        .start = small->now,
        .end = small->now + 1000,
        .task = task,
        .scope = OTTER_NONE,
        .region = region,
        .kind = (uint8_t)kind,
    };
    small->now += 1000;
    struct otter_graph_task *of = &small->graph.tasks[task];
    of->first_node = of->first_node == OTTER_NONE ? node : of->first_node;
    of->last_node = node;
    return node;
}

void small_graph_edge(struct small_graph *small, uint32_t from, uint32_t to,
                      enum otter_edge_kind kind)
{
    small->edges[small->n_edges].from = from;
    small->edges[small->n_edges].to = to;
    small->edges[small->n_edges++].kind = (uint8_t)kind;
}

void small_graph_seal(struct small_graph *small)
{
    struct otter_graph *graph = &small->graph;
    graph->n_edges = small->n_edges;
    graph->edge_to = calloc(small->n_edges + 1, sizeof *graph->edge_to);
    graph->edge_kind = calloc(small->n_edges + 1, sizeof *graph->edge_kind);
    // first_edge[i + 1] first counts the edges of node i. Then it is the index of the node's next
    // edge, and finally the start of node i + 1.
    for (uint32_t e = 0; e < small->n_edges; e++) {
        graph->first_edge[small->edges[e].from + 2]++;
    }
    for (uint32_t i = 2; i <= graph->n_nodes; i++) {
        graph->first_edge[i] += graph->first_edge[i - 1];
    }
    for (uint32_t e = 0; e < small->n_edges; e++) {
        uint32_t at = graph->first_edge[small->edges[e].from + 1]++;
        graph->edge_to[at] = small->edges[e].to;
        graph->edge_kind[at] = small->edges[e].kind;
    }
}
