// A picture for Graphviz. Shapes tell the kinds apart, colours (Okabe and Ito's, which colour-blind people can tell apart)
// do so again.
#include <inttypes.h>
#include <string.h>

#include "graph/export/formats.h"
#include "graph/export/rows.h"
#include "graph/export/text.h"
#include "graph/node.h"
#include "trace/schema.h"

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
    STYLE_KOKKOS_WHOLE,
    STYLE_BARRIER,
    STYLE_SYNC,
    STYLE_OPERATION,
    STYLE_DEVICE,
    N_STYLES
};

static const struct {
    const char *name; // in the legend, by its colour; NULL: together with the one before
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
    [STYLE_KOKKOS] = {"Kokkos: begin and end, or whole", "house", "#f8d5bf", "#d55e00", "#000000"},
    [STYLE_KOKKOS_END] = {NULL, "invhouse", "#f8d5bf", "#d55e00", "#000000"},
    [STYLE_KOKKOS_WHOLE] = {NULL, "box3d margin=\"0.14,0.08\"", "#f8d5bf", "#d55e00", "#000000"},
    [STYLE_BARRIER] = {"barrier", "box", "#404040", "#404040", "#ffffff"},
    [STYLE_SYNC] = {"taskwait and other waits", "octagon", "#fbf6b5", "#8a8200", "#000000"},
    [STYLE_OPERATION] = {"operation on a device's data", "cds", "#f4dcea", "#cc79a7", "#000000"},
    [STYLE_DEVICE] = {"on a device", "component", "#cc79a7", "#8a4a6e", "#ffffff"},
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
    [OTTER_EDGE_UNDEFERRED] = {"╌╌▷", "#0072b2", "dashed", " arrowhead=empty"},
    [OTTER_EDGE_DOACROSS] = {"┅┅▶", "#cc79a7", "dashed", " penwidth=2"},
    [OTTER_EDGE_FULFIL] = {"┈┈◆", "#cc79a7", "dotted", " penwidth=2 arrowhead=diamond"},
};

static const struct otter_graph_task *task_of(const struct otter_graph *graph,
                                              const struct otter_node *node)
{
    return node->task < graph->n_tasks ? &graph->tasks[node->task] : NULL;
}

