// Finds what each MPI call waited for: a call of another rank that started during it.
#include "analysis/job/job.h"
#include "analysis/job/job_flow.h"

// The start of a call.
struct origin {
    uint32_t rank, call; // indexes
    enum otter_wait_cause cause;
};

static struct otter_mpi_call *call_at(const struct otter_job *job, uint32_t rank, uint32_t call)
{
    return &otter_job_calls(job, rank)->calls.items[call];
}

// Stores the latest origin of a wait: the call or its polling began before the origin, and the call
// ended after it.
static void consider(const struct otter_job *job, uint32_t rank, uint32_t call,
                     struct origin origin)
{
    struct otter_mpi_call *waiting = call_at(job, rank, call);
    uint64_t time = call_at(job, origin.rank, origin.call)->begin;
    if (origin.rank == rank || time <= waiting->since || time >= waiting->end ||
        (waiting->cause != OTTER_CAUSE_NONE &&
         call_at(job, waiting->cause_rank, waiting->cause_call)->begin >= time)) {
        return;
    }
    waiting->cause = (uint8_t)origin.cause;
    waiting->cause_rank = origin.rank;
    waiting->cause_call = origin.call;
}

// ---- messages

// A call that began before the message was sent waited for the send. A later call waited for the
// call that completes the send: large messages are transferred there.
static void consider_sender(struct otter_job *job, uint32_t rank, uint32_t call, uint32_t peer,
                            const struct otter_mpi_message *send)
{
    bool is_late = call_at(job, peer, send->begin)->begin > call_at(job, rank, call)->since;
    uint32_t from = is_late || send->end == OTTER_NONE ? send->begin : send->end;
    consider(job, rank, call, (struct origin){peer, from, OTTER_CAUSE_SENDER});
}

// A probe right before the receive also waited for the message.
static void consider_receive(struct otter_job *job, uint32_t rank,
                             const struct otter_mpi_message *receive)
{
    const struct otter_mpi_message *send =
        &otter_job_calls(job, receive->peer)->sends.items[receive->match];
    const struct otter_mpi_call *begin = call_at(job, rank, receive->begin);
    consider_sender(job, rank, receive->end, receive->peer, send);
    if (receive->begin > 0 && begin[-1].is_probe && begin[-1].location == begin->location) {
        consider_sender(job, rank, receive->begin - 1, receive->peer, send);
    }
    job->unmatched.backwards +=
        receive->peer != rank &&
        call_at(job, rank, receive->end)->end < call_at(job, receive->peer, send->begin)->begin;
}

static void consider_send(const struct otter_job *job, uint32_t rank,
                          const struct otter_mpi_message *send)
{
    const struct otter_mpi_message *receive =
        &otter_job_calls(job, send->peer)->receives.items[send->match];
    if (send->end != OTTER_NONE) {
        consider(job, rank, send->end,
                 (struct origin){send->peer, receive->begin, OTTER_CAUSE_RECEIVER});
    }
}

static void find_message_waits(struct otter_job *job, uint32_t rank)
{
    struct otter_rank_calls *calls = otter_job_calls(job, rank);
    for (uint32_t i = 0; i < calls->receives.n; i++) {
        if (calls->receives.items[i].match != OTTER_NONE) {
            consider_receive(job, rank, &calls->receives.items[i]);
        }
    }
    for (uint32_t i = 0; i < calls->sends.n; i++) {
        if (calls->sends.items[i].match != OTTER_NONE) {
            consider_send(job, rank, &calls->sends.items[i]);
        }
    }
}

// ---- collective operations

static struct origin origin_of(const struct otter_job *job,
                               const struct otter_job_collective *collective, uint32_t i)
{
    return (struct origin){job->members.items[collective->first + i].rank,
                           otter_job_item(job, collective, i)->begin, OTTER_CAUSE_ARRIVAL};
}

