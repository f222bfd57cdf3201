// The tables of slices, tasks and edges: all rows, or as many as fit into the file.
#pragma once

#include "view/lane/evidence.h"
#include "view/lane/tasks.h"

struct otter_detail_request {
    uint64_t n_characters; // limit for the characters of the chunks
    bool has_window;
    uint64_t begin, end; // the window, in ticks since the view's start
};

struct otter_detail {
    // rows that are not in the file
    uint64_t n_slices, n_tasks, n_edges;
    uint64_t threshold; // ticks: a shorter slice is in the file only as part of a path or evidence
    bool has_paths;     // all slices on the paths are in the file
};

// Adds the tables `slices`, `tasks` and `edges` to `chunks`. `evidence`: one for each finding.
void otter_detail_write(struct otter_detail *detail, const struct otter_view_tasks *tasks,
                        const struct otter_evidence *evidence,
                        const struct otter_detail_request *request, struct otter_chunks *chunks);
