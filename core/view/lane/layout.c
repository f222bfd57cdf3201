// Places boxes in layers: assigns layers by longest path, orders boxes by barycentre, then computes
// positions.
#include "view/lane/layout.h"

#include <stdlib.h>

#include "base/free.h"
#include "base/order.h"

enum { N_SWEEPS = 12, GAP_X = 26, GAP_Y = 40 };

enum colour { WHITE = 0, GREY, BLACK };

struct link {
    uint32_t other;
    bool is_down; // leads downwards to `other`
};

struct layout {
    struct otter_box *boxes;
    uint32_t n;
    const struct otter_box_edge *edges;
    uint32_t n_edges;
    struct link *links;   // links of all boxes; an edge that closes a cycle has no link
    uint32_t *first_link; // n + 1
    uint32_t *sorted;     // boxes, each after its predecessors
    uint32_t *order;      // boxes by layer, then from left to right
    uint32_t *place;      // of each box: its position in its layer
    double *key;          // of each box: the value by which its layer is sorted
    uint32_t *stack, *next;
    uint8_t *colour;
};

// ---- edges

static void count_links(struct layout *layout)
{
    for (uint32_t i = 0; i < layout->n_edges; i++) {
        layout->first_link[layout->edges[i].from + 1]++;
        layout->first_link[layout->edges[i].to + 1]++;
    }
    for (uint32_t i = 0; i < layout->n; i++) {
        layout->first_link[i + 1] += layout->first_link[i];
        layout->next[i] = layout->first_link[i];
    }
    for (uint32_t i = 0; i < layout->n_edges; i++) {
        const struct otter_box_edge *edge = &layout->edges[i];
        layout->links[layout->next[edge->from]++] = (struct link){edge->to, true};
        layout->links[layout->next[edge->to]++] = (struct link){edge->from, false};
    }
}

// Reverses the links between two boxes whose edge closes a cycle.
static void turn_links(struct layout *layout, uint32_t from, uint32_t to)
{
    for (uint32_t k = layout->first_link[from]; k < layout->first_link[from + 1]; k++) {
        struct link *link = &layout->links[k];
        link->is_down = link->other == to ? false : link->is_down;
    }
    for (uint32_t k = layout->first_link[to]; k < layout->first_link[to + 1]; k++) {
        struct link *link = &layout->links[k];
        link->is_down = link->other == from ? true : link->is_down;
    }
}

// A depth-first search from `root`. Writes boxes from the end of `sorted` on; returns the new end.
static uint32_t search(struct layout *layout, uint32_t root, uint32_t end)
{
    uint32_t depth = 0;
    layout->stack[depth++] = root;
    layout->colour[root] = GREY;
    while (depth > 0) {
        uint32_t box = layout->stack[depth - 1];
        if (layout->next[box] == layout->first_link[box + 1]) {
            layout->colour[box] = BLACK;
            layout->sorted[--end] = box;
            depth--;
            continue;
        }
        const struct link *link = &layout->links[layout->next[box]++];
        if (!link->is_down) {
            continue;
        }
        if (layout->colour[link->other] == GREY) {
            turn_links(layout, box, link->other);
        } else if (layout->colour[link->other] == WHITE) {
            layout->colour[link->other] = GREY;
            layout->stack[depth++] = link->other;
        }
    }
    return end;
}

static void sort_boxes(struct layout *layout)
{
    for (uint32_t i = 0; i < layout->n; i++) {
        layout->next[i] = layout->first_link[i];
    }
    uint32_t end = layout->n;
    for (uint32_t i = 0; i < layout->n; i++) {
        if (layout->colour[i] == WHITE) {
            end = search(layout, i, end);
        }
    }
}

static void find_layers(struct layout *layout)
{
    for (uint32_t i = 0; i < layout->n; i++) {
        uint32_t box = layout->sorted[i], below = layout->boxes[box].layer + 1;
        for (uint32_t k = layout->first_link[box]; k < layout->first_link[box + 1]; k++) {
            struct otter_box *other = &layout->boxes[layout->links[k].other];
            if (layout->links[k].is_down && other->layer < below) {
                other->layer = below;
            }
        }
    }
}

// ---- order

static int compare(const void *a, const void *b, void *user)
{
    const struct layout *layout = user;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    uint32_t upper = layout->boxes[x].layer, lower = layout->boxes[y].layer;
    if (upper != lower) {
        return upper < lower ? -1 : 1;
    }
    return otter_order(OTTER_COMPARE(layout->key[x], layout->key[y]), OTTER_COMPARE(x, y));
}

static void sort_layers(struct layout *layout)
{
    qsort_r(layout->order, layout->n, sizeof *layout->order, compare, layout);
    for (uint32_t i = 0; i < layout->n; i++) {
        uint32_t box = layout->order[i];
        bool is_first =
            i == 0 || layout->boxes[layout->order[i - 1]].layer != layout->boxes[box].layer;
        layout->place[box] = is_first ? 0 : layout->place[layout->order[i - 1]] + 1;
    }
}

// Sorts each layer by the mean place of the boxes above it (below it, if `is_up`) to which a box is
// linked.
static void sweep(struct layout *layout, bool is_up)
{
    for (uint32_t i = 0; i < layout->n; i++) {
        uint32_t box = layout->order[is_up ? layout->n - 1 - i : i], n = 0;
        double sum = 0;
        for (uint32_t k = layout->first_link[box]; k < layout->first_link[box + 1]; k++) {
            if (layout->links[k].is_down == is_up) {
                sum += layout->key[layout->links[k].other];
                n++;
            }
        }
        layout->key[box] = n > 0 ? sum / n : layout->place[box];
    }
    sort_layers(layout);
    for (uint32_t i = 0; i < layout->n; i++) {
        layout->key[i] = layout->place[i];
    }
}

