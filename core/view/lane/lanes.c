// Cuts the time of threads and devices into slices.
#include "view/lane/lanes.h"

#include <stdlib.h>

#include "graph/numbers.h"

// ---- lanes

static bool is_wait(const struct otter_node *node)
{
    return node->kind == OTTER_NODE_SYNC && node->end > node->start;
}

// Sorts nodes by their start.
static void sort_nodes(const struct otter_graph *graph, struct otter_lane *lane)
{
    struct otter_keyed *keyed = malloc((lane->n_nodes + 1) * sizeof *keyed);
    for (uint32_t i = 0; i < lane->n_nodes; i++) {
        keyed[i] = (struct otter_keyed){graph->nodes[lane->nodes[i]].start, lane->nodes[i]};
    }
    otter_keyed_sort(keyed, lane->n_nodes);
    for (uint32_t i = 0; i < lane->n_nodes; i++) {
        lane->nodes[i] = (uint32_t)keyed[i].value;
    }
    free(keyed);
}

// Returns the lane whose list has the node, or NULL.
static struct otter_lane *lane_with(const struct otter_view *view, const struct otter_node *node)
{
    uint32_t index = view->lanes.of_locations[node->location];
    struct otter_lane *lane = index != OTTER_NONE ? &view->lanes.items[index] : NULL;
    if (!lane) {
        return NULL;
    }
    bool is_listed = lane->line != OTTER_NONE ? is_wait(node) : node->kind == OTTER_NODE_DEVICE;
    return is_listed ? lane : NULL;
}

// Lists the waits of threads and the activities of devices.
static void list_nodes(struct otter_view *view)
{
    struct otter_graph *graph = view->analysis.graph;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        struct otter_lane *lane = lane_with(view, &graph->nodes[i]);
        if (lane) {
            lane->n_nodes++;
        }
    }
    for (uint32_t i = 0; i < view->lanes.n; i++) {
        struct otter_lane *lane = &view->lanes.items[i];
        lane->nodes = malloc((lane->n_nodes + 1) * sizeof *lane->nodes);
        lane->n_nodes = 0;
    }
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        struct otter_lane *lane = lane_with(view, &graph->nodes[i]);
        if (lane) {
            lane->nodes[lane->n_nodes++] = i;
        }
    }
    for (uint32_t i = 0; i < view->lanes.n; i++) {
        sort_nodes(graph, &view->lanes.items[i]);
    }
}

static void find_bars(struct otter_view *view)
{
    const struct otter_view_events *events = &view->events;
    for (uint32_t i = 0; i < events->bars.n; i++) {
        const struct otter_bar *bar = &events->bars.items[i];
        bool is_section = i >= events->first_section;
        uint32_t index = is_section ? view->lanes.n - 1 : view->lanes.of_locations[bar->location];
        if (index == OTTER_NONE) {
            continue;
        }
        struct otter_lane *lane = &view->lanes.items[index];
        lane->first_bar = lane->end_bar == 0 ? i : lane->first_bar;
        lane->end_bar = i + 1;
        lane->n_rows = bar->row >= lane->n_rows ? bar->row + 1u : lane->n_rows;
    }
}

static void add_lane(struct otter_lanes *lanes, enum otter_lane_kind kind, uint32_t location,
                     uint32_t line)
{
    if (location != OTTER_NONE) {
        lanes->of_locations[location] = lanes->n;
    }
    lanes->items[lanes->n++] =
        (struct otter_lane){.kind = kind, .location = location, .line = line, .n_rows = 1};
}

const char *otter_lane_name(const struct otter_view *view, uint32_t lane)
{
    uint32_t location = view->lanes.items[lane].location;
    return location == OTTER_NONE ? "Kokkos sections" : view->definitions->locations[location].name;
}

void otter_lanes_init(struct otter_view *view)
{
    const struct otter_timeline *timeline = &view->analysis.timeline;
    const struct otter_definitions *definitions = view->definitions;
    struct otter_lanes *lanes = &view->lanes;
    *lanes = (struct otter_lanes){0};
    lanes->items = calloc(definitions->n_locations + 2, sizeof *lanes->items);
    lanes->of_locations = otter_numbers_create(definitions->n_locations);
    for (uint32_t i = 0; i < timeline->n_lines; i++) {
        add_lane(lanes, OTTER_LANE_THREAD, timeline->lines[i].location, i);
    }
    for (uint32_t i = 0; i < definitions->n_locations; i++) {
        const struct otter_location *location = &definitions->locations[i];
        if (location->kind == OTTER_LOCATION_ACCELERATOR && location->n_held > 0) {
            add_lane(lanes, OTTER_LANE_DEVICE, i, OTTER_NONE);
        }
    }
    if (view->events.first_section < view->events.bars.n) {
        add_lane(lanes, OTTER_LANE_SECTIONS, OTTER_NONE, OTTER_NONE);
    }
    find_bars(view);
    list_nodes(view);
}

void otter_lanes_finish(struct otter_lanes *lanes)
{
    for (uint32_t i = 0; i < lanes->n; i++) {
        free(lanes->items[i].nodes);
    }
    free(lanes->items);
    free(lanes->of_locations);
    *lanes = (struct otter_lanes){0};
}

// ---- slices

enum { MAX_OPEN_WAITS = 64 };

struct walk {
    const struct otter_view *view;
    otter_slice_function *use;
    void *user;
    uint32_t lane;
    uint32_t piece;                      // index of the thread's next piece that may overlap
    uint32_t wait;                       // index of the lane's next node that may begin
    uint32_t open_waits[MAX_OPEN_WAITS]; // nodes of the waits that are open, from the outside in
    uint32_t n_open;
};

