// Joins starts and ends of a rank's messages and collective operations.
#include <stdlib.h>
#include <string.h>

#include "analysis/job/rank_reading.h"
#include "graph/numbers.h"

// ---- operations

void otter_rank_collective_add(struct otter_rank_calls *calls,
                               const struct otter_mpi_collective *item)
{
    calls->reading->is_short_of_memory |= !OTTER_VECTOR_ADD(&calls->collectives, *item);
}

static bool is_of_mpi(const struct otter_rank_reading *reading, uint32_t comm)
{
    return comm < reading->definitions->n_comms && reading->members[comm] != OTTER_NONE;
}

static struct otter_mpi_message message_of(const struct otter_rank_reading *reading,
                                           const struct otter_event *event, uint32_t call)
{
    const struct otter_comm *comm = &reading->definitions->comms[event->message.comm];
    uint32_t partner = event->message.partner;
    return (struct otter_mpi_message){
        .bytes = event->message.bytes,
        .begin = call,
        .end = call,
        .peer = partner < comm->n_members ? (uint32_t)comm->ranks[partner] : OTTER_NONE,
        .comm = comm->shared,
        .tag = event->message.tag,
        .match = OTTER_NONE};
}

static uint32_t add_message(struct otter_rank_calls *calls, struct otter_mpi_messages *messages,
                            const struct otter_mpi_message *message)
{
    if (!OTTER_VECTOR_RESERVE(messages)) {
        calls->reading->is_short_of_memory = true;
        return OTTER_NONE;
    }
    messages->items[messages->n] = *message;
    return messages->n++;
}

static void add_request(struct otter_rank_calls *calls, struct otter_rank_requests *requests,
                        const struct otter_rank_request *request)
{
    calls->reading->is_short_of_memory |= !OTTER_VECTOR_ADD(requests, *request);
}

static void on_message(struct otter_rank_calls *calls, const struct otter_event *event,
                       uint32_t call)
{
    struct otter_rank_reading *reading = calls->reading;
    struct otter_rank_request request = {
        .number = event->message.request, .call = call, .send = OTTER_NONE, .kind = event->kind};
    bool has_partner = event->kind == OTTER_RECORD_SEND || event->kind == OTTER_RECORD_ISEND ||
                       event->kind == OTTER_RECORD_RECV || event->kind == OTTER_RECORD_IRECV;
    if (has_partner && !is_of_mpi(reading, event->message.comm)) {
        return;
    }
    struct otter_mpi_message message = {0};
    if (has_partner) {
        message = message_of(reading, event, call);
    }
    switch (event->kind) {
    case OTTER_RECORD_SEND: add_message(calls, &calls->sends, &message); break;
    case OTTER_RECORD_RECV: add_message(calls, &calls->receives, &message); break;
    case OTTER_RECORD_ISEND:
        message.end = OTTER_NONE;
        request.send = add_message(calls, &calls->sends, &message);
        add_request(calls, &reading->begins, &request);
        break;
    case OTTER_RECORD_RECV_POSTED: add_request(calls, &reading->begins, &request); break;
    default:
        request.received = message;
        add_request(calls, &reading->ends, &request);
        break;
    }
}

static void on_collective(struct otter_rank_calls *calls, const struct otter_event *event,
                          uint32_t call)
{
    struct otter_rank_reading *reading = calls->reading;
    struct otter_rank_request request = {.number = event->collective.request,
                                         .call = call,
                                         .send = OTTER_NONE,
                                         .kind = OTTER_RECORD_COLLECTIVE_END};
    if (event->kind == OTTER_RECORD_COLLECTIVE_BEGIN) {
        if (request.number != 0) {
            add_request(calls, &reading->begins, &request);
        }
        return;
    }
    if (!is_of_mpi(reading, event->collective.comm)) {
        return;
    }
    const struct otter_comm *comm = &reading->definitions->comms[event->collective.comm];
    request.collective =
        (struct otter_mpi_collective){.begin = call,
                                      .end = call,
                                      .comm = comm->shared,
                                      .root = event->collective.root,
                                      .member = reading->members[event->collective.comm],
                                      .size = (uint32_t)comm->n_members,
                                      .operation = (uint8_t)event->collective.operation};
    if (request.number == 0) {
        otter_rank_collective_add(calls, &request.collective);
    } else {
        add_request(calls, &reading->ends, &request);
    }
}

