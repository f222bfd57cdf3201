// A picture for Graphviz. Shapes tell the kinds apart, colours (Okabe and Ito's, which colour-blind people can tell apart)
// do so again.
#include <inttypes.h>

#include "graph/export_formats.h"
#include "graph/export_rows.h"
#include "graph/export_text.h"

enum { LABEL_LIMIT = 48, NO_LIMIT = 1 << 20 };

enum style {
    STYLE_OTHER = 0,
    STYLE_SERIAL_TASK, // initial and implicit
    STYLE_TASK,
    STYLE_TARGET_TASK,
    STYLE_PARALLEL,
    STYLE_PARALLEL_END,
    STYLE_SCOPE,
    STYLE_SCOPE_END,
    STYLE_KOKKOS,
    STYLE_KOKKOS_END,
    STYLE_BARRIER,
    STYLE_SYNC,
    N_STYLES
};

static const struct {
    const char *name; // in the legend; NULL: together with the one before
    const char *shape, *fill, *line, *font;
} styles[N_STYLES] = {
    [STYLE_OTHER] = {"unknown", "box", "#ffffff", "#666666", "#000000"},
    [STYLE_SERIAL_TASK] = {"initial or implicit task", "box", "#e8e8e8", "#666666", "#000000"},
    [STYLE_TASK] = {"task", "ellipse", "#cfe6f5", "#0072b2", "#000000"},
    [STYLE_TARGET_TASK] = {"target task", "hexagon", "#f4dcea", "#cc79a7", "#000000"},
    [STYLE_PARALLEL] = {"parallel, teams: begin and end", "house", "#fbe3b0", "#e69f00", "#000000"},
    [STYLE_PARALLEL_END] = {NULL, "invhouse", "#fbe3b0", "#e69f00", "#000000"},
    [STYLE_SCOPE] = {"other construct: begin and end", "house", "#cdeee2", "#009e73", "#000000"},
    [STYLE_SCOPE_END] = {NULL, "invhouse", "#cdeee2", "#009e73", "#000000"},
    [STYLE_KOKKOS] = {"Kokkos: begin and end", "house", "#f8d5bf", "#d55e00", "#000000"},
    [STYLE_KOKKOS_END] = {NULL, "invhouse", "#f8d5bf", "#d55e00", "#000000"},
    [STYLE_BARRIER] = {"barrier", "box", "#404040", "#404040", "#ffffff"},
    [STYLE_SYNC] = {"taskwait and other waits", "octagon", "#fbf6b5", "#8a8200", "#000000"},
};

static const struct {
    const char *legend, *color, *style, *more;
} edge_styles[OTTER_N_EDGE_KINDS] = {
    [OTTER_EDGE_UNKNOWN] = {"──▷", "#666666", "solid", ""},
    [OTTER_EDGE_CREATION] = {"──▶", "#0072b2", "solid", ""},
    [OTTER_EDGE_ORDER] = {"──▶", "#666666", "solid", " weight=4"},
    [OTTER_EDGE_NESTING] = {"┈┈▶", "#009e73", "dotted", ""},
    [OTTER_EDGE_JOIN] = {"╌╌▷", "#666666", "dashed", " arrowhead=empty"},
    [OTTER_EDGE_DEPENDENCE] = {"━━▶", "#d55e00", "solid", " penwidth=2"},
    [OTTER_EDGE_RETURN] = {"╌╌▷", "#0072b2", "dashed", " arrowhead=empty"},
    [OTTER_EDGE_DOACROSS] = {"┅┅▶", "#cc79a7", "dashed", " penwidth=2"},
    [OTTER_EDGE_FULFIL] = {"┈┈◆", "#cc79a7", "dotted", " penwidth=2 arrowhead=diamond"},
};

static const struct otter_graph_task *task_of(const struct otter_graph *graph,
                                              const struct otter_node *node)
{
    return node->task < graph->n_tasks ? &graph->tasks[node->task] : NULL;
}

static enum otter_construct construct_of(const struct otter_graph *graph,
                                         const struct otter_node *node)
{
    return node->region < graph->definitions->n_regions
               ? graph->definitions->regions[node->region].construct
               : OTTER_CONSTRUCT_UNKNOWN;
}

static enum style task_style(const struct otter_graph_task *task)
{
    switch (task ? (enum otter_task_kind)task->kind : OTTER_TASK_KIND_UNKNOWN) {
    case OTTER_TASK_KIND_INITIAL:
    case OTTER_TASK_KIND_IMPLICIT: return STYLE_SERIAL_TASK;
    case OTTER_TASK_KIND_EXPLICIT: return STYLE_TASK;
    case OTTER_TASK_KIND_TARGET: return STYLE_TARGET_TASK;
    case OTTER_TASK_KIND_UNKNOWN:
    case OTTER_N_TASK_KINDS: break;
    }
    return STYLE_OTHER;
}

