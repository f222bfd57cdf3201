// Writes the records of one location as OTF2 3.0 stores them (core/trace/event_layout.h).
//
// OTF2's own writer needs five times as many instructions for the same bytes;
// core/trace/write/layout_probe.h compares the two. This file needs only C11 and libc.
// Times are ticks and must not decrease: a record with an earlier time is refused and counted.
// The first byte of a record is written last, so that a killed process leaves only complete
// records. *Thread*: one at a time for each location.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otter/record.h"

#define OTTER_TIME_OF_NONE UINT64_MAX

enum { OTTER_RECORD_ROOM = 64 }; // bytes; more than any record with its time needs

// When `at` > `last`, the chunk is full.
struct otter_location_writer {
    uint8_t *at;        // end of the last record; the rest of the chunk is zero
    uint8_t *last;      // the last place that has room for OTTER_RECORD_ROOM bytes
    uint64_t time;      // time of the last record; OTTER_TIME_OF_NONE: all records are refused
    uint64_t n_events;  // events in all chunks
    uint64_t n_refused; // records whose time was smaller than the previous record's time
    // Calls otter_location_begin_chunk. Returns false if there is no room; the record is then
    // refused.
    bool (*make_room)(struct otter_location_writer *location);
    // Called for each refused Enter and Leave; may be NULL (core/record/totals.h).
    void (*missed)(void *totals, uint64_t time, uint32_t region, bool is_enter);
    void *totals;
};

// Begins a chunk in `size` zero bytes by writing its header. The previous chunk becomes complete.
void otter_location_begin_chunk(struct otter_location_writer *location, uint8_t *chunk,
                                size_t size);
// Stores the number of the last event in the header of a full chunk.
void otter_location_end_chunk(const struct otter_location_writer *location, uint8_t *chunk);

// `region`: from 1.
void otter_write_enter(struct otter_location_writer *location, uint64_t time, uint32_t region);
void otter_write_leave(struct otter_location_writer *location, uint64_t time, uint32_t region);
void otter_write_parameter(struct otter_location_writer *location, uint64_t time,
                           uint32_t parameter, uint64_t value);

// Writes the memory of a space: bytes in use, and their maximum.
void otter_write_metric(struct otter_location_writer *location, uint64_t time, uint32_t space,
                        uint64_t in_use, uint64_t high_water);

// Writes the count of a counter of the location's thread. `counter`: its metric class.
void otter_write_count(struct otter_location_writer *location, uint64_t time, uint32_t counter,
                       uint64_t n);
// Writes a sample of the location's thread.
void otter_write_sample(struct otter_location_writer *location, uint64_t time, uint32_t context);

// The location's thread wrote a chunk from `time` to `end`.
void otter_write_flush(struct otter_location_writer *location, uint64_t time, uint64_t end);

void otter_write_fork(struct otter_location_writer *location, uint64_t time, uint32_t requested);
void otter_write_join(struct otter_location_writer *location, uint64_t time);
void otter_write_team_begin(struct otter_location_writer *location, uint64_t time, uint32_t comm);
void otter_write_team_end(struct otter_location_writer *location, uint64_t time, uint32_t comm);

// A task is (creator, number) in OTTER_COMM_ALL_THREADS: the location of its creator, and its task
// number there.
void otter_write_task_create(struct otter_location_writer *location, uint64_t time,
                             uint32_t creator, uint32_t number);
void otter_write_task_switch(struct otter_location_writer *location, uint64_t time,
                             uint32_t creator, uint32_t number);
void otter_write_task_complete(struct otter_location_writer *location, uint64_t time,
                               uint32_t creator, uint32_t number);

void otter_write_lock_acquire(struct otter_location_writer *location, uint64_t time, uint32_t lock,
                              uint32_t order);
void otter_write_lock_release(struct otter_location_writer *location, uint64_t time, uint32_t lock,
                              uint32_t order);

// A transfer begins or ends in the RMA window of a device. `window`: index of the device. `remote`:
// OTTER_RANK_...
void otter_write_put(struct otter_location_writer *location, uint64_t time, uint32_t window,
                     uint32_t remote, uint64_t bytes, uint64_t operation);
void otter_write_get(struct otter_location_writer *location, uint64_t time, uint32_t window,
                     uint32_t remote, uint64_t bytes, uint64_t operation);
void otter_write_transferred(struct otter_location_writer *location, uint64_t time, uint32_t window,
                             uint64_t operation);

// Writes an event of a message; otter/event.h lists the fields of each kind.
void otter_write_message(struct otter_location_writer *location, uint64_t time,
                         enum otter_message_kind kind, const struct otter_message *message);

// `request`: 0 for an operation that blocks.
void otter_write_collective_begin(struct otter_location_writer *location, uint64_t time,
                                  uint64_t request);
void otter_write_collective_end(struct otter_location_writer *location, uint64_t time,
                                const struct otter_collective_operation *operation);

// Marks that recording continues or is paused.
void otter_write_measurement(struct otter_location_writer *location, uint64_t time, bool is_on);
