// Writes the records of one location.
#include "trace/write/location_writer.h"

#include <stdatomic.h>
#include <string.h>

#include "trace/event_layout.h"
#include "trace/schema.h"
#include "trace/write/record_parts.h"

// ---- chunks

void otter_location_begin_chunk(struct otter_location_writer *location, uint8_t *chunk, size_t size)
{
    uint64_t first = location->n_events + 1;
    memcpy(chunk + FIRST_EVENT_OFFSET, &first, sizeof(first));
    chunk[1] = LITTLE_ENDIAN_CHUNK;
    atomic_signal_fence(memory_order_seq_cst);
    chunk[0] = CHUNK_HEADER;
    location->at = chunk + HEADER_SIZE;
    location->last = chunk + size - OTTER_RECORD_ROOM;
}

void otter_location_end_chunk(const struct otter_location_writer *location, uint8_t *chunk)
{
    memcpy(chunk + LAST_EVENT_OFFSET, &location->n_events, sizeof(location->n_events));
}

// ---- parts of records

static inline uint8_t *write_time(struct otter_location_writer *location, uint64_t time)
{
    location->at = otter_put_time(location->at, time);
    location->time = time;
    return location->at;
}

// Each chunk begins with a time.
__attribute__((cold, noinline)) static uint8_t *
begin_in_next_chunk(struct otter_location_writer *location, uint64_t time)
{
    return location->make_room(location) ? write_time(location, time) : NULL;
}

// Returns the place for a record at `time`, or NULL if the record is refused. Refusing must be
// cheap, because a pause refuses all records. A record whose time decreases outside a pause is
// lost.
static inline uint8_t *begin_record(struct otter_location_writer *location, uint64_t time)
{
    if (__builtin_expect(time < location->time, 0)) {
        location->n_refused += location->time != OTTER_TIME_OF_NONE;
        return NULL;
    }
    if (__builtin_expect(location->at > location->last, 0)) {
        return begin_in_next_chunk(location, time);
    }
    return __builtin_expect(time > location->time, 1) ? write_time(location, time) : location->at;
}

// Stores the count of significant bytes, then those bytes. Zero and the largest number of a type
// take only one byte.
static inline uint8_t *put_number(uint8_t *to, uint64_t number, uint64_t largest)
{
    if (number == 0 || number == largest) {
        *to = (uint8_t)number;
        return to + 1;
    }
    unsigned n = (71 - (unsigned)__builtin_clzll(number)) / 8;
    *to = (uint8_t)n;
    memcpy(to + 1, &number, sizeof(number)); // the bytes after it are zeros
    return to + 1 + n;
}

static inline uint8_t *put32(uint8_t *to, uint32_t number)
{
    return put_number(to, number, UINT32_MAX);
}

static inline uint8_t *put64(uint8_t *to, uint64_t number)
{
    return put_number(to, number, UINT64_MAX);
}

static inline void end_record(struct otter_location_writer *location, uint8_t type,
                              const uint8_t *record_end)
{
    uint8_t *at = location->at;
    size_t size = (size_t)(record_end - at);
    at[1] = (uint8_t)(size - RECORD_HEAD_SIZE);
    atomic_signal_fence(memory_order_seq_cst);
    at[0] = type;
    location->at = at + size;
    location->n_events++;
}

// ---- records

__attribute__((noinline)) static void write_region_slowly(struct otter_location_writer *location,
                                                          uint64_t time, uint8_t type,
                                                          uint32_t region)
{
    uint8_t *at = begin_record(location, time);
    if (at) {
        otter_records_end(location, time, otter_put_region(at, type, region), 1);
    } else if (location->missed) {
        location->missed(location->totals, time, region, type == RECORD_ENTER);
    }
}

// Enter and Leave are the most frequent records. Usually there is room and the time has advanced.
static inline void write_region(struct otter_location_writer *location, uint64_t time, uint8_t type,
                                uint32_t region)
{
    uint8_t *at = otter_records_begin(location, time);
    if (at) {
        otter_records_end(location, time, otter_put_region(at, type, region), 1);
    } else {
        write_region_slowly(location, time, type, region);
    }
}

void otter_write_enter(struct otter_location_writer *location, uint64_t time, uint32_t region)
{
    write_region(location, time, RECORD_ENTER, region);
}

void otter_write_leave(struct otter_location_writer *location, uint64_t time, uint32_t region)
{
    write_region(location, time, RECORD_LEAVE, region);
}

void otter_write_parameter(struct otter_location_writer *location, uint64_t time,
                           uint32_t parameter, uint64_t value)
{
    uint8_t *at = begin_record(location, time);
    if (at) {
        at = put32(at + RECORD_HEAD_SIZE, parameter);
        end_record(location, RECORD_PARAMETER, put64(at, value));
    }
}

