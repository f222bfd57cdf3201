// One task graph of all ranks of a merged archive, with messages for the user.
#pragma once

#include "report/job/job_graph.h"

// Reads all ranks and warns about everything that may be missing. A rank that cannot be read is
// left out with an error, and *is_whole becomes false. *Returns* false after printing an error:
// there is no graph. In both cases the caller calls otter_job_graph_finish.
bool otter_rank_graphs_read(struct otter_job_graph *all, struct otter_archive *archive,
                            enum otter_graph_view view, bool *is_whole, bool *has_pauses);

// Prints a note if no rank has an MPI call that exchanges data.
void otter_rank_graphs_note(const struct otter_job *job);
