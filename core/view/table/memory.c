// Writes how much memory is in use in each space, downsampled to minima and maxima.
#include <stdlib.h>

#include "view/table/tables.h"

#include "base/order.h"

enum { N_BUCKETS = 4096 };

static const struct otter_chunk_column columns[] = {
    {"space", false}, {"bucket", true}, {"least", false}, {"most", false}, {"last", false},
};
static const struct otter_chunk_table table = {.name = "memory", OTTER_COLUMNS(columns)};

static int compare(const void *a, const void *b)
{
    const struct otter_memory_sample *x = a, *y = b;
    return OTTER_BY_2(x, y, metric, time);
}

// Writes the samples of one space, which are sorted by time. Returns the largest number of bytes.
static uint64_t write_space(const struct otter_view *view, struct otter_chunk_writer *writer,
                            const struct otter_memory_sample *samples, uint32_t n,
                            const struct otter_memory *memory)
{
    uint64_t last = 0, high_water = 0;
    for (uint32_t i = 0; i < n;) {
        uint64_t bucket = otter_view_ticks(view, samples[i].time) / memory->step;
        uint64_t least = last, most = last;
        for (; i < n && otter_view_ticks(view, samples[i].time) / memory->step == bucket; i++) {
            last = samples[i].in_use;
            least = last < least ? last : least;
            most = last > most ? last : most;
        }
        uint64_t values[] = {memory->n_spaces, bucket, least, most, last};
        otter_chunk_add(writer, values);
        high_water = most > high_water ? most : high_water;
    }
    return high_water;
}

void otter_view_write_memory(struct otter_view *view, struct otter_chunks *chunks,
                             struct otter_memory *memory)
{
    struct otter_memory_sample *samples = view->events.samples.items;
    uint32_t n = view->events.samples.n;
    *memory = (struct otter_memory){.step = (view->end - view->begin) / N_BUCKETS + 1};
    memory->spaces = calloc(view->definitions->n_metrics + 1, sizeof *memory->spaces);
    if (n > 0) {
        qsort(samples, n, sizeof *samples, compare);
    }
    struct otter_chunk_writer writer = {.chunks = chunks, .table = &table};
    for (uint32_t first = 0, i = 0; i < n; i++) {
        if (i + 1 == n || samples[i + 1].metric != samples[first].metric) {
            uint64_t high_water =
                write_space(view, &writer, samples + first, i + 1 - first, memory);
            memory->spaces[memory->n_spaces++] =
                (struct otter_memory_space){samples[first].metric, high_water};
            first = i + 1;
        }
    }
    otter_chunk_end(&writer);
}
