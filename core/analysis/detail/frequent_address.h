// One address in the depend clauses of most tasks on the longest chain.
#pragma once

#include "analysis/analysis.h"

struct otter_frequent_address {
    uint64_t address;
    uint32_t n;         // dependences of the span path on it; 0: there is no such address
    double parallelism; // of the run without them
};

// At least half of the dependences on the span path are on the address. Without them, the span is
// shorter by a quarter or more. *Errors*: OTTER_NO_MEMORY.
enum otter_status otter_frequent_address_find(const struct otter_analysis *analysis,
                                              struct otter_frequent_address *found);
