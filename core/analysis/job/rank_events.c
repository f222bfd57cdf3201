// Collects the MPI calls of one rank from its events.
#include <stdlib.h>
#include <string.h>

#include "analysis/job/rank_reading.h"
#include "base/free.h"
#include "graph/numbers.h"
#include "trace/schema.h"

// Calls of CLASS_PROBE and the classes after it are stored even without an operation.
enum call_class {
    CLASS_NONE = 0,
    CLASS_CALL,
    CLASS_TEST,
    CLASS_PROBE_TEST, // does not wait for the message
    CLASS_PROBE,
    CLASS_INIT,
    CLASS_FINALIZE
};

// ---- definitions

static enum call_class class_of(const struct otter_region *region)
{
    if (!otter_construct_is_mpi(region->construct)) {
        return CLASS_NONE;
    }
    static const struct {
        const char *name;
        enum call_class class;
    } classes[] = {{"MPI_Probe", CLASS_PROBE},       {"MPI_Mprobe", CLASS_PROBE},
                   {"MPI_Iprobe", CLASS_PROBE_TEST}, {"MPI_Improbe", CLASS_PROBE_TEST},
                   {"MPI_Init", CLASS_INIT},         {"MPI_Init_thread", CLASS_INIT},
                   {"MPI_Finalize", CLASS_FINALIZE}};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (strcmp(region->name, classes[i].name) == 0) {
            return classes[i].class;
        }
    }
    return region->construct == OTTER_CONSTRUCT_MPI_TEST ? CLASS_TEST : CLASS_CALL;
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

static bool is_test(enum call_class class)
{
    return class == CLASS_TEST || class == CLASS_PROBE_TEST;
}

// Returns the open call, which has been waiting since its polling began.
static struct otter_mpi_call open_call(const struct otter_rank_reading *reading)
{
    enum call_class class = class_at(reading, reading->region);
    return (struct otter_mpi_call){.begin = reading->begin,
                                   .end = reading->begin,
                                   .since = is_test(class) ? reading->polls.begin : reading->begin,
                                   .node = OTTER_NONE,
                                   .before = OTTER_NONE,
                                   .cause_rank = OTTER_NONE,
                                   .cause_call = OTTER_NONE,
                                   .location = (uint16_t)reading->location,
                                   .is_probe = class == CLASS_PROBE || class == CLASS_PROBE_TEST};
}

// *Returns* the index of the call, or OTTER_NONE.
static uint32_t add_call(struct otter_rank_calls *calls, const struct otter_mpi_call *call)
{
    if (!OTTER_VECTOR_RESERVE(&calls->calls)) {
        calls->reading->is_short_of_memory = true;
        return OTTER_NONE;
    }
    calls->calls.items[calls->calls.n] = *call;
    return calls->calls.n++;
}

// Stores the open call with its first operation. *Returns* its index, or OTTER_NONE.
static uint32_t store_call(struct otter_rank_calls *calls)
{
    struct otter_rank_reading *reading = calls->reading;
    if (reading->call == OTTER_NONE) {
        struct otter_mpi_call call = open_call(reading);
        reading->call = add_call(calls, &call);
        reading->has_probe = false;
    }
    return reading->call;
}

// Stores the non-blocking probe before the open call, which receives a message.
static void store_probe(struct otter_rank_calls *calls)
{
    struct otter_rank_reading *reading = calls->reading;
    if (reading->has_probe && reading->call == OTTER_NONE) {
        add_call(calls, &reading->probe);
        calls->between_tests += otter_polls_end(&reading->polls);
    }
    reading->has_probe = false;
}

static void end_test(struct otter_rank_calls *calls, uint64_t time)
{
    struct otter_rank_reading *reading = calls->reading;
    otter_polls_end_test(&reading->polls, time);
    if (reading->call != OTTER_NONE) {
        calls->between_tests += otter_polls_end(&reading->polls);
    } else if (class_at(reading, reading->region) == CLASS_PROBE_TEST) {
        reading->probe = open_call(reading);
        reading->probe.end = time;
        reading->has_probe = true;
    }
}

