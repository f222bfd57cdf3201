// The realised path: back from the last end over the pieces that each piece waited for.
// The steps add up to the wall time.
#pragma once

#include "analysis/pieces.h"
#include "analysis/ready.h"

enum otter_step_reason {
    OTTER_STEP_EXECUTED = 0, // a thread executed `node`
    OTTER_STEP_LATENCY,      // `node` was ready and its thread idle
    OTTER_STEP_DISPATCH,     // the thread of `node` was busy until then
    OTTER_STEP_OUTSIDE,      // before the first or after the last piece
};

struct otter_path_step {
    uint64_t begin, end; // ticks
    uint32_t node;       // OTTER_NONE for OUTSIDE
    enum otter_step_reason reason;
};

struct otter_realised {
    struct {
        OTTER_VECTOR(struct otter_path_step);
    } steps; // from the last to the first, without gaps from the timeline's end to its begin
};

// Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_realised_init(struct otter_realised *realised,
                                      const struct otter_timeline *timeline,
                                      const struct otter_graph *graph,
                                      const struct otter_pieces *pieces,
                                      const struct otter_ready *ready);
void otter_realised_finish(struct otter_realised *realised);
