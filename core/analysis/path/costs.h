// The costs of a task in the runtime, estimated from one archive.
#pragma once

#include "analysis/path/pieces.h"
#include "analysis/path/ready.h"

// An archive contains only the time at which a creation is reported. So each cost is a low quantile
// (p10) of durations that consist of little else than this cost.
enum { OTTER_MAX_COST = 50000 }; // a cost is at most a second divided by this: 20 us

// A task that works 9 times as long as it costs has an efficiency of 90 %.
enum { OTTER_EVEN_COST = 9 };

struct otter_costs {
    uint64_t creation;   // ticks; between consecutive creations by one task
    uint64_t scheduling; // between two tasks on a thread while the second was ready
    uint64_t join;       // between the end of the last joined task and the end of the wait
    uint64_t n_creations, n_schedulings, n_joins; // samples; 0: the cost is unknown and counts as 0
    // Ticks of all threads. Each creation and each scheduling adds its cost, but at most its
    // duration.
    uint64_t creating, scheduling_sum;
    uint32_t *creating_in; // of each node
    bool is_alone;         // all teams have one thread: the runtime defers no task
};

// Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_costs_init(struct otter_costs *costs, const struct otter_graph *graph,
                                   const struct otter_pieces *pieces,
                                   const struct otter_ready *ready);
void otter_costs_finish(struct otter_costs *costs);

// Returns whether a deferred task is created at the end of the node.
bool otter_node_creates(const struct otter_graph *graph, uint32_t node);

// Returns whether the node begins a deferred task: it waits for a thread, and any thread may
// execute it.
bool otter_node_begins_task(const struct otter_graph *graph, uint32_t node);