// MPI_Init and MPI_Finalize count as collective operations of all ranks.
static void end_call(struct otter_rank_calls *calls, uint64_t time)
{
    struct otter_rank_reading *reading = calls->reading;
    enum call_class class = class_at(reading, reading->region);
    uint32_t call = class >= CLASS_PROBE ? store_call(calls) : reading->call;
    if (is_test(class)) {
        end_test(calls, time);
    }
    if (call != OTTER_NONE) {
        calls->calls.items[call].end = time;
    }
    if (call != OTTER_NONE && class >= CLASS_INIT) {
        otter_rank_collective_add(
            calls, &(struct otter_mpi_collective){.begin = call,
                                                  .end = call,
                                                  .comm = class == CLASS_INIT ? OTTER_COMM_INIT
                                                                              : OTTER_COMM_FINALIZE,
                                                  .root = OTTER_NO_ROOT,
                                                  .operation = OTTER_COLLECTIVE_BARRIER});
    }
    reading->region = reading->call = OTTER_NONE;
}

// A call left open ends with the last event of its thread and completes nothing.
static void end_open_call(struct otter_rank_calls *calls)
{
    struct otter_rank_reading *reading = calls->reading;
    if (reading->call != OTTER_NONE) {
        calls->calls.items[reading->call].end = reading->last_time;
    }
    reading->region = reading->call = OTTER_NONE;
}

static void end_location(struct otter_rank_calls *calls)
{
    end_open_call(calls);
    otter_polls_stop(&calls->reading->polls);
    calls->reading->has_probe = false;
}

// ---- events

static void on_operation(struct otter_rank_calls *calls, const struct otter_event *event)
{
    bool is_message = event->kind >= OTTER_RECORD_SEND && event->kind <= OTTER_RECORD_CANCELLED;
    bool is_collective =
        event->kind == OTTER_RECORD_COLLECTIVE_BEGIN || event->kind == OTTER_RECORD_COLLECTIVE_END;
    if (event->kind == OTTER_RECORD_RECV || event->kind == OTTER_RECORD_RECV_POSTED) {
        store_probe(calls);
    }
    uint32_t call = is_message || is_collective ? store_call(calls) : OTTER_NONE;
    if (call != OTTER_NONE) {
        otter_rank_operation_add(calls, event, call);
    }
}

static void begin_call(struct otter_rank_calls *calls, const struct otter_event *event)
{
    struct otter_rank_reading *reading = calls->reading;
    end_open_call(calls);
    reading->region = event->region;
    reading->begin = event->time;
    if (is_test(class_at(reading, event->region))) {
        otter_polls_begin_test(&reading->polls, event->time);
    } else {
        otter_polls_stop(&reading->polls);
    }
}

// Returns whether the event may occur between tests without being work of the program.
static bool is_quiet(const struct otter_event *event)
{
    return event->kind == OTTER_RECORD_PARAMETER || event->kind == OTTER_RECORD_METRIC ||
           event->kind == OTTER_RECORD_BUFFER_FLUSH;
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
        begin_call(calls, event);
    } else if (event->kind == OTTER_RECORD_LEAVE && reading->region == event->region &&
               reading->region != OTTER_NONE) {
        end_call(calls, event->time);
    } else if (reading->region != OTTER_NONE) {
        on_operation(calls, event);
    } else if (!is_quiet(event)) {
        otter_polls_stop(&reading->polls);
    }
    return !reading->is_short_of_memory;
}

static void free_reading(struct otter_rank_calls *calls)
{
    struct otter_rank_reading *reading = calls->reading;
    if (reading) {
        OTTER_FREE(reading->classes, reading->members, reading->begins.items, reading->ends.items);
    }
    free(reading);
    calls->reading = NULL;
}

enum otter_status otter_rank_calls_complete(struct otter_rank_calls *calls)
{
    end_location(calls);
    bool is_good = otter_rank_operations_end(calls);
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
    OTTER_FREE(calls->calls.items, calls->sends.items, calls->receives.items,
               calls->collectives.items);
    *calls = (struct otter_rank_calls){0};
}
