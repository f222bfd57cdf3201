// Finds the recorded members of each collective operation.
#include <stdlib.h>

#include "analysis/job/job.h"
#include "graph/numbers.h"

// The operations of all ranks, sorted by communicator and number within the rank.
struct sorted {
    struct otter_keyed *items; // key: comm << 32 | number; value: rank << 32 | index
    uint32_t n;
};

static const struct otter_mpi_collective *at(const struct otter_job *job,
                                             const struct sorted *sorted, uint32_t i)
{
    uint64_t value = sorted->items[i].value;
    return &otter_job_calls(job, (uint32_t)(value >> 32))->collectives.items[(uint32_t)value];
}

static uint32_t comm_of(const struct sorted *sorted, uint32_t i)
{
    return (uint32_t)(sorted->items[i].key >> 32);
}

// Numbers the operations of each communicator in a rank, whose items begin at `first`.
static bool number(struct sorted *sorted, uint32_t first)
{
    struct otter_keyed *items = sorted->items + first;
    uint32_t n = sorted->n - first;
    if (!otter_keyed_sort(items, n)) {
        return false;
    }
    uint64_t of_comm = 0;
    for (uint32_t i = 0; i < n; i++) {
        bool is_first = i == 0 || items[i].key >> 32 != items[i - 1].key >> 32;
        of_comm = is_first ? 0 : of_comm + 1;
        items[i].key |= of_comm;
    }
    return true;
}

static bool gather(const struct otter_job *job, struct sorted *sorted)
{
    uint64_t n = 0;
    for (uint32_t r = 0; r < job->ranks.n; r++) {
        n += otter_job_calls(job, r)->collectives.n;
    }
    sorted->items = n < UINT32_MAX ? malloc((n + 1) * sizeof *sorted->items) : NULL;
    for (uint32_t r = 0; sorted->items && r < job->ranks.n; r++) {
        const struct otter_rank_calls *calls = otter_job_calls(job, r);
        uint32_t first = sorted->n;
        for (uint32_t i = 0; i < calls->collectives.n; i++) {
            sorted->items[sorted->n++] = (struct otter_keyed){
                (uint64_t)calls->collectives.items[i].comm << 32, (uint64_t)r << 32 | i};
        }
        if (!number(sorted, first)) {
            return false;
        }
    }
    return sorted->items && otter_keyed_sort(sorted->items, sorted->n);
}

static uint32_t rank_of(const struct sorted *sorted, uint32_t i)
{
    return (uint32_t)(sorted->items[i].value >> 32);
}

static bool is_gapped(const struct otter_job *job, const struct sorted *sorted, uint32_t i)
{
    return otter_job_calls(job, rank_of(sorted, i))->is_gapped;
}

static uint32_t end_of_operation(const struct sorted *sorted, uint32_t first, uint32_t end)
{
    uint32_t next = first + 1;
    while (next < end && sorted->items[next].key == sorted->items[first].key) {
        next++;
    }
    return next;
}

// Returns whether the items `first` to `end` may be one operation.
static bool are_alike(const struct otter_job *job, const struct sorted *sorted, uint32_t first,
                      uint32_t end)
{
    const struct otter_mpi_collective *one = at(job, sorted, first);
    for (uint32_t i = first; i < end; i++) {
        const struct otter_mpi_collective *other = at(job, sorted, i);
        if (other->operation != one->operation || other->root != one->root) {
            return false;
        }
    }
    return true;
}

static bool add(struct otter_job *job, const struct sorted *sorted, uint32_t first, uint32_t end)
{
    if (!OTTER_VECTOR_ADD(&job->collectives,
                          (struct otter_job_collective){job->members.n, end - first})) {
        return false;
    }
    for (uint32_t i = first; i < end; i++) {
        if (!OTTER_VECTOR_RESERVE(&job->members)) {
            return false;
        }
        uint64_t value = sorted->items[i].value;
        job->members.items[job->members.n++] =
            (struct otter_job_operation){(uint32_t)(value >> 32), (uint32_t)value};
    }
    return true;
}

// Returns whether all recorded members have the same number and kinds of operations. Otherwise the
// n-th operation of a member that lacks events may be a different one.
static bool is_even(const struct otter_job *job, const struct sorted *sorted, uint32_t first,
                    uint32_t end)
{
    uint32_t n_members = end_of_operation(sorted, first, end) - first;
    for (uint32_t i = first, next; i < end; i = next) {
        next = end_of_operation(sorted, i, end);
        if (next - i != n_members || !are_alike(job, sorted, i, next)) {
            return false;
        }
    }
    return true;
}

// Moves the items of members without gaps to the front. *Returns* the end of these items.
static uint32_t leave_out_gapped(struct otter_job *job, struct sorted *sorted, uint32_t first,
                                 uint32_t end)
{
    uint32_t n = first;
    for (uint32_t i = first; i < end; i++) {
        if (is_gapped(job, sorted, i)) {
            job->unmatched.collectives++;
        } else {
            sorted->items[n++] = sorted->items[i];
        }
    }
    return n;
}

// Matches the operations of a communicator, `first` to `end`, among the members that are recorded.
static bool match_comm(struct otter_job *job, struct sorted *sorted, uint32_t first, uint32_t end)
{
    bool is_good = true;
    end = is_even(job, sorted, first, end) ? end : leave_out_gapped(job, sorted, first, end);
    for (uint32_t i = first, next; i < end && is_good; i = next) {
        next = end_of_operation(sorted, i, end);
        uint32_t size = at(job, sorted, i)->size;
        size = size > 0 ? size : job->n_ranks_of_world;
        if ((next - i == 1 && size != 1) || !are_alike(job, sorted, i, next)) {
            job->unmatched.collectives += next - i;
            continue;
        }
        is_good = add(job, sorted, i, next);
        job->n_partial += next - i < size;
    }
    return is_good;
}

enum otter_status otter_job_match_collectives(struct otter_job *job)
{
    struct sorted sorted = {0};
    bool is_good = gather(job, &sorted);
    for (uint32_t i = 0, end; is_good && i < sorted.n; i = end) {
        for (end = i; end < sorted.n && comm_of(&sorted, end) == comm_of(&sorted, i);) {
            end++;
        }
        is_good = match_comm(job, &sorted, i, end);
    }
    free(sorted.items);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}
