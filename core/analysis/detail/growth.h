// How much a label's work may grow before the heaviest path gets longer.
#pragma once

#include "analysis/analysis.h"

struct otter_path_length; // work on a path: of the label, and of all other labels

struct otter_growth {
    const struct otter_analysis *analysis;
    const uint64_t *work; // of each node; the caller's
    uint64_t *own;        // of each node: work of the label
    struct otter_path_length *lengths;
    uint32_t label;
};

// Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_growth_init(struct otter_growth *growth,
                                    const struct otter_analysis *analysis, const uint64_t *work);
void otter_growth_finish(struct otter_growth *growth);

// Returns the share by which the whole work of a label may grow without lengthening the span: 0.5
// means 50 % more. INFINITY: the label is on no path. Time: a few passes over all edges.
double otter_growth_of(struct otter_growth *growth, uint32_t label);
