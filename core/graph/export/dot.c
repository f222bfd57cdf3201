// Writes a picture for Graphviz.
#include <inttypes.h>
#include <string.h>

#include "graph/export/formats.h"
#include "graph/export/rows.h"
#include "graph/export/style.h"
#include "graph/export/text.h"
#include "graph/node.h"

enum { LABEL_LIMIT = 48, NO_LIMIT = 1 << 20 };

// ---- nodes

static const struct otter_graph_task *task_of(const struct otter_graph *graph,
                                              const struct otter_node *node)
{
    return node->task < graph->n_tasks ? &graph->tasks[node->task] : NULL;
}

// Writes "task fib.c:12". The region of an implicit task is the parallel construct, so its name is
// made from its kind instead.
static void put_name(FILE *out, const struct otter_export *export, const struct otter_node *node,
                     size_t limit)
{
    const struct otter_label *label = otter_label_of(export->labels, node->region);
    const struct otter_graph_task *task = task_of(export->graph, node);
    bool is_implicit =
        task && (task->kind == OTTER_TASK_KIND_IMPLICIT || task->kind == OTTER_TASK_KIND_INITIAL);
    if (otter_node_has_body(node) && is_implicit) {
        otter_put(out, otter_task_kind_name((enum otter_task_kind)task->kind));
        otter_put(out, " task");
    } else {
        otter_put(out, node->kind == OTTER_NODE_END ? "end " : "");
        otter_put_dot(out, otter_node_what(export, node), limit);
    }
    const char *place = otter_label_place(label);
    otter_put(out, *place ? " " : "");
    otter_put_dot(out, place, limit);
}

static void put_number(FILE *out, const char *before, uint64_t number)
{
    otter_put(out, before);
    otter_put_number(out, (int64_t)number);
}

// Returns whether to write a duration. A point in time has none. The start of a scope has none
// either, because the end shows the duration of the scope.
static bool has_duration(const struct otter_node *node)
{
    switch ((enum otter_node_kind)node->kind) {
    case OTTER_NODE_BEGIN:
    case OTTER_NODE_SOURCE:
    case OTTER_NODE_SINK:
    case OTTER_NODE_FULFIL: return false;
    default: return !(node->flags & OTTER_NODE_IMPLIED) && node->location != OTTER_NO_LOCATION;
    }
}

// Writes "parallel_for" without "Kokkos", which the legend says. Returns the separator to the next
// word.
static const char *put_labelled(FILE *out, const struct otter_export *export,
                                const struct otter_node *node)
{
    static const char kokkos[] = "Kokkos ";
    const char *labelled = otter_node_labelled(export->graph, node);
    if (*labelled) {
        otter_put(out, "\\n");
        otter_put(out,
                  labelled + (strncmp(labelled, kokkos, strlen(kokkos)) == 0 ? strlen(kokkos) : 0));
        return " · ";
    }
    return "\\n";
}

// Writes the second line of a group: the number of nodes, and their total time.
static void put_group_details(FILE *out, const struct otter_export *export,
                              const struct otter_group *group)
{
    const struct otter_node *node = &export->graph->nodes[group->first_node];
    otter_put(out, put_labelled(out, export, node));
    put_number(out, "×", group->n_nodes);
    if (group->is_whole || has_duration(node)) {
        otter_put(out, " · ");
        otter_put_duration(out, otter_nanoseconds(export->graph, group->total));
    }
}

// Writes the lines below a node's name: task or thread, duration, flags.
static void put_node_details(FILE *out, const struct otter_export *export,
                             const struct otter_node *node)
{
    const struct otter_graph *graph = export->graph;
    const struct otter_graph_task *task = task_of(graph, node);
    char id[OTTER_GRAPH_ID_SIZE], flags[64];
    if (otter_node_has_body(node) && task) {
        otter_put(out, "\\n");
        if (*otter_task_id_text(graph, task, id)) {
            otter_put(out, id);
        } else {
            put_number(out, "thread ", otter_number_of_location(graph, node->location));
        }
    }
    const char *separator = put_labelled(out, export, node);
    if (has_duration(node)) {
        otter_put(out, otter_node_has_body(node) && task ? " · " : separator);
        otter_put_duration(out, otter_nanoseconds(graph, otter_node_duration(graph, node)));
    }
    if (node->flags) {
        otter_put(out, "\\n");
        otter_put(out, otter_flags_text(node->flags, flags, sizeof flags));
    }
}

static void write_node(FILE *out, const struct otter_export *export, uint32_t id)
{
    const struct otter_group *group = export->groups ? &export->groups->groups[id] : NULL;
    uint32_t example = group ? group->first_node : id;
    const struct otter_node *node = &export->graph->nodes[example];
    enum otter_style style = otter_node_style(export, id);
    bool is_special =
        !group &&
        (node->flags & (OTTER_NODE_NEVER_RAN | OTTER_NODE_UNFINISHED | OTTER_NODE_IMPLIED));
    put_number(out, "  ", id);
    otter_put(out, " [label=\"");
    put_name(out, export, node, LABEL_LIMIT);
    if (group) {
        put_group_details(out, export, group);
    } else {
        put_node_details(out, export, node);
    }
    fprintf(out, "\" shape=%s fillcolor=\"%s\" color=\"%s\" fontcolor=\"%s\"%s",
            otter_styles[style].shape, otter_styles[style].fill, otter_styles[style].line,
            otter_styles[style].font, is_special ? " style=\"filled,dashed\"" : "");
    put_number(out, " tooltip=\"", id);
    otter_put(out, ": ");
    put_name(out, export, node, NO_LIMIT);
    otter_put(out, "\"]\n");
}

