// The styles of a picture. Kinds of nodes differ in shape and in colour.
#pragma once

#include "graph/export/export.h"

enum otter_style {
    OTTER_STYLE_OTHER = 0,
    OTTER_STYLE_SERIAL_TASK, // initial and implicit tasks
    OTTER_STYLE_TASK,
    OTTER_STYLE_TARGET_TASK,
    OTTER_STYLE_PARALLEL,
    OTTER_STYLE_PARALLEL_END,
    OTTER_STYLE_SCOPE,
    OTTER_STYLE_SCOPE_END,
    OTTER_STYLE_KOKKOS,
    OTTER_STYLE_KOKKOS_END,
    OTTER_STYLE_KOKKOS_WHOLE,
    OTTER_STYLE_BARRIER,
    OTTER_STYLE_SYNC,
    OTTER_STYLE_MPI,
    OTTER_STYLE_MPI_BEGIN,
    OTTER_STYLE_MPI_END,
    OTTER_STYLE_MEETING, // a meeting of ranks, in a joint graph
    OTTER_STYLE_OPERATION,
    OTTER_STYLE_DEVICE,
    OTTER_N_STYLES
};

struct otter_node_style {
    // name beside its colour in the legend; NULL if the previous entry also covers this style
    const char *name;
    const char *shape, *fill, *line, *font;
};

struct otter_edge_style {
    const char *legend, *color, *style, *more;
};

extern const struct otter_node_style otter_styles[OTTER_N_STYLES];
extern const struct otter_edge_style otter_edge_styles[OTTER_N_EDGE_KINDS];

// Returns the style of a node or group.
enum otter_style otter_node_style(const struct otter_export *export, uint32_t id);
