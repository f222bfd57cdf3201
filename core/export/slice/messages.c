// Matches the messages between the ranks of a merged archive, as flows.
#include "export/slice/messages.h"

#include <stdlib.h>

#include "base/order.h"
#include "analysis/job/job.h"
#include "analysis/job/rank_calls.h"

// Skips a rank that cannot be read.
static void read_rank(struct otter_job *job, struct otter_archive *archive, uint32_t place)
{
    struct otter_rank_calls calls;
    struct otter_complaint complaint;
    if (otter_archive_select_rank(archive, place, &complaint) == OTTER_OK) {
        otter_rank_calls_read(&calls, archive);
        otter_job_add(job, otter_archive_definitions(archive)->ranks[place].number, place, &calls);
    }
}

static void read_ranks(struct otter_job *job, struct otter_archive *archive)
{
    struct otter_complaint complaint;
    size_t n = otter_archive_definitions(archive)->n_ranks;
    for (uint32_t i = 0; i < n; i++) {
        read_rank(job, archive, i);
    }
    otter_archive_select_rank(archive, OTTER_NONE, &complaint);
    otter_job_match(job, (uint32_t)otter_archive_number(archive, "OTTER::RANKS"));
}

// ---- flows

// The calls of a message.
struct pair {
    const struct otter_mpi_call *send, *receive;
};

// Returns the calls of a message; NULL if it is not a flow. Calls without a duration have no slice.
static struct pair calls_of(const struct otter_job *job, uint32_t rank,
                            const struct otter_mpi_message *receive)
{
    if (receive->match == OTTER_NONE) {
        return (struct pair){NULL, NULL};
    }
    const struct otter_rank_calls *own = otter_job_calls(job, rank);
    const struct otter_rank_calls *peer = otter_job_calls(job, receive->peer);
    const struct otter_mpi_call *from = &peer->calls.items[peer->sends.items[receive->match].begin];
    const struct otter_mpi_call *to = &own->calls.items[receive->end];
    bool is_flow =
        from != to && from->begin < to->end && from->begin < from->end && to->begin < to->end;
    return is_flow ? (struct pair){from, to} : (struct pair){NULL, NULL};
}

typedef void end_function(struct otter_message_ends *ends, const struct otter_mpi_call *call,
                          uint64_t flow, bool is_send);

static void count_end(struct otter_message_ends *ends, const struct otter_mpi_call *call,
                      uint64_t flow, bool is_send)
{
    ends->n++;
}

static void add_end(struct otter_message_ends *ends, const struct otter_mpi_call *call,
                    uint64_t flow, bool is_send)
{
    ends->items[ends->n++] =
        (struct otter_message_end){call->begin, call->end, flow, call->location, is_send};
}

static void each_end(struct otter_messages *messages, const struct otter_job *job,
                     end_function *use)
{
    messages->n_flows = 0;
    for (uint32_t r = 0; r < job->ranks.n; r++) {
        const struct otter_mpi_messages *receives = &otter_job_calls(job, r)->receives;
        for (uint32_t i = 0; i < receives->n; i++) {
            const struct otter_mpi_message *receive = &receives->items[i];
            struct pair pair = calls_of(job, r, receive);
            if (!pair.send) {
                continue;
            }
            uint64_t flow = ++messages->n_flows;
            use(&messages->ranks[job->ranks.items[receive->peer].place], pair.send, flow, true);
            use(&messages->ranks[job->ranks.items[r].place], pair.receive, flow, false);
        }
    }
}

static int compare(const void *a, const void *b)
{
    const struct otter_message_end *one = a, *other = b;
    return OTTER_BY_3(one, other, location, begin, flow);
}

static void list(struct otter_messages *messages, const struct otter_job *job)
{
    each_end(messages, job, count_end);
    for (uint32_t i = 0; i < messages->n_ranks; i++) {
        struct otter_message_ends *ends = &messages->ranks[i];
        ends->items = malloc(((size_t)ends->n + 1) * sizeof *ends->items);
        ends->n = 0;
    }
    each_end(messages, job, add_end);
    for (uint32_t i = 0; i < messages->n_ranks; i++) {
        qsort(messages->ranks[i].items, messages->ranks[i].n, sizeof *messages->ranks[i].items,
              compare);
    }
}

void otter_messages_read(struct otter_messages *messages, struct otter_archive *archive)
{
    struct otter_job job = {0};
    size_t n = otter_archive_definitions(archive)->n_ranks;
    *messages = (struct otter_messages){.ranks = calloc(n + 1, sizeof *messages->ranks),
                                        .n_ranks = (uint32_t)n};
    read_ranks(&job, archive);
    list(messages, &job);
    messages->n_unmatched = job.unmatched.sends + job.unmatched.receives;
    otter_job_finish(&job);
}

void otter_messages_finish(struct otter_messages *messages)
{
    for (uint32_t i = 0; i < messages->n_ranks; i++) {
        free(messages->ranks[i].items);
    }
    free(messages->ranks);
    *messages = (struct otter_messages){0};
}
