// The state of the search for findings. Private to core/analysis.
#pragma once

#include "analysis/findings.h"

// Each loss is reported once: a finding takes its ticks out of the rest of their kind.
struct otter_search {
    const struct otter_analysis *analysis;
    struct otter_findings *findings;
    uint64_t explained;         // ticks without work
    uint64_t explained_delay;   // ticks of delay
    uint64_t explained_outside; // ticks outside of regions
    uint64_t explained_forking; // ticks of forks
    unsigned char *kernels; // of each region: not 0 for a kernel whose launches a finding contains
    uint64_t *inner;        // of each region: ticks inside that are those of another finding
    bool is_short_of_memory;
};

// Returns whether `cost` is at least OTTER_FINDING_PERCENT of the thread time.
bool otter_search_is_worth(const struct otter_search *search, uint64_t cost);
// Adds a finding that is worth its cost; ignores any other.
void otter_search_add(struct otter_search *search, struct otter_finding finding);
// Adds a finding without a cost in time.
void otter_search_add_anyway(struct otter_search *search, struct otter_finding finding);
// Whether a finding on Kokkos contains all launches of the kernel with this label.
bool otter_search_contains_kernel(const struct otter_search *search, uint32_t label);
// Return the ticks without work, and outside of regions, that no finding has explained.
uint64_t otter_search_unexplained(const struct otter_search *search);
uint64_t otter_search_unexplained_outside(const struct otter_search *search);
