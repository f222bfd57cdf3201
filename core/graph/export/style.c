// Styles of nodes and edges. The colours, by Okabe and Ito, can be distinguished by colour-blind
// people.
#include "graph/export/style.h"

#include "graph/node.h"
#include "trace/schema.h"

const struct otter_node_style otter_styles[OTTER_N_STYLES] = {
    [OTTER_STYLE_OTHER] = {"unknown", "box", "#ffffff", "#666666", "#000000"},
    [OTTER_STYLE_SERIAL_TASK] = {"initial or implicit task", "box", "#e8e8e8", "#666666",
                                 "#000000"},
    [OTTER_STYLE_TASK] = {"task", "ellipse", "#cfe6f5", "#0072b2", "#000000"},
    [OTTER_STYLE_TARGET_TASK] = {"target task", "hexagon", "#f4dcea", "#cc79a7", "#000000"},
    [OTTER_STYLE_PARALLEL] = {"parallel, teams: begin and end", "house", "#fbe3b0", "#e69f00",
                              "#000000"},
    [OTTER_STYLE_PARALLEL_END] = {NULL, "invhouse", "#fbe3b0", "#e69f00", "#000000"},
    [OTTER_STYLE_SCOPE] = {"other construct: begin and end", "house", "#cdeee2", "#009e73",
                           "#000000"},
    [OTTER_STYLE_SCOPE_END] = {NULL, "invhouse", "#cdeee2", "#009e73", "#000000"},
    [OTTER_STYLE_KOKKOS] = {"Kokkos: begin and end, or whole", "house", "#f8d5bf", "#d55e00",
                            "#000000"},
    [OTTER_STYLE_KOKKOS_END] = {NULL, "invhouse", "#f8d5bf", "#d55e00", "#000000"},
    [OTTER_STYLE_KOKKOS_WHOLE] = {NULL, "box3d margin=\"0.14,0.08\"", "#f8d5bf", "#d55e00",
                                  "#000000"},
    [OTTER_STYLE_BARRIER] = {"barrier", "box", "#404040", "#404040", "#ffffff"},
    [OTTER_STYLE_SYNC] = {"taskwait and other waits", "octagon", "#fbf6b5", "#8a8200", "#000000"},
    [OTTER_STYLE_MPI] = {"MPI call", "octagon", "#f7e967", "#8a8200", "#000000"},
    [OTTER_STYLE_MPI_BEGIN] = {NULL, "house", "#f7e967", "#8a8200", "#000000"},
    [OTTER_STYLE_MPI_END] = {NULL, "invhouse", "#f7e967", "#8a8200", "#000000"},
    [OTTER_STYLE_MEETING] = {"collective operation of all members", "box style=\"filled,rounded\"",
                             "#8a4a6e", "#8a4a6e", "#ffffff"},
    [OTTER_STYLE_OPERATION] = {"operation on a device's data", "cds", "#f4dcea", "#cc79a7",
                               "#000000"},
    [OTTER_STYLE_DEVICE] = {"on a device", "component", "#cc79a7", "#8a4a6e", "#ffffff"},
};

const struct otter_edge_style otter_edge_styles[OTTER_N_EDGE_KINDS] = {
    [OTTER_EDGE_UNKNOWN] = {"──▷", "#666666", "solid", ""},
    [OTTER_EDGE_CREATION] = {"──▶", "#0072b2", "solid", ""},
    [OTTER_EDGE_ORDER] = {"──▶", "#666666", "solid", " weight=4"},
    [OTTER_EDGE_NESTING] = {"┈┈▶", "#009e73", "dotted", ""},
    [OTTER_EDGE_JOIN] = {"╌╌▷", "#666666", "dashed", " arrowhead=empty"},
    [OTTER_EDGE_DEPENDENCE] = {"━━▶", "#d55e00", "solid", " penwidth=2"},
    [OTTER_EDGE_UNDEFERRED] = {"╌╌▷", "#0072b2", "dashed", " arrowhead=empty"},
    [OTTER_EDGE_DOACROSS] = {"┅┅▶", "#cc79a7", "dashed", " penwidth=2"},
    [OTTER_EDGE_FULFIL] = {"┈┈◆", "#cc79a7", "dotted", " penwidth=2 arrowhead=diamond"},
    [OTTER_EDGE_MESSAGE] = {"━━▶", "#8a4a6e", "solid", " penwidth=2"},
    [OTTER_EDGE_COLLECTIVE] = {"╍╍▶", "#8a4a6e", "dashed", " penwidth=1.5"},
};