void otter_write_metric(struct otter_location_writer *location, uint64_t time, uint32_t space,
                        uint64_t in_use, uint64_t high_water)
{
    uint8_t *at = begin_record(location, time);
    if (at) {
        at = put32(at + RECORD_HEAD_SIZE, space);
        *at++ = 2; // number of values, each of which is preceded by its type
        *at++ = TYPE_UINT64;
        at = put64(at, in_use);
        *at++ = TYPE_UINT64;
        end_record(location, RECORD_METRIC, put64(at, high_water));
    }
}

void otter_write_count(struct otter_location_writer *location, uint64_t time, uint32_t counter,
                       uint64_t n)
{
    uint8_t *at = begin_record(location, time);
    if (at) {
        at = put32(at + RECORD_HEAD_SIZE, counter);
        *at++ = 1; // number of values
        *at++ = TYPE_UINT64;
        end_record(location, RECORD_METRIC, put64(at, n));
    }
}

// The number of frames without progress since the last sample is unknown. The archive has a single
// interrupt generator.
void otter_write_sample(struct otter_location_writer *location, uint64_t time, uint32_t context)
{
    uint8_t *at = begin_record(location, time);
    if (at) {
        at = put32(at + RECORD_HEAD_SIZE, context);
        at = put32(at, UINT32_MAX);
        end_record(location, RECORD_SAMPLE, put32(at, 0));
    }
}

void otter_write_flush(struct otter_location_writer *location, uint64_t time, uint64_t end)
{
    uint8_t *at = begin_record(location, time);
    if (at) {
        memcpy(at + RECORD_HEAD_SIZE, &end, sizeof(end));
        end_record(location, RECORD_FLUSH, at + RECORD_HEAD_SIZE + sizeof(end));
    }
}

void otter_write_fork(struct otter_location_writer *location, uint64_t time, uint32_t requested)
{
    uint8_t *at = begin_record(location, time);
    if (at) {
        at[RECORD_HEAD_SIZE] = PARADIGM_OPENMP;
        end_record(location, RECORD_FORK, put32(at + RECORD_HEAD_SIZE + 1, requested));
    }
}

void otter_write_join(struct otter_location_writer *location, uint64_t time)
{
    uint8_t *at = begin_record(location, time);
    if (at) {
        at[RECORD_HEAD_SIZE] = PARADIGM_OPENMP;
        end_record(location, RECORD_JOIN, at + RECORD_HEAD_SIZE + 1);
    }
}

static inline void write_team(struct otter_location_writer *location, uint64_t time, uint8_t type,
                              uint32_t comm)
{
    uint8_t *at = begin_record(location, time);
    if (at) {
        end_record(location, type, put32(at + RECORD_HEAD_SIZE, comm));
    }
}

void otter_write_team_begin(struct otter_location_writer *location, uint64_t time, uint32_t comm)
{
    write_team(location, time, RECORD_TEAM_BEGIN, comm);
}

void otter_write_team_end(struct otter_location_writer *location, uint64_t time, uint32_t comm)
{
    write_team(location, time, RECORD_TEAM_END, comm);
}

static inline void write_task(struct otter_location_writer *location, uint64_t time, uint8_t type,
                              uint32_t creator, uint32_t number)
{
    uint8_t *at = begin_record(location, time);
    if (at) {
        at = put32(at + RECORD_HEAD_SIZE, OTTER_COMM_ALL_THREADS);
        at = put32(at, creator);
        end_record(location, type, put32(at, number));
    }
}

void otter_write_task_create(struct otter_location_writer *location, uint64_t time,
                             uint32_t creator, uint32_t number)
{
    write_task(location, time, RECORD_TASK_CREATE, creator, number);
}

void otter_write_task_switch(struct otter_location_writer *location, uint64_t time,
                             uint32_t creator, uint32_t number)
{
    write_task(location, time, RECORD_TASK_SWITCH, creator, number);
}

void otter_write_task_complete(struct otter_location_writer *location, uint64_t time,
                               uint32_t creator, uint32_t number)
{
    write_task(location, time, RECORD_TASK_COMPLETE, creator, number);
}

static inline void write_lock(struct otter_location_writer *location, uint64_t time, uint8_t type,
                              uint32_t lock, uint32_t order)
{
    uint8_t *at = begin_record(location, time);
    if (at) {
        at[RECORD_HEAD_SIZE] = PARADIGM_OPENMP;
        at = put32(at + RECORD_HEAD_SIZE + 1, lock);
        end_record(location, type, put32(at, order));
    }
}

void otter_write_lock_acquire(struct otter_location_writer *location, uint64_t time, uint32_t lock,
                              uint32_t order)
{
    write_lock(location, time, RECORD_LOCK_ACQUIRE, lock, order);
}

void otter_write_lock_release(struct otter_location_writer *location, uint64_t time, uint32_t lock,
                              uint32_t order)
{
    write_lock(location, time, RECORD_LOCK_RELEASE, lock, order);
}

