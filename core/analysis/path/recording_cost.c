// Estimates the recorder's part of the threads' time from its calibrated cost of an event.
#include "analysis/path/recording_cost.h"
#include "analysis/path/scaled.h"

#include <stdlib.h>

#include "analysis/path/span.h"
#include "analysis/time/states.h"

enum { FINE = 10 }; // a piece shorter than this many times the cost of an event is fine

static double cost_of_event(const struct otter_definitions *definitions, double tick)
{
    const char *value = otter_definitions_property(definitions, "OTTER::EVENT_COST");
    double picoseconds = value ? strtod(value, NULL) : 0;
    return picoseconds > 0 && picoseconds < 1e12 ? picoseconds * 1e-12 / tick : 0;
}

// Returns the ticks in which the thread stored chunks, without those in which it was preempted.
static uint64_t stored(const struct otter_thread_line *line, bool is_only_executing)
{
    uint64_t ticks = 0;
    for (uint32_t i = 0; i < line->stores.n; i++) {
        const struct otter_store *store = &line->stores.items[i];
        if (store->is_executing || !is_only_executing) {
            ticks += store->end - store->begin;
            ticks -= otter_ticks_preempted(line, store->begin, store->end);
        }
    }
    return ticks;
}

uint64_t otter_recording_cost_of(const struct otter_recording_cost *cost,
                                 const struct otter_thread_line *line)
{
    return cost->event > 0
               ? otter_scaled(line->recorded_tenths, cost->event / 10) + stored(line, false)
               : 0;
}

// The cost of events after which a thread executes is part of the work, unless that execution
// counts as a creation.
static uint64_t cost_in_work(const struct otter_recording_cost *cost,
                             const struct otter_timeline *timeline, uint64_t n_creations)
{
    uint64_t tenths = 0, storing = 0, creations = n_creations * OTTER_COST_OF_CALL;
    for (uint32_t i = 0; i < timeline->n_lines; i++) {
        tenths += timeline->lines[i].executing_tenths;
        storing += stored(&timeline->lines[i], true);
    }
    tenths -= creations < tenths ? creations : tenths;
    return otter_scaled(tenths, cost->event / 10) + storing;
}

void otter_recording_cost_measure(struct otter_recording_cost *cost,
                                  const struct otter_timeline *timeline,
                                  const struct otter_graph *graph,
                                  const struct otter_pieces *pieces,
                                  const struct otter_costs *costs, double tick, uint64_t work)
{
    *cost = (struct otter_recording_cost){.event = cost_of_event(timeline->definitions, tick)};
    if (cost->event <= 0) {
        return;
    }
    uint64_t n_creations = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        if (otter_node_is_piece(&graph->nodes[i])) {
            uint64_t own = otter_node_work(graph, pieces, costs, i);
            cost->fine_work += (double)own < FINE * cost->event ? own : 0;
            n_creations += costs->creating_in[i] > 0;
        }
    }
    for (uint32_t i = 0; i < timeline->n_lines; i++) {
        cost->total += otter_recording_cost_of(cost, &timeline->lines[i]);
    }
    uint64_t in_work = cost_in_work(cost, timeline, n_creations);
    cost->work = work > in_work ? work - in_work : 0;
    cost->is_grain_fine = work > 0 && cost->fine_work >= work / 10;
}
