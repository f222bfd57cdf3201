// Completes the event file that a recorder left. The recorder may have stopped at any point, so any
// bytes must be expected.
#include "recording/event_seal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "trace/event_chunk.h"
#include "trace/event_layout.h"

// bytes that are read first of a chunk that is probably not full
enum { FIRST_PART = 16 * 1024 };

struct seal {
    int chunk_file, event_file; // -1: absent
    size_t chunk_size;
    uint64_t size;   // bytes in the event file
    uint8_t *chunk;  // a copy of the last chunk
    size_t n_copied; // bytes of `chunk` that may differ from 0
    uint64_t offset; // position of the last chunk in the event file
    int read_error;  // errno of the first read that failed
    struct otter_last_chunk last;
};

// Reads up to `size` bytes at `offset`. Returns their number.
static size_t read_at(struct seal *seal, int file, uint8_t *to, size_t size, uint64_t offset)
{
    size_t n_read = 0;
    int error = file >= 0 ? otter_file_read(file, to, size, offset, &n_read) : 0;
    seal->read_error = seal->read_error ? seal->read_error : error;
    return n_read;
}

// Reads the chunk at `offset`, padded with zeros beyond the end of the file. Returns the number of
// bytes read.
static size_t read_chunk(struct seal *seal, int file, uint64_t offset)
{
    memset(seal->chunk, 0, seal->n_copied);
    seal->n_copied = read_at(seal, file, seal->chunk, seal->chunk_size, offset);
    return seal->n_copied;
}

// Reads the chunk being written. Usually only zeros follow its last record, and reading them would
// make the kernel fill all of its pages.
static size_t read_open_chunk(struct seal *seal)
{
    size_t n = seal->chunk_size < FIRST_PART ? seal->chunk_size : FIRST_PART;
    uint64_t n_events, last_time = 0;
    seal->n_copied = read_at(seal, seal->chunk_file, seal->chunk, n, 0);
    if (seal->n_copied < n) {
        return seal->n_copied;
    }
    size_t used = otter_event_chunk_used(seal->chunk, n, &n_events, &last_time);
    bool ends_here = used > 0 && used < n && seal->chunk[used] == 0;
    return ends_here ? n : read_chunk(seal, seal->chunk_file, 0);
}

// Returns the number of events in the `n_whole` complete chunks of <n>.evt, from the header of the
// last.
static uint64_t n_events_in(struct seal *seal, uint64_t n_whole)
{
    uint8_t header[HEADER_SIZE];
    uint64_t offset = n_whole > 0 ? (n_whole - 1) * seal->chunk_size : 0;
    bool is_read =
        n_whole > 0 && read_at(seal, seal->event_file, header, HEADER_SIZE, offset) == HEADER_SIZE;
    return is_read ? otter_event_number(header + LAST_EVENT_OFFSET) : 0;
}

// Returns whether the chunk in <n>.chunk directly follows the `n_whole` chunks of <n>.evt. If
// chunks in between are missing, sets seal->last.n_behind. If the recorder was just beginning or
// clearing the chunk, returns false and sets nothing.
static bool is_next(struct seal *seal, uint64_t n_whole)
{
    if (!otter_event_chunk_has_begun(seal->chunk)) {
        return false;
    }
    uint64_t first = otter_event_number(seal->chunk + FIRST_EVENT_OFFSET);
    uint64_t before = n_events_in(seal, n_whole);
    if (first - 1 > before) {
        uint64_t n_events = 0, time = 0;
        otter_event_chunk_used(seal->chunk, seal->chunk_size, &n_events, &time);
        seal->last.n_behind = n_events - (first - 1);
    }
    return first - 1 == before;
}

