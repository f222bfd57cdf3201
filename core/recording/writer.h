// Events into event files of OTF2. Nothing here knows what the events mean. A location's records: core/trace/write/location_writer.h.
//
// A writer belongs to a recording session; a location's functions are called by one thread at a time.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "trace/write/location_writer.h"

struct otter_writer;

enum {
    OTTER_COMM_ALL_THREADS = 0, // every CPU location, in order of their ids
    OTTER_MAX_LOCATIONS = 1 << 14,
    // Streams of devices have ids of their own while they are recorded, from OTTER_FIRST_STREAM, so that the threads' are dense; in the
    // archive they follow the threads.
    OTTER_FIRST_STREAM = OTTER_MAX_LOCATIONS,
    OTTER_MAX_STREAMS = 256,
    OTTER_MAX_DEVICES = 64,
    // In the communicator of a device's RMA window: the device, and the first of the CPU locations.
    OTTER_RANK_DEVICE = 0,
    OTTER_RANK_FIRST_THREAD = 1,
};

struct otter_writer_options {
    const char *folder; // of the recording; exists. Event files go to its folder "events"
    size_t chunk_size;
    uint64_t max_size;   // of all event files, with the chunks being written; 0: no limit
    uint64_t max_memory; // of the chunks that locations hold; 0: no limit
    bool is_mapped;      // the chunks being written are files: see core/recording/event_file.h
    // Called by the thread that records, in the midst of a record. May be NULL.
    // A full chunk was written to its file, from one time to the other.
    void (*chunk_written)(uint32_t location, uint64_t begin, uint64_t end);
    // `max_size` is reached: nobody shall record any more. What is being recorded is still kept, unless it is larger than any event should be:
    // then the location fails. Called for each location that meets it.
    void (*full)(void);
    // A location can keep nothing more (a full disk).
    void (*location_failed)(uint32_t location, enum otter_status why);
};

// Whether this OTF2 writes the bytes that we write ourselves (core/trace/write/location_writer.h): both are tried on records of each kind, in
// memory.
bool otter_writer_layout_is_known(void);

// The version of OTF2 that Otter was built with, and the version whose layout
// otter_writer_layout_is_known compares with.
const char *otter_writer_otf2_version(void);
#define OTTER_KNOWN_OTF2 "3.0"

// `options->folder` is copied.
enum otter_status otter_writer_open(const struct otter_writer_options *options,
                                    struct otter_writer **writer);

// A location's writer, opened once. Any thread, but two do not open the same. OTTER_NO_MEMORY: also where `max_memory` is reached.
// OTTER_FULL: `max_size` is; there is a writer, but it keeps nothing.
enum otter_status otter_writer_open_location(struct otter_writer *writer, uint32_t id,
                                             struct otter_location_writer **location);

// Nothing more of a location is kept, and `missed` hears of it: see struct otter_location_writer. Returns the time of its last record, 0: it has
// none. By the thread that records there.
uint64_t otter_writer_end_location(struct otter_writer *writer, uint32_t id,
                                   void (*missed)(void *totals, uint64_t time, uint32_t region,
                                                  bool is_enter),
                                   void *totals);

// Puts what a location's chunk holds so far into a file, if it is not in one anyway; says whether it had to. By the thread that
// records there.
bool otter_writer_flush_location(struct otter_writer *writer, uint32_t id);

// The end of a location's life, which is one of two. The session's lock decides who calls;
// core/recording/event_file.h explains the states.
//
// Its writer is at rest and writes no more. False: the location was abandoned, or its file is
// complete.
bool otter_writer_end_writing(struct otter_writer *writer, uint32_t id);
// Its writer did not come to rest: what it goes on writing reaches no file of the archive.
// OTTER_NOT_FOUND: its file is complete. Others: the files still have a writer.
enum otter_status otter_writer_abandon_location(struct otter_writer *writer, uint32_t id);

// otter_writer_end_writing of all streams of devices.
void otter_writer_end_streams(struct otter_writer *writer);

// Completes the event file of a location that has ended, and gives its memory back. Not at the same
// time as opening another.
enum otter_status otter_writer_seal_location(struct otter_writer *writer, uint32_t id);

// How many events were written, of all locations. Nobody records any more.
uint64_t otter_writer_n_events(const struct otter_writer *writer);

// How many records were not kept because their time went back. As above.
uint64_t otter_writer_n_refused(const struct otter_writer *writer);

// When every location has ended or was abandoned: puts what is still in memory into files. For what
// follows see core/recording/finish.h. The writer stays valid, for threads that could not be stopped.
// OTTER_BUSY: some location may still be written to; nobody may seal its file.
enum otter_status otter_writer_save(struct otter_writer *writer);
