// Replays the MPI calls of all ranks.
#include "analysis/job/job_replay.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/job/job_flow.h"
#include "base/free.h"
#include "graph/numbers.h"

// ---- the calls and what they complete

// The operations that the calls of a rank complete, and their times in the replayed run.
struct otter_rank_ops {
    uint32_t *first_receive; // of each call: the first receive that it completes; OTTER_NONE: none
    uint32_t *next_receive;  // of each receive: the next one that the same call completes
    uint32_t *first_member;  // of each call: index in the job's members
    int64_t *ends;           // of each call, ticks from the job's start
    int64_t *waits;          // of each call
};

static bool list_receives(struct otter_rank_ops *ops, const struct otter_rank_calls *calls)
{
    ops->first_receive = otter_numbers_create(calls->calls.n);
    ops->first_member = otter_numbers_create(calls->calls.n);
    ops->next_receive = otter_numbers_create(calls->receives.n);
    ops->ends = calloc(calls->calls.n + (size_t)1, sizeof *ops->ends);
    ops->waits = calloc(calls->calls.n + (size_t)1, sizeof *ops->waits);
    if (!ops->first_receive || !ops->first_member || !ops->next_receive || !ops->ends ||
        !ops->waits) {
        return false;
    }
    for (uint32_t i = 0; i < calls->receives.n; i++) {
        const struct otter_mpi_message *receive = &calls->receives.items[i];
        if (receive->match != OTTER_NONE && receive->end != OTTER_NONE) {
            ops->next_receive[i] = ops->first_receive[receive->end];
            ops->first_receive[receive->end] = i;
        }
    }
    return true;
}

static bool list_members(struct otter_job_replay *replay)
{
    const struct otter_job *job = replay->job;
    replay->collective_of = otter_numbers_create(job->members.n);
    replay->next_member = otter_numbers_create(job->members.n);
    replay->latest = calloc(job->collectives.n + (size_t)1, sizeof *replay->latest);
    replay->is_known = calloc(job->collectives.n + (size_t)1, sizeof *replay->is_known);
    replay->recorded = calloc(job->collectives.n + (size_t)1, sizeof *replay->recorded);
    if (!replay->collective_of || !replay->next_member || !replay->latest || !replay->is_known ||
        !replay->recorded) {
        return false;
    }
    for (uint32_t c = 0; c < job->collectives.n; c++) {
        const struct otter_job_collective *collective = &job->collectives.items[c];
        for (uint32_t i = 0; i < collective->n; i++) {
            uint32_t member = collective->first + i;
            uint32_t *first = &replay->ops[job->members.items[member].rank]
                                   .first_member[otter_job_item(job, collective, i)->end];
            replay->collective_of[member] = c;
            replay->next_member[member] = *first;
            *first = member;
        }
    }
    return true;
}

static const struct otter_mpi_call *call_at(const struct otter_job *job,
                                            struct otter_job_operation call)
{
    return &otter_job_calls(job, call.rank)->calls.items[call.item];
}

// Orders calls by end. A call needs the previous call of its thread, which ended before it began,
// and the starts of other calls, which precede its end.
static int compare(const void *left, const void *right, void *user)
{
    const struct otter_job_operation *a = left, *b = right;
    const struct otter_mpi_call *x = call_at(user, *a), *y = call_at(user, *b);
    if (x->end != y->end) {
        return x->end < y->end ? -1 : 1;
    }
    if (x->since != y->since) {
        return x->since < y->since ? -1 : 1;
    }
    return a->rank != b->rank ? (a->rank < b->rank ? -1 : 1)
                              : (a->item > b->item) - (a->item < b->item);
}

static bool sort_calls(struct otter_job_replay *replay, const struct otter_job *job)
{
    uint64_t n = 0;
    for (uint32_t r = 0; r < job->ranks.n; r++) {
        n += otter_job_calls(job, r)->calls.n;
    }
    replay->order = malloc((n + 1) * sizeof *replay->order);
    if (!replay->order) {
        return false;
    }
    for (uint32_t r = 0; r < job->ranks.n; r++) {
        for (uint32_t i = 0; i < otter_job_calls(job, r)->calls.n; i++) {
            replay->order[replay->n_order++] = (struct otter_job_operation){r, i};
        }
    }
    qsort_r(replay->order, n, sizeof *replay->order, compare, (void *)(uintptr_t)job);
    return true;
}

enum otter_status otter_job_replay_init(struct otter_job_replay *replay,
                                        const struct otter_job *job,
                                        const struct otter_rank_chain *chains)
{
    *replay = (struct otter_job_replay){.job = job, .chains = chains};
    replay->ops = calloc(job->ranks.n + (size_t)1, sizeof *replay->ops);
    bool is_good = replay->ops && sort_calls(replay, job);
    for (uint32_t r = 0; r < job->ranks.n && is_good; r++) {
        is_good = list_receives(&replay->ops[r], otter_job_calls(job, r));
    }
    if (!is_good || !list_members(replay)) {
        otter_job_replay_finish(replay);
        return OTTER_NO_MEMORY;
    }
    return OTTER_OK;
}