// Of its begin; that of its end is the next one.
static enum style scope_style(enum otter_construct construct)
{
    if (construct >= OTTER_CONSTRUCT_KOKKOS_FOR && construct <= OTTER_CONSTRUCT_KOKKOS_REGION) {
        return STYLE_KOKKOS;
    }
    bool is_team = construct == OTTER_CONSTRUCT_PARALLEL || construct == OTTER_CONSTRUCT_TEAMS;
    return is_team ? STYLE_PARALLEL : STYLE_SCOPE;
}

static enum style style_of(const struct otter_graph *graph, const struct otter_node *node)
{
    enum otter_construct construct = construct_of(graph, node);
    switch ((enum otter_node_kind)node->kind) {
    case OTTER_NODE_TASK:
    case OTTER_NODE_FRAGMENT: return task_style(task_of(graph, node));
    case OTTER_NODE_BEGIN: return scope_style(construct);
    case OTTER_NODE_END: return (enum style)(scope_style(construct) + 1);
    case OTTER_NODE_SYNC: {
        bool is_barrier = construct >= OTTER_CONSTRUCT_BARRIER &&
                          construct <= OTTER_CONSTRUCT_BARRIER_IMPLEMENTATION;
        return is_barrier ? STYLE_BARRIER : STYLE_SYNC;
    }
    case OTTER_NODE_SOURCE:
    case OTTER_NODE_SINK:
    case OTTER_NODE_FULFIL: return STYLE_SYNC;
    case OTTER_NODE_UNKNOWN:
    case OTTER_N_NODE_KINDS: break;
    }
    return STYLE_OTHER;
}

// ---- nodes

// "task fib.c:12". The region of an implicit task is its parallel construct, which says what created it, not what it is.
static void put_name(FILE *out, const struct otter_export *what, const struct otter_node *node,
                     size_t limit)
{
    const struct otter_label *label = otter_label_of(what->labels, node->region);
    const struct otter_graph_task *task = task_of(what->graph, node);
    bool has_body = node->kind == OTTER_NODE_TASK || node->kind == OTTER_NODE_FRAGMENT;
    bool is_implicit =
        task && (task->kind == OTTER_TASK_KIND_IMPLICIT || task->kind == OTTER_TASK_KIND_INITIAL);
    if (has_body && is_implicit) {
        otter_put(out, otter_task_kind_name((enum otter_task_kind)task->kind));
        otter_put(out, " task");
    } else {
        otter_put(out, node->kind == OTTER_NODE_END ? "end " : "");
        otter_put_dot(out, otter_node_what(what, node), limit);
    }
    otter_put(out, *label->where ? " " : "");
    otter_put_dot(out, label->where, limit);
}

static void put_number(FILE *out, const char *before, uint64_t number)
{
    otter_put(out, before);
    otter_put_number(out, (int64_t)number);
}

// The second line of a group: how many, and how long together.
static void put_group_details(FILE *out, const struct otter_export *what,
                              const struct otter_group *group)
{
    put_number(out, "\\n×", group->n_nodes);
    if (what->graph->nodes[group->first_node].kind != OTTER_NODE_BEGIN) {
        otter_put(out, " · ");
        otter_put_duration(out, otter_nanoseconds(what->graph, group->total));
    }
}

// The second line of a node: which, how long, and what is special. A begin has nothing to tell that its end does not.
static void put_node_details(FILE *out, const struct otter_export *what,
                             const struct otter_node *node)
{
    const struct otter_graph *graph = what->graph;
    const struct otter_graph_task *task = task_of(graph, node);
    bool has_body = node->kind == OTTER_NODE_TASK || node->kind == OTTER_NODE_FRAGMENT;
    char id[24] = "", flags[64];
    otter_put(out, "\\n");
    if (has_body && task) {
        otter_put(out, otter_task_id_text(task, id, sizeof id));
        if (*id == '\0') {
            put_number(out, "thread ", node->location);
        }
        otter_put(out, " · ");
    }
    if (node->kind != OTTER_NODE_BEGIN) {
        otter_put_duration(out, otter_nanoseconds(graph, otter_node_duration(graph, node)));
    }
    if (node->flags) {
        otter_put(out, "\\n");
        otter_put_dot(out, otter_flags_text(node->flags, flags, sizeof flags), NO_LIMIT);
    }
}