static enum style task_style(const struct otter_graph_task *task)
{
    enum otter_task_kind kind = task ? (enum otter_task_kind)task->kind : OTTER_TASK_KIND_UNKNOWN;
    switch (kind) {
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
    if (otter_construct_is_labelled(construct)) {
        return STYLE_KOKKOS;
    }
    bool is_team = construct == OTTER_CONSTRUCT_PARALLEL || construct == OTTER_CONSTRUCT_TEAMS;
    return is_team ? STYLE_PARALLEL : STYLE_SCOPE;
}

static enum style style_of(const struct otter_graph *graph, uint32_t i)
{
    const struct otter_node *node = &graph->nodes[i];
    enum otter_construct construct = otter_node_construct(graph, i);
    switch ((enum otter_node_kind)node->kind) {
    case OTTER_NODE_TASK:
    case OTTER_NODE_FRAGMENT: return task_style(task_of(graph, node));
    case OTTER_NODE_BEGIN: return scope_style(construct);
    case OTTER_NODE_END: return (enum style)(scope_style(construct) + 1);
    case OTTER_NODE_SYNC: return otter_node_is_barrier(graph, i) ? STYLE_BARRIER : STYLE_SYNC;
    case OTTER_NODE_SOURCE:
    case OTTER_NODE_SINK:
    case OTTER_NODE_FULFIL: return STYLE_SYNC;
    case OTTER_NODE_OPERATION: return STYLE_OPERATION;
    case OTTER_NODE_DEVICE: return STYLE_DEVICE;
    case OTTER_NODE_UNKNOWN:
    case OTTER_N_NODE_KINDS: break;
    }
    return STYLE_OTHER;
}

// Of a node or a group.
static enum style node_style(const struct otter_export *what, uint32_t id)
{
    if (!what->groups) {
        return style_of(what->graph, id);
    }
    const struct otter_group *group = &what->groups->groups[id];
    return group->is_whole ? STYLE_KOKKOS_WHOLE : style_of(what->graph, group->first_node);
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
    const char *place = otter_label_place(label);
    otter_put(out, *place ? " " : "");
    otter_put_dot(out, place, limit);
}

static void put_number(FILE *out, const char *before, uint64_t number)
{
    otter_put(out, before);
    otter_put_number(out, (int64_t)number);
}

// A begin has nothing to tell that its end does not; others are points in time.
static bool has_duration(const struct otter_node *node)
{
    switch ((enum otter_node_kind)node->kind) {
    case OTTER_NODE_BEGIN:
    case OTTER_NODE_SOURCE:
    case OTTER_NODE_SINK:
    case OTTER_NODE_FULFIL: return false;
    default: return !(node->flags & OTTER_NODE_IMPLIED);
    }
}

// "parallel_for", since the legend says that it is one of Kokkos. Returns what separates it from the next word.
static const char *put_labelled(FILE *out, const struct otter_export *what,
                                const struct otter_node *node)
{
    static const char kokkos[] = "Kokkos ";
    const char *labelled = otter_node_labelled(what->graph, node);
    if (*labelled) {
        otter_put(out, "\\n");
        otter_put(out,
                  labelled + (strncmp(labelled, kokkos, strlen(kokkos)) == 0 ? strlen(kokkos) : 0));
        return " · ";
    }
    return "\\n";
}

// The second line of a group: how many, and how long together.
static void put_group_details(FILE *out, const struct otter_export *what,
                              const struct otter_group *group)
{
    const struct otter_node *node = &what->graph->nodes[group->first_node];
    otter_put(out, put_labelled(out, what, node));
    put_number(out, "×", group->n_nodes);
    if (group->is_whole || has_duration(node)) {
        otter_put(out, " · ");
        otter_put_duration(out, otter_nanoseconds(what->graph, group->total));
    }
}

// The lines below a node's name: which and how long; what is special.
static void put_node_details(FILE *out, const struct otter_export *what,
                             const struct otter_node *node)
{
    const struct otter_graph *graph = what->graph;
    const struct otter_graph_task *task = task_of(graph, node);
    bool has_body = node->kind == OTTER_NODE_TASK || node->kind == OTTER_NODE_FRAGMENT;
    char id[24], flags[64];
    if (has_body && task) {
        otter_put(out, "\\n");
        if (*otter_task_id_text(task, id, sizeof id)) {
            otter_put(out, id);
        } else {
            put_number(out, "thread ", node->location);
        }
    }
    const char *separator = put_labelled(out, what, node);
    if (has_duration(node)) {
        otter_put(out, has_body && task ? " · " : separator);
        otter_put_duration(out, otter_nanoseconds(graph, otter_node_duration(graph, node)));
    }
    if (node->flags) {
        otter_put(out, "\\n");
        otter_put(out, otter_flags_text(node->flags, flags, sizeof flags));
    }
}

static void write_node(FILE *out, const struct otter_export *what, uint32_t id)
{
    const struct otter_group *group = what->groups ? &what->groups->groups[id] : NULL;
    uint32_t example = group ? group->first_node : id;
    const struct otter_node *node = &what->graph->nodes[example];
    enum style style = node_style(what, id);
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

// ---- frames around what lies in a label

// Not around a begin and an end with nothing between.
static bool has_frame(const struct otter_group_place *place)
{
    return place->begin != OTTER_NONE && (place->first_child != OTTER_NONE || place->n_groups > 2);
}

static void begin_place(FILE *out, const struct otter_export *what, uint32_t i)
{
    const struct otter_groups *groups = what->groups;
    const struct otter_group_place *place = &groups->places[i];
    if (has_frame(place)) {
        put_number(out, "  subgraph cluster", i);
        otter_put(out, " { label=\"\" style=\"rounded,filled\" color=\"#d55e00\" "
                       "fillcolor=\"#d55e0012\" tooltip=\"");
        put_name(out, what, &what->graph->nodes[groups->groups[place->begin].first_node], NO_LIMIT);
        otter_put(out, "\"\n");
    }
    for (uint32_t group = place->first_group; group != OTTER_NONE;
         group = groups->groups[group].next) {
        write_node(out, what, group);
    }
}

// Frame in frame, without recursion: labels may be nested deeply, and the stack may be small.
static void write_places(FILE *out, const struct otter_export *what)
{
    const struct otter_group_place *places = what->groups->places;
    uint32_t i = 0;
    begin_place(out, what, i);
    while (i != OTTER_NONE) {
        if (places[i].first_child != OTTER_NONE) {
            i = places[i].first_child;
            begin_place(out, what, i);
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
            begin_place(out, what, i);
        }
    }
}

// ---- edges

// What repeats leads back to what came first, which stays above.
static void write_edge(FILE *out, const struct otter_export *what,
                       const struct otter_group_edge *edge, uint32_t i)
{
    put_number(out, "  ", edge->from);
    put_number(out, " -> ", edge->to);
    fprintf(out, " [color=\"%s\" style=%s%s", edge_styles[edge->kind].color,
            edge_styles[edge->kind].style, edge_styles[edge->kind].more);
    if (what->groups && edge->n_edges > 1) {
        put_number(out, " label=\" ×", edge->n_edges);
        otter_put(out, "\"");
    }
    otter_put(out, what->groups && edge->is_back ? " constraint=false" : "");
    otter_put(out, "]\n");
}

// ---- the title, and below it the legend

// Entries of a legend, a few in a row.
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

static void mark_styles(const struct otter_export *what, bool *is_used)
{
    for (uint32_t i = 0; i < otter_export_n_nodes(what); i++) {
        enum style style = node_style(what, i);
        for (; !styles[style].name; style--) {
        }
        is_used[style] = true;
    }
}

static void write_style_legend(FILE *out, const struct otter_export *what)
{
    bool is_used[N_STYLES] = {false};
    struct legend legend = {.out = out};
    mark_styles(what, is_used);
    for (size_t i = 0; i < N_STYLES; i++) {
        if (is_used[i] && styles[i].name) {
            begin_entry(&legend);
            fprintf(out,
                    "<td border=\"1\" bgcolor=\"%s\" color=\"%s\" width=\"20\"> </td>"
                    "<td align=\"left\">%s&#160;&#160;</td>",
                    styles[i].fill, styles[i].line, styles[i].name);
        }
    }
    otter_put(out, legend.n ? "</tr>\n" : "");
}

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

static void write_edge_legend(FILE *out, const struct otter_export *what)
{
    bool is_used[UINT8_MAX + 1] = {false};
    struct legend legend = {.out = out};
    mark_edge_kinds(what, is_used);
    for (size_t i = 0; i < OTTER_N_EDGE_KINDS; i++) {
        if (is_used[i]) {
            begin_entry(&legend);
            fprintf(out,
                    "<td><font color=\"%s\">%s</font></td><td align=\"left\">%s&#160;&#160;</td>",
                    edge_styles[i].color, edge_styles[i].legend,
                    otter_edge_kind_name((enum otter_edge_kind)i));
        }
    }
    otter_put(out, legend.n ? "</tr>\n" : "");
}

// "127 nodes, 172 edges"
static void put_counts(FILE *out, uint32_t n_nodes, uint32_t n_edges)
{
    fprintf(out, "%" PRIu32 " node%s, %" PRIu32 " edge%s", n_nodes, n_nodes == 1 ? "" : "s",
            n_edges, n_edges == 1 ? "" : "s");
}

static void write_title(FILE *out, const struct otter_export *what)
{
    const struct otter_graph *graph = what->graph;
    otter_put(out, "  labelloc=t\n  label=<<table border=\"0\" cellspacing=\"3\" "
                   "cellpadding=\"1\">\n<tr><td colspan=\"6\"><font point-size=\"16\">");
    otter_put_dot_markup(out, what->title ? what->title : "task graph");
    otter_put(out, "</font></td></tr>\n<tr><td colspan=\"6\">");
    otter_put(out, graph->view == OTTER_VIEW_STRUCTURE ? "structure: " : "fragments: ");
    if (what->groups) {
        put_counts(out, what->groups->n_groups, what->groups->n_edges);
        otter_put(out, " for ");
    }
    put_counts(out, graph->n_nodes, graph->n_edges);
    otter_put(out, what->groups ? ", grouped by label" : "");
    otter_put(out, what->has_pauses ? "; times include pauses</td></tr>\n" : "</td></tr>\n");
    write_style_legend(out, what);
    write_edge_legend(out, what);
    otter_put(out, "</table>>\n");
}

void otter_export_dot(FILE *out, const struct otter_export *what)
{
    otter_put(out, "digraph otter {\n");
    otter_put(out, "  fontname=\"Helvetica,Arial,sans-serif\" fontsize=11\n"
                   "  node [style=filled fontname=\"Helvetica,Arial,sans-serif\" fontsize=10 "
                   "margin=\"0.11,0.055\" height=0.3]\n"
                   "  edge [fontname=\"Helvetica,Arial,sans-serif\" fontsize=9 arrowsize=0.7]\n");
    write_title(out, what);
    if (what->groups) {
        write_places(out, what);
    }
    for (uint32_t i = 0; !what->groups && i < what->graph->n_nodes; i++) {
        write_node(out, what, i);
    }
    otter_export_each_edge(out, what, write_edge);
    otter_put(out, "}\n");
}
