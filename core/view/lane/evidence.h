// The slices that are evidence of a finding.
#pragma once

#include "view/lane/lanes.h"

enum { OTTER_MAX_SPANS = 32 };

struct otter_lane_span {
    uint32_t lane;
    uint64_t begin, end; // ticks since the view's start
};

struct otter_evidence {
    uint32_t label; // index in the page's labels
    // the time to show, in ticks since the view's start
    uint64_t begin, end;
    struct otter_lane_span spans[OTTER_MAX_SPANS]; // by lane and begin
    uint32_t n;
};

// Returns an array with the evidence of each finding of `view`, in the same order; the caller frees
// it.
struct otter_evidence *otter_evidence_create(const struct otter_view *view);
