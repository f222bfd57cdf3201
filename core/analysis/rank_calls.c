// Collects the calls of MPI of one rank from its events.
#include "analysis/rank_calls.h"

#include <stdlib.h>
#include <string.h>

#include "graph/numbers.h"
#include "trace/schema.h"

enum call_class { CLASS_NONE = 0, CLASS_CALL, CLASS_PROBE, CLASS_INIT, CLASS_FINALIZE };

// The begin or the end of an operation with a request. Threads may complete requests of each other,
// so both are joined when all events are read.
struct request {
    uint64_t number;
    uint32_t call;
    uint32_t send;                     // of a begin: index; OTTER_NONE: no send
    uint8_t kind;                      // of an end: enum otter_record
    struct otter_mpi_message received; // of an end
    struct otter_mpi_collective collective;
};

struct requests {
    OTTER_VECTOR(struct request);
};

struct otter_rank_reading {
    const struct otter_definitions *definitions;
    uint8_t *classes;  // of each region
    uint32_t *members; // this rank in each communicator; OTTER_NONE: no communicator of MPI
    struct requests begins, ends;
    uint32_t location, region; // OTTER_NONE: in no call
    uint32_t call;             // index of the open call; OTTER_NONE: not stored yet
    uint64_t begin, last_time;
    bool is_short_of_memory;
};

// ---- definitions

static enum call_class class_of(const struct otter_region *region)
{
    if (!otter_construct_is_mpi(region->construct)) {
        return CLASS_NONE;
    }
    const char *name = region->name;
    return strcmp(name, "MPI_Probe") == 0 || strcmp(name, "MPI_Mprobe") == 0       ? CLASS_PROBE
           : strcmp(name, "MPI_Init") == 0 || strcmp(name, "MPI_Init_thread") == 0 ? CLASS_INIT
           : strcmp(name, "MPI_Finalize") == 0                                     ? CLASS_FINALIZE
                                                                                   : CLASS_CALL;
}

static uint32_t member_of(const struct otter_comm *comm, uint64_t rank)
{
    for (uint32_t i = 0; comm->ranks && i < comm->n_members; i++) {
        if (comm->ranks[i] == rank) {
            return i;
        }
    }
    return OTTER_NONE;
}

enum otter_status otter_rank_calls_begin(struct otter_rank_calls *calls,
                                         const struct otter_definitions *definitions)
{
    *calls = (struct otter_rank_calls){.last = OTTER_NONE};
    struct otter_rank_reading *reading = calls->reading = calloc(1, sizeof *reading);
    if (!reading) {
        return OTTER_NO_MEMORY;
    }
    reading->definitions = definitions;
    reading->location = reading->region = reading->call = OTTER_NONE;
    reading->classes = calloc(definitions->n_regions + 1, sizeof *reading->classes);
    reading->members = otter_numbers_create(definitions->n_comms);
    if (!reading->classes || !reading->members) {
        otter_rank_calls_finish(calls);
        return OTTER_NO_MEMORY;
    }
    uint64_t rank = otter_definitions_number(definitions, "OTTER::RANK");
    for (size_t i = 0; i < definitions->n_regions; i++) {
        reading->classes[i] = (uint8_t)class_of(&definitions->regions[i]);
    }
    for (size_t i = 0; i < definitions->n_comms; i++) {
        reading->members[i] = member_of(&definitions->comms[i], rank);
    }
    return OTTER_OK;
}

// ---- calls

static enum call_class class_at(const struct otter_rank_reading *reading, uint32_t region)
{
    return region < reading->definitions->n_regions ? (enum call_class)reading->classes[region]
                                                    : CLASS_NONE;
}

// Stores the open call with its first operation. *Returns* its index, or OTTER_NONE.
static uint32_t store_call(struct otter_rank_calls *calls)
{
    struct otter_rank_reading *reading = calls->reading;
    if (reading->call != OTTER_NONE) {
        return reading->call;
    }
    if (!OTTER_VECTOR_RESERVE(&calls->calls)) {
        reading->is_short_of_memory = true;
        return OTTER_NONE;
    }
    reading->call = calls->calls.n++;
    calls->calls.items[reading->call] =
        (struct otter_mpi_call){.begin = reading->begin,
                                .end = reading->begin,
                                .node = OTTER_NONE,
                                .before = OTTER_NONE,
                                .cause_rank = OTTER_NONE,
                                .cause_call = OTTER_NONE,
                                .location = (uint16_t)reading->location,
                                .is_probe = class_at(reading, reading->region) == CLASS_PROBE};
    return reading->call;
}

static void add_collective(struct otter_rank_calls *calls, const struct otter_mpi_collective *item)
{
    if (OTTER_VECTOR_RESERVE(&calls->collectives)) {
        calls->collectives.items[calls->collectives.n++] = *item;
    } else {
        calls->reading->is_short_of_memory = true;
    }
}

