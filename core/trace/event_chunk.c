// Walks the records of a chunk of an event file.
#include "trace/event_chunk.h"

#include "trace/event_layout.h"

// The last byte of a complete Enter or Leave is not zero, because regions are counted from 1.
static size_t enter_size(const uint8_t *record, size_t room)
{
    size_t size = 2 + (size_t)record[1];
    return record[1] > 0 && size <= room && record[size - 1] != 0 ? size : 0;
}

// Returns the size of the record at `record`, with `room` bytes available; 0 if the record is
// incomplete or has a form that Otter does not write.
static size_t record_size(const uint8_t *record, size_t room)
{
    if (*record == RECORD_TIME) {
        return room >= TIME_SIZE ? TIME_SIZE : 0;
    }
    if (room < RECORD_HEAD_SIZE || *record == RECORD_ATTRIBUTES) {
        return 0;
    }
    if (*record == RECORD_ENTER || *record == RECORD_LEAVE) {
        return enter_size(record, room);
    }
    size_t size = RECORD_HEAD_SIZE + (size_t)record[1];
    bool has_fields = *record != RECORD_MPI_COLLECTIVE_BEGIN;
    return (record[1] > 0) == has_fields && record[1] != LONG_LENGTH && size <= room ? size : 0;
}

bool otter_event_chunk_has_begun(const uint8_t *chunk)
{
    return chunk[0] == CHUNK_HEADER && otter_event_number(chunk + FIRST_EVENT_OFFSET) > 0;
}

size_t otter_event_chunk_walk(const uint8_t *chunk, size_t size, uint64_t *n_events,
                              uint64_t *last_time,
                              void (*visit)(void *user, const uint8_t *record, size_t size),
                              void *user)
{
    if (size < HEADER_SIZE || !otter_event_chunk_has_begun(chunk)) {
        return 0;
    }
    *n_events = otter_event_number(chunk + FIRST_EVENT_OFFSET) - 1;
    uint64_t time = *last_time;
    size_t used = HEADER_SIZE, at = HEADER_SIZE;
    while (at < size && chunk[at] > RECORD_END_OF_FILE) {
        size_t length = record_size(chunk + at, size - at);
        if (length == 0) {
            break;
        }
        bool is_event = chunk[at] != RECORD_TIME;
        time = chunk[at] == RECORD_TIME ? otter_event_number(chunk + at + 1) : time;
        if (is_event) { // a time without a complete event does not count
            (*n_events)++;
            *last_time = time;
            used = at + length;
            visit(user, chunk + at, length);
        }
        at += length;
    }
    return used;
}

static void ignore(void *user, const uint8_t *record, size_t size)
{
}

size_t otter_event_chunk_used(const uint8_t *chunk, size_t size, uint64_t *n_events,
                              uint64_t *last_time)
{
    return otter_event_chunk_walk(chunk, size, n_events, last_time, ignore, NULL);
}