// ---- frames around labelled scopes

// Returns whether a place gets a frame. A place that contains only a start and an end gets none.
static bool has_frame(const struct otter_group_place *place)
{
    return place->begin != OTTER_NONE && (place->first_child != OTTER_NONE || place->n_groups > 2);
}

static void begin_place(FILE *out, const struct otter_export *export, uint32_t i)
{
    const struct otter_groups *groups = export->groups;
    const struct otter_group_place *place = &groups->places[i];
    if (has_frame(place)) {
        put_number(out, "  subgraph cluster", i);
        otter_put(out, " { label=\"\" style=\"rounded,filled\" color=\"#d55e00\" "
                       "fillcolor=\"#d55e0012\" tooltip=\"");
        put_name(out, export, &export->graph->nodes[groups->groups[place->begin].first_node],
                 NO_LIMIT);
        otter_put(out, "\"\n");
    }
    for (uint32_t group = place->first_group; group != OTTER_NONE;
         group = groups->groups[group].next) {
        write_node(out, export, group);
    }
}

// Writes nested frames without recursion, since labels may nest deeply and the stack may be small.
static void write_places(FILE *out, const struct otter_export *export)
{
    const struct otter_group_place *places = export->groups->places;
    uint32_t i = 0;
    begin_place(out, export, i);
    while (i != OTTER_NONE) {
        if (places[i].first_child != OTTER_NONE) {
            i = places[i].first_child;
            begin_place(out, export, i);
            continue;
        }
        uint32_t next = OTTER_NONE;
        while (i != OTTER_NONE && next == OTTER_NONE) {
            otter_put(out, has_frame(&places[i]) ? "  }\n" : "");
            next = places[i].next;
            i = places[i].parent;
        }
        if (next != OTTER_NONE) {
            i = next;
            begin_place(out, export, i);
        }
    }
}

// ---- frames around ranks

static uint32_t rank_of(const struct otter_graph *graph, uint32_t node)
{
    return otter_rank_of_location(graph, graph->nodes[node].location);
}

// Returns whether a node is the first of its rank. The nodes of a rank are adjacent.
static bool begins_rank(const struct otter_graph *graph, uint32_t node)
{
    uint32_t rank = rank_of(graph, node);
    return rank != OTTER_NONE && (node == 0 || rank_of(graph, node - 1) != rank);
}

static bool ends_rank(const struct otter_graph *graph, uint32_t node)
{
    uint32_t rank = rank_of(graph, node);
    return rank != OTTER_NONE && (node + 1 == graph->n_nodes || rank_of(graph, node + 1) != rank);
}

static void write_nodes(FILE *out, const struct otter_export *export)
{
    const struct otter_graph *graph = export->graph;
    // All frames share their rows, so that each node is below its predecessors in other ranks.
    otter_put(out, graph->places ? "  newrank=true\n" : "");
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        if (begins_rank(graph, i)) {
            put_number(out, "  subgraph cluster_rank", rank_of(graph, i));
            put_number(out, " { label=\"rank ", rank_of(graph, i));
            otter_put(out, "\" style=\"rounded,filled\" color=\"#999999\" "
                           "fillcolor=\"#f7f7f7\" fontsize=13\n");
        }
        write_node(out, export, i);
        otter_put(out, ends_rank(graph, i) ? "  }\n" : "");
    }
}

static uint32_t count_ranks(const struct otter_graph *graph)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        n += begins_rank(graph, i);
    }
    return n;
}

// ---- edges

// Writes an edge. An edge that closes a cycle does not affect the ranks of its ends.
static void write_edge(FILE *out, const struct otter_export *export,
                       const struct otter_group_edge *edge, uint32_t i)
{
    put_number(out, "  ", edge->from);
    put_number(out, " -> ", edge->to);
    fprintf(out, " [color=\"%s\" style=%s%s", otter_edge_styles[edge->kind].color,
            otter_edge_styles[edge->kind].style, otter_edge_styles[edge->kind].more);
    if (export->groups && edge->n_edges > 1) {
        put_number(out, " label=\" ×", edge->n_edges);
        otter_put(out, "\"");
    }
    otter_put(out, export->groups && edge->is_back ? " constraint=false" : "");
    otter_put(out, "]\n");
}

// ---- the title, and below it the legend

// Writes a legend with a few entries per row.
struct legend {
    FILE *out;
    unsigned n;
};