static uint64_t arrival_of(const struct otter_job *job,
                           const struct otter_job_collective *collective, uint32_t i)
{
    struct origin origin = origin_of(job, collective, i);
    return call_at(job, origin.rank, origin.call)->begin;
}

static void consider_member(struct otter_job *job, const struct otter_job_collective *collective,
                            uint32_t i, struct origin origin)
{
    uint32_t rank = job->members.items[collective->first + i].rank;
    uint32_t end = otter_job_item(job, collective, i)->end;
    consider(job, rank, end, origin);
    job->unmatched.backwards +=
        origin.rank != rank &&
        call_at(job, rank, end)->end < call_at(job, origin.rank, origin.call)->begin;
}

static uint32_t last_of(const struct otter_job *job, const struct otter_job_collective *collective)
{
    uint32_t last = 0;
    for (uint32_t i = 1; i < collective->n; i++) {
        last = arrival_of(job, collective, i) > arrival_of(job, collective, last) ? i : last;
    }
    return last;
}

static void find_scan_waits(struct otter_job *job, const struct otter_job_collective *collective)
{
    uint32_t last = 0;
    for (uint32_t i = 1; i < collective->n; i++) {
        consider_member(job, collective, i, origin_of(job, collective, last));
        last = arrival_of(job, collective, i) > arrival_of(job, collective, last) ? i : last;
    }
}

static void find_collective_waits(struct otter_job *job,
                                  const struct otter_job_collective *collective)
{
    uint32_t last = last_of(job, collective), root;
    switch (otter_job_flow(job, collective, &root)) {
    case OTTER_FLOW_NONE: break;
    case OTTER_FLOW_UPWARDS: find_scan_waits(job, collective); break;
    case OTTER_FLOW_TO_ROOT:
        consider_member(job, collective, root, origin_of(job, collective, last));
        break;
    case OTTER_FLOW_FROM_ROOT:
    case OTTER_FLOW_ALL:
        for (uint32_t i = 0; i < collective->n; i++) {
            consider_member(job, collective, i,
                            origin_of(job, collective, root != OTTER_NONE ? root : last));
        }
    }
}

// ---- all

static void add_up(struct otter_job *job, uint32_t rank)
{
    struct otter_job_rank *own = &job->ranks.items[rank];
    for (uint32_t i = 0; i < own->calls.calls.n; i++) {
        const struct otter_mpi_call *call = &own->calls.calls.items[i];
        if (call->cause != OTTER_CAUSE_NONE) {
            uint64_t ticks = call_at(job, call->cause_rank, call->cause_call)->begin - call->since;
            own->waited[call->cause] += ticks;
            own->n_waits[call->cause]++;
            job->ranks.items[call->cause_rank].caused[call->cause] += ticks;
        }
    }
}

// Moves a reference to a call back along the path to the first call that waited. A damaged archive
// may contain a cycle.
static void skip_calls(const struct otter_rank_calls *calls, uint32_t *first)
{
    struct otter_mpi_call *items = calls->calls.items;
    uint32_t at = *first, n = 0;
    while (at != OTTER_NONE && items[at].cause == OTTER_CAUSE_NONE) {
        at = n++ < calls->calls.n ? items[at].before : OTTER_NONE;
    }
    for (uint32_t i = *first, next; i != at && i != OTTER_NONE; i = next) {
        next = items[i].before;
        items[i].before = at;
    }
    *first = at;
}

static void skip_all(struct otter_rank_calls *calls)
{
    for (uint32_t i = 0; i < calls->calls.n; i++) {
        skip_calls(calls, &calls->calls.items[i].before);
    }
    skip_calls(calls, &calls->last);
}

void otter_job_find_waits(struct otter_job *job)
{
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        find_message_waits(job, i);
    }
    for (uint32_t i = 0; i < job->collectives.n; i++) {
        find_collective_waits(job, &job->collectives.items[i]);
    }
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        add_up(job, i);
        skip_all(otter_job_calls(job, i));
    }
}
