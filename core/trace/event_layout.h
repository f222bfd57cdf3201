// The bytes of OTF2 3.0 event files that Otter reads and writes itself.
//
// OTF2 3.0.2 does not document this layout. core/trace/write/layout_probe.h compares it with the
// OTF2 of the build when a recording begins.
//
// An event file is a sequence of chunks of equal size; the last chunk is cut to its used part.
// A chunk is complete when the next chunk begins.
//
//     chunk   CHUNK_HEADER, byte order, number of its first event (8 bytes), of its last (8 bytes),
//             then records, then RECORD_END_OF_CHUNK; the last chunk ends with
//             RECORD_END_OF_FILE RECORD_END_OF_BUFFER
//     time    RECORD_TIME, 8 bytes
//     Enter   RECORD_ENTER, number of bytes of the region, region; Leave likewise
//     others  type, length, payload; after LONG_LENGTH an 8-byte length follows
#pragma once

#include <stdint.h>
#include <string.h>

enum {
    RECORD_END_OF_CHUNK = 0x00,
    RECORD_END_OF_BUFFER = 0x01,
    RECORD_END_OF_FILE = 0x02,
    CHUNK_HEADER = 0x03,
    RECORD_TIME = 0x05,
    RECORD_ATTRIBUTES = 0x06, // attributes of the next record; Otter writes none
    RECORD_FLUSH = 0x0a,
    RECORD_MEASUREMENT = 0x0b,
    RECORD_ENTER = 0x0c,
    RECORD_LEAVE = 0x0d,
    RECORD_MPI_SEND = 0x0e,
    RECORD_MPI_ISEND = 0x0f,
    RECORD_MPI_ISEND_COMPLETE = 0x10,
    RECORD_MPI_IRECV_REQUEST = 0x11,
    RECORD_MPI_RECV = 0x12,
    RECORD_MPI_IRECV = 0x13,
    RECORD_MPI_REQUEST_CANCELLED = 0x15,
    RECORD_MPI_COLLECTIVE_BEGIN = 0x16,
    RECORD_MPI_COLLECTIVE_END = 0x17,
    RECORD_METRIC = 0x1f,
    RECORD_PARAMETER = 0x22, // ParameterUnsignedInt
    RECORD_RMA_PUT = 0x2e,
    RECORD_RMA_GET = 0x2f,
    RECORD_RMA_COMPLETE = 0x31,
    RECORD_FORK = 0x35,
    RECORD_JOIN = 0x36,
    RECORD_TEAM_BEGIN = 0x37,
    RECORD_TEAM_END = 0x38,
    RECORD_LOCK_ACQUIRE = 0x39,
    RECORD_LOCK_RELEASE = 0x3a,
    RECORD_TASK_CREATE = 0x3b,
    RECORD_TASK_SWITCH = 0x3c,
    RECORD_TASK_COMPLETE = 0x3d,
    RECORD_SAMPLE = 0x44,             // CallingContextSample
    RECORD_COLLECTIVE_REQUEST = 0x55, // NonBlockingCollectiveRequest
    RECORD_COLLECTIVE_COMPLETE = 0x56,
    LONG_LENGTH = 0xff, // Otter writes no record of that length

    // Within a header or a record.
    LITTLE_ENDIAN_CHUNK = 0x42,
    TYPE_UINT64 = 0x04,
    PARADIGM_OPENMP = 0x03,
    MEASUREMENT_ON = 0x01,
    MEASUREMENT_OFF = 0x02,

    FIRST_EVENT_OFFSET = 2,
    LAST_EVENT_OFFSET = 10,
    HEADER_SIZE = 18,
    END_SIZE = 2,
    TIME_SIZE = 9,
    RECORD_HEAD_SIZE = 2,    // type and length
    SMALLEST_EVENT_SIZE = 3, // Enter of a region below 256
};

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are stored as they are");

static inline uint64_t otter_event_number(const uint8_t *bytes)
{
    uint64_t number;
    memcpy(&number, bytes, sizeof(number));
    return number;
}

static inline void otter_event_put_number(uint8_t *bytes, uint64_t number)
{
    memcpy(bytes, &number, sizeof(number));
}
