// The task graph grouped by label, with a place for each group.
#pragma once

#include "graph/group/group.h"
#include "view/lane/layout.h"
#include "view/lane/lanes.h"

enum { OTTER_MAX_DRAWN_GROUPS = 2000 };

struct otter_drawn_node {
    uint32_t region;  // index in the definitions
    char *text;       // "task fib.c:12"
    const char *kind; // "task", "begin", "sync", "kernel", ...
    uint64_t count;
    uint64_t total, longest; // ticks from start to end, with waits
    // ticks in which its label executes; 0: other nodes execute the label, or none does
    uint64_t executed;
    uint32_t n_executing; // nodes that share this execution
    uint64_t path;        // ticks of its label on the heaviest path
    uint32_t frame;       // OTTER_NONE: none
    struct otter_box box;
};

struct otter_drawn_edge {
    uint32_t from, to; // nodes
    uint64_t count;
    enum otter_edge_kind kind;
    bool is_back;
};

// A construct around nodes.
struct otter_drawn_frame {
    uint32_t region, parent; // parent: an earlier frame, or OTTER_NONE
    uint32_t begin;          // the node of the construct; OTTER_NONE: not drawn
    char *text;
    struct otter_box box;
};

struct otter_drawn_graph {
    struct otter_drawn_node *nodes;
    struct otter_drawn_edge *edges;
    struct otter_drawn_frame *frames;
    uint32_t n_nodes, n_edges, n_frames;
    uint32_t n_left_out; // groups beyond OTTER_MAX_DRAWN_GROUPS; they took the least time
    double width, height;
};

// Groups the structure view after the analysis, and destroys its builder;
// otter_drawn_graph_place() draws it.
void otter_drawn_graph_init(struct otter_drawn_graph *drawn, struct otter_view *view);
void otter_drawn_graph_finish(struct otter_drawn_graph *drawn);

// Sets the boxes of nodes and frames.
void otter_drawn_graph_place(struct otter_drawn_graph *drawn);