static void write_node(FILE *out, const struct otter_export *what, uint32_t id)
{
    const struct otter_group *group = what->groups ? &what->groups->groups[id] : NULL;
    const struct otter_node *node = &what->graph->nodes[group ? group->first_node : id];
    enum style style = style_of(what->graph, node);
    bool is_special =
        !group &&
        (node->flags & (OTTER_NODE_NEVER_RAN | OTTER_NODE_UNFINISHED | OTTER_NODE_IMPLIED));
    put_number(out, "  ", id);
    otter_put(out, " [label=\"");
    put_name(out, what, node, LABEL_LIMIT);
    if (group) {
        put_group_details(out, what, group);
    } else {
        put_node_details(out, what, node);
    }
    fprintf(out, "\" shape=%s fillcolor=\"%s\" color=\"%s\" fontcolor=\"%s\"%s",
            styles[style].shape, styles[style].fill, styles[style].line, styles[style].font,
            is_special ? " style=\"filled,dashed\"" : "");
    put_number(out, " tooltip=\"", id);
    otter_put(out, ": ");
    put_name(out, what, node, NO_LIMIT);
    otter_put(out, "\"]\n");
}

// ---- edges

static void write_edge(FILE *out, const struct otter_export *what,
                       const struct otter_group_edge *edge, uint32_t i)
{
    put_number(out, "  ", edge->from);
    put_number(out, " -> ", edge->to);
    fprintf(out, " [color=\"%s\" style=%s%s", edge_styles[edge->kind].color,
            edge_styles[edge->kind].style, edge_styles[edge->kind].more);
    if (what->groups) {
        put_number(out, " label=\"×", edge->n_edges);
        otter_put(out, "\"");
    }
    otter_put(out, "]\n");
}

// ---- the legend

static void mark_edge_kinds(const struct otter_export *what, bool *is_used)
{
    if (what->groups) {
        for (uint32_t i = 0; i < what->groups->n_edges; i++) {
            is_used[what->groups->edges[i].kind] = true;
        }
        return;
    }
    for (uint32_t i = 0; i < what->graph->n_edges; i++) {
        is_used[what->graph->edge_kind[i]] = true;
    }
}

static void write_legend(FILE *out, const struct otter_export *what)
{
    bool is_style_used[N_STYLES] = {false}, is_edge_used[UINT8_MAX + 1] = {false};
    for (uint32_t i = 0; i < what->graph->n_nodes; i++) {
        is_style_used[style_of(what->graph, &what->graph->nodes[i])] = true;
    }
    mark_edge_kinds(what, is_edge_used);
    otter_put(out, "  legend [shape=plain style=\"\" label=<<table border=\"0\" cellspacing=\"3\" "
                   "cellpadding=\"1\">\n");
    for (size_t i = 0; i < N_STYLES; i++) {
        if (is_style_used[i] && styles[i].name) {
            fprintf(out,
                    "    <tr><td border=\"1\" bgcolor=\"%s\" color=\"%s\" width=\"22\"> </td>"
                    "<td align=\"left\">%s</td></tr>\n",
                    styles[i].fill, styles[i].line, styles[i].name);
        }
    }
    for (size_t i = 0; i < OTTER_N_EDGE_KINDS; i++) {
        if (is_edge_used[i]) {
            fprintf(
                out,
                "    <tr><td><font color=\"%s\">%s</font></td><td align=\"left\">%s</td></tr>\n",
                edge_styles[i].color, edge_styles[i].legend,
                otter_edge_kind_name((enum otter_edge_kind)i));
        }
    }
    otter_put(out, "  </table>>]\n");
}

static void write_title(FILE *out, const struct otter_export *what)
{
    const struct otter_graph *graph = what->graph;
    otter_put(out, "  label=\"");
    if (what->title) {
        otter_put_dot(out, what->title, 2 * LABEL_LIMIT);
        otter_put(out, "\\n");
    }
    fprintf(out, "%s of %" PRIu32 " nodes, %" PRIu32 " edges%s\"\n",
            graph->view == OTTER_VIEW_STRUCTURE ? "structure" : "fragments", graph->n_nodes,
            graph->n_edges, what->groups ? ", grouped by label" : "");
}

void otter_export_dot(FILE *out, const struct otter_export *what)
{
    otter_put(out, "digraph otter {\n");
    write_title(out, what);
    otter_put(out, "  labelloc=t\n"
                   "  fontname=\"Helvetica,Arial,sans-serif\"\n"
                   "  node [style=filled fontname=\"Helvetica,Arial,sans-serif\" fontsize=10 "
                   "margin=\"0.08,0.04\" height=0.3]\n"
                   "  edge [fontname=\"Helvetica,Arial,sans-serif\" fontsize=9 arrowsize=0.7]\n");
    for (uint32_t i = 0; i < otter_export_n_nodes(what); i++) {
        write_node(out, what, i);
    }
    otter_export_each_edge(out, what, write_edge);
    write_legend(out, what);
    otter_put(out, "}\n");
}
