// The order in which slices, tasks and edges are written to the file.
#pragma once

#include "view/lane/evidence.h"

// Slices are ordered by class, then by duration, then by time. If not all slices of about the same
// duration fit, the earlier ones are written.
enum {
    OTTER_N_CLASSES = 4,     // in ascending order: others, evidence, paths, window
    OTTER_N_DURATIONS = 512, // classes of duration: 8 for each factor of 2
    OTTER_N_PARTS = 32,      // parts of the wall time
    OTTER_RANKS_OF_CLASS = OTTER_N_DURATIONS * OTTER_N_PARTS,
    OTTER_N_RANKS = OTTER_RANKS_OF_CLASS * OTTER_N_CLASSES,
    OTTER_FIRST_RANK_OF_PATHS = OTTER_RANKS_OF_CLASS * 2,
};

struct otter_ranking {
    const struct otter_view *view;
    bool *is_on_path; // whether each node is on a path
    // spans of evidence, by lane and begin, without overlaps in a lane
    struct otter_lane_span *spans;
    uint32_t n_spans;
    bool has_window;
    uint64_t begin, end; // of the window
};

// The caller sets the window.
void otter_ranking_init(struct otter_ranking *ranking, const struct otter_view *view,
                        const struct otter_evidence *evidence);
void otter_ranking_finish(struct otter_ranking *ranking);

// Returns the rank of a slice. Slices with higher ranks are written first.
uint16_t otter_slice_rank(const struct otter_ranking *ranking, const struct otter_slice *slice);

// Returns the shortest duration, in ticks, of slices of class 0 with at least this rank.
uint64_t otter_rank_duration(uint32_t rank);