void otter_rank_operation_add(struct otter_rank_calls *calls, const struct otter_event *event,
                              uint32_t call)
{
    if (event->kind == OTTER_RECORD_COLLECTIVE_BEGIN ||
        event->kind == OTTER_RECORD_COLLECTIVE_END) {
        on_collective(calls, event, call);
    } else {
        on_message(calls, event, call);
    }
}

// ---- requests

// *Returns* the requests in order of their numbers, or NULL.
static struct otter_keyed *by_number(const struct otter_rank_requests *requests)
{
    struct otter_keyed *keyed = malloc((requests->n + 1) * sizeof *keyed);
    for (uint32_t i = 0; keyed && i < requests->n; i++) {
        keyed[i] = (struct otter_keyed){requests->items[i].number, i};
    }
    if (keyed && !otter_keyed_sort(keyed, requests->n)) {
        free(keyed);
        return NULL;
    }
    return keyed;
}

static void complete(struct otter_rank_calls *calls, const struct otter_rank_request *begin,
                     const struct otter_rank_request *end)
{
    if (begin->send != OTTER_NONE) {
        struct otter_mpi_message *send = &calls->sends.items[begin->send];
        send->end = end->call;
        if (end->kind == OTTER_RECORD_CANCELLED) {
            send->peer = send->comm = OTTER_NONE; // never sent
        }
    } else if (end->kind == OTTER_RECORD_IRECV) {
        struct otter_mpi_message received = end->received;
        received.begin = begin->call;
        add_message(calls, &calls->receives, &received);
    } else if (end->kind == OTTER_RECORD_COLLECTIVE_END) {
        struct otter_mpi_collective collective = end->collective;
        collective.begin = begin->call;
        otter_rank_collective_add(calls, &collective);
    }
}

// Receives posted by one call stay in the order of their requests.
static void join_requests(struct otter_rank_calls *calls)
{
    struct otter_rank_reading *reading = calls->reading;
    struct otter_keyed *begins = by_number(&reading->begins), *ends = by_number(&reading->ends);
    reading->is_short_of_memory |= !begins || !ends;
    uint32_t i = 0, k = 0;
    while (begins && ends && i < reading->begins.n && k < reading->ends.n) {
        if (begins[i].key == ends[k].key) {
            complete(calls, &reading->begins.items[begins[i++].value],
                     &reading->ends.items[ends[k++].value]);
        } else if (begins[i].key < ends[k].key) {
            i++;
        } else {
            k++;
        }
    }
    free(begins);
    free(ends);
}

// ---- order

// Sorts items by the start of their calls. *Returns* false if out of memory.
static bool sort(const struct otter_rank_calls *calls, void *items, uint32_t n, size_t size,
                 size_t offset_of_begin)
{
    struct otter_keyed *keyed = malloc((n + 1) * sizeof *keyed);
    char *from = items, *sorted = malloc((n + 1) * size);
    for (uint32_t i = 0; keyed && i < n; i++) {
        uint32_t call;
        memcpy(&call, from + i * size + offset_of_begin, sizeof call);
        keyed[i] = (struct otter_keyed){calls->calls.items[call].begin, i};
    }
    bool is_good = keyed && sorted && otter_keyed_sort(keyed, n);
    for (uint32_t i = 0; is_good && i < n; i++) {
        memcpy(sorted + i * size, from + keyed[i].value * size, size);
    }
    if (is_good && n > 0) {
        memcpy(items, sorted, n * size);
    }
    free(keyed);
    free(sorted);
    return is_good;
}

static bool sort_all(struct otter_rank_calls *calls)
{
    size_t of_message = offsetof(struct otter_mpi_message, begin);
    return sort(calls, calls->sends.items, calls->sends.n, sizeof *calls->sends.items,
                of_message) &&
           sort(calls, calls->receives.items, calls->receives.n, sizeof *calls->receives.items,
                of_message) &&
           sort(calls, calls->collectives.items, calls->collectives.n,
                sizeof *calls->collectives.items, offsetof(struct otter_mpi_collective, begin));
}

bool otter_rank_operations_end(struct otter_rank_calls *calls)
{
    join_requests(calls);
    return !calls->reading->is_short_of_memory && sort_all(calls);
}
