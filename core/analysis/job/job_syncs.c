// Finds the last operation that two ranks took part in before a wait.
#include "analysis/job/job_syncs.h"

#include <stdlib.h>

#include "base/order.h"
#include "analysis/job/job_flow.h"
#include "graph/numbers.h"

enum { MAX_COLLECTIVES = 32 }; // the most collective operations that a search compares

struct otter_rank_syncs {
    struct otter_keyed *receives;    // by peer and time; key: the peer, value: index of the receive
    struct otter_keyed *collectives; // key: the time, value: collective << 32 | member
    uint32_t n_receives, n_collectives;
};

struct otter_collective_sync {
    uint64_t time; // ticks: the members wait for others until then
    uint32_t root; // a member, or OTTER_NONE
    uint8_t flow;  // enum otter_flow_direction
};

static const struct otter_mpi_call *call_at(const struct otter_job *job, uint32_t rank,
                                            uint32_t call)
{
    return &otter_job_calls(job, rank)->calls.items[call];
}

// Returns when the call could go on after an event of another rank at `time`. If the call began
// later, the event did not delay it.
static uint64_t time_in(const struct otter_mpi_call *call, uint64_t time)
{
    uint64_t in = time < call->since ? call->since : time;
    return in > call->end ? call->end : in;
}

// ---- messages

static const struct otter_mpi_message *send_of(const struct otter_job *job,
                                               const struct otter_mpi_message *receive)
{
    return &otter_job_calls(job, receive->peer)->sends.items[receive->match];
}

// If the sender waited for the receiver, its wait ended when the receive began.
static uint64_t time_of_send(const struct otter_job *job, uint32_t rank,
                             const struct otter_mpi_message *receive)
{
    const struct otter_mpi_message *send = send_of(job, receive);
    if (send->end != OTTER_NONE) {
        const struct otter_mpi_call *end = call_at(job, receive->peer, send->end);
        if (end->cause == OTTER_CAUSE_RECEIVER && end->cause_rank == rank &&
            end->cause_call == receive->begin) {
            return call_at(job, rank, receive->begin)->begin;
        }
    }
    return call_at(job, receive->peer, send->begin)->begin;
}

static uint64_t time_of_receive(const struct otter_job *job, uint32_t rank,
                                const struct otter_mpi_message *receive)
{
    return time_in(call_at(job, rank, receive->end), time_of_send(job, rank, receive));
}

static bool add_receives(const struct otter_job *job, uint32_t rank, struct otter_rank_syncs *own)
{
    const struct otter_mpi_messages *receives = &otter_job_calls(job, rank)->receives;
    own->receives = malloc(((size_t)receives->n + 1) * sizeof *own->receives);
    for (uint32_t i = 0; own->receives && i < receives->n; i++) {
        const struct otter_mpi_message *receive = &receives->items[i];
        if (receive->match != OTTER_NONE && receive->peer != rank) {
            own->receives[own->n_receives++] =
                (struct otter_keyed){time_of_receive(job, rank, receive), i};
        }
    }
    if (!own->receives || !otter_keyed_sort(own->receives, own->n_receives)) {
        return false;
    }
    for (uint32_t i = 0; i < own->n_receives; i++) {
        own->receives[i].key = receives->items[own->receives[i].value].peer;
    }
    return otter_keyed_sort(own->receives, own->n_receives);
}

// *Returns* the last receive of a rank from `peer` before `time`, or NULL.
static const struct otter_mpi_message *last_receive(const struct otter_job_syncs *syncs,
                                                    uint32_t rank, uint32_t peer, uint64_t time)
{
    const struct otter_rank_syncs *own = &syncs->ranks[rank];
    const struct otter_mpi_message *receives = otter_job_calls(syncs->job, rank)->receives.items;
    uint32_t first = 0, end = own->n_receives;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        const struct otter_keyed *item = &own->receives[middle];
        bool is_before =
            item->key < peer ||
            (item->key == peer && time_of_receive(syncs->job, rank, &receives[item->value]) < time);
        first = is_before ? middle + 1 : first;
        end = is_before ? end : middle;
    }
    bool is_found = first > 0 && own->receives[first - 1].key == peer;
    return is_found ? &receives[own->receives[first - 1].value] : NULL;
}

// ---- collective operations

static uint64_t arrival_of(const struct otter_job *job,
                           const struct otter_job_collective *collective, uint32_t i)
{
    return call_at(job, job->members.items[collective->first + i].rank,
                   otter_job_item(job, collective, i)->begin)
        ->begin;
}

static struct otter_collective_sync sync_of(const struct otter_job *job,
                                            const struct otter_job_collective *collective)
{
    struct otter_collective_sync sync = {0};
    sync.flow = (uint8_t)otter_job_flow(job, collective, &sync.root);
    if (sync.flow == OTTER_FLOW_FROM_ROOT) {
        sync.time = arrival_of(job, collective, sync.root);
        return sync;
    }
    for (uint32_t i = 0; i < collective->n; i++) {
        uint64_t time = arrival_of(job, collective, i);
        sync.time = time > sync.time ? time : sync.time;
    }
    return sync;
}

static uint64_t time_of_member(const struct otter_job_syncs *syncs, uint32_t c, uint32_t i)
{
    const struct otter_job_collective *collective = &syncs->job->collectives.items[c];
    const struct otter_collective_sync *sync = &syncs->collectives[c];
    bool is_waiting =
        sync->flow == OTTER_FLOW_ALL || (sync->flow == OTTER_FLOW_TO_ROOT) == (i == sync->root);
    return is_waiting
               ? time_in(call_at(syncs->job, syncs->job->members.items[collective->first + i].rank,
                                 otter_job_item(syncs->job, collective, i)->end),
                         sync->time)
               : arrival_of(syncs->job, collective, i);
}

