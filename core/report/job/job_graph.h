// One task graph of all ranks of a merged archive.
#pragma once

#include "analysis/job/job.h"
#include "graph/build/build.h"
#include "graph/joint.h"
#include "graph/label.h"

// Operations without an edge, and edges that lead back in time.
struct otter_job_graph_gaps {
    struct otter_job_unmatched unmatched;
    uint64_t n_partial; // collective operations of which not all members are recorded
    // messages and collective operations one of whose calls has no node in the graph
    uint64_t n_nowhere;
    uint32_t n_backwards; // edges that lead back in time: the clocks of two ranks differ
};

struct otter_job_graph {
    enum otter_graph_view view;
    // set by otter_job_graph_end; the caller destroys it, and may replace it
    struct otter_graph *graph;
    struct otter_labels labels; // of the regions of the whole archive
    struct otter_job_graph_gaps gaps;
    struct otter_graph_place *places; // of each location of the whole archive
    size_t n_locations, n_regions;    // of the whole archive
    uint64_t *files;                  // of each location
    bool *has_label;                  // of each region
    struct otter_joint joint;         // has a part for each rank of the job
    struct otter_job job;
};

// No rank of the archive may be selected. The caller calls otter_job_graph_finish.
void otter_job_graph_begin(struct otter_job_graph *all, const struct otter_archive *archive,
                           enum otter_graph_view view);

// The graph of one rank, and its MPI calls.
struct otter_rank_graph {
    struct otter_joint_part part;
    struct otter_rank_calls calls;
};

// Builds the graph of the selected rank, and reads its MPI calls. In any case the caller calls
// otter_rank_graph_finish. Errors: OTTER_BAD_ARCHIVE; *complaint is a sentence.
enum otter_status otter_rank_graph_read(struct otter_rank_graph *rank,
                                        struct otter_archive *archive, enum otter_graph_view view,
                                        struct otter_build_findings *findings,
                                        struct otter_complaint *complaint);
void otter_rank_graph_finish(struct otter_rank_graph *rank);

// Adds the selected rank, and its labels with lines. *all takes ownership of the rank's graph and
// calls. Ranks are added in the order of the archive; a rank that fails is left out.
void otter_job_graph_add(struct otter_job_graph *all, const struct otter_archive *archive,
                         struct otter_rank_graph *rank);

// Joins the graphs of the ranks by messages and collective operations. No rank may be selected
// until the graph is destroyed. *Returns* false if 32 bits cannot count the nodes or edges; there
// is no graph then.
bool otter_job_graph_end(struct otter_job_graph *all, const struct otter_archive *archive);
// Frees everything except the graph, which must already be destroyed.
void otter_job_graph_finish(struct otter_job_graph *all);
