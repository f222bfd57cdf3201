// Finds the root causes of waits: delays of ranks that made others wait, directly or indirectly.
#include <stdlib.h>
#include <string.h>

#include "analysis/job/job.h"
#include "analysis/job/job_syncs.h"
#include "base/free.h"
#include "graph/numbers.h"

// A wait, linked to the earlier waits on the path back in its rank: a list with jumps, so that a
// search takes logarithmic time. Wait 0 precedes all others.
struct wait {
    uint64_t since, end; // ticks
    uint64_t sum;        // ticks of this wait and all earlier ones
    uint32_t rank, call; // indexes
    uint32_t before, jump;
    uint32_t depth; // number of waits up to this one
    // Ticks of the waits that this wait has caused, including its own; and ticks that this wait and
    // the earlier ones after `jump` have caused together.
    uint64_t caused[OTTER_N_CAUSES], shared[OTTER_N_CAUSES];
};

// Waits are sorted by end. A wait's causes end before it, so they have smaller indexes.
struct search {
    struct otter_job *job;
    struct wait *waits;
    uint32_t n;        // including wait 0
    size_t *first;     // of each rank: its first call in `indexes`
    uint32_t *indexes; // of each call: its wait, or 0
    struct otter_job_syncs syncs;
};

static const struct otter_mpi_call *call_at(const struct search *search, uint32_t rank,
                                            uint32_t call)
{
    return &otter_job_calls(search->job, rank)->calls.items[call];
}

static const struct otter_mpi_call *call_of(const struct search *search, const struct wait *wait)
{
    return call_at(search, wait->rank, wait->call);
}

// ---- order

static uint64_t count_waits(const struct otter_job *job)
{
    uint64_t n = 0;
    for (uint32_t r = 0; r < job->ranks.n; r++) {
        for (unsigned i = 0; i < OTTER_N_CAUSES; i++) {
            n += job->ranks.items[r].n_waits[i];
        }
    }
    return n;
}

static bool allocate(struct search *search, uint64_t n)
{
    const struct otter_job *job = search->job;
    search->first = malloc(((size_t)job->ranks.n + 1) * sizeof *search->first);
    size_t n_calls = 0;
    for (uint32_t r = 0; search->first && r < job->ranks.n; r++) {
        search->first[r] = n_calls;
        n_calls += otter_job_calls(job, r)->calls.n;
    }
    search->indexes = calloc(n_calls + 1, sizeof *search->indexes);
    search->waits = n < UINT32_MAX ? calloc((size_t)n + 1, sizeof *search->waits) : NULL;
    return search->first && search->indexes && search->waits;
}

// Value: rank << 32 | call.
static void gather(const struct search *search, struct otter_keyed *keyed)
{
    for (uint32_t r = 0; r < search->job->ranks.n; r++) {
        const struct otter_rank_calls *calls = otter_job_calls(search->job, r);
        for (uint32_t i = 0; i < calls->calls.n; i++) {
            const struct otter_mpi_call *call = &calls->calls.items[i];
            if (call->cause != OTTER_CAUSE_NONE) {
                uint64_t end = call_at(search, call->cause_rank, call->cause_call)->begin;
                *keyed++ = (struct otter_keyed){end, (uint64_t)r << 32 | i};
            }
        }
    }
}

// *Returns* the latest wait before a call that has ended by `time`, or 0. Waits that end later
// belong to other threads.
static uint32_t find_before(const struct search *search, uint32_t rank, uint32_t call,
                            uint64_t time)
{
    const struct otter_rank_calls *calls = otter_job_calls(search->job, rank);
    uint32_t at = calls->calls.items[call].before;
    for (uint32_t n = 0; at != OTTER_NONE && n < calls->calls.n; n++) {
        uint32_t wait = search->indexes[search->first[rank] + at];
        if (wait > 0 && search->waits[wait].end <= time) {
            return wait;
        }
        at = calls->calls.items[at].before;
    }
    return 0;
}

