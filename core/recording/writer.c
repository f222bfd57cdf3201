// Writes the events of a recording: chunks of locations, limits of size and memory.
#include "recording/writer.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/lock.h"
#include "base/path.h"
#include "recording/event_file.h"
#include "recording/event_seal.h"

enum { RESERVE = 8 * 1024 }; // bytes at the end of a chunk, for the call that reaches max_size

struct location {
    // must be first: make_room casts its address to the location
    struct otter_location_writer records;
    struct otter_writer *writer;
    uint32_t id;
    struct otter_event_file *file;
    uint8_t *chunk;  // NULL: all records are refused
    bool has_memory; // counts towards max_memory
    bool is_last;    // this is the last chunk, and its reserve is in use
};

struct otter_writer {
    char *events_folder;
    struct otter_writer_options options;
    _Atomic uint64_t size;   // bytes of all chunks that have begun
    _Atomic bool is_full;    // a chunk was refused, and so are all later ones
    _Atomic uint64_t memory; // bytes of the chunks in use
    struct location *locations[OTTER_END_OF_STREAMS];
};

// Makes the location refuse all further records.
static void end_location(struct location *location)
{
    static uint8_t nowhere[2];
    location->chunk = NULL;
    location->records.last = nowhere;
    location->records.at = nowhere + 1;
}

static bool fail_location(struct location *location, enum otter_status why)
{
    const struct otter_writer_options *options = &location->writer->options;
    end_location(location);
    if (options->location_failed) {
        options->location_failed(location->id, why);
    }
    return false;
}

// Counts another chunk, and returns whether max_size refuses it.
static bool is_full(struct otter_writer *writer)
{
    const struct otter_writer_options *options = &writer->options;
    if (options->max_size > 0) {
        uint64_t size = atomic_fetch_add(&writer->size, options->chunk_size) + options->chunk_size;
        size += options->others ? options->others(size) : 0;
        if (size > options->max_size) {
            atomic_store(&writer->is_full, true);
        }
    }
    return atomic_load(&writer->is_full);
}

static void release_memory(struct location *location)
{
    if (location->has_memory) {
        atomic_fetch_sub(&location->writer->memory, location->writer->options.chunk_size);
    }
    location->has_memory = false;
}

static void report_full(const struct otter_writer *writer)
{
    if (writer->options.full) {
        writer->options.full();
    }
}

// Either all records of a call are stored or none, so that lost calls can be counted.
static bool use_reserve(struct location *location)
{
    if (location->is_last) {
        return fail_location(location, OTTER_FULL);
    }
    location->is_last = true;
    location->records.last += RESERVE;
    report_full(location->writer);
    return true;
}

// Releases the memory of the location. Only the used part of its last chunk counts towards
// max_size.
static void release_chunk(struct location *location)
{
    struct otter_writer *writer = location->writer;
    size_t used = location->chunk ? (size_t)(location->records.at - location->chunk) : 0;
    if (writer->options.max_size > 0) {
        atomic_fetch_sub(&writer->size, writer->options.chunk_size - used);
    }
    release_memory(location);
    location->chunk = NULL;
}

static bool next_chunk(struct location *location)
{
    void *chunk = NULL;
    const struct otter_writer_options *options = &location->writer->options;
    struct otter_held_signals signals;
    otter_signals_hold(&signals);
    enum otter_status status = otter_event_file_next_chunk(location->file, &chunk);
    otter_signals_release(&signals);
    if (status == OTTER_BUSY) { // the session is closed: there is nothing to report
        end_location(location);
        return false;
    }
    if (status) {
        return fail_location(location, status);
    }
    location->chunk = chunk;
    otter_location_begin_chunk(&location->records, chunk, options->chunk_size);
    location->records.last -= options->max_size > 0 ? RESERVE : 0;
    if (options->chunk_begun) {
        options->chunk_begun(location->id, location->records.n_events);
    }
    return true;
}

static bool make_room(struct otter_location_writer *records)
{
    struct location *location = (struct location *)records;
    const struct otter_writer_options *options = &location->writer->options;
    uint64_t begin = otter_clock_now();
    if (!location->chunk) {
        return false;
    }
    if (is_full(location->writer)) {
        return use_reserve(location);
    }
    otter_location_end_chunk(records, location->chunk);
    if (!next_chunk(location)) {
        return false;
    }
    if (options->chunk_written) {
        options->chunk_written(location->id, begin, otter_clock_now());
    }
    return true;
}

// ---- locations

enum otter_status otter_writer_open(const struct otter_writer_options *options,
                                    struct otter_writer **opened)
{
    struct otter_writer *writer = calloc(1, sizeof(*writer));
    if (!writer) {
        return OTTER_NO_MEMORY;
    }
    enum otter_status status = OTTER_NO_MEMORY;
    writer->options = *options;
    writer->events_folder = otter_path("%s/events", options->folder);
    if (!writer->events_folder) {
        goto free_writer;
    }
    if (mkdir(writer->events_folder, 0777) < 0) {
        status = otter_status_from_errno(errno);
        goto free_folder;
    }
    *opened = writer;
    return OTTER_OK;

free_folder:
    free(writer->events_folder);
free_writer:
    free(writer);
    return status;
}

