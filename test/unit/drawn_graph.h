// A graph as a text. Each task, team and node is a line:
//
//     task M implicit I                     name, kind, creator or -
//     team P Q M N                          node of its start, node of its end, members
//     P begin parallel@1 I - c:m c:n        name, kind, construct@place, task, scope or -, edges
//
// Tasks precede the lines that name them. Kinds of nodes: task begin end sync source sink fulfil
// implied (a barrier). Kinds of edges: c creation, o order, n nesting, j join, d dependence, u
// undeferred, x doacross, f fulfil. In constructs, `_` stands for a blank. Names have one to seven
// letters. A node's start time is the number of its line, which identifies the node.
#pragma once

#include "graph/graph.h"
#include "graph/label.h"

enum { DRAWN_NAMES = 256, DRAWN_REGIONS = 32, DRAWN_TEXT = 8192 };

struct drawn_graph {
    struct otter_graph graph;
    struct otter_definitions definitions;
    struct otter_labels labels;
    struct otter_region regions[DRAWN_REGIONS];
    char region_texts[DRAWN_REGIONS][2][64];
    char nodes[DRAWN_NAMES][8];
    char tasks[DRAWN_NAMES][8];
};

// Reads `text`; an invalid text fails the test.
void draw_graph(struct drawn_graph *drawn, const char *text);
void drawn_graph_finish(struct drawn_graph *drawn);

// Set-up and tear-down of a test: *state is the drawing. *Returns* 0.
int draw_state(void **state, const char *text);
int erase_state(void **state);

// Returns lines `P c:m c:n`, one for each node of `graph`, which was made from `drawn`. Valid until
// the next call.
const char *drawn_edges(const struct drawn_graph *drawn, const struct otter_graph *graph);

// Returns the index of a node or task of the drawing.
uint32_t drawn_node(const struct drawn_graph *drawn, const char *name);
uint32_t drawn_task(const struct drawn_graph *drawn, const char *name);

// Returns the same graph with other numbers, times and locations. The caller destroys it.
struct otter_graph *drawn_shuffled(const struct drawn_graph *drawn, unsigned seed);
