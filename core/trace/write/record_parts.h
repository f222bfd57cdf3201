// The parts of records: for location_writer.c, and for the fast path of frequent calls.
#pragma once

#include <stdatomic.h>
#include <string.h>

#include "trace/event_layout.h"
#include "trace/schema.h"
#include "trace/write/location_writer.h"

// Each function stores at `at` and *returns* the end of what it stored. It may write zeros after
// the end. The process may be killed between any two stores, and a zero where a record would begin
// ends the chunk. So the first byte of a record is stored last: by itself in otter_put_time, with
// the rest of the record in otter_put_region, with the size in otter_put_task. These two memcpy()
// must be single stores.
//
// A fence for the compiler is enough on any processor, since only the order of instructions
// matters: a signal ends a thread between two instructions. The kernel makes all earlier stores
// visible before anyone learns that the thread ended. No other thread reads the chunk while this
// one stores. A reader has first seen `busy` 0 (record/entry/call.h), or has taken the chunk's
// pages away (recording/event_file.c, detach_chunk), which waits for stores under way.

static inline uint8_t *otter_put_time(uint8_t *at, uint64_t time)
{
    memcpy(at + 1, &time, sizeof(time));
    atomic_signal_fence(memory_order_seq_cst);
    *at = RECORD_TIME;
    return at + TIME_SIZE;
}

// Stores an Enter or a Leave in one store. `region`: from 1.
static inline uint8_t *otter_put_region(uint8_t *at, uint8_t type, uint32_t region)
{
    uint64_t n = (39 - (unsigned)__builtin_clz(region)) / 8;
    uint64_t bytes = type | n << 8 | (uint64_t)region << 16;
    memcpy(at, &bytes, sizeof(bytes));
    atomic_signal_fence(memory_order_seq_cst);
    return at + RECORD_HEAD_SIZE + n;
}

// *Returns* the number of bits in the significant bytes; 0 for the number 0.
static inline unsigned otter_n_bits(uint32_t number)
{
    return (((unsigned)__builtin_clzll((uint64_t)number << 1 | 1) ^ 63) + 7) & ~7U;
}

// Stores a record of a task of OTTER_COMM_ALL_THREADS. The number of this communicator, 0, is a
// zero byte, and all bytes from `at` on are zero before. Both numbers are below UINT32_MAX, and
// `creator` has at most two bytes.
static inline uint8_t *otter_put_task(uint8_t *at, uint8_t type, uint32_t creator, uint32_t number)
{
    unsigned creator_bits = otter_n_bits(creator), number_bits = otter_n_bits(number);
    unsigned size = 3 + (creator_bits + number_bits) / 8; // with the three counts of bytes
    uint64_t bytes = creator_bits / 8 | (uint64_t)creator << 8 |
                     (number_bits / 8 | (uint64_t)number << 8) << (creator_bits + 8);
    uint16_t head = (uint16_t)(type | size << 8);
    memcpy(at + RECORD_HEAD_SIZE + 1, &bytes, sizeof(bytes));
    atomic_signal_fence(memory_order_seq_cst);
    memcpy(at, &head, sizeof(head));
    atomic_signal_fence(memory_order_seq_cst);
    return at + RECORD_HEAD_SIZE + size;
}

// ---- several records with one time

// *Returns* the place for records at `time`, of at most OTTER_RECORD_ROOM bytes together; NULL if
// the functions of location_writer.h must write them. Call otter_records_end afterwards.
static inline uint8_t *otter_records_begin(const struct otter_location_writer *location,
                                           uint64_t time)
{
    bool is_usual = location->at <= location->last && time > location->time;
    return __builtin_expect(is_usual, 1) ? otter_put_time(location->at, time) : NULL;
}

// Like otter_records_begin, for records at the time of the last record.
static inline uint8_t *otter_records_continue(const struct otter_location_writer *location,
                                              uint64_t time)
{
    bool is_usual = location->at <= location->last && time == location->time;
    return __builtin_expect(is_usual, 1) ? location->at : NULL;
}

// `at`: the end of the last of `n` records.
static inline void otter_records_end(struct otter_location_writer *location, uint64_t time,
                                     uint8_t *at, unsigned n)
{
    location->time = time;
    location->at = at;
    location->n_events += n;
}