// Reads the last chunk into seal->chunk.
// *Errors*: OTTER_EXISTS: the event file is complete; OTTER_NOT_FOUND: there is no event.
static enum otter_status find_last_chunk(struct seal *seal, uint64_t *n_events, uint64_t *last_time)
{
    uint64_t n_whole = seal->size / seal->chunk_size;
    seal->offset = n_whole * seal->chunk_size;
    // A chunk that was completed in place but not renamed is shorter than the others.
    if (read_open_chunk(seal) >= HEADER_SIZE && is_next(seal, n_whole)) {
        seal->last.is_there = true;
        return OTTER_OK;
    }
    if (seal->size == 0) {
        return OTTER_NOT_FOUND; // the recorder ended before its first event
    }
    seal->offset = (seal->size - 1) / seal->chunk_size * seal->chunk_size;
    size_t n = read_chunk(seal, seal->event_file, seal->offset);
    size_t used = otter_event_chunk_used(seal->chunk, n, n_events, last_time);
    if (*n_events > 0 && used + END_SIZE == n && seal->chunk[used] == RECORD_END_OF_FILE) {
        seal->last.is_there = true;
        return OTTER_EXISTS;
    }
    // The append was interrupted before the first record of the chunk, or some ends were not
    // written.
    if (used <= HEADER_SIZE && seal->offset > 0) {
        seal->offset -= seal->chunk_size;
        read_chunk(seal, seal->event_file, seal->offset);
    }
    return otter_event_chunk_has_begun(seal->chunk) ? OTTER_OK : OTTER_BAD_ARCHIVE;
}

// A writer leaves room for the end after a chunk's last record. Returns 0 or the value of errno.
static int write_end(const struct seal *seal, size_t used, uint64_t n_events)
{
    otter_event_put_number(seal->chunk + LAST_EVENT_OFFSET, n_events);
    seal->chunk[used] = RECORD_END_OF_FILE;
    seal->chunk[used + 1] = RECORD_END_OF_BUFFER;
    uint64_t size = seal->offset + used + END_SIZE;
    int error = otter_file_write(seal->event_file, seal->chunk, used + END_SIZE, seal->offset);
    return error == 0 && ftruncate(seal->event_file, (off_t)size) < 0 ? errno : error;
}

// Returns the time of the last event before the last chunk, which is empty because the recorder was
// killed just after beginning it.
static enum otter_status find_earlier_time(struct seal *seal, uint64_t *last_time)
{
    uint64_t n_events = 0;
    read_chunk(seal, seal->event_file, seal->offset - seal->chunk_size);
    otter_event_chunk_used(seal->chunk, seal->chunk_size, &n_events, last_time);
    return otter_status_from_errno(seal->read_error);
}

// Completes the last chunk. *last_time remains 0 if that chunk has no event.
static enum otter_status seal_last_chunk(struct seal *seal, uint64_t *n_events, uint64_t *last_time)
{
    enum otter_status status = find_last_chunk(seal, n_events, last_time);
    if (seal->read_error) {
        return otter_status_from_errno(seal->read_error);
    }
    if (status) {
        return status == OTTER_EXISTS ? OTTER_OK : status;
    }
    *last_time = 0;
    size_t used = otter_event_chunk_used(seal->chunk, seal->chunk_size, n_events, last_time);
    if (*n_events == 0) { // the recorder stopped in its first event, or another tool wrote the file
        return seal->offset == 0 ? OTTER_NOT_FOUND : OTTER_BAD_ARCHIVE;
    }
    if (used + END_SIZE > seal->chunk_size) {
        return OTTER_BAD_ARCHIVE; // the file was written by another tool
    }
    return otter_status_from_errno(write_end(seal, used, *n_events));
}

static enum otter_status seal_files(struct seal *seal, uint64_t *n_events, uint64_t *last_time)
{
    enum otter_status status = seal_last_chunk(seal, n_events, last_time);
    bool has_earlier_time = !status && *n_events > 0 && *last_time == 0 && seal->offset > 0;
    return has_earlier_time ? find_earlier_time(seal, last_time) : status;
}

