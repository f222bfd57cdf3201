// Writes the events of a recording into event files, one file for each location.
//
// core/trace/write/location_writer.h stores the records. The functions of one location are called
// by one thread at a time.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "trace/schema.h"
#include "trace/write/location_writer.h"

struct otter_writer;

struct otter_writer_options {
    // folder of the recording, which exists; event files are in its folder "events"
    const char *folder;
    size_t chunk_size;   // bytes
    uint64_t max_size;   // total bytes of event files and chunks; 0: no limit
    uint64_t max_memory; // total bytes of the chunks in use; 0: no limit
    bool is_mapped;      // chunks are files: see core/recording/event_file.h
    // The recording thread calls these functions within a record. Each may be NULL.
    // Returns how many bytes of `max_size` the archive's other files need if its event files have
    // `size` bytes. Called before a chunk begins, if there is a limit.
    uint64_t (*others)(uint64_t size);
    // A chunk begins; earlier chunks contain `n_events` of the location.
    void (*chunk_begun)(uint32_t location, uint64_t n_events);
    // A full chunk was written to its file in this span of time.
    void (*chunk_written)(uint32_t location, uint64_t begin, uint64_t end);
    // `max_size` is reached. The records of the current call are still stored if the chunk's
    // reserve suffices. Otherwise the location fails. Called once for each location.
    void (*full)(void);
    // The location refuses all further records (for example on a full disk).
    void (*location_failed)(uint32_t location, enum otter_status why);
};

// Creates the folder "events". `options->folder` is copied.
enum otter_status otter_writer_open(const struct otter_writer_options *options,
                                    struct otter_writer **writer);

// Opens the writer of a location. Called once for each location.
// *Thread*: any, but not two for one location.
// *Errors*: OTTER_NO_MEMORY, including if `max_memory` is reached; OTTER_FULL: `max_size` is
// reached, and *location refuses all records; OTTER_NO_SPACE.
enum otter_status otter_writer_open_location(struct otter_writer *writer, uint32_t id,
                                             struct otter_location_writer **location);

// Refuses all further records of a location, and calls `missed` for them (struct
// otter_location_writer). *Returns* the time of its last record in ticks; 0: it has none. *Thread*:
// the recording one.
uint64_t otter_writer_end_location(struct otter_writer *writer, uint32_t id,
                                   void (*missed)(void *totals, uint64_t time, uint32_t region,
                                                  bool is_enter),
                                   void *totals);

// Writes the used part of a location's chunk to its file, if the chunk is held in memory. *Returns*
// whether anything was written. *Thread*: the recording one.
bool otter_writer_flush_location(struct otter_writer *writer, uint32_t id);

// Ends a location whose thread is at rest; core/recording/event_file.h has the states. The
// session's lock decides whether this function or the next one is called. *Returns* false if the
// location was abandoned, or its file is complete.
bool otter_writer_end_writing(struct otter_writer *writer, uint32_t id);
// Ends a location whose thread is not at rest; the thread's later records reach no file.
// *Errors*: OTTER_NOT_FOUND: the file is complete; others: the files still have a writer.
enum otter_status otter_writer_abandon_location(struct otter_writer *writer, uint32_t id);

// Calls otter_writer_end_writing for all streams of devices.
void otter_writer_end_streams(struct otter_writer *writer);

// Completes the event file of a location that has ended, and frees its memory.
// *Thread*: not at the same time as opening another location.
enum otter_status otter_writer_seal_location(struct otter_writer *writer, uint32_t id);

// *Returns* the number of events written, of all locations. Recording must be over.
uint64_t otter_writer_n_events(const struct otter_writer *writer);

// *Returns* the number of records refused because their time decreased. Recording must be over.
uint64_t otter_writer_n_refused(const struct otter_writer *writer);

// Writes all chunks held in memory to files, after every location has ended or was abandoned. The
// writer remains valid for threads that could not be stopped. *Errors*: OTTER_BUSY: a location may
// still be written to, and nobody may seal its file.
enum otter_status otter_writer_save(struct otter_writer *writer);