static enum otter_style task_style(const struct otter_graph *graph, const struct otter_node *node)
{
    if (node->task >= graph->n_tasks) {
        return OTTER_STYLE_OTHER;
    }
    switch ((enum otter_task_kind)graph->tasks[node->task].kind) {
    case OTTER_TASK_KIND_INITIAL:
    case OTTER_TASK_KIND_IMPLICIT: return OTTER_STYLE_SERIAL_TASK;
    case OTTER_TASK_KIND_EXPLICIT: return OTTER_STYLE_TASK;
    case OTTER_TASK_KIND_TARGET: return OTTER_STYLE_TARGET_TASK;
    case OTTER_TASK_KIND_UNKNOWN:
    case OTTER_N_TASK_KINDS: break;
    }
    return OTTER_STYLE_OTHER;
}

static enum otter_style sync_style(const struct otter_graph *graph, uint32_t i)
{
    if (graph->nodes[i].location == OTTER_NO_LOCATION) {
        return OTTER_STYLE_MEETING;
    }
    return otter_construct_is_mpi(otter_node_construct(graph, i)) ? OTTER_STYLE_MPI
           : otter_node_is_barrier(graph, i)                      ? OTTER_STYLE_BARRIER
                                                                  : OTTER_STYLE_SYNC;
}

// Returns the style of a scope's begin node. The style of its end node follows.
static enum otter_style scope_style(enum otter_construct construct)
{
    if (otter_construct_is_mpi(construct)) {
        return OTTER_STYLE_MPI_BEGIN;
    }
    if (otter_construct_is_labelled(construct)) {
        return OTTER_STYLE_KOKKOS;
    }
    bool is_team = construct == OTTER_CONSTRUCT_PARALLEL || construct == OTTER_CONSTRUCT_TEAMS;
    return is_team ? OTTER_STYLE_PARALLEL : OTTER_STYLE_SCOPE;
}

static enum otter_style style_of(const struct otter_graph *graph, uint32_t i)
{
    const struct otter_node *node = &graph->nodes[i];
    enum otter_construct construct = otter_node_construct(graph, i);
    switch ((enum otter_node_kind)node->kind) {
    case OTTER_NODE_TASK:
    case OTTER_NODE_FRAGMENT: return task_style(graph, node);
    case OTTER_NODE_BEGIN: return scope_style(construct);
    case OTTER_NODE_END: return (enum otter_style)(scope_style(construct) + 1);
    case OTTER_NODE_SYNC: return sync_style(graph, i);
    case OTTER_NODE_SOURCE:
    case OTTER_NODE_SINK:
    case OTTER_NODE_FULFIL: return OTTER_STYLE_SYNC;
    case OTTER_NODE_OPERATION: return OTTER_STYLE_OPERATION;
    case OTTER_NODE_DEVICE: return OTTER_STYLE_DEVICE;
    case OTTER_NODE_UNKNOWN:
    case OTTER_N_NODE_KINDS: break;
    }
    return OTTER_STYLE_OTHER;
}

enum otter_style otter_node_style(const struct otter_export *export, uint32_t id)
{
    if (!export->groups) {
        return style_of(export->graph, id);
    }
    const struct otter_group *group = &export->groups->groups[id];
    return group->is_whole ? OTTER_STYLE_KOKKOS_WHOLE : style_of(export->graph, group->first_node);
}