// Opens a file. Sets *file to -1 if the file is absent.
static enum otter_status open_if_there(const char *path, int *file)
{
    *file = otter_file_open(path, O_RDWR | O_NOFOLLOW);
    return *file >= 0 || errno == ENOENT ? OTTER_OK : otter_status_from_errno(errno);
}

// Fails if a file exists but cannot be opened, since it may contain the last events.
static enum otter_status open_files(const char *path, const char *chunk_path, struct seal *seal)
{
    struct stat about;
    enum otter_status status = open_if_there(chunk_path, &seal->chunk_file);
    if (!status) {
        status = open_if_there(path, &seal->event_file);
    }
    if (status || seal->event_file < 0) {
        return status || seal->chunk_file >= 0 ? status : OTTER_NOT_FOUND;
    }
    if (fstat(seal->event_file, &about) < 0) {
        return otter_status_from_errno(errno);
    }
    seal->size = (uint64_t)about.st_size;
    return OTTER_OK;
}

// Completes a single chunk without copying it: renames its file to the event file.
static enum otter_status seal_in_place(const char *path, const char *chunk_path, struct seal *seal,
                                       uint64_t *n_events, uint64_t *last_time)
{
    seal->event_file = seal->chunk_file;
    enum otter_status status = seal_files(seal, n_events, last_time);
    seal->event_file = -1;
    if (!status && rename(chunk_path, path) < 0) {
        status = otter_status_from_errno(errno);
    }
    return status;
}

static enum otter_status open_and_seal(const char *path, const char *chunk_path, struct seal *seal,
                                       uint64_t *n_events, uint64_t *last_time)
{
    enum otter_status status = open_files(path, chunk_path, seal);
    if (!status) {
        status = seal->event_file < 0 ? seal_in_place(path, chunk_path, seal, n_events, last_time)
                                      : seal_files(seal, n_events, last_time);
    }
    if (seal->event_file >= 0) {
        close(seal->event_file);
    }
    if (seal->chunk_file >= 0) {
        close(seal->chunk_file);
    }
    return status;
}

// Renames a chunk to <n>.rest, because chunks before it are missing. Sealing again must not append
// it.
static enum otter_status set_aside(const char *folder, uint32_t location, const char *chunk_path)
{
    char *rest = otter_path("%s/%" PRIu32 ".rest", folder, location);
    int error = !rest ? ENOMEM : rename(chunk_path, rest) < 0 ? errno : 0;
    free(rest);
    return otter_status_from_errno(error);
}

enum otter_status otter_event_file_seal(const char *folder, uint32_t location, size_t chunk_size,
                                        uint64_t *n_events, uint64_t *last_time,
                                        struct otter_last_chunk *last)
{
    *n_events = 0;
    *last_time = 0;
    if (chunk_size < HEADER_SIZE + END_SIZE) {
        return OTTER_BAD_VALUE;
    }
    char *path = otter_path("%s/%" PRIu32 ".evt", folder, location);
    char *chunk_path = otter_path("%s/%" PRIu32 ".chunk", folder, location);
    struct seal seal = {.chunk_file = -1,
                        .event_file = -1,
                        .chunk_size = chunk_size,
                        .chunk = calloc(1, chunk_size)};
    enum otter_status status = OTTER_NO_MEMORY;
    if (path && chunk_path && seal.chunk) {
        status = open_and_seal(path, chunk_path, &seal, n_events, last_time);
    }
    if (last) {
        *last = seal.last;
    }
    if (status == OTTER_NOT_FOUND) {
        unlink(path); // the file has no event: the disk was full when it was created
    }
    bool is_done = !status || (status == OTTER_NOT_FOUND && !seal.last.is_there);
    if (is_done && seal.last.n_behind > 0) {
        enum otter_status error = set_aside(folder, location, chunk_path);
        status = error ? error : status;
    } else if (is_done) {
        unlink(chunk_path); // the chunk was appended, or never begun
    }
    free(path);
    free(chunk_path);
    free(seal.chunk);
    return status;
}
