// Places groups: each frame is laid out on its own and is a box in the frame around it.
#include <stdlib.h>
#include <string.h>

#include "base/text/utf8.h"
#include "base/free.h"
#include "graph/numbers.h"
#include "view/lane/groups.h"

enum {
    MIN_WIDTH = 200, // with room for "255 times, executed 834 ms"
    MAX_WIDTH = 320,
    CHARACTER_WIDTH = 7,
    NODE_HEIGHT = 44,
    END_HEIGHT = 24, // pixels of the end of a construct with tasks
    FRAME_HEAD = 28, // pixels for the frame's text
    FRAME_GAP = 14,  // pixels around the frame's contents
};

// The boxes in one frame, or outside of all frames: nodes, then frames.
struct contents {
    struct otter_drawn_graph *drawn;
    uint32_t frame;   // OTTER_NONE: the whole picture
    uint32_t *box_of; // of each node, then of each frame; OTTER_NONE: not inside
    struct otter_box *boxes;
    uint32_t n_boxes;
    struct otter_box_edge *edges;
    uint32_t n_edges;
};

static double width_of(const char *text)
{
    unsigned n = 0;
    while (otter_utf8_next(&text)) {
        n++;
    }
    double width = n * CHARACTER_WIDTH + 20.0;
    width = width > MIN_WIDTH ? width : MIN_WIDTH;
    return width < MAX_WIDTH ? width : MAX_WIDTH;
}

// Returns the box of `contents` that holds the node; OTTER_NONE: the node is not inside.
static uint32_t box_with(const struct contents *contents, uint32_t node)
{
    const struct otter_drawn_graph *drawn = contents->drawn;
    uint32_t box = contents->box_of[node];
    for (uint32_t frame = drawn->nodes[node].frame; box == OTTER_NONE && frame != OTTER_NONE;
         frame = drawn->frames[frame].parent) {
        box = contents->box_of[drawn->n_nodes + frame];
    }
    return box;
}

static void gather(struct contents *contents)
{
    struct otter_drawn_graph *drawn = contents->drawn;
    for (uint32_t i = 0; i < drawn->n_nodes + drawn->n_frames; i++) {
        bool is_frame = i >= drawn->n_nodes;
        uint32_t around =
            is_frame ? drawn->frames[i - drawn->n_nodes].parent : drawn->nodes[i].frame;
        contents->box_of[i] = OTTER_NONE;
        if (around == contents->frame) {
            contents->box_of[i] = contents->n_boxes;
            contents->boxes[contents->n_boxes++] =
                is_frame ? drawn->frames[i - drawn->n_nodes].box : drawn->nodes[i].box;
        }
    }
    for (uint32_t i = 0; i < drawn->n_edges; i++) {
        const struct otter_drawn_edge *edge = &drawn->edges[i];
        uint32_t from = box_with(contents, edge->from), to = box_with(contents, edge->to);
        if (!edge->is_back && from != to && from != OTTER_NONE && to != OTTER_NONE) {
            contents->edges[contents->n_edges++] = (struct otter_box_edge){from, to};
        }
    }
}

static void store(const struct contents *contents, struct otter_box *around)
{
    struct otter_drawn_graph *drawn = contents->drawn;
    bool has_head = contents->frame != OTTER_NONE;
    double left = FRAME_GAP, top = has_head ? FRAME_HEAD : FRAME_GAP;
    around->width = around->height = 0;
    for (uint32_t i = 0; i < drawn->n_nodes + drawn->n_frames; i++) {
        if (contents->box_of[i] == OTTER_NONE) {
            continue;
        }
        struct otter_box box = contents->boxes[contents->box_of[i]];
        box.x += left;
        box.y += top;
        double right = box.x + box.width + FRAME_GAP, bottom = box.y + box.height + FRAME_GAP;
        around->width = right > around->width ? right : around->width;
        around->height = bottom > around->height ? bottom : around->height;
        if (i < drawn->n_nodes) {
            drawn->nodes[i].box = box;
        } else {
            drawn->frames[i - drawn->n_nodes].box = box;
        }
    }
}

// Lays out what is in one frame, and sets the size of its box.
static void place_contents(struct contents *contents, struct otter_box *around)
{
    contents->n_boxes = contents->n_edges = 0;
    gather(contents);
    otter_layout(contents->boxes, contents->n_boxes, contents->edges, contents->n_edges);
    store(contents, around);
    if (contents->frame != OTTER_NONE) {
        double least = width_of(contents->drawn->frames[contents->frame].text);
        around->width = around->width > least ? around->width : least;
    }
}

// Moves each box to its place in its frame; a frame comes after the frame around it.
static void add_origins(struct otter_drawn_graph *drawn)
{
    for (uint32_t i = 0; i < drawn->n_frames; i++) {
        uint32_t parent = drawn->frames[i].parent;
        if (parent != OTTER_NONE) {
            drawn->frames[i].box.x += drawn->frames[parent].box.x;
            drawn->frames[i].box.y += drawn->frames[parent].box.y;
        }
    }
    for (uint32_t i = 0; i < drawn->n_nodes; i++) {
        uint32_t frame = drawn->nodes[i].frame;
        if (frame != OTTER_NONE) {
            drawn->nodes[i].box.x += drawn->frames[frame].box.x;
            drawn->nodes[i].box.y += drawn->frames[frame].box.y;
        }
    }
}

void otter_drawn_graph_place(struct otter_drawn_graph *drawn)
{
    size_t n = (size_t)drawn->n_nodes + drawn->n_frames + 1;
    struct contents contents = {.drawn = drawn,
                                .box_of = otter_numbers_create(n),
                                .boxes = calloc(n, sizeof *contents.boxes),
                                .edges = calloc(drawn->n_edges + 1, sizeof *contents.edges)};
    for (uint32_t i = 0; i < drawn->n_nodes; i++) {
        drawn->nodes[i].box.width = width_of(drawn->nodes[i].text);
        bool is_end = strcmp(drawn->nodes[i].kind, otter_node_kind_name(OTTER_NODE_END)) == 0;
        drawn->nodes[i].box.height = is_end ? END_HEIGHT : NODE_HEIGHT;
    }
    for (uint32_t i = drawn->n_frames; i-- > 0;) {
        contents.frame = i;
        place_contents(&contents, &drawn->frames[i].box);
    }
    struct otter_box all = {0};
    contents.frame = OTTER_NONE;
    place_contents(&contents, &all);
    drawn->width = all.width;
    drawn->height = all.height;
    add_origins(drawn);
    OTTER_FREE(contents.box_of, contents.boxes, contents.edges);
}
