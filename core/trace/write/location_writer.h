// The records of one location, byte by byte as OTF2 3.0 has them (see core/recording/event_file.h). OTF2's own writer would make the same bytes
// in five times the instructions; otter_writer_layout_is_known compares the two. Of C11 and libc alone.
//
// Times are ticks and may not decrease: a record whose time goes back is not kept, and counted. By
// one thread at a time. The first byte of a record is written last, so that whoever is killed
// leaves whole records.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OTTER_TIME_OF_NONE UINT64_MAX

enum { OTTER_RECORD_ROOM = 64 }; // more than any record takes, with its time

// `at` > `last`: there is no room.
struct otter_location_writer {
    uint8_t *at;        // where the next record goes: behind it the chunk is zeros
    uint8_t *last;      // the last place with OTTER_RECORD_ROOM
    uint64_t time;      // of the last record; OTTER_TIME_OF_NONE: no record is wanted
    uint64_t n_events;  // of all chunks
    uint64_t n_refused; // records whose time went back
    // Makes room behind `at`, by otter_location_begin_chunk. False: there is none, the record is not kept.
    bool (*make_room)(struct otter_location_writer *location);
    // Hears of each Enter and Leave that is not kept; NULL: nobody wants to know. See record/totals.h.
    void (*missed)(void *totals, uint64_t time, uint32_t region, bool is_enter);
    void *totals;
};

// Goes on in `chunk`, `size` bytes of zeros: it gets its header, and the one before gets complete by its end.
void otter_location_begin_chunk(struct otter_location_writer *location, uint8_t *chunk,
                                size_t size);
// A chunk of which no more comes: its header tells its last event.
void otter_location_end_chunk(const struct otter_location_writer *location, uint8_t *chunk);

// `region`: from 1.
void otter_write_enter(struct otter_location_writer *location, uint64_t time, uint32_t region);
void otter_write_leave(struct otter_location_writer *location, uint64_t time, uint32_t region);
void otter_write_parameter(struct otter_location_writer *location, uint64_t time,
                           uint32_t parameter, uint64_t value);

// The memory of a space: bytes in use now and at most.
void otter_write_memory(struct otter_location_writer *location, uint64_t time, uint32_t space,
                        uint64_t in_use, uint64_t high_water);

// The location's thread was busy writing a chunk from `time` to `end`.
void otter_write_flush(struct otter_location_writer *location, uint64_t time, uint64_t end);

void otter_write_fork(struct otter_location_writer *location, uint64_t time, uint32_t requested);
void otter_write_join(struct otter_location_writer *location, uint64_t time);
void otter_write_team_begin(struct otter_location_writer *location, uint64_t time, uint32_t comm);
void otter_write_team_end(struct otter_location_writer *location, uint64_t time, uint32_t comm);

// A task is (creator, number) in OTTER_COMM_ALL_THREADS: location of its creator and the creator's running number.
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

// A transfer in the RMA window of a device (its index), beginning and end. `remote`: OTTER_RANK_...
void otter_write_put(struct otter_location_writer *location, uint64_t time, uint32_t window,
                     uint32_t remote, uint64_t bytes, uint64_t operation);
void otter_write_get(struct otter_location_writer *location, uint64_t time, uint32_t window,
                     uint32_t remote, uint64_t bytes, uint64_t operation);
void otter_write_transferred(struct otter_location_writer *location, uint64_t time, uint32_t window,
                             uint64_t operation);

// Recording goes on, or is paused.
void otter_write_measurement(struct otter_location_writer *location, uint64_t time, bool is_on);
