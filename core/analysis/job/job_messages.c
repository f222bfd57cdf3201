// Finds the receive of each send.
#include <stdlib.h>

#include "analysis/job/job.h"
#include "graph/numbers.h"

// Messages of all ranks with the same sender, receiver, communicator and tag are adjacent and
// sorted by start.
struct sorted {
    struct otter_keyed *items; // value: rank << 32 | index
    uint32_t n;
    bool are_sends;
};

static uint32_t rank_of(uint64_t value)
{
    return (uint32_t)(value >> 32);
}

static struct otter_mpi_message *message_at(const struct otter_job *job,
                                            const struct sorted *sorted, uint32_t i)
{
    uint64_t value = sorted->items[i].value;
    struct otter_rank_calls *calls = otter_job_calls(job, rank_of(value));
    return &(sorted->are_sends ? &calls->sends : &calls->receives)->items[(uint32_t)value];
}

static uint64_t pair_of(const struct otter_job *job, const struct sorted *sorted, uint32_t i)
{
    uint64_t own = rank_of(sorted->items[i].value), peer = message_at(job, sorted, i)->peer;
    return sorted->are_sends ? own << 32 | peer : peer << 32 | own;
}

static uint64_t channel_of(const struct otter_mpi_message *message)
{
    return (uint64_t)message->comm << 32 | message->tag;
}

static bool sort(const struct otter_job *job, struct sorted *sorted)
{
    for (uint32_t i = 0; i < sorted->n; i++) {
        sorted->items[i].key = channel_of(message_at(job, sorted, i));
    }
    if (!otter_keyed_sort(sorted->items, sorted->n)) {
        return false;
    }
    for (uint32_t i = 0; i < sorted->n; i++) {
        sorted->items[i].key = pair_of(job, sorted, i);
    }
    return otter_keyed_sort(sorted->items, sorted->n);
}

// Collects the messages whose peers are in the archive.
static bool gather(const struct otter_job *job, struct sorted *sorted, bool are_sends)
{
    uint64_t n = 0;
    sorted->are_sends = are_sends;
    for (uint32_t r = 0; r < job->ranks.n; r++) {
        const struct otter_rank_calls *calls = otter_job_calls(job, r);
        n += are_sends ? calls->sends.n : calls->receives.n;
    }
    sorted->items = n < UINT32_MAX ? malloc((n + 1) * sizeof *sorted->items) : NULL;
    if (!sorted->items) {
        return false;
    }
    for (uint32_t r = 0; r < job->ranks.n; r++) {
        const struct otter_rank_calls *calls = otter_job_calls(job, r);
        const struct otter_mpi_messages *messages = are_sends ? &calls->sends : &calls->receives;
        for (uint32_t i = 0; i < messages->n; i++) {
            if (messages->items[i].peer != OTTER_NONE) {
                sorted->items[sorted->n++].value = (uint64_t)r << 32 | i;
            }
        }
    }
    return sort(job, sorted);
}

// Orders two messages by sender, receiver, communicator and tag: below 0, 0, above 0.
static int compare(const struct otter_job *job, const struct sorted *a, uint32_t i,
                   const struct sorted *b, uint32_t k)
{
    uint64_t left = a->items[i].key, right = b->items[k].key;
    if (left == right) {
        left = channel_of(message_at(job, a, i));
        right = channel_of(message_at(job, b, k));
    }
    return (left > right) - (left < right);
}

static uint32_t end_of_run(const struct otter_job *job, const struct sorted *sorted, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < sorted->n && compare(job, sorted, first, sorted, end) == 0) {
        end++;
    }
    return end;
}

static void match(struct otter_job *job, const struct sorted *sends, uint32_t i,
                  const struct sorted *receives, uint32_t k)
{
    message_at(job, sends, i)->match = (uint32_t)receives->items[k].value;
    message_at(job, receives, k)->match = (uint32_t)sends->items[i].value;
    job->n_messages++;
}

// Returns whether both lists seem complete: equally many messages with equally many bytes.
static bool are_alike(const struct otter_job *job, const struct sorted *sends, uint32_t i,
                      const struct sorted *receives, uint32_t k, uint32_t n)
{
    for (uint32_t at = 0; at < n; at++) {
        if (message_at(job, sends, i + at)->bytes != message_at(job, receives, k + at)->bytes) {
            return false;
        }
    }
    return true;
}

// If a rank may lack events, its n-th message may be a different one.
static void match_runs(struct otter_job *job, const struct sorted *sends, uint32_t i, uint32_t n_i,
                       const struct sorted *receives, uint32_t k, uint32_t n_k)
{
    bool is_gapped = otter_job_calls(job, rank_of(sends->items[i].value))->is_gapped ||
                     otter_job_calls(job, rank_of(receives->items[k].value))->is_gapped;
    uint32_t n = n_i < n_k ? n_i : n_k;
    if (is_gapped && (n_i != n_k || !are_alike(job, sends, i, receives, k, n))) {
        return;
    }
    for (uint32_t at = 0; at < n; at++) {
        match(job, sends, i + at, receives, k + at);
    }
}

static void match_all(struct otter_job *job, const struct sorted *sends,
                      const struct sorted *receives)
{
    for (uint32_t i = 0, k = 0; i < sends->n && k < receives->n;) {
        int order = compare(job, sends, i, receives, k);
        if (order != 0) {
            i += order < 0;
            k += order > 0;
            continue;
        }
        uint32_t end_i = end_of_run(job, sends, i), end_k = end_of_run(job, receives, k);
        match_runs(job, sends, i, end_i - i, receives, k, end_k - k);
        i = end_i;
        k = end_k;
    }
}

static uint64_t count_unmatched(const struct otter_mpi_messages *messages)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < messages->n; i++) {
        n += messages->items[i].match == OTTER_NONE && messages->items[i].comm != OTTER_NONE;
    }
    return n;
}

enum otter_status otter_job_match_messages(struct otter_job *job)
{
    struct sorted sends = {0}, receives = {0};
    bool is_good = gather(job, &sends, true) && gather(job, &receives, false);
    if (is_good) {
        match_all(job, &sends, &receives);
    }
    for (uint32_t r = 0; r < job->ranks.n; r++) {
        job->unmatched.sends += count_unmatched(&otter_job_calls(job, r)->sends);
        job->unmatched.receives += count_unmatched(&otter_job_calls(job, r)->receives);
    }
    free(sends.items);
    free(receives.items);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}
