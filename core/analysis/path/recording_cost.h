// How much of the threads' time the recorder itself took.
#pragma once

#include "analysis/path/costs.h"

// An estimate from what the recorder measured when recording ended: a call costs 1.1 times
// the measured event or more, depending on its kind. A part of this is the runtime's.
struct otter_recording_cost {
    double event;       // ticks; 0: the archive has no cost, and all members are 0
    uint64_t total;     // ticks of all threads
    uint64_t work;      // ticks of the work T1 without its share of the cost
    uint64_t fine_work; // ticks of the work in pieces shorter than ten times the cost of an event
    bool is_grain_fine; // at least a tenth of the work is in such pieces
};

// `tick`: seconds; `work`: T1.
void otter_recording_cost_measure(struct otter_recording_cost *cost,
                                  const struct otter_timeline *timeline,
                                  const struct otter_graph *graph,
                                  const struct otter_pieces *pieces,
                                  const struct otter_costs *costs, double tick, uint64_t work);

// Returns the ticks that one thread spent on recording its events and writing chunks.
uint64_t otter_recording_cost_of(const struct otter_recording_cost *cost,
                                 const struct otter_thread_line *line);
