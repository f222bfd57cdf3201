// Checks the task graphs of an archive.
#pragma once

#include "check/check.h"

struct otter_graph;
struct otter_pause_span;
struct otter_build_findings;

struct otter_graph_checker {
    struct otter_check_report *report;
    enum otter_quirk excuse; // explains missing events
    bool was_cancelled;      // some construct was cancelled
    bool has_repairs;        // the recorder repaired or left out ends
    const struct otter_pause_span *pauses;
    size_t n_pauses;
    uint64_t n_endless, n_uncreated; // tasks that the check of events has already reported
    uint64_t *fragment_time; // ticks by location, to which the check of the fragments view adds
};

// Checks one view.
void otter_check_graph(struct otter_graph_checker *checker, const struct otter_graph *graph);
// Adds the findings of the graph builder to the report.
void otter_check_findings(struct otter_graph_checker *checker,
                          const struct otter_build_findings *findings);
