// Finds the root causes of waits: the ranks that did not wait while others waited for them.
#include <stdlib.h>

#include "analysis/job.h"
#include "graph/numbers.h"

// A rank whose way back continues when the wait above the frame has begun.
struct frame {
    uint32_t rank, at; // the call that the way back has reached
    uint64_t low;      // ticks: the way ends there
};

// Waits for one call end at one time, and share one way back. So the waits are sorted by the call
// and the latest begin is first.
struct search {
    struct otter_job *job;
    struct otter_keyed *waits; // value: rank << 32 | call
    uint32_t n;
    uint32_t next, end; // the waits that have not begun yet at `time`, of the present call
    uint64_t time;      // ticks: the causes are known from there to the end of the waits
    uint64_t n_waiting[OTTER_N_CAUSES];
    uint64_t *because; // ticks of the waits for the present rank, by root cause
    struct {
        OTTER_VECTOR(struct frame);
    } frames;
};

static struct otter_mpi_call *call_at(const struct otter_job *job, uint32_t rank, uint32_t call)
{
    return &otter_job_calls(job, rank)->calls.items[call];
}

static struct otter_mpi_call *call_of(const struct search *search, uint32_t wait)
{
    uint64_t value = search->waits[wait].value;
    return call_at(search->job, (uint32_t)(value >> 32), (uint32_t)value);
}

static uint64_t end_of(const struct otter_job *job, const struct otter_mpi_call *wait)
{
    return call_at(job, wait->cause_rank, wait->cause_call)->begin;
}

// ---- order

static bool gather(struct search *search)
{
    const struct otter_job *job = search->job;
    uint64_t n = 0;
    for (uint32_t r = 0; r < job->ranks.n; r++) {
        for (unsigned i = 0; i < OTTER_N_CAUSES; i++) {
            n += job->ranks.items[r].n_waits[i];
        }
    }
    search->waits = n < UINT32_MAX ? malloc((n + 1) * sizeof *search->waits) : NULL;
    for (uint32_t r = 0; search->waits && r < job->ranks.n; r++) {
        const struct otter_rank_calls *calls = otter_job_calls(job, r);
        for (uint32_t i = 0; i < calls->calls.n; i++) {
            if (calls->calls.items[i].cause != OTTER_CAUSE_NONE) {
                search->waits[search->n++] = (struct otter_keyed){
                    UINT64_MAX - calls->calls.items[i].since, (uint64_t)r << 32 | i};
            }
        }
    }
    return search->waits && otter_keyed_sort(search->waits, search->n);
}

static bool sort(struct search *search)
{
    if (!gather(search)) {
        return false;
    }
    for (uint32_t i = 0; i < search->n; i++) {
        const struct otter_mpi_call *call = call_of(search, i);
        search->waits[i].key = (uint64_t)call->cause_rank << 32 | call->cause_call;
    }
    return otter_keyed_sort(search->waits, search->n);
}

// ---- the way back

// The rank was the cause of all waits from `begin` to the time of the search.
static void attribute(struct search *search, uint32_t rank, uint64_t begin)
{
    struct otter_job_rank *own = &search->job->ranks.items[rank];
    while (search->time > begin) {
        uint64_t since = call_of(search, search->next)->since;
        uint64_t from = since > begin ? since : begin;
        for (unsigned i = 0; i < OTTER_N_CAUSES; i++) {
            own->root_cause[i] += search->n_waiting[i] * (search->time - from);
            search->because[rank] += search->n_waiting[i] * (search->time - from);
        }
        search->time = from;
        for (; search->next < search->end && call_of(search, search->next)->since == from;
             search->next++) {
            search->n_waiting[call_of(search, search->next)->cause]--;
        }
    }
}

// Waits behind the time of the search are those of other threads. *Returns* the next wait on the
// way back of a frame, or OTTER_NONE.
static uint32_t find_wait(const struct search *search, const struct frame *frame)
{
    const struct otter_rank_calls *calls = otter_job_calls(search->job, frame->rank);
    uint32_t at = calls->calls.items[frame->at].before;
    for (uint32_t n = 0; at != OTTER_NONE && n < calls->calls.n; n++) {
        const struct otter_mpi_call *call = &calls->calls.items[at];
        uint64_t end = end_of(search->job, call);
        if (end <= frame->low) {
            return OTTER_NONE;
        }
        if (end < search->time) {
            return at;
        }
        at = call->before;
    }
    return OTTER_NONE;
}

static bool push(struct search *search, uint32_t rank, uint32_t at, uint64_t low)
{
    bool is_good = OTTER_VECTOR_RESERVE(&search->frames);
    if (is_good) {
        search->frames.items[search->frames.n++] = (struct frame){rank, at, low};
    }
    return is_good;
}

// The last frame's rank is the cause, but for the time in which it waited for another.
static bool walk(struct search *search)
{
    while (search->frames.n > 0) {
        struct frame *frame = &search->frames.items[search->frames.n - 1];
        uint32_t at = search->time > frame->low ? find_wait(search, frame) : OTTER_NONE;
        if (at == OTTER_NONE) {
            attribute(search, frame->rank, frame->low);
            search->frames.n--;
            continue;
        }
        const struct otter_mpi_call *wait = call_at(search->job, frame->rank, at);
        uint64_t low = wait->since > frame->low ? wait->since : frame->low;
        attribute(search, frame->rank, end_of(search->job, wait));
        frame->at = at;
        if (!push(search, wait->cause_rank, wait->cause_call, low)) {
            return false;
        }
    }
    return true;
}

// ---- all

// The waits `first` to `end` are those for one call.
static bool find_causes(struct search *search, uint32_t first, uint32_t end)
{
    const struct otter_mpi_call *call = call_of(search, first);
    search->time = end_of(search->job, call);
    search->next = first;
    search->end = end;
    for (uint32_t i = first; i < end; i++) {
        search->n_waiting[call_of(search, i)->cause]++;
    }
    return push(search, call->cause_rank, call->cause_call, call_of(search, end - 1)->since) &&
           walk(search);
}

static void end_rank(struct search *search, uint32_t rank)
{
    struct otter_job *job = search->job;
    uint32_t most = 0;
    for (uint32_t i = 1; i < job->ranks.n; i++) {
        most = search->because[i] > search->because[most] ? i : most;
    }
    job->ranks.items[rank].because_of = search->because[most] > 0 ? most : OTTER_NONE;
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        search->because[i] = 0;
    }
}

static bool find_all(struct search *search)
{
    bool is_good = true;
    for (uint32_t i = 0, end; i < search->n && is_good; i = end) {
        uint32_t rank = (uint32_t)(search->waits[i].key >> 32);
        for (end = i; end < search->n && search->waits[end].key == search->waits[i].key;) {
            end++;
        }
        is_good = find_causes(search, i, end);
        if (end == search->n || search->waits[end].key >> 32 != rank) {
            end_rank(search, rank);
        }
    }
    return is_good;
}

enum otter_status otter_job_find_causes(struct otter_job *job)
{
    struct search search = {.job = job,
                            .because = calloc(job->ranks.n + 1, sizeof *search.because)};
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        job->ranks.items[i].because_of = OTTER_NONE;
    }
    bool is_good = search.because && sort(&search) && find_all(&search);
    free(search.because);
    free(search.waits);
    free(search.frames.items);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}
