// Warnings about everything that may be missing from a task graph.
#pragma once

#include "graph/build/build.h"
#include "graph/missing.h"

// The gaps of an archive, or the sums of several ranks.
struct otter_graph_gaps {
    struct otter_build_findings findings;
    uint64_t n_lost; // events
    enum otter_missing missing;
    uint32_t n_archives, n_stopped; // archives that reached max-size
    double stopped_after_s;         // when the last of these archives stopped; negative: unknown
};

// Adds the gaps of an archive from which a graph was built.
void otter_graph_gaps_add(struct otter_graph_gaps *gaps, const struct otter_archive *archive,
                          const struct otter_build_findings *findings);

// Prints a warning for each kind of gap. `path` is the archive's.
void otter_graph_gaps_warn(const struct otter_graph_gaps *gaps, const char *path);
