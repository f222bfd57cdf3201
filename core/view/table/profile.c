// Adds up the states of all threads over time.
#include <stdlib.h>

#include "view/table/tables.h"

enum { N_ROWS = 2048, READY = OTTER_N_STATES, DEVICE, N_COLUMNS };

static const struct otter_chunk_column columns[] = {
    {"outside", false}, {"executing", false}, {"waiting", false}, {"lock", false},
    {"forking", false}, {"mpi", false},       {"paused", false},  {"lost", false},
    {"unused", false},  {"ready", false},     {"device", false},
};
_Static_assert(sizeof columns / sizeof *columns == N_COLUMNS, "a state lacks its column");
static const struct otter_chunk_table table = {.name = "profile", OTTER_COLUMNS(columns)};

struct profile {
    uint64_t (*rows)[N_COLUMNS];
    uint64_t step;
};

static void add(struct profile *profile, unsigned column, uint64_t begin, uint64_t end)
{
    while (begin < end) {
        uint64_t row = begin / profile->step, limit = (row + 1) * profile->step;
        limit = limit < end ? limit : end;
        profile->rows[row][column] += limit - begin;
        begin = limit;
    }
}

static void add_threads(const struct otter_view *view, struct profile *profile)
{
    const struct otter_timeline *timeline = &view->analysis.timeline;
    for (uint32_t i = 0; i < timeline->n_lines; i++) {
        const struct otter_thread_line *line = &timeline->lines[i];
        for (uint32_t k = 0; k < line->intervals.n; k++) {
            add(profile, line->intervals.items[k].state,
                otter_view_ticks(view, line->intervals.items[k].begin),
                otter_view_ticks(view, otter_interval_end(timeline, line, k)));
        }
    }
}

static void add_nodes(const struct otter_view *view, struct profile *profile)
{
    const struct otter_graph *graph = view->analysis.graph;
    const struct otter_ready *ready = &view->analysis.ready;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        const struct otter_node *node = &graph->nodes[i];
        if (node->kind == OTTER_NODE_FRAGMENT && ready->last[i] != OTTER_NONE) {
            add(profile, READY, otter_view_ticks(view, ready->times[i]),
                otter_view_ticks(view, node->start));
        } else if (node->kind == OTTER_NODE_DEVICE) {
            add(profile, DEVICE, otter_view_ticks(view, node->start),
                otter_view_ticks(view, node->end));
        }
    }
}

void otter_view_write_profile(const struct otter_view *view, struct otter_chunks *chunks,
                              uint64_t *step)
{
    uint64_t length = view->end - view->begin;
    *step = (length + N_ROWS - 1) / N_ROWS;
    struct profile profile = {.rows = calloc(N_ROWS, sizeof *profile.rows), .step = *step};
    add_threads(view, &profile);
    add_nodes(view, &profile);
    struct otter_chunk_writer writer = {.chunks = chunks, .table = &table};
    for (uint64_t i = 0; i * *step < length; i++) {
        otter_chunk_add(&writer, profile.rows[i]);
    }
    free(profile.rows);
    otter_chunk_end(&writer);
}