void otter_job_replay_finish(struct otter_job_replay *replay)
{
    for (uint32_t r = 0; replay->ops && r < replay->job->ranks.n; r++) {
        struct otter_rank_ops *ops = &replay->ops[r];
        void *const parts[] = {ops->first_receive, ops->next_receive, ops->first_member, ops->ends,
                               ops->waits};
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            free(parts[i]);
        }
    }
    OTTER_FREE(replay->ops, replay->order, replay->collective_of, replay->next_member,
               replay->latest, replay->is_known, replay->recorded);
    *replay = (struct otter_job_replay){0};
}

// ---- times

// The recorded times, or the times of the replayed run.
struct view {
    const struct otter_job_replay *replay;
    bool is_recorded;
};

// Times of a damaged archive may be too far apart for a signed number.
static int64_t sum(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t difference(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static int64_t since_begin(const struct otter_job *job, uint64_t time)
{
    return (int64_t)(time - job->begin);
}

// The start of a call, or of the polling that ends with it.
static int64_t begin_of(const struct view *view, struct otter_job_operation call)
{
    const struct otter_job_replay *replay = view->replay;
    const struct otter_job *job = replay->job;
    const struct otter_rank_calls *calls = otter_job_calls(job, call.rank);
    uint32_t before = replay->chains[call.rank].before[call.item];
    if (view->is_recorded) {
        return since_begin(job, calls->calls.items[call.item].since);
    }
    return sum(before != OTTER_NONE ? replay->ops[call.rank].ends[before]
                                    : since_begin(job, calls->begin),
               replay->gaps[call.rank].items[call.item]);
}

// Other ranks wait for the start of the call itself, not of the polling before it.
static int64_t arrival_of(const struct view *view, struct otter_job_operation call)
{
    const struct otter_mpi_call *at = call_at(view->replay->job, call);
    return sum(begin_of(view, call), (int64_t)(at->begin - at->since));
}

// Sets *latest to the start of another rank's call if that is later. If clocks differ, a call may
// begin after the end of the call that waited for it.
static void consider(const struct view *view, struct otter_job_operation call,
                     struct otter_job_operation other, int64_t *latest)
{
    const struct otter_job *job = view->replay->job;
    if (other.rank != call.rank && call_at(job, other)->begin < call_at(job, call)->end) {
        int64_t begin = arrival_of(view, other);
        *latest = begin > *latest ? begin : *latest;
    }
}

static struct otter_job_operation begin_of_member(const struct otter_job *job,
                                                  const struct otter_job_collective *collective,
                                                  uint32_t i)
{
    return (struct otter_job_operation){job->members.items[collective->first + i].rank,
                                        otter_job_item(job, collective, i)->begin};
}

// Unless clocks differ, all members have the same last arrival.
static void consider_all(struct otter_job_replay *replay, const struct view *view,
                         struct otter_job_operation call, uint32_t index, int64_t *latest)
{
    const struct otter_job *job = replay->job;
    const struct otter_job_collective *collective = &job->collectives.items[index];
    if (!replay->is_known[index]) {
        int64_t last = INT64_MIN;
        for (uint32_t i = 0; i < collective->n; i++) {
            int64_t begin = arrival_of(view, begin_of_member(job, collective, i));
            last = begin > last ? begin : last;
        }
        replay->latest[index] = last;
        replay->is_known[index] = true;
    }
    if (view->is_recorded) {
        replay->recorded[index] = replay->latest[index];
    }
    bool is_before = replay->recorded[index] < since_begin(job, call_at(job, call)->end);
    *latest = is_before && replay->latest[index] > *latest ? replay->latest[index] : *latest;
}

static void consider_collective(struct otter_job_replay *replay, const struct view *view,
                                struct otter_job_operation call, uint32_t member, int64_t *latest)
{
    const struct otter_job *job = replay->job;
    uint32_t index = replay->collective_of[member], root;
    const struct otter_job_collective *collective = &job->collectives.items[index];
    uint32_t own = member - collective->first;
    switch (otter_job_flow(job, collective, &root)) {
    case OTTER_FLOW_NONE: break;
    case OTTER_FLOW_ALL: consider_all(replay, view, call, index, latest); break;
    case OTTER_FLOW_FROM_ROOT:
        consider(view, call, begin_of_member(job, collective, root), latest);
        break;
    case OTTER_FLOW_TO_ROOT:
        if (own == root) {
            consider_all(replay, view, call, index, latest);
        }
        break;
    case OTTER_FLOW_UPWARDS:
        for (uint32_t i = 0; i < own; i++) {
            consider(view, call, begin_of_member(job, collective, i), latest);
        }
    }
}

// Returns the start of the last call that `call` waits for; INT64_MIN: none.
static int64_t latest_of(struct otter_job_replay *replay, const struct view *view,
                         struct otter_job_operation call)
{
    int64_t latest = INT64_MIN;
    const struct otter_job *job = replay->job;
    const struct otter_rank_ops *ops = &replay->ops[call.rank];
    const struct otter_mpi_call *at = call_at(job, call);
    if (at->cause != OTTER_CAUSE_NONE) {
        consider(view, call, (struct otter_job_operation){at->cause_rank, at->cause_call}, &latest);
    }
    const struct otter_mpi_messages *receives = &otter_job_calls(job, call.rank)->receives;
    for (uint32_t i = ops->first_receive[call.item]; i != OTTER_NONE; i = ops->next_receive[i]) {
        const struct otter_mpi_message *receive = &receives->items[i];
        const struct otter_mpi_message *send =
            &otter_job_calls(job, receive->peer)->sends.items[receive->match];
        consider(view, call, (struct otter_job_operation){receive->peer, send->begin}, &latest);
    }
    for (uint32_t i = ops->first_member[call.item]; i != OTTER_NONE; i = replay->next_member[i]) {
        consider_collective(replay, view, call, i, &latest);
    }
    return latest;
}

// ---- the run

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

// Finds how long each call of the recorded run took after its wait. `waits` contains this time
// until the call is replayed.
static void find_rests(struct otter_job_replay *replay)
{
    const struct otter_job *job = replay->job;
    struct view view = {replay, true};
    memset(replay->is_known, 0, (job->collectives.n + (size_t)1) * sizeof *replay->is_known);
    for (uint64_t i = 0; i < replay->n_order; i++) {
        struct otter_job_operation call = replay->order[i];
        const struct otter_mpi_call *at = call_at(job, call);
        int64_t begin = since_begin(job, at->since), end = since_begin(job, at->end);
        replay->ops[call.rank].waits[call.item] =
            difference(end, later(begin, latest_of(replay, &view, call)));
        replay->ops[call.rank].ends[call.item] = end;
    }
}

// Returns the time that a call took after its wait was over, multiplied by its factor.
static int64_t rest_of(const struct otter_job_replay *replay, struct otter_job_operation call)
{
    int64_t rest = replay->ops[call.rank].waits[call.item];
    const double *factors = replay->chains[call.rank].factors;
    bool has_factor = factors && replay->gaps[call.rank].is_changed && factors[call.item] != 1;
    return has_factor && rest > 0 ? (int64_t)((double)rest * factors[call.item]) : rest;
}

static void execute(struct otter_job_replay *replay)
{
    const struct otter_job *job = replay->job;
    struct view view = {replay, false};
    memset(replay->is_known, 0, (job->collectives.n + (size_t)1) * sizeof *replay->is_known);
    for (uint64_t i = 0; i < replay->n_order; i++) {
        struct otter_job_operation call = replay->order[i];
        struct otter_rank_ops *ops = &replay->ops[call.rank];
        int64_t begin = begin_of(&view, call), latest = latest_of(replay, &view, call);
        ops->ends[call.item] = sum(later(begin, latest), rest_of(replay, call));
        ops->waits[call.item] = latest > begin ? difference(latest, begin) : 0;
    }
}

static uint64_t positive(int64_t ticks)
{
    return ticks > 0 ? (uint64_t)ticks : 0;
}

static struct otter_rank_times times_of(const struct otter_job_replay *replay, uint32_t rank)
{
    const struct otter_rank_calls *calls = otter_job_calls(replay->job, rank);
    const struct otter_rank_chain *chain = &replay->chains[rank];
    const struct otter_rank_ops *ops = &replay->ops[rank];
    const struct otter_rank_gaps *gaps = &replay->gaps[rank];
    int64_t outside = gaps->tail, waited = 0;
    int64_t end =
        chain->last != OTTER_NONE ? ops->ends[chain->last] : since_begin(replay->job, calls->begin);
    uint32_t n = 0;
    for (uint32_t i = chain->last; i != OTTER_NONE && n < calls->calls.n; i = chain->before[i]) {
        outside = sum(outside, gaps->items[i]);
        waited = sum(waited, ops->waits[i]);
        n++;
    }
    return (struct otter_rank_times){positive(sum(end, gaps->tail)), positive(outside),
                                     positive(waited)};
}

uint64_t otter_job_replay_run(struct otter_job_replay *replay, const struct otter_rank_gaps *gaps,
                              struct otter_rank_times *times)
{
    uint64_t end = 0;
    replay->gaps = gaps;
    find_rests(replay);
    execute(replay);
    for (uint32_t r = 0; r < replay->job->ranks.n; r++) {
        times[r] = times_of(replay, r);
        end = times[r].end > end ? times[r].end : end;
    }
    return end;
}
