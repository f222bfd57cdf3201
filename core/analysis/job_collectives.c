// Finds the members of each collective operation.
#include <stdlib.h>

#include "analysis/job.h"
#include "graph/numbers.h"

// The operations of all ranks, sorted by communicator and by their number in their rank.
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

// Whether the items `first` to `end` are one operation of all members.
static bool is_complete(const struct otter_job *job, const struct sorted *sorted, uint32_t first,
                        uint32_t end)
{
    const struct otter_mpi_collective *one = at(job, sorted, first);
    uint32_t size = one->size > 0 ? one->size : job->n_ranks_of_world;
    for (uint32_t i = first; i < end; i++) {
        const struct otter_mpi_collective *other = at(job, sorted, i);
        if (other->operation != one->operation || other->root != one->root) {
            return false;
        }
    }
    return end - first == size;
}

static bool is_gapped(const struct otter_job *job, const struct sorted *sorted, uint32_t i)
{
    return otter_job_calls(job, (uint32_t)(sorted->items[i].value >> 32))->is_gapped;
}

static bool add(struct otter_job *job, const struct sorted *sorted, uint32_t first, uint32_t end)
{
    if (!OTTER_VECTOR_RESERVE(&job->collectives)) {
        return false;
    }
    job->collectives.items[job->collectives.n++] =
        (struct otter_job_collective){job->members.n, end - first};
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

// The operations of a communicator, `first` to `end`. If a member lacks events between others
// and numbers differ, its n-th operation may be another one: then none is matched.
static bool match_comm(struct otter_job *job, const struct sorted *sorted, uint32_t first,
                       uint32_t end)
{
    bool has_gaps = false, is_even = true, is_good = true;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = first, next; i < end && is_good; i = next) {
            for (next = i; next < end && sorted->items[next].key == sorted->items[i].key; next++) {
                has_gaps |= is_gapped(job, sorted, next);
            }
            bool is_whole = is_complete(job, sorted, i, next);
            is_even &= is_whole;
            if (pass == 1 && is_whole && (is_even || !has_gaps)) {
                is_good = add(job, sorted, i, next);
            } else if (pass == 1) {
                job->unmatched.collectives += next - i;
            }
        }
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