// ---- positions

static double centre(const struct otter_box *box)
{
    return box->x + box->width / 2;
}

// Moves the boxes of a layer to the mean centre of their neighbours without overlaps. Then moves
// the layer back by the mean distance by which avoiding overlaps has shifted it.
static void place_layer(struct layout *layout, uint32_t first, uint32_t end)
{
    double limit = -1e300, excess = 0;
    for (uint32_t i = first; i < end; i++) {
        uint32_t index = layout->order[i], n = 0;
        struct otter_box *box = &layout->boxes[index];
        double sum = 0;
        for (uint32_t k = layout->first_link[index]; k < layout->first_link[index + 1]; k++) {
            sum += centre(&layout->boxes[layout->links[k].other]);
            n++;
        }
        double wanted = (n > 0 ? sum / n : centre(box)) - box->width / 2;
        box->x = wanted > limit ? wanted : limit;
        limit = box->x + box->width + GAP_X;
        excess += box->x - wanted;
    }
    for (uint32_t i = first; i < end; i++) {
        layout->boxes[layout->order[i]].x -= excess / (end - first);
    }
}

static uint32_t end_of_layer(const struct layout *layout, uint32_t first)
{
    uint32_t layer = layout->boxes[layout->order[first]].layer, end = first;
    while (end < layout->n && layout->boxes[layout->order[end]].layer == layer) {
        end++;
    }
    return end;
}

static void place_rows(struct layout *layout)
{
    double y = 0;
    for (uint32_t first = 0; first < layout->n;) {
        uint32_t end = end_of_layer(layout, first);
        double x = 0, height = 0;
        for (uint32_t i = first; i < end; i++) {
            struct otter_box *box = &layout->boxes[layout->order[i]];
            box->x = x;
            box->y = y;
            x += box->width + GAP_X;
            height = box->height > height ? box->height : height;
        }
        y += height + GAP_Y;
        first = end;
    }
}

static int compare_keys(const void *a, const void *b, void *user)
{
    const double *key = ((const struct layout *)user)->key;
    double x = key[*(const uint32_t *)a], y = key[*(const uint32_t *)b];
    return x < y ? -1 : x > y;
}

// Closes vertical gaps that contain no box. They arise because moving layers separates parts
// without a common edge.
static void close_gaps(struct layout *layout)
{
    double end = 0, moved = 0;
    for (uint32_t i = 0; i < layout->n; i++) {
        layout->stack[i] = i;
        layout->key[i] = layout->boxes[i].x;
    }
    qsort_r(layout->stack, layout->n, sizeof *layout->stack, compare_keys, layout);
    for (uint32_t i = 0; i < layout->n; i++) {
        struct otter_box *box = &layout->boxes[layout->stack[i]];
        double gap = box->x - moved - (end + GAP_X);
        moved += i > 0 && gap > 0 ? gap : 0;
        box->x -= moved;
        end = i == 0 || box->x + box->width > end ? box->x + box->width : end;
    }
}

static void place_boxes(struct layout *layout)
{
    place_rows(layout);
    for (unsigned sweeps = 0; sweeps < N_SWEEPS; sweeps++) {
        for (uint32_t first = 0; first < layout->n;) {
            uint32_t end = end_of_layer(layout, first);
            place_layer(layout, first, end);
            first = end;
        }
    }
    close_gaps(layout);
    double left = layout->n > 0 ? layout->boxes[0].x : 0;
    for (uint32_t i = 0; i < layout->n; i++) {
        left = layout->boxes[i].x < left ? layout->boxes[i].x : left;
    }
    for (uint32_t i = 0; i < layout->n; i++) {
        layout->boxes[i].x -= left;
    }
}

// ---- all

static void run(struct layout *layout)
{
    count_links(layout);
    sort_boxes(layout);
    for (uint32_t i = 0; i < layout->n; i++) {
        layout->boxes[i].layer = 0;
        layout->order[i] = layout->sorted[i];
        layout->key[layout->sorted[i]] = i;
    }
    find_layers(layout);
    sort_layers(layout);
    for (unsigned i = 0; i < N_SWEEPS; i++) {
        sweep(layout, i % 2 == 1);
    }
    place_boxes(layout);
}

void otter_layout(struct otter_box *boxes, uint32_t n, const struct otter_box_edge *edges,
                  uint32_t n_edges)
{
    struct layout layout = {.boxes = boxes, .n = n, .edges = edges, .n_edges = n_edges};
    layout.links = calloc(2 * (size_t)n_edges + 1, sizeof *layout.links);
    layout.first_link = calloc((size_t)n + 2, sizeof *layout.first_link);
    uint32_t *numbers = calloc(5 * ((size_t)n + 1), sizeof *numbers);
    layout.key = calloc((size_t)n + 1, sizeof *layout.key);
    layout.colour = calloc((size_t)n + 1, sizeof *layout.colour);
    layout.sorted = numbers;
    layout.order = numbers + (n + 1);
    layout.place = numbers + 2 * ((size_t)n + 1);
    layout.stack = numbers + 3 * ((size_t)n + 1);
    layout.next = numbers + 4 * ((size_t)n + 1);
    run(&layout);
    OTTER_FREE(layout.links, layout.first_link, numbers, layout.key, layout.colour);
}
