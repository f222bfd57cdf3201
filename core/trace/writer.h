// Events into event files, through OTF2. Nothing here knows what the events mean.
//
// A writer belongs to a recording session; a location's functions are called by one thread at a time. Times are ticks and may
// not decrease on a location.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct otter_writer;
struct otter_location_writer;

enum {
    OTTER_COMM_ALL_THREADS = 0, // every CPU location, in order of their ids
    OTTER_MAX_LOCATIONS = 1 << 14,
};

struct otter_writer_options {
    const char *folder; // of the recording; exists. Event files go to its folder "events"
    size_t chunk_size;
    bool is_mapped; // the chunks being written are files: see core/trace/event_file.h
    // Called by the thread that records, in the midst of a record. May be NULL.
    // A full chunk was written to its file, from one time to the other.
    void (*chunk_written)(uint32_t location, uint64_t begin, uint64_t end);
    // A location can keep nothing more (a full disk).
    void (*location_failed)(uint32_t location, enum otter_status why);
};

// Whether this OTF2 lays out its chunks as core/trace/event_file.h says; tried on a few events in memory.
bool otter_writer_layout_is_known(void);

// `options->folder` is copied.
enum otter_status otter_writer_open(const struct otter_writer_options *options,
                                    struct otter_writer **writer);

// A location's writer. Locations are opened in the order of their ids, from 0, by one thread at a time.
enum otter_status otter_writer_open_location(struct otter_writer *writer, uint32_t id,
                                             struct otter_location_writer **location);

// A location of which no more comes: completes its event file and gives its memory back. Not at the same time as opening another.
enum otter_status otter_writer_close_location(struct otter_writer *writer, uint32_t id);

// When nobody records any more: puts what is still in memory into files. For what follows see core/trace/finish.h. The writer stays valid,
// for threads that could not be stopped.
enum otter_status otter_writer_save(struct otter_writer *writer);

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