static bool add_collectives(struct otter_job_syncs *syncs)
{
    const struct otter_job *job = syncs->job;
    for (uint32_t r = 0; r < job->ranks.n; r++) {
        size_t n = otter_job_calls(job, r)->collectives.n;
        syncs->ranks[r].collectives = malloc((n + 1) * sizeof *syncs->ranks[r].collectives);
        if (!syncs->ranks[r].collectives) {
            return false;
        }
    }
    for (uint32_t c = 0; c < job->collectives.n; c++) {
        const struct otter_job_collective *collective = &job->collectives.items[c];
        syncs->collectives[c] = sync_of(job, collective);
        uint8_t flow = syncs->collectives[c].flow;
        bool is_sync = flow != OTTER_FLOW_NONE && flow != OTTER_FLOW_UPWARDS;
        for (uint32_t i = 0; is_sync && i < collective->n; i++) {
            struct otter_rank_syncs *own =
                &syncs->ranks[job->members.items[collective->first + i].rank];
            own->collectives[own->n_collectives++] =
                (struct otter_keyed){time_of_member(syncs, c, i), (uint64_t)c << 32 | i};
        }
    }
    bool is_good = true;
    for (uint32_t r = 0; r < job->ranks.n && is_good; r++) {
        is_good = otter_keyed_sort(syncs->ranks[r].collectives, syncs->ranks[r].n_collectives);
    }
    return is_good;
}

// *Returns* the member of a rank, or OTTER_NONE. Members are in order of their ranks.
static uint32_t member_of(const struct otter_job *job,
                          const struct otter_job_collective *collective, uint32_t rank)
{
    uint32_t first = 0, end = collective->n;
    OTTER_SEARCH(first, end, middle, job->members.items[collective->first + middle].rank < rank)
    return first < collective->n && job->members.items[collective->first + first].rank == rank
               ? first
               : OTTER_NONE;
}

static uint32_t count_before(const struct otter_rank_syncs *own, uint64_t time)
{
    uint32_t first = 0, end = own->n_collectives;
    OTTER_SEARCH(first, end, middle, own->collectives[middle].key < time)
    return first;
}

// ---- all

// A wait between two ranks.
struct wait {
    uint32_t rank, other;
    uint64_t since, end;
};

static void consider(struct otter_job_sync *sync, const struct wait *wait, uint64_t waiting,
                     uint64_t other)
{
    if (waiting < wait->since && other < wait->end && other > sync->other) {
        *sync = (struct otter_job_sync){waiting, other};
    }
}

static void consider_collectives(const struct otter_job_syncs *syncs, const struct wait *wait,
                                 struct otter_job_sync *sync)
{
    const struct otter_rank_syncs *own = &syncs->ranks[wait->rank];
    uint32_t end = count_before(own, wait->since);
    for (uint32_t i = end; i > 0 && end - i < MAX_COLLECTIVES; i--) {
        uint64_t value = own->collectives[i - 1].value;
        uint32_t c = (uint32_t)(value >> 32), root = syncs->collectives[c].root;
        uint32_t other = member_of(syncs->job, &syncs->job->collectives.items[c], wait->other);
        bool is_common =
            other != OTTER_NONE && (root == OTTER_NONE || root == other || root == (uint32_t)value);
        if (is_common) {
            consider(sync, wait, own->collectives[i - 1].key, time_of_member(syncs, c, other));
            return;
        }
    }
}

struct otter_job_sync otter_job_syncs_find(const struct otter_job_syncs *syncs, uint32_t rank,
                                           const struct otter_mpi_call *waiting)
{
    const struct otter_job *job = syncs->job;
    struct wait wait = {rank, waiting->cause_rank, waiting->since,
                        call_at(job, waiting->cause_rank, waiting->cause_call)->begin};
    struct otter_job_sync sync = {job->begin, job->begin};
    const struct otter_mpi_message *in = last_receive(syncs, rank, wait.other, wait.since);
    const struct otter_mpi_message *out = last_receive(syncs, wait.other, rank, wait.end);
    if (in) {
        consider(&sync, &wait, time_of_receive(job, rank, in), time_of_send(job, rank, in));
    }
    if (out) {
        consider(&sync, &wait, time_of_send(job, wait.other, out),
                 time_of_receive(job, wait.other, out));
    }
    consider_collectives(syncs, &wait, &sync);
    return sync;
}

enum otter_status otter_job_syncs_init(struct otter_job_syncs *syncs, const struct otter_job *job)
{
    *syncs = (struct otter_job_syncs){.job = job};
    syncs->ranks = calloc((size_t)job->ranks.n + 1, sizeof *syncs->ranks);
    syncs->collectives = calloc((size_t)job->collectives.n + 1, sizeof *syncs->collectives);
    bool is_good = syncs->ranks && syncs->collectives && add_collectives(syncs);
    for (uint32_t r = 0; r < job->ranks.n && is_good; r++) {
        is_good = add_receives(job, r, &syncs->ranks[r]);
    }
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

void otter_job_syncs_finish(struct otter_job_syncs *syncs)
{
    for (uint32_t r = 0; syncs->ranks && r < syncs->job->ranks.n; r++) {
        free(syncs->ranks[r].receives);
        free(syncs->ranks[r].collectives);
    }
    free(syncs->ranks);
    free(syncs->collectives);
}