// MPI_Init and MPI_Finalize are collective operations of all ranks.
static void end_call(struct otter_rank_calls *calls, uint64_t time)
{
    struct otter_rank_reading *reading = calls->reading;
    enum call_class class = class_at(reading, reading->region);
    uint32_t call = class > CLASS_CALL ? store_call(calls) : reading->call;
    if (call != OTTER_NONE) {
        calls->calls.items[call].end = time;
    }
    if (call != OTTER_NONE && class >= CLASS_INIT) {
        add_collective(calls,
                       &(struct otter_mpi_collective){
                           .begin = call,
                           .end = call,
                           .comm = class == CLASS_INIT ? OTTER_COMM_INIT : OTTER_COMM_FINALIZE,
                           .root = OTTER_NO_ROOT,
                           .operation = OTTER_COLLECTIVE_BARRIER});
    }
    reading->region = reading->call = OTTER_NONE;
}

// A call that is left open ends with the last event of its thread, and completes nothing.
static void end_location(struct otter_rank_calls *calls)
{
    struct otter_rank_reading *reading = calls->reading;
    if (reading->call != OTTER_NONE) {
        calls->calls.items[reading->call].end = reading->last_time;
    }
    reading->region = reading->call = OTTER_NONE;
}

// ---- operations

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

static void add_request(struct otter_rank_calls *calls, struct requests *requests,
                        const struct request *request)
{
    if (OTTER_VECTOR_RESERVE(requests)) {
        requests->items[requests->n++] = *request;
    } else {
        calls->reading->is_short_of_memory = true;
    }
}

static void on_message(struct otter_rank_calls *calls, const struct otter_event *event,
                       uint32_t call)
{
    struct otter_rank_reading *reading = calls->reading;
    struct request request = {
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
    struct request request = {.number = event->collective.request,
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
        add_collective(calls, &request.collective);
    } else {
        add_request(calls, &reading->ends, &request);
    }
}

// ---- events

static void on_operation(struct otter_rank_calls *calls, const struct otter_event *event)
{
    bool is_message = event->kind >= OTTER_RECORD_SEND && event->kind <= OTTER_RECORD_CANCELLED;
    bool is_collective =
        event->kind == OTTER_RECORD_COLLECTIVE_BEGIN || event->kind == OTTER_RECORD_COLLECTIVE_END;
    uint32_t call = is_message || is_collective ? store_call(calls) : OTTER_NONE;
    if (call != OTTER_NONE && is_message) {
        on_message(calls, event, call);
    } else if (call != OTTER_NONE) {
        on_collective(calls, event, call);
    }
}

bool otter_rank_calls_add(void *user, const struct otter_event *event)
{
    struct otter_rank_calls *calls = user;
    struct otter_rank_reading *reading = calls->reading;
    if (event->location != reading->location) {
        end_location(calls);
        reading->location = event->location;
    }
    reading->last_time = event->time;
    calls->is_gapped |= event->kind == OTTER_RECORD_MEASUREMENT && !event->is_on;
    if (event->kind == OTTER_RECORD_ENTER && class_at(reading, event->region) != CLASS_NONE) {
        end_location(calls);
        reading->region = event->region;
        reading->begin = event->time;
    } else if (event->kind == OTTER_RECORD_LEAVE && reading->region == event->region &&
               reading->region != OTTER_NONE) {
        end_call(calls, event->time);
    } else if (reading->region != OTTER_NONE) {
        on_operation(calls, event);
    }
    return !reading->is_short_of_memory;
}

// ---- the end: requests

// *Returns* the requests in order of their numbers, or NULL.
static struct otter_keyed *by_number(const struct requests *requests)
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

static void complete(struct otter_rank_calls *calls, const struct request *begin,
                     const struct request *end)
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
        add_collective(calls, &collective);
    }
}

// Receives of one posting call stay in the order of their requests.
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

// ---- the end: order

// Sorts items by the time at which the call of each begins; *Returns* false when memory is short.
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

static void free_reading(struct otter_rank_calls *calls)
{
    struct otter_rank_reading *reading = calls->reading;
    if (reading) {
        free(reading->classes);
        free(reading->members);
        free(reading->begins.items);
        free(reading->ends.items);
    }
    free(reading);
    calls->reading = NULL;
}

enum otter_status otter_rank_calls_complete(struct otter_rank_calls *calls)
{
    end_location(calls);
    join_requests(calls);
    bool is_good = !calls->reading->is_short_of_memory && sort_all(calls);
    free_reading(calls);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

enum otter_status otter_rank_calls_end(struct otter_rank_calls *calls,
                                       const struct otter_analysis *analysis)
{
    enum otter_status status = otter_rank_calls_complete(calls);
    calls->begin = analysis->timeline.begin;
    calls->end = analysis->timeline.end;
    calls->is_gapped |= analysis->n_lost > 0 || analysis->n_damaged > 0;
    return status ? status : otter_rank_calls_link(calls, analysis);
}

void otter_rank_calls_finish(struct otter_rank_calls *calls)
{
    free_reading(calls);
    free(calls->calls.items);
    free(calls->sends.items);
    free(calls->receives.items);
    free(calls->collectives.items);
    *calls = (struct otter_rank_calls){0};
}