static void link_waits(struct search *search)
{
    struct wait *waits = search->waits;
    for (uint32_t i = 1; i < search->n; i++) {
        struct wait *wait = &waits[i];
        wait->before = find_before(search, wait->rank, wait->call, wait->since);
        const struct wait *before = &waits[wait->before], *jump = &waits[before->jump];
        wait->depth = before->depth + 1;
        wait->sum = before->sum + (wait->end - wait->since);
        bool is_even = before->depth - jump->depth == jump->depth - waits[jump->jump].depth;
        wait->jump = is_even ? jump->jump : wait->before;
    }
}

static bool order(struct search *search)
{
    uint64_t n = count_waits(search->job);
    struct otter_keyed *keyed = malloc((size_t)(n + 1) * sizeof *keyed);
    bool is_good = keyed && allocate(search, n);
    if (is_good) {
        gather(search, keyed);
        is_good = otter_keyed_sort(keyed, (size_t)n);
    }
    search->n = 1;
    for (uint32_t i = 0; is_good && i < n; i++) {
        struct wait *wait = &search->waits[search->n];
        wait->rank = (uint32_t)(keyed[i].value >> 32);
        wait->call = (uint32_t)keyed[i].value;
        wait->end = keyed[i].key;
        wait->since = call_of(search, wait)->since;
        wait->caused[call_of(search, wait)->cause] = wait->end - wait->since;
        search->indexes[search->first[wait->rank] + wait->call] = search->n++;
    }
    free(keyed);
    return is_good;
}

// ---- the path back

static const struct wait *before_of(const struct search *search, const struct wait *wait)
{
    return &search->waits[wait->before];
}

static const struct wait *jump_of(const struct search *search, const struct wait *wait)
{
    return &search->waits[wait->jump];
}

// *Returns* how many ticks of a wait and of the earlier ones are after `time`.
static uint64_t waited_since(const struct search *search, uint32_t at, uint64_t time)
{
    const struct wait *wait = &search->waits[at];
    if (wait->end <= time) {
        return 0;
    }
    uint64_t sum = wait->sum;
    while (before_of(search, wait)->end > time) {
        const struct wait *jump = jump_of(search, wait);
        wait = jump->end > time ? jump : before_of(search, wait);
    }
    return sum - wait->sum + (wait->end - (wait->since > time ? wait->since : time));
}

// Moves the fraction `share` / `whole` of all ticks from one array to the other.
static void move(uint64_t from[OTTER_N_CAUSES], uint64_t to[OTTER_N_CAUSES], uint64_t share,
                 uint64_t whole)
{
    for (unsigned i = 0; i < OTTER_N_CAUSES; i++) {
        double part = (double)from[i] * (double)share / (double)whole;
        uint64_t ticks = share < whole && part < (double)from[i] ? (uint64_t)part : from[i];
        from[i] -= ticks;
        to[i] += ticks;
    }
}

// Divides ticks among a wait and the earlier ones after `time`, in proportion to their lengths.
static void divide(const struct search *search, uint32_t at, uint64_t time, uint64_t length,
                   uint64_t ticks[OTTER_N_CAUSES])
{
    struct wait *wait = &search->waits[at];
    while (before_of(search, wait)->end > time) {
        bool is_far = jump_of(search, wait)->end > time;
        uint32_t next = is_far ? wait->jump : wait->before;
        uint64_t part = wait->sum - search->waits[next].sum;
        move(ticks, is_far ? wait->shared : wait->caused, part, length);
        length -= part;
        wait = &search->waits[next];
    }
    move(ticks, wait->caused, 1, 1);
}

// A jump spans either the wait and the next two jumps, or only the wait.
static void divide_shared(const struct search *search, struct wait *wait)
{
    if (wait->jump != wait->before) {
        uint64_t length = wait->sum - jump_of(search, wait)->sum;
        struct wait *next = &search->waits[wait->before];
        for (unsigned i = 0; i < 2; i++) {
            uint64_t part = next->sum - jump_of(search, next)->sum;
            move(wait->shared, next->shared, part, length);
            length -= part;
            next = &search->waits[next->jump];
        }
    }
    move(wait->shared, wait->caused, 1, 1);
}

// ---- causes

static uint64_t less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

