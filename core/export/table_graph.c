// Computes the rows of the tables of fragments and edges.
#include <stdlib.h>

#include "export/tables.h"

// ---- fragments

static void put_fragment(const struct otter_conversion *conversion,
                         const struct otter_field_sink *sink, uint32_t index, bool is_on_span)
{
    const struct otter_view *view = conversion->view;
    const struct otter_analysis *analysis = &view->analysis;
    const struct otter_node *node = &analysis->graph->nodes[index];
    char label[OTTER_LABEL_SIZE];
    uint64_t work =
        otter_node_is_piece(node) || node->kind == OTTER_NODE_DEVICE
            ? otter_node_work(analysis->graph, &analysis->pieces, &analysis->costs, index)
            : 0;
    struct otter_field fields[] = {
        otter_field_number(index),
        otter_field_text(otter_node_kind_name((enum otter_node_kind)node->kind)),
        otter_field_index(node->task),
        otter_field_text(otter_report_label(&conversion->report, node->region, label)),
        otter_field_text(view->definitions->locations[node->location].name),
        otter_field_moment(view, analysis->ready.times[index]),
        otter_field_moment(view, node->start),
        otter_field_moment(view, node->end),
        otter_field_time(view, work),
        otter_field_time(view, is_on_span ? work : 0),
    };
    sink->put(sink->user, fields);
}

void otter_table_fragments(const struct otter_conversion *conversion,
                           const struct otter_field_sink *sink)
{
    const struct otter_analysis *analysis = &conversion->view->analysis;
    const struct otter_graph *graph = analysis->graph;
    bool *is_on_span = calloc((size_t)graph->n_nodes + 1, sizeof *is_on_span);
    for (uint32_t i = 0; i < analysis->span.n_path; i++) {
        is_on_span[analysis->span.path[i]] = true;
    }
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        put_fragment(conversion, sink, i, is_on_span[i]);
    }
    free(is_on_span);
}

// ---- edges

static void put_edge(const struct otter_conversion *conversion, const struct otter_field_sink *sink,
                     uint32_t from, uint32_t e)
{
    const struct otter_view *view = conversion->view;
    const struct otter_graph *graph = view->analysis.graph;
    const struct otter_node *source = &graph->nodes[from];
    const struct otter_node *target = &graph->nodes[graph->edge_to[e]];
    enum otter_edge_kind kind = (enum otter_edge_kind)graph->edge_kind[e];
    char from_label[OTTER_LABEL_SIZE], to_label[OTTER_LABEL_SIZE];
    struct otter_field fields[] = {
        otter_field_number(from),
        otter_field_number(graph->edge_to[e]),
        otter_field_text(otter_edge_kind_name(kind)),
        otter_field_text(otter_report_label(&conversion->report, source->region, from_label)),
        otter_field_text(otter_report_label(&conversion->report, target->region, to_label)),
        otter_field_moment(view, otter_edge_leaves(source, kind)),
        otter_field_moment(view, otter_edge_arrives(target)),
    };
    sink->put(sink->user, fields);
}

void otter_table_edges(const struct otter_conversion *conversion,
                       const struct otter_field_sink *sink)
{
    const struct otter_graph *graph = conversion->view->analysis.graph;
    for (uint32_t from = 0; from < graph->n_nodes; from++) {
        for (uint32_t e = graph->first_edge[from]; e < graph->first_edge[from + 1]; e++) {
            put_edge(conversion, sink, from, e);
        }
    }
}
