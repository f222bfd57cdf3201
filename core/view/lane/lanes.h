// The lanes of the timeline, and their slices: all bars that a page can draw.
#pragma once

#include "analysis/findings/findings.h"
#include "analysis/job/job.h"
#include "graph/label.h"
#include "view/lane/events.h"

enum otter_lane_kind { OTTER_LANE_THREAD = 0, OTTER_LANE_DEVICE, OTTER_LANE_SECTIONS };

struct otter_lane {
    enum otter_lane_kind kind;
    uint32_t location;           // OTTER_NONE: sections
    uint32_t line;               // line of the timeline; OTTER_NONE: not a thread
    uint32_t n_rows;             // row 0 and the rows of bars above it
    uint32_t first_bar, end_bar; // range of the lane's bars in the events
    // sorted by start; of a thread: its waits; of a device: its activities
    uint32_t *nodes;
    uint32_t n_nodes;
};

struct otter_lanes {
    // threads in the order of the timeline, then devices, then sections if there are any
    struct otter_lane *items;
    uint32_t n;
    uint32_t *of_locations; // OTTER_NONE: the location has no lane
};

// The archive and everything known about it.
struct otter_view {
    struct otter_archive *archive;
    const struct otter_definitions *definitions;
    struct otter_analysis analysis;
    struct otter_view_events events;
    struct otter_findings findings;
    struct otter_labels labels;
    struct otter_lanes lanes;
    uint64_t first, last; // ticks of the archive: first and last event of any thread
    uint64_t begin, end;  // ticks that the page shows: of this archive, or of the whole job
    uint64_t size;        // limit for the page, in characters
    bool is_page;         // for a page, not for an export; set before otter_view_read
    struct otter_builder *drawing; // builder of the drawn graph, with all events; NULL: none
    // for tables of the page; NULL: none
    struct otter_loop_walk *loop_walk;
    struct otter_lock_walk *lock_walk;
    const struct otter_job *job; // NULL: the page of one process
    uint32_t job_rank;           // index of the rank in `job`
    uint64_t shortest_message;   // ticks; shorter messages are left out
};

// Returns a time of the archive as ticks since the start, at most the last event.
static inline uint64_t otter_view_ticks(const struct otter_view *view, uint64_t time)
{
    time = time < view->last ? time : view->last;
    return time > view->begin ? time - view->begin : 0;
}

// Returns the number of labels in the page: of regions, and of code between MPI calls.
static inline uint32_t otter_view_n_labels(const struct otter_view *view)
{
    return view->analysis.account.n_labels - 1;
}

// Returns the label of a region in the page; labels.length for no label.
static inline uint32_t otter_view_label(const struct otter_view *view, uint32_t region)
{
    return otter_account_label(&view->analysis.account, region);
}

// Returns the name of the lane in the page: the location's name.
const char *otter_lane_name(const struct otter_view *view, uint32_t lane);

// Call after the analysis.
void otter_lanes_init(struct otter_view *view);
void otter_lanes_finish(struct otter_lanes *lanes);

// An uninterrupted bar. The slices in row 0 of a thread cover each of its ticks exactly once.
struct otter_slice {
    uint32_t lane, row;
    uint64_t begin, end; // ticks since the view's start; begin < end
    uint32_t label;      // of the task or kernel around the slice; in other rows, of the construct
    uint32_t construct;  // label of the innermost open region
    uint32_t task;       // the task that executes or waits; OTTER_NONE: unknown
    uint32_t node;       // the piece or activity; OTTER_NONE: none
    enum otter_state state;
};

typedef void otter_slice_function(void *user, const struct otter_slice *slice);

// Calls `use` for the slices of each lane, row by row, sorted by time.
void otter_slices_each(const struct otter_view *view, otter_slice_function *use, void *user);