static bool acquire_memory(struct location *location)
{
    struct otter_writer *writer = location->writer;
    uint64_t size = writer->options.chunk_size, max = writer->options.max_memory;
    location->has_memory = max > 0;
    if (max == 0 || atomic_fetch_add(&writer->memory, size) + size <= max) {
        return true;
    }
    release_memory(location);
    return false;
}

enum otter_status otter_writer_open_location(struct otter_writer *writer, uint32_t id,
                                             struct otter_location_writer **opened)
{
    if (id >= OTTER_END_OF_STREAMS) {
        return OTTER_UNSUPPORTED;
    }
    struct location *location = calloc(1, sizeof(*location));
    if (!location) {
        return OTTER_NO_MEMORY;
    }
    location->file = otter_event_file_create(writer->events_folder, id, writer->options.chunk_size,
                                             writer->options.is_mapped);
    if (!location->file) {
        free(location);
        return OTTER_NO_MEMORY;
    }
    location->records.make_room = make_room;
    location->writer = writer;
    location->id = id;
    writer->locations[id] = location;
    if (is_full(writer)) {
        end_location(location);
        report_full(writer);
        *opened = &location->records;
        return OTTER_FULL;
    }
    if (!acquire_memory(location)) {
        otter_event_file_close(location->file);
        fail_location(location, OTTER_NO_MEMORY);
        return OTTER_NO_MEMORY;
    }
    if (!next_chunk(location)) {
        release_chunk(location);
        otter_event_file_close(location->file);
        return OTTER_NO_SPACE;
    }
    *opened = &location->records;
    return OTTER_OK;
}

uint64_t otter_writer_end_location(struct otter_writer *writer, uint32_t id,
                                   void (*missed)(void *totals, uint64_t time, uint32_t region,
                                                  bool is_enter),
                                   void *totals)
{
    struct location *location = writer->locations[id];
    uint64_t last_time = location->records.time;
    end_location(location);
    location->records.time = OTTER_TIME_OF_NONE;
    location->records.missed = missed;
    location->records.totals = totals;
    return last_time;
}

bool otter_writer_flush_location(struct otter_writer *writer, uint32_t id)
{
    const struct location *location = writer->locations[id];
    if (!location->file || writer->options.is_mapped) {
        return false;
    }
    struct otter_held_signals signals;
    otter_signals_hold(&signals);
    enum otter_status status = otter_event_file_flush_chunk(location->file);
    otter_signals_release(&signals);
    return !status; // after a failure the chunk remains in memory until otter_writer_save
}

bool otter_writer_end_writing(struct otter_writer *writer, uint32_t id)
{
    struct otter_event_file *file = writer->locations[id]->file;
    return file && otter_event_file_close(file);
}

// The struct of the location remains for otter_writer_save.
enum otter_status otter_writer_seal_location(struct otter_writer *writer, uint32_t id)
{
    struct location *location = writer->locations[id];
    uint64_t n_events, last_time;
    enum otter_status status = otter_event_file_save_chunk(location->file);
    if (status) {
        return status; // the chunk remains in memory until otter_writer_save
    }
    release_chunk(location);
    otter_event_file_destroy(location->file);
    location->file = NULL;
    return otter_event_file_seal(writer->events_folder, id, writer->options.chunk_size, &n_events,
                                 &last_time, NULL);
}

enum otter_status otter_writer_abandon_location(struct otter_writer *writer, uint32_t id)
{
    const struct location *location = writer->locations[id];
    return location->file ? otter_event_file_abandon(location->file) : OTTER_NOT_FOUND;
}

void otter_writer_end_streams(struct otter_writer *writer)
{
    for (uint32_t id = OTTER_FIRST_STREAM; id < OTTER_END_OF_STREAMS; id++) {
        if (writer->locations[id]) {
            otter_writer_end_writing(writer, id);
        }
    }
}

uint64_t otter_writer_n_events(const struct otter_writer *writer)
{
    uint64_t n = 0;
    for (size_t i = 0; i < OTTER_END_OF_STREAMS; i++) {
        n += writer->locations[i] ? writer->locations[i]->records.n_events : 0;
    }
    return n;
}

uint64_t otter_writer_n_refused(const struct otter_writer *writer)
{
    uint64_t n = 0;
    for (size_t i = 0; i < OTTER_END_OF_STREAMS; i++) {
        n += writer->locations[i] ? writer->locations[i]->records.n_refused : 0;
    }
    return n;
}

static enum otter_status save(struct otter_writer *writer, size_t begin, size_t end)
{
    enum otter_status first = OTTER_OK;
    for (size_t i = begin; i < end; i++) {
        const struct location *location = writer->locations[i];
        struct otter_event_file *file = location ? location->file : NULL;
        enum otter_status status = file ? otter_event_file_save_chunk(file) : OTTER_OK;
        first = first ? first : status;
    }
    return first;
}

enum otter_status otter_writer_save(struct otter_writer *writer)
{
    enum otter_status threads = save(writer, 0, OTTER_MAX_LOCATIONS);
    enum otter_status streams = save(writer, OTTER_FIRST_STREAM, OTTER_END_OF_STREAMS);
    return threads ? threads : streams;
}
