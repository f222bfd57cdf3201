// The edges between the ranks of a job, for the joint graph of their graphs.
#pragma once

#include "analysis/job/job.h"
#include "graph/joint.h"

// Adds an edge for each message, and the edges and meetings of each collective operation. Marks the
// nodes from which an edge leaves (is_split).
//
// The parts belong to the ranks of the job, in the same order. The job is matched
// (otter_job_match), and its calls have the nodes of the parts (otter_rank_calls_find_nodes).
// Returns OTTER_NO_MEMORY or OTTER_OK. Sets *n_lacking to the number of messages and collective
// operations that lack an edge because a call has no node.
enum otter_status otter_job_link(const struct otter_job *job, struct otter_joint *joint,
                                 uint64_t *n_lacking);
