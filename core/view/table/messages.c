// Writes the sends and receives of this rank: one end of each message between ranks.
#include "view/table/tables.h"

enum { N_DURATIONS = 64 }; // factors of 2

static const struct otter_chunk_column columns[] = {
    {"message", true}, {"is_send", false}, {"lane", false}, {"time", true}, {"bytes", false},
};
static const struct otter_chunk_table table = {.name = "messages", OTTER_COLUMNS(columns)};

static const struct otter_mpi_message *sent(const struct otter_job *job,
                                            const struct otter_mpi_message *receive)
{
    return &otter_job_calls(job, receive->peer)->sends.items[receive->match];
}

static bool is_matched(const struct otter_mpi_message *message)
{
    return message->match != OTTER_NONE && message->peer != OTTER_NONE;
}

// Returns the time from the start of the send to the end of the receive, which `rank` completes.
static uint64_t duration_of(const struct otter_job *job, uint32_t rank,
                            const struct otter_mpi_message *receive)
{
    const struct otter_mpi_message *send = sent(job, receive);
    uint64_t begin = otter_job_calls(job, receive->peer)->calls.items[send->begin].begin;
    uint64_t end = otter_job_calls(job, rank)->calls.items[receive->end].end;
    return end > begin ? end - begin : 0;
}

uint64_t otter_view_shortest_message(const struct otter_job *job, uint64_t most)
{
    uint64_t n_of_durations[N_DURATIONS] = {0}, n = 0;
    unsigned bits = N_DURATIONS;
    for (uint32_t rank = 0; rank < job->ranks.n; rank++) {
        const struct otter_mpi_messages *receives = &otter_job_calls(job, rank)->receives;
        for (uint32_t i = 0; i < receives->n; i++) {
            if (is_matched(&receives->items[i])) {
                uint64_t ticks = duration_of(job, rank, &receives->items[i]);
                n_of_durations[ticks ? 63 - __builtin_clzll(ticks) : 0]++;
            }
        }
    }
    while (bits > 0 && n + n_of_durations[bits - 1] <= most) {
        n += n_of_durations[--bits];
    }
    return bits == 0 ? 0 : bits < N_DURATIONS ? UINT64_C(1) << bits : UINT64_MAX;
}

struct end_writer {
    const struct otter_view *view;
    struct otter_chunk_writer chunks;
};

static void write_end(struct end_writer *writer, uint64_t message, bool is_send, uint32_t call,
                      uint64_t bytes)
{
    const struct otter_view *view = writer->view;
    const struct otter_mpi_call *own =
        &otter_job_calls(view->job, view->job_rank)->calls.items[call];
    uint32_t lane = view->lanes.of_locations[own->location];
    uint64_t values[] = {message, is_send, lane != OTTER_NONE ? lane : view->lanes.n,
                         otter_view_ticks(view, is_send ? own->begin : own->end), bytes};
    otter_chunk_add(&writer->chunks, values);
}

// Returns the number of the rank's first message. Messages are numbered by the sends of all ranks.
static uint64_t first_message(const struct otter_job *job, uint32_t rank)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < rank; i++) {
        n += otter_job_calls(job, i)->sends.n;
    }
    return n;
}

static void write_sends(struct end_writer *writer)
{
    const struct otter_view *view = writer->view;
    const struct otter_job *job = view->job;
    const struct otter_mpi_messages *sends = &otter_job_calls(job, view->job_rank)->sends;
    uint64_t first = first_message(job, view->job_rank);
    for (uint32_t i = 0; i < sends->n; i++) {
        const struct otter_mpi_message *send = &sends->items[i];
        if (is_matched(send)) {
            const struct otter_mpi_message *receive =
                &otter_job_calls(job, send->peer)->receives.items[send->match];
            if (duration_of(job, send->peer, receive) >= view->shortest_message) {
                write_end(writer, first + i, true, send->begin, send->bytes);
            }
        }
    }
}

static void write_receives(struct end_writer *writer)
{
    const struct otter_view *view = writer->view;
    const struct otter_job *job = view->job;
    const struct otter_mpi_messages *receives = &otter_job_calls(job, view->job_rank)->receives;
    for (uint32_t i = 0; i < receives->n; i++) {
        const struct otter_mpi_message *receive = &receives->items[i];
        if (is_matched(receive) &&
            duration_of(job, view->job_rank, receive) >= view->shortest_message) {
            write_end(writer, first_message(job, receive->peer) + receive->match, false,
                      receive->end, sent(job, receive)->bytes);
        }
    }
}

void otter_view_write_messages(const struct otter_view *view, struct otter_chunks *chunks)
{
    struct end_writer writer = {.view = view, .chunks = {.chunks = chunks, .table = &table}};
    if (view->job) {
        write_sends(&writer);
        write_receives(&writer);
    }
    otter_chunk_end(&writer.chunks);
}
