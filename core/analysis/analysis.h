// Computes all numbers that `otter report` prints for one archive.
#pragma once

#include "analysis/path/barriers.h"
#include "analysis/cause/efficiency.h"
#include "analysis/kokkos/kernels.h"
#include "analysis/marks.h"
#include "analysis/kokkos/memory.h"
#include "analysis/cause/mpi.h"
#include "analysis/path/realised.h"
#include "analysis/path/recording_cost.h"
#include "analysis/time/regions.h"
#include "analysis/time/switches.h"
#include "analysis/path/exclusions.h"
#include "analysis/task/tasks.h"
#include "graph/build/build.h"

// The events of a run, for tables that need more than the graph and the timeline.
struct otter_event_source {
    // Calls `add` for all events of a location, up to its end or damage, or until `add` returns
    // false. Returns OTTER_OK, or stores the damage.
    enum otter_status (*read)(void *run, uint32_t location, otter_event_function *add, void *part,
                              struct otter_complaint *damage);
    void *run;
};

struct otter_analysis {
    const struct otter_definitions *definitions;
    double tick; // seconds
    struct otter_event_source
        // without an archive, the caller sets it after otter_analysis_end
        source;
    struct otter_builder *builder; // from otter_analysis_begin to _end, unless the graph is given
    struct otter_graph *graph;     // the fragments view
    struct otter_timeline timeline;
    struct otter_switches switches;
    struct otter_addresses addresses;
    struct otter_exclusions exclusions;
    struct otter_marks marks;
    struct otter_mpi mpi;
    struct otter_pieces pieces;
    struct otter_ready ready;
    struct otter_costs costs;
    struct otter_span span;
    struct otter_account account;
    struct otter_realised realised;
    struct otter_region_uses regions;
    struct otter_barrier_uses barriers;
    struct otter_task_uses tasks;
    struct otter_task_grains grains;
    struct otter_efficiency efficiency;
    struct otter_recording_cost recording;
    bool has_kokkos; // without Kokkos, the next three members are empty
    struct otter_kokkos kokkos;
    struct otter_kernel_uses kernels;
    struct otter_memory_uses memory; // complete only with an archive, since it needs a second pass
    uint64_t n_lost;                 // events
    uint64_t n_damaged;              // locations that could not be read to their end
    bool is_cut_off;
};

// Optional inputs of an analysis. Each pointer may be NULL.
struct otter_analysis_extras {
    // The fragments view, built from all events of the archive. The analysis frees it, even after
    // an error. NULL: the analysis builds the graph itself.
    struct otter_graph *fragments;
    // Called for each event after the analysis has processed it, except for scheduler switches.
    // Returns false to skip the rest of the location.
    otter_event_function *also;
    void *user;
};

// Time: linear in the number of events. Memory: about 60 bytes per event of small tasks, 110 per
// event of waits. The caller must finish the analysis before closing the archive. `extras` may be
// NULL. Returns OTTER_OK, OTTER_NO_MEMORY, or OTTER_BAD_ARCHIVE (written by another tool, or
// without events of threads); *complaint has the details.
enum otter_status otter_analysis_init(struct otter_analysis *analysis,
                                      struct otter_archive *archive,
                                      const struct otter_analysis_extras *extras,
                                      struct otter_complaint *complaint);

// Like otter_analysis_init, but event by event, for a caller without an archive. The caller passes
// all events of one location in order, then the events of the next. `definitions` must outlive the
// analysis. Even after a failure, the caller calls otter_analysis_finish.
enum otter_status otter_analysis_begin(struct otter_analysis *analysis,
                                       const struct otter_definitions *definitions);
// The signature matches otter_event_function. Returns false if out of memory.
bool otter_analysis_add(void *analysis, const struct otter_event *event);
// Computes all numbers. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_analysis_end(struct otter_analysis *analysis);

// Returns the parts that determine the account.
struct otter_account_input otter_analysis_input(const struct otter_analysis *analysis);

// Checks that each tick of each thread is in one part of the account, and that each executed tick
// has one label. Also checks that the steps of the realised path add up to the wall time. Returns
// NULL if all sums agree, otherwise the name of the first wrong sum.
const char *otter_analysis_flaw(const struct otter_analysis *analysis);
// Returns whether no event is missing: none was lost, and each location is complete.
static inline bool otter_analysis_is_complete(const struct otter_analysis *analysis)
{
    return analysis->n_lost == 0 && !analysis->is_cut_off && analysis->n_damaged == 0;
}

void otter_analysis_finish(struct otter_analysis *analysis);

// An additional state of a part: the thread could execute, but is not on a processor.
enum { OTTER_PART_PREEMPTED = OTTER_N_STATES };

typedef void otter_part_function(void *user, uint32_t label, enum otter_state state,
                                 uint64_t ticks);

// Calls `use` for each part of a piece with the same label and state, in order of time.
void otter_piece_labels(const struct otter_analysis *analysis, uint32_t node, uint64_t begin,
                        uint64_t end, otter_part_function *use, void *user);

// Adds up the work on the heaviest path by label in `sums`, which has account.n_labels elements.
// The sums add up to the span.
void otter_span_labels(const struct otter_analysis *analysis, uint64_t *sums);