static inline void write_transfer(struct otter_location_writer *location, uint64_t time,
                                  uint8_t type, uint32_t window, uint32_t remote, uint64_t bytes,
                                  uint64_t operation)
{
    uint8_t *at = begin_record(location, time);
    if (at) {
        at = put32(at + RECORD_HEAD_SIZE, window);
        at = put32(at, remote);
        at = put64(at, bytes);
        end_record(location, type, put64(at, operation));
    }
}

void otter_write_put(struct otter_location_writer *location, uint64_t time, uint32_t window,
                     uint32_t remote, uint64_t bytes, uint64_t operation)
{
    write_transfer(location, time, RECORD_RMA_PUT, window, remote, bytes, operation);
}

void otter_write_get(struct otter_location_writer *location, uint64_t time, uint32_t window,
                     uint32_t remote, uint64_t bytes, uint64_t operation)
{
    write_transfer(location, time, RECORD_RMA_GET, window, remote, bytes, operation);
}

void otter_write_transferred(struct otter_location_writer *location, uint64_t time, uint32_t window,
                             uint64_t operation)
{
    uint8_t *at = begin_record(location, time);
    if (at) {
        at = put32(at + RECORD_HEAD_SIZE, window);
        end_record(location, RECORD_RMA_COMPLETE, put64(at, operation));
    }
}

// If a record of a message has only a request, the length of that number is also the length of the
// record.
static void write_request(struct otter_location_writer *location, uint64_t time, uint8_t type,
                          uint64_t request)
{
    uint8_t *at = begin_record(location, time);
    if (at) {
        end_record(location, type, put64(at + 1, request));
    }
}

static uint8_t message_record(enum otter_message_kind kind)
{
    switch (kind) {
    case OTTER_MESSAGE_SEND: return RECORD_MPI_SEND;
    case OTTER_MESSAGE_ISEND: return RECORD_MPI_ISEND;
    case OTTER_MESSAGE_SENT: return RECORD_MPI_ISEND_COMPLETE;
    case OTTER_MESSAGE_RECV_POSTED: return RECORD_MPI_IRECV_REQUEST;
    case OTTER_MESSAGE_RECV: return RECORD_MPI_RECV;
    case OTTER_MESSAGE_IRECV: return RECORD_MPI_IRECV;
    case OTTER_MESSAGE_CANCELLED: return RECORD_MPI_REQUEST_CANCELLED;
    }
    return RECORD_MPI_REQUEST_CANCELLED;
}

void otter_write_message(struct otter_location_writer *location, uint64_t time,
                         enum otter_message_kind kind, const struct otter_message *message)
{
    bool is_blocking = kind == OTTER_MESSAGE_SEND || kind == OTTER_MESSAGE_RECV;
    bool has_partner = is_blocking || kind == OTTER_MESSAGE_ISEND || kind == OTTER_MESSAGE_IRECV;
    if (!has_partner) {
        write_request(location, time, message_record(kind), message->request);
        return;
    }
    uint8_t *at = begin_record(location, time);
    if (!at) {
        return;
    }
    at = put32(at + RECORD_HEAD_SIZE, message->partner);
    at = put32(at, message->communicator);
    at = put32(at, message->tag);
    at = put64(at, message->bytes);
    end_record(location, message_record(kind), is_blocking ? at : put64(at, message->request));
}

void otter_write_collective_begin(struct otter_location_writer *location, uint64_t time,
                                  uint64_t request)
{
    uint8_t *at = begin_record(location, time);
    if (at) {
        uint8_t *end = at + RECORD_HEAD_SIZE;
        end_record(location, request ? RECORD_COLLECTIVE_REQUEST : RECORD_MPI_COLLECTIVE_BEGIN,
                   request ? put64(end, request) : end);
    }
}

void otter_write_collective_end(struct otter_location_writer *location, uint64_t time,
                                const struct otter_collective_operation *operation)
{
    uint8_t *at = begin_record(location, time);
    if (!at) {
        return;
    }
    at[RECORD_HEAD_SIZE] = (uint8_t)operation->operation;
    at = put32(at + RECORD_HEAD_SIZE + 1, operation->communicator);
    at = put32(at, operation->root);
    at = put64(at, operation->sent);
    at = put64(at, operation->received);
    at = operation->request ? put64(at, operation->request) : at;
    end_record(location,
               operation->request ? RECORD_COLLECTIVE_COMPLETE : RECORD_MPI_COLLECTIVE_END, at);
}

void otter_write_measurement(struct otter_location_writer *location, uint64_t time, bool is_on)
{
    uint8_t *at = begin_record(location, time);
    if (at) {
        at[RECORD_HEAD_SIZE] = is_on ? MEASUREMENT_ON : MEASUREMENT_OFF;
        end_record(location, RECORD_MEASUREMENT, at + RECORD_HEAD_SIZE + 1);
    }
}
