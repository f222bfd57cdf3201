// Finds the direction in which data flows between the members of a collective operation.
#include "analysis/job/job_flow.h"

static enum otter_flow_direction direction_of(enum otter_collective operation)
{
    switch (operation) {
    case OTTER_COLLECTIVE_BCAST:
    case OTTER_COLLECTIVE_SCATTER:
    case OTTER_COLLECTIVE_SCATTERV: return OTTER_FLOW_FROM_ROOT;
    case OTTER_COLLECTIVE_GATHER:
    case OTTER_COLLECTIVE_GATHERV:
    case OTTER_COLLECTIVE_REDUCE: return OTTER_FLOW_TO_ROOT;
    case OTTER_COLLECTIVE_SCAN:
    case OTTER_COLLECTIVE_EXSCAN: return OTTER_FLOW_UPWARDS;
    default: return OTTER_FLOW_ALL;
    }
}

const struct otter_mpi_collective *otter_job_item(const struct otter_job *job,
                                                  const struct otter_job_collective *collective,
                                                  uint32_t i)
{
    const struct otter_job_operation *member = &job->members.items[collective->first + i];
    return &otter_job_calls(job, member->rank)->collectives.items[member->item];
}

static uint32_t find_root(const struct otter_job *job,
                          const struct otter_job_collective *collective)
{
    for (uint32_t i = 0; i < collective->n; i++) {
        const struct otter_mpi_collective *item = otter_job_item(job, collective, i);
        if (item->member == item->root) {
            return i;
        }
    }
    return OTTER_NONE;
}

// The members of a job's collective are sorted by world rank.
static bool is_in_order(const struct otter_job *job, const struct otter_job_collective *collective)
{
    for (uint32_t i = 1; i < collective->n; i++) {
        if (otter_job_item(job, collective, i)->member <
            otter_job_item(job, collective, i - 1)->member) {
            return false;
        }
    }
    return true;
}

enum otter_flow_direction otter_job_flow(const struct otter_job *job,
                                         const struct otter_job_collective *collective,
                                         uint32_t *root)
{
    enum otter_flow_direction direction =
        direction_of((enum otter_collective)otter_job_item(job, collective, 0)->operation);
    bool is_rooted = direction == OTTER_FLOW_FROM_ROOT || direction == OTTER_FLOW_TO_ROOT;
    *root = is_rooted ? find_root(job, collective) : OTTER_NONE;
    bool is_known = (!is_rooted || *root != OTTER_NONE) &&
                    (direction != OTTER_FLOW_UPWARDS || is_in_order(job, collective));
    return is_known ? direction : OTTER_FLOW_NONE;
}