// The excess of the rank that was waited for caused a part of the wait; this rank's own waits
// caused the rest.
static void find_cause(struct search *search, uint32_t at)
{
    const struct wait *wait = &search->waits[at];
    const struct otter_mpi_call *call = call_of(search, wait);
    struct otter_job_sync sync = otter_job_syncs_find(&search->syncs, wait->rank, call);
    uint32_t last = find_before(search, call->cause_rank, call->cause_call, wait->end - 1);
    uint64_t waited = waited_since(search, last, sync.other);
    uint64_t own =
        less(wait->since - sync.waiting, waited_since(search, wait->before, sync.waiting));
    uint64_t excess = less(less(wait->end - sync.other, waited), own);
    uint64_t ticks[OTTER_N_CAUSES];
    memcpy(ticks, wait->caused, sizeof ticks);
    move(ticks, search->job->ranks.items[call->cause_rank].root_cause, waited > 0 ? excess : 1,
         waited > 0 ? excess + waited : 1);
    if (waited > 0) {
        divide(search, last, sync.other, waited, ticks);
    }
}

static uint64_t sum_of(const uint64_t ticks[OTTER_N_CAUSES])
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < OTTER_N_CAUSES; i++) {
        sum += ticks[i];
    }
    return sum;
}

// For each rank, sets the rank that delays it most: the rank itself, or a rank for which it waited.
static bool find_next(const struct search *search, uint32_t *next)
{
    struct otter_keyed *keyed = malloc((size_t)search->n * sizeof *keyed);
    for (uint32_t i = 1; keyed && i < search->n; i++) {
        const struct wait *wait = &search->waits[i];
        keyed[i - 1] =
            (struct otter_keyed){(uint64_t)wait->rank << 32 | call_of(search, wait)->cause_rank, i};
    }
    bool is_good = keyed && otter_keyed_sort(keyed, search->n - 1);
    uint64_t most = 0;
    for (uint32_t i = 0, end; is_good && i + 1 < search->n; i = end) {
        uint32_t rank = (uint32_t)(keyed[i].key >> 32);
        uint64_t ticks = 0;
        for (end = i; end + 1 < search->n && keyed[end].key == keyed[i].key; end++) {
            const struct wait *wait = &search->waits[keyed[end].value];
            ticks += sum_of(wait->caused) - (wait->end - wait->since);
        }
        if (next[rank] == rank) {
            most = sum_of(search->job->ranks.items[rank].root_cause);
        }
        if (ticks > most) {
            most = ticks;
            next[rank] = (uint32_t)keyed[i].key;
        }
    }
    free(keyed);
    return is_good;
}

// Follows the ranks to one that delays itself most; in a cycle, to the root cause of the most
// waiting.
static uint32_t end_of_way(const struct otter_job *job, const uint32_t *next, uint32_t rank)
{
    uint32_t most = rank;
    for (uint32_t n = 0; next[rank] != rank && n < job->ranks.n; n++) {
        rank = next[rank];
        most = sum_of(job->ranks.items[rank].root_cause) > sum_of(job->ranks.items[most].root_cause)
                   ? rank
                   : most;
    }
    return next[rank] == rank ? rank : most;
}

static bool name_causes(const struct search *search)
{
    struct otter_job *job = search->job;
    uint32_t *next = malloc(((size_t)job->ranks.n + 1) * sizeof *next);
    for (uint32_t i = 0; next && i < job->ranks.n; i++) {
        next[i] = i;
    }
    bool is_good = next && find_next(search, next);
    for (uint32_t i = 0; is_good && i < job->ranks.n; i++) {
        struct otter_job_rank *rank = &job->ranks.items[i];
        rank->because_of = sum_of(rank->caused) > 0 ? end_of_way(job, next, i) : OTTER_NONE;
    }
    free(next);
    return is_good;
}

enum otter_status otter_job_find_causes(struct otter_job *job)
{
    struct search search = {.job = job};
    bool is_good = !otter_job_syncs_init(&search.syncs, job) && order(&search);
    if (is_good) {
        link_waits(&search);
    }
    for (uint32_t i = search.n - 1; is_good && i > 0; i--) {
        divide_shared(&search, &search.waits[i]);
        find_cause(&search, i);
    }
    is_good = is_good && name_causes(&search);
    otter_job_syncs_finish(&search.syncs);
    OTTER_FREE(search.waits, search.first, search.indexes);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}
