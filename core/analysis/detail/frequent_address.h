// The address that occurs in the depend clauses of most tasks on the longest chain.
#pragma once

#include "analysis/analysis.h"

struct otter_frequent_address {
    uint64_t address;
    uint32_t n;         // number of its dependences on the span path; 0: there is no such address
    double parallelism; // of the run, if this address ordered no tasks
};

// Finds an address that has at least half of the dependences on the span path, and without which
// the span would be at least a quarter shorter. *Errors*: OTTER_NO_MEMORY.
enum otter_status otter_frequent_address_find(const struct otter_analysis *analysis,
                                              struct otter_frequent_address *found);