static void emit(const struct walk *walk, struct otter_slice *slice, uint64_t begin, uint64_t end)
{
    slice->begin = otter_view_ticks(walk->view, begin);
    slice->end = otter_view_ticks(walk->view, end);
    if (slice->begin < slice->end) {
        walk->use(walk->user, slice);
    }
}

// Passes on the parts of an executing interval: pieces, and the time between them.
static void emit_pieces(struct walk *walk, struct otter_slice *slice, uint64_t begin, uint64_t end)
{
    const struct otter_lane *lane = &walk->view->lanes.items[walk->lane];
    const struct otter_thread_pieces *own = &walk->view->analysis.pieces.lines[lane->line];
    const struct otter_node *nodes = walk->view->analysis.graph->nodes;
    while (walk->piece < own->n && nodes[own->nodes[walk->piece]].end <= begin) {
        walk->piece++;
    }
    for (uint32_t i = walk->piece; i < own->n && begin < end; i++) {
        const struct otter_node *node = &nodes[own->nodes[i]];
        uint64_t from = node->start < end ? node->start : end;
        uint64_t to = node->end < end ? node->end : end;
        if (from > begin) {
            emit(walk, slice, begin, from);
            begin = from;
        }
        if (to > begin) {
            slice->task = node->task;
            slice->node = own->nodes[i];
            emit(walk, slice, begin, to);
            slice->task = slice->node = OTTER_NONE;
            begin = to;
        }
        if (node->start >= end) {
            break;
        }
    }
    emit(walk, slice, begin, end);
}

// Returns the task whose wait contains the interval; OTTER_NONE for a member at a barrier.
static uint32_t waiting_task(struct walk *walk, uint64_t begin, uint64_t end)
{
    const struct otter_lane *lane = &walk->view->lanes.items[walk->lane];
    const struct otter_node *nodes = walk->view->analysis.graph->nodes;
    while (walk->wait < lane->n_nodes && nodes[lane->nodes[walk->wait]].start <= begin) {
        while (walk->n_open > 0 && nodes[walk->open_waits[walk->n_open - 1]].end <=
                                       nodes[lane->nodes[walk->wait]].start) {
            walk->n_open--;
        }
        if (walk->n_open < MAX_OPEN_WAITS) {
            walk->open_waits[walk->n_open++] = lane->nodes[walk->wait];
        }
        walk->wait++;
    }
    while (walk->n_open > 0 && nodes[walk->open_waits[walk->n_open - 1]].end <= begin) {
        walk->n_open--;
    }
    uint32_t inner = walk->n_open > 0 ? walk->open_waits[walk->n_open - 1] : OTTER_NONE;
    return inner != OTTER_NONE && nodes[inner].end >= end ? nodes[inner].task : OTTER_NONE;
}

static void emit_states(struct walk *walk)
{
    const struct otter_view *view = walk->view;
    const struct otter_timeline *timeline = &view->analysis.timeline;
    const struct otter_thread_line *line = &timeline->lines[view->lanes.items[walk->lane].line];
    for (uint32_t i = 0; i < line->intervals.n; i++) {
        const struct otter_interval *interval = &line->intervals.items[i];
        uint64_t end = otter_interval_end(timeline, line, i);
        struct otter_slice slice = {.lane = walk->lane,
                                    .label = otter_view_label(view, interval->label),
                                    .construct = otter_view_label(view, interval->region),
                                    .task = OTTER_NONE,
                                    .node = OTTER_NONE,
                                    .state = (enum otter_state)interval->state};
        if (slice.state == OTTER_STATE_EXECUTING) {
            emit_pieces(walk, &slice, interval->begin, end);
            continue;
        }
        if (slice.state == OTTER_STATE_WAITING) {
            slice.task = waiting_task(walk, interval->begin, end);
        }
        emit(walk, &slice, interval->begin, end);
    }
}

static void emit_activities(const struct walk *walk)
{
    const struct otter_lane *lane = &walk->view->lanes.items[walk->lane];
    for (uint32_t i = 0; i < lane->n_nodes; i++) {
        const struct otter_node *node = &walk->view->analysis.graph->nodes[lane->nodes[i]];
        uint32_t label = otter_view_label(walk->view, node->region);
        emit(walk,
             &(struct otter_slice){.lane = walk->lane,
                                   .label = label,
                                   .construct = label,
                                   .task = node->task,
                                   .node = lane->nodes[i],
                                   .state = OTTER_STATE_EXECUTING},
             node->start, node->end);
    }
}

static void emit_bars(const struct walk *walk, uint32_t row)
{
    const struct otter_lane *lane = &walk->view->lanes.items[walk->lane];
    for (uint32_t i = lane->first_bar; i < lane->end_bar; i++) {
        const struct otter_bar *bar = &walk->view->events.bars.items[i];
        if (bar->row == row) {
            uint32_t label = otter_view_label(walk->view, bar->region);
            emit(walk,
                 &(struct otter_slice){.lane = walk->lane,
                                       .row = row,
                                       .label = label,
                                       .construct = label,
                                       .task = OTTER_NONE,
                                       .node = OTTER_NONE,
                                       .state = OTTER_STATE_EXECUTING},
                 bar->begin, bar->end);
        }
    }
}

void otter_slices_each(const struct otter_view *view, otter_slice_function *use, void *user)
{
    for (uint32_t i = 0; i < view->lanes.n; i++) {
        struct walk walk = {.view = view, .use = use, .user = user, .lane = i};
        if (view->lanes.items[i].kind == OTTER_LANE_THREAD) {
            emit_states(&walk);
        } else {
            emit_activities(&walk);
        }
        for (uint32_t row = 1; row < view->lanes.items[i].n_rows; row++) {
            emit_bars(&walk, row);
        }
    }
}
