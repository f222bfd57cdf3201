// The direction in which data flows between the members of a collective operation.
#pragma once

#include "analysis/job/job.h"

enum otter_flow_direction {
    OTTER_FLOW_NONE =
        0, // unknown: the root is not recorded, or members of a scan are not in the order of ranks
    OTTER_FLOW_ALL,       // from every member to every other
    OTTER_FLOW_FROM_ROOT, // to each member
    OTTER_FLOW_TO_ROOT,   // from each member
    OTTER_FLOW_UPWARDS,   // from each member to all later ones
};

// Sets *root to the index of the root among the members; OTTER_NONE for operations without a root.
enum otter_flow_direction otter_job_flow(const struct otter_job *job,
                                         const struct otter_job_collective *collective,
                                         uint32_t *root);

// Returns the operation of member `i`.
const struct otter_mpi_collective *otter_job_item(const struct otter_job *job,
                                                  const struct otter_job_collective *collective,
                                                  uint32_t i);
