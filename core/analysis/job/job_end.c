// Joins the ranks of a job: matches operations, finds waits and their root causes, and the critical
// path.
#include "analysis/job/job.h"

#include <stdlib.h>

#include "base/free.h"
#include "base/order.h"

enum otter_status otter_job_add(struct otter_job *job, uint32_t number, uint32_t place,
                                struct otter_rank_calls *calls)
{
    if (!OTTER_VECTOR_ADD(&job->ranks, (struct otter_job_rank){
                                           .number = number, .place = place, .calls = *calls})) {
        return OTTER_NO_MEMORY;
    }
    *calls = (struct otter_rank_calls){0};
    return OTTER_OK;
}

uint32_t otter_job_find_rank(const struct otter_job *job, uint32_t number)
{
    uint32_t first = 0, end = job->ranks.n;
    OTTER_SEARCH(first, end, middle, job->ranks.items[middle].number < number)
    return first < job->ranks.n && job->ranks.items[first].number == number ? first : OTTER_NONE;
}

static void index_peers(const struct otter_job *job, const struct otter_mpi_messages *messages)
{
    for (uint32_t i = 0; i < messages->n; i++) {
        messages->items[i].peer = otter_job_find_rank(job, messages->items[i].peer);
    }
}

static void find_limits(struct otter_job *job)
{
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        const struct otter_rank_calls *calls = otter_job_calls(job, i);
        job->begin = i == 0 || calls->begin < job->begin ? calls->begin : job->begin;
        job->end = i == 0 || calls->end > job->end ? calls->end : job->end;
    }
}

enum otter_status otter_job_match(struct otter_job *job, uint32_t n_ranks)
{
    job->n_ranks_of_world = n_ranks;
    find_limits(job);
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        index_peers(job, &otter_job_calls(job, i)->sends);
        index_peers(job, &otter_job_calls(job, i)->receives);
    }
    enum otter_status status = otter_job_match_messages(job);
    return status ? status : otter_job_match_collectives(job);
}

enum otter_status otter_job_end(struct otter_job *job, uint32_t n_ranks)
{
    enum otter_status status = otter_job_match(job, n_ranks);
    if (status) {
        return status;
    }
    otter_job_find_waits(job);
    otter_job_find_doubts(job);
    status = otter_job_find_causes(job);
    return status ? status : otter_job_find_path(job);
}

void otter_job_finish(struct otter_job *job)
{
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        otter_rank_calls_finish(otter_job_calls(job, i));
    }
    OTTER_FREE(job->ranks.items, job->members.items, job->collectives.items, job->stays.items);
    *job = (struct otter_job){0};
}
