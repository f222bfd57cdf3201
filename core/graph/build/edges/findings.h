// Counts what the graph builder has repaired.
#pragma once

#include <stdint.h>

// How many deviations of each kind the builder has repaired. `otter check` reports all of them
// except n_pauses as findings.
struct otter_build_findings {
    uint64_t n_unfinished_tasks;   // created tasks whose end was not recorded
    uint64_t n_unknown_tasks;      // executed or ended tasks whose creation was not recorded
    uint64_t n_orphans;            // executed tasks that were created during a pause
    uint64_t n_unknown_forks;      // members of a team without a fork
    uint64_t n_unknown_fulfillers; // events fulfilled by a thread that executed no task
    uint64_t n_unmatched_leaves;   // Leave records of a region other than the last one entered
    uint64_t n_uneven_barriers;    // barriers that some members of the team did not reach
    uint64_t n_unknown_operations; // operations recorded on a device, but not on the host
    uint64_t n_late_operations;    // operations that a device ended after every wait of the host
    uint64_t n_damaged_locations;  // locations that are not readable to their end
    uint64_t n_pauses; // pauses of all threads; durations in the structure view include them
};
