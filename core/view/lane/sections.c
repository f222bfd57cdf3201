// Pairs the starts and stops of profile sections by time.
#include "view/lane/sections.h"

#include <stdlib.h>

#include "graph/numbers.h"

struct pairing {
    struct otter_view_events *events;
    uint32_t open[OTTER_MAX_BARS]; // bars by row; OTTER_NONE: the row is free
};

static void open_section(struct pairing *pairing, const struct otter_section_change *change)
{
    struct otter_view_events *events = pairing->events;
    uint32_t row = 0;
    while (row < OTTER_MAX_BARS && pairing->open[row] != OTTER_NONE) {
        row++;
    }
    if (row == OTTER_MAX_BARS) {
        events->n_too_deep++;
        return;
    }
    pairing->open[row] = events->bars.n;
    uint64_t end = events->end > change->time ? events->end : change->time;
    OTTER_VECTOR_APPEND(&events->bars, (struct otter_bar){.begin = change->time,
                                                          .end = end,
                                                          .region = change->region,
                                                          .location = OTTER_BAR_OF_PROCESS,
                                                          .row = (uint16_t)(row + 1)});
}

// Ends the oldest open section of the region.
static void close_section(struct pairing *pairing, const struct otter_section_change *change)
{
    struct otter_bar *bars = pairing->events->bars.items;
    uint32_t oldest = OTTER_MAX_BARS;
    for (uint32_t row = 0; row < OTTER_MAX_BARS; row++) {
        uint32_t bar = pairing->open[row];
        bool is_own = bar != OTTER_NONE && bars[bar].region == change->region;
        if (is_own && (oldest == OTTER_MAX_BARS || bar < pairing->open[oldest])) {
            oldest = row;
        }
    }
    if (oldest < OTTER_MAX_BARS) {
        bars[pairing->open[oldest]].end = change->time;
        pairing->open[oldest] = OTTER_NONE;
    }
}

static void pair(struct pairing *pairing, const struct otter_keyed *order)
{
    for (uint32_t i = 0; i < pairing->events->changes.n; i++) {
        const struct otter_section_change *change = &pairing->events->changes.items[order[i].value];
        if (change->is_start) {
            open_section(pairing, change);
        } else {
            close_section(pairing, change);
        }
    }
}

void otter_sections_add(struct otter_view_events *events)
{
    uint32_t n = events->changes.n;
    events->first_section = events->bars.n;
    struct pairing pairing = {.events = events};
    for (uint32_t row = 0; row < OTTER_MAX_BARS; row++) {
        pairing.open[row] = OTTER_NONE;
    }
    struct otter_keyed *order = malloc(((size_t)n + 1) * sizeof *order);
    for (uint32_t i = 0; i < n; i++) {
        order[i] = (struct otter_keyed){events->changes.items[i].time, i};
    }
    otter_keyed_sort(order, n);
    pair(&pairing, order);
    free(order);
}
