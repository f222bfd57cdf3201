// Counts explicit tasks by construct and work.
#include <stdlib.h>

#include "view/table/tables.h"

enum { BINS_PER_OCTAVE = 4, N_BINS = 64 * BINS_PER_OCTAVE };

static const struct otter_chunk_column columns[] = {
    {"label", false},
    {"bin", false},
    {"count", false},
    {"work", false},
};
static const struct otter_chunk_table table = {.name = "histogram", OTTER_COLUMNS(columns)};

struct bin {
    uint64_t count, work;
};

static uint32_t bin_of(uint64_t ticks)
{
    if (ticks == 0) {
        return 0;
    }
    uint32_t top = 63 - (uint32_t)__builtin_clzll(ticks);
    uint32_t rest = (uint32_t)(top >= 2 ? ticks >> (top - 2) : ticks << (2 - top)) & 3;
    return top * BINS_PER_OCTAVE + rest;
}

static void write_bins(struct otter_chunk_writer *writer, uint32_t label, const struct bin *bins)
{
    for (uint32_t i = 0; bins && i < N_BINS; i++) {
        if (bins[i].count > 0) {
            uint64_t values[] = {label, i, bins[i].count, bins[i].work};
            otter_chunk_add(writer, values);
        }
    }
}

// Adds the tasks to the bins of their labels, which are allocated at their first use.
static void fill(const struct otter_view_tasks *tasks, struct bin **bins)
{
    const struct otter_graph *graph = tasks->view->analysis.graph;
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        if (graph->tasks[i].kind != OTTER_TASK_KIND_EXPLICIT ||
            !otter_view_has_task(tasks->view, i)) {
            continue;
        }
        uint32_t label = graph->nodes[graph->tasks[i].first_node].region;
        if (label >= tasks->view->definitions->n_regions) { // the task's label was lost
            continue;
        }
        if (!bins[label]) {
            bins[label] = calloc(N_BINS, sizeof **bins);
        }
        struct bin *bin = &bins[label][bin_of(tasks->work[i])];
        bin->count++;
        bin->work += tasks->work[i];
    }
}

void otter_view_write_histogram(const struct otter_view_tasks *tasks, struct otter_chunks *chunks)
{
    uint32_t n_labels = (uint32_t)tasks->view->definitions->n_regions;
    struct bin **bins = calloc(n_labels + 1, sizeof *bins);
    struct otter_chunk_writer writer = {.chunks = chunks, .table = &table};
    fill(tasks, bins);
    for (uint32_t i = 0; i < n_labels; i++) {
        write_bins(&writer, i, bins[i]);
        free(bins[i]);
    }
    free(bins);
    otter_chunk_end(&writer);
}
