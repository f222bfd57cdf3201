// Builds one task graph of all ranks of a merged archive, and warns about gaps in it.
#include "report/ranks/rank_graphs.h"

#include <inttypes.h>

#include "base/log.h"
#include "base/text/print.h"
#include "analysis/job/each_rank.h"
#include "report/ranks/graph_gaps.h"
#include "analysis/findings/read.h"

struct reading {
    struct otter_job_graph *all;
    struct otter_graph_gaps gaps;
};

struct rank {
    struct otter_rank_graph graph;
    struct otter_build_findings findings;
    enum otter_status status;
    struct otter_complaint complaint;
};

static void read_rank(const void *user, struct otter_archive *archive, void *result)
{
    const struct reading *reading = user;
    struct rank *rank = result;
    rank->status = otter_rank_graph_read(&rank->graph, archive, reading->all->view, &rank->findings,
                                         &rank->complaint);
}

static bool add_rank(void *user, struct otter_archive *archive, void *result)
{
    struct reading *reading = user;
    struct rank *rank = result;
    if (rank->status) {
        otter_error("rank %" PRIu32 " is left out: %s", otter_selected_rank(archive)->number,
                    rank->complaint.text);
        return false;
    }
    otter_job_graph_add(reading->all, archive, &rank->graph);
    otter_graph_gaps_add(&reading->gaps, archive, &rank->findings);
    return true;
}

static void finish_rank(void *result)
{
    struct rank *rank = result;
    otter_rank_graph_finish(&rank->graph);
}

// ---- warnings

static void warn_of_partners(const struct otter_job_unmatched *unmatched)
{
    if (unmatched->sends + unmatched->receives + unmatched->collectives > 0) {
        otter_warning("no edge for operations without a partner in another rank: %" PRIu64
                      " send%s, %" PRIu64 " receive%s, %" PRIu64 " part%s of collective operations",
                      unmatched->sends, otter_plural(unmatched->sends), unmatched->receives,
                      otter_plural(unmatched->receives), unmatched->collectives,
                      otter_plural(unmatched->collectives));
    }
}

static void warn_of_members(uint64_t n_partial)
{
    if (n_partial > 0) {
        otter_warning("%" PRIu64 " collective operation%s without all members: edges lead only "
                      "between ranks whose MPI calls were recorded",
                      n_partial, otter_plural(n_partial));
    }
}

static void warn_of_edges(const struct otter_job_graph_gaps *gaps, enum otter_graph_view view)
{
    if (gaps->n_nowhere > 0) {
        otter_warning(
            "no edge for %" PRIu64 " message%s or collective operation%s: their MPI calls "
            "have no node in this view%s",
            gaps->n_nowhere, otter_plural(gaps->n_nowhere), otter_plural(gaps->n_nowhere),
            view == OTTER_VIEW_STRUCTURE ? "; --view=fragments has tests such as MPI_Test" : "");
    }
    if (gaps->n_backwards > 0) {
        otter_warning("%" PRIu32 " edge%s between ranks lead%s back in time: the clocks of the "
                      "ranks differ",
                      gaps->n_backwards, otter_plural(gaps->n_backwards),
                      gaps->n_backwards == 1 ? "s" : "");
    }
}

void otter_rank_graphs_note(const struct otter_job *job)
{
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        if (otter_job_calls(job, i)->calls.n > 0) {
            return;
        }
    }
    otter_note("there are no edges between ranks: no MPI call was recorded that exchanges data");
}

// ---- all ranks

static bool is_small_enough(const struct otter_definitions *definitions)
{
    if (definitions->n_locations >= OTTER_NO_LOCATION) {
        otter_error("'%s' has %zu threads and streams, and a graph of all ranks has fewer "
                    "than %d: choose a rank with --rank=N",
                    definitions->folder, definitions->n_locations, OTTER_NO_LOCATION);
        return false;
    }
    return true;
}

bool otter_rank_graphs_read(struct otter_job_graph *all, struct otter_archive *archive,
                            enum otter_graph_view view, bool *is_whole, bool *has_pauses)
{
    struct reading reading = {.all = all};
    *all = (struct otter_job_graph){.graph = NULL};
    if (!is_small_enough(otter_archive_definitions(archive))) {
        return false;
    }
    otter_job_graph_begin(all, archive, view);
    static const struct otter_rank_steps steps = {
        .size = sizeof(struct rank), .read = read_rank, .use = add_rank, .finish = finish_rank};
    *is_whole = otter_each_rank(archive, &steps, &reading) == 0;
    if (all->job.ranks.n == 0) {
        return false;
    }
    if (!otter_job_graph_end(all, archive)) {
        otter_error("the graph of all ranks has too many nodes or edges: choose a rank with "
                    "--rank=N");
        return false;
    }
    otter_graph_gaps_warn(&reading.gaps, otter_archive_definitions(archive)->folder);
    warn_of_partners(&all->gaps.unmatched);
    warn_of_members(all->gaps.n_partial);
    warn_of_edges(&all->gaps, view);
    *has_pauses = reading.gaps.findings.n_pauses > 0 && view == OTTER_VIEW_STRUCTURE;
    return true;
}