static void begin_entry(struct legend *legend)
{
    enum { N_IN_A_ROW = 3 };
    otter_put(legend->out, legend->n == 0                ? "<tr>"
                           : legend->n % N_IN_A_ROW == 0 ? "</tr>\n<tr>"
                                                         : "");
    legend->n++;
}

static void mark_styles(const struct otter_export *export, bool *is_used)
{
    for (uint32_t i = 0; i < otter_export_n_nodes(export); i++) {
        enum otter_style style = otter_node_style(export, i);
        for (; !otter_styles[style].name; style--) {
        }
        is_used[style] = true;
    }
}

static void write_style_legend(FILE *out, const struct otter_export *export)
{
    bool is_used[OTTER_N_STYLES] = {false};
    struct legend legend = {.out = out};
    mark_styles(export, is_used);
    for (size_t i = 0; i < OTTER_N_STYLES; i++) {
        if (is_used[i] && otter_styles[i].name) {
            begin_entry(&legend);
            fprintf(out,
                    "<td border=\"1\" bgcolor=\"%s\" color=\"%s\" width=\"20\"> </td>"
                    "<td align=\"left\">%s&#160;&#160;</td>",
                    otter_styles[i].fill, otter_styles[i].line, otter_styles[i].name);
        }
    }
    otter_put(out, legend.n ? "</tr>\n" : "");
}

static void mark_edge_kinds(const struct otter_export *export, bool *is_used)
{
    if (export->groups) {
        for (uint32_t i = 0; i < export->groups->n_edges; i++) {
            is_used[export->groups->edges[i].kind] = true;
        }
        return;
    }
    for (uint32_t i = 0; i < export->graph->n_edges; i++) {
        is_used[export->graph->edge_kind[i]] = true;
    }
}

static void write_edge_legend(FILE *out, const struct otter_export *export)
{
    bool is_used[UINT8_MAX + 1] = {false};
    struct legend legend = {.out = out};
    mark_edge_kinds(export, is_used);
    for (size_t i = 0; i < OTTER_N_EDGE_KINDS; i++) {
        if (is_used[i]) {
            begin_entry(&legend);
            fprintf(out,
                    "<td><font color=\"%s\">%s</font></td><td align=\"left\">%s&#160;&#160;</td>",
                    otter_edge_styles[i].color, otter_edge_styles[i].legend,
                    otter_edge_kind_name((enum otter_edge_kind)i));
        }
    }
    otter_put(out, legend.n ? "</tr>\n" : "");
}

// Writes "127 nodes, 172 edges".
static void put_counts(FILE *out, uint32_t n_nodes, uint32_t n_edges)
{
    fprintf(out, "%" PRIu32 " node%s, %" PRIu32 " edge%s", n_nodes, n_nodes == 1 ? "" : "s",
            n_edges, n_edges == 1 ? "" : "s");
}

static void write_title(FILE *out, const struct otter_export *export)
{
    const struct otter_graph *graph = export->graph;
    otter_put(out, "  labelloc=t\n  label=<<table border=\"0\" cellspacing=\"3\" "
                   "cellpadding=\"1\">\n<tr><td colspan=\"6\"><font point-size=\"16\">");
    otter_put_dot_markup(out, export->title ? export->title : "task graph");
    otter_put(out, "</font></td></tr>\n<tr><td colspan=\"6\">");
    otter_put(out, graph->view == OTTER_VIEW_STRUCTURE ? "structure: " : "fragments: ");
    uint32_t n_ranks = count_ranks(graph);
    if (n_ranks > 0) {
        fprintf(out, "%" PRIu32 " rank%s, ", n_ranks, n_ranks == 1 ? "" : "s");
    }
    if (export->groups) {
        put_counts(out, export->groups->n_groups, export->groups->n_edges);
        otter_put(out, " for ");
    }
    put_counts(out, graph->n_nodes, graph->n_edges);
    otter_put(out, export->groups ? ", grouped by label" : "");
    bool has_waits = graph->view == OTTER_VIEW_STRUCTURE;
    otter_put(out, has_waits || export->has_pauses ? "; times include " : "");
    otter_put(out, has_waits ? "waits" : "");
    otter_put(out, has_waits && export->has_pauses ? " and " : "");
    otter_put(out, export->has_pauses ? "pauses</td></tr>\n" : "</td></tr>\n");
    write_style_legend(out, export);
    write_edge_legend(out, export);
    otter_put(out, "</table>>\n");
}

void otter_export_dot(FILE *out, const struct otter_export *export)
{
    otter_put(out, "digraph otter {\n");
    otter_put(out, "  fontname=\"Helvetica,Arial,sans-serif\" fontsize=11\n"
                   "  node [style=filled fontname=\"Helvetica,Arial,sans-serif\" fontsize=10 "
                   "margin=\"0.11,0.055\" height=0.3]\n"
                   "  edge [fontname=\"Helvetica,Arial,sans-serif\" fontsize=9 arrowsize=0.7]\n");
    write_title(out, export);
    if (export->groups) {
        write_places(out, export);
    } else {
        write_nodes(out, export);
    }
    otter_export_each_edge(out, export, write_edge);
    otter_put(out, "}\n");
}
