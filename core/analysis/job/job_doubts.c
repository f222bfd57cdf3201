// Finds the MPI calls that may have waited longer than their causes explain.
#include "analysis/job/job.h"
#include "analysis/job/job_flow.h"

// ---- collective operations

// MPI_Init and MPI_Finalize exchange no data, so their time does not count as exchange.
static bool is_of_job(const struct otter_mpi_collective *collective)
{
    return collective->comm == OTTER_COMM_INIT || collective->comm == OTTER_COMM_FINALIZE;
}

static void set_collectives(struct otter_rank_calls *calls)
{
    for (uint32_t i = 0; i < calls->collectives.n; i++) {
        const struct otter_mpi_collective *collective = &calls->collectives.items[i];
        calls->calls.items[collective->end].doubt =
            is_of_job(collective) ? OTTER_DOUBT_NONE : OTTER_DOUBT_PARTNER;
    }
}

// With two members, a rooted operation forwards no data.
static enum otter_wait_doubt doubt_of(const struct otter_job *job,
                                      const struct otter_job_collective *collective, uint32_t i)
{
    uint32_t root, size = otter_job_item(job, collective, i)->size;
    size = size > 0 ? size : job->n_ranks_of_world;
    enum otter_flow_direction direction = otter_job_flow(job, collective, &root);
    if (collective->n < size || direction == OTTER_FLOW_NONE) {
        return OTTER_DOUBT_PARTNER;
    }
    return root != OTTER_NONE && root != i && size > 2 ? OTTER_DOUBT_FORWARD : OTTER_DOUBT_NONE;
}

static void clear_matched(struct otter_job *job, const struct otter_job_collective *collective)
{
    for (uint32_t i = 0; i < collective->n && !is_of_job(otter_job_item(job, collective, 0)); i++) {
        uint32_t rank = job->members.items[collective->first + i].rank;
        uint32_t end = otter_job_item(job, collective, i)->end;
        otter_job_calls(job, rank)->calls.items[end].doubt = (uint8_t)doubt_of(job, collective, i);
    }
}

// ---- messages

static void set_messages(struct otter_rank_calls *calls, const struct otter_mpi_messages *messages)
{
    for (uint32_t i = 0; i < messages->n; i++) {
        const struct otter_mpi_message *message = &messages->items[i];
        if (message->match == OTTER_NONE && message->end != OTTER_NONE) {
            calls->calls.items[message->end].doubt = OTTER_DOUBT_PARTNER;
        }
    }
}

// ---- all

static void add_up(struct otter_job *job, uint32_t rank)
{
    struct otter_job_rank *own = &job->ranks.items[rank];
    for (uint32_t i = 0; i < own->calls.calls.n; i++) {
        const struct otter_mpi_call *call = &own->calls.calls.items[i];
        uint64_t begin = call->begin;
        if (call->cause != OTTER_CAUSE_NONE) {
            uint64_t until =
                otter_job_calls(job, call->cause_rank)->calls.items[call->cause_call].begin;
            begin = until > begin ? until : begin;
        }
        own->doubted[call->doubt] += call->end > begin ? call->end - begin : 0;
    }
}

void otter_job_find_doubts(struct otter_job *job)
{
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        set_collectives(otter_job_calls(job, i));
    }
    for (uint32_t i = 0; i < job->collectives.n; i++) {
        clear_matched(job, &job->collectives.items[i]);
    }
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        struct otter_rank_calls *calls = otter_job_calls(job, i);
        set_messages(calls, &calls->sends);
        set_messages(calls, &calls->receives);
        add_up(job, i);
    }
}
