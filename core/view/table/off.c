// Writes the times in which threads were on no processor.
#include <stdlib.h>

#include "graph/numbers.h"
#include "view/table/tables.h"

enum { SIZE_OF_TIME = 80 }; // characters of the page for each time

static const struct otter_chunk_column columns[] = {
    {"lane", false}, {"begin", true}, {"duration", false}, {"kind", false}};
static const struct otter_chunk_table table = {.name = "off", OTTER_COLUMNS(columns)};

struct times {
    const struct otter_view *view;
    uint64_t *durations; // NULL: they are only counted
    uint64_t n, shortest;
    struct otter_chunk_writer *writer; // NULL: nothing is written
};

static void use_time(struct times *times, uint32_t lane, const struct otter_off *off)
{
    uint64_t begin = otter_view_ticks(times->view, off->begin);
    uint64_t duration = otter_view_ticks(times->view, off->end) - begin;
    if (duration == 0 || duration < times->shortest) {
        return;
    }
    if (times->durations) {
        times->durations[times->n] = duration;
    }
    times->n++;
    if (times->writer) {
        uint64_t values[] = {lane, begin, duration, !off->is_preempted ? 0 : off->by_own ? 2 : 1};
        otter_chunk_add(times->writer, values);
    }
}

static void each_time(struct times *times)
{
    const struct otter_timeline *timeline = &times->view->analysis.timeline;
    times->n = 0;
    for (uint32_t i = 0; i < timeline->n_lines; i++) {
        uint32_t lane = times->view->lanes.of_locations[timeline->lines[i].location];
        for (uint32_t k = 0; k < timeline->lines[i].off.n; k++) {
            use_time(times, lane, &timeline->lines[i].off.items[k]);
        }
    }
}

// Finds the shortest duration that at most `most` times reach.
static void find_shortest(struct times *times, uint64_t most)
{
    each_time(times);
    if (times->n <= most) {
        return;
    }
    times->durations = malloc(times->n * sizeof *times->durations);
    each_time(times);
    times->shortest = otter_numbers_select(times->durations, times->n, times->n - most - 1) + 1;
    free(times->durations);
    times->durations = NULL;
}

void otter_view_write_off(const struct otter_view *view, struct otter_chunks *chunks,
                          uint64_t *shortest)
{
    struct otter_chunk_writer writer = {.chunks = chunks, .table = &table};
    struct times times = {.view = view};
    find_shortest(&times, view->size / SIZE_OF_TIME);
    times.writer = &writer;
    each_time(&times);
    *shortest = times.shortest;
    otter_chunk_end(&writer);
}
