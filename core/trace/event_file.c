#include "trace/event_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    RECORD_END_OF_CHUNK = 0x00,
    RECORD_END_OF_BUFFER = 0x01,
    RECORD_END_OF_FILE = 0x02,
    CHUNK_HEADER = 0x03,
    RECORD_TIME = 0x05,
    RECORD_ATTRIBUTES = 0x06, // belong to the record behind: no event of their own
    RECORD_ENTER = 0x0c,
    RECORD_LEAVE = 0x0d,
    LONG_LENGTH = 0xff,

    FIRST_EVENT_OFFSET = 2,
    LAST_EVENT_OFFSET = 10,
    HEADER_SIZE = 18,
    END_SIZE = 2,
    TIME_SIZE = 9,
    LONG_HEADER_SIZE = 10,
};

struct otter_event_file {
    char *path;
    size_t chunk_size;
    uint64_t length;
    void *current, *previous;
};

struct otter_event_file *otter_event_file_create(const char *path, size_t chunk_size)
{
    struct otter_event_file *file = calloc(1, sizeof(*file));
    char *copy = strdup(path);
    if (!file || !copy) {
        free(file);
        free(copy);
        return NULL;
    }
    file->path = copy;
    file->chunk_size = chunk_size;
    return file;
}

void otter_event_file_destroy(struct otter_event_file *file)
{
    if (!file) {
        return;
    }
    if (file->previous) {
        munmap(file->previous, file->chunk_size);
    }
    if (file->current) {
        munmap(file->current, file->chunk_size);
    }
    free(file->path);
    free(file);
}

// Blocks are reserved before they are mapped: a store into a hole of a full disk would be SIGBUS. Pages are made
// present at once: one batch is cheaper than a fault for each page, and falls where a pause is expected.
static int map_chunk(int descriptor, const struct otter_event_file *file, void **chunk)
{
    int error = posix_fallocate(descriptor, (off_t)file->length, (off_t)file->chunk_size);
    if (error) {
        return error;
    }
    *chunk = mmap(NULL, file->chunk_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor,
                  (off_t)file->length);
    return *chunk == MAP_FAILED ? errno : 0;
}

enum otter_status otter_event_file_next_chunk(struct otter_event_file *file, void **chunk)
{
    int create = file->length == 0 ? O_CREAT | O_EXCL : 0;
    int descriptor = open(file->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | create, 0666);
    if (descriptor < 0) {
        return otter_status_from_errno(errno);
    }
    int error = map_chunk(descriptor, file, chunk);
    close(descriptor);
    if (error) {
        return otter_status_from_errno(error);
    }
    if (file->previous) {
        munmap(file->previous, file->chunk_size);
    }
    file->previous = file->current; // OTF2 has yet to write its last event number
    file->current = *chunk;
    file->length += file->chunk_size;
    return OTTER_OK;
}

// Enter and Leave have no length: type, number of bytes of the region, these bytes. Their last byte is not zero once it is
// written, because regions are counted from 1.
static size_t enter_size(const uint8_t *record, size_t room)
{
    size_t size = 2 + (size_t)record[1];
    return record[1] > 0 && size <= room && record[size - 1] != 0 ? size : 0;
}

// The size of the record at `record`, of which `room` bytes are there; 0: not whole. OTF2 fills in a length when the
// payload is written, and every event has a payload.
static size_t record_size(const uint8_t *record, size_t room)
{
    if (*record == RECORD_TIME) {
        return room >= TIME_SIZE ? TIME_SIZE : 0;
    }
    if (room < 2) {
        return 0;
    }
    if (*record == RECORD_ENTER || *record == RECORD_LEAVE) {
        return enter_size(record, room);
    }
    if (record[1] != LONG_LENGTH) {
        size_t size = 2 + (size_t)record[1];
        return record[1] > 0 && size <= room ? size : 0;
    }
    uint64_t length = 0;
    if (room < LONG_HEADER_SIZE) {
        return 0;
    }
    memcpy(&length, record + 2, sizeof(length));
    return length > 0 && length <= room - LONG_HEADER_SIZE ? LONG_HEADER_SIZE + (size_t)length : 0;
}

size_t otter_event_chunk_used(const uint8_t *chunk, size_t size, uint64_t *n_events, uint64_t *last_time)
{
    if (size < HEADER_SIZE || chunk[0] != CHUNK_HEADER) {
        return 0;
    }
    uint64_t first_event = 0;
    memcpy(&first_event, chunk + FIRST_EVENT_OFFSET, sizeof(first_event));
    *n_events = first_event - 1;

    size_t used = HEADER_SIZE;
    for (size_t at = HEADER_SIZE; at < size && chunk[at] > RECORD_END_OF_FILE;) {
        size_t length = record_size(chunk + at, size - at);
        if (length == 0) {
            break;
        }
        if (chunk[at] == RECORD_TIME) {
            memcpy(last_time, chunk + at + 1, sizeof(*last_time));
        } else if (chunk[at] != RECORD_ATTRIBUTES) {
            (*n_events)++;
        }
        at += length;
        used = at;
    }
    return used;
}

static bool ends_well(const uint8_t *file, size_t size)
{
    return size >= HEADER_SIZE + END_SIZE && file[size - 2] == RECORD_END_OF_FILE &&
           file[size - 1] == RECORD_END_OF_BUFFER;
}

// `file`: all `size` bytes, mapped. Returns the size of the complete file, 0 when it holds no chunk.
static size_t seal_mapped(uint8_t *file, size_t size, size_t chunk_size, uint64_t *n_events, uint64_t *last_time)
{
    if (size == 0) {
        return 0;
    }
    size_t last = (size - 1) / chunk_size * chunk_size;
    while (last > 0 && file[last] != CHUNK_HEADER) {
        last -= chunk_size; // a chunk that was mapped and never begun
    }
    size_t room = size - last < chunk_size ? size - last : chunk_size;
    size_t used = otter_event_chunk_used(file + last, room, n_events, last_time);
    if (used == 0 || ends_well(file, size)) {
        return used ? size : 0;
    }
    if (used + END_SIZE > room) {
        return 0; // OTF2 always leaves room for the end
    }
    memcpy(file + last + LAST_EVENT_OFFSET, n_events, sizeof(*n_events));
    file[last + used] = RECORD_END_OF_FILE;
    file[last + used + 1] = RECORD_END_OF_BUFFER;
    return last + used + END_SIZE;
}

static enum otter_status seal_descriptor(int descriptor, size_t chunk_size, uint64_t *n_events, uint64_t *last_time)
{
    struct stat about;
    if (fstat(descriptor, &about) < 0) {
        return otter_status_from_errno(errno);
    }
    size_t size = (size_t)about.st_size;
    if (size < HEADER_SIZE) {
        return OTTER_BAD_ARCHIVE;
    }
    uint8_t *file = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (file == MAP_FAILED) {
        return otter_status_from_errno(errno);
    }
    size_t sealed = seal_mapped(file, size, chunk_size, n_events, last_time);
    munmap(file, size);
    if (sealed == 0) {
        return OTTER_BAD_ARCHIVE;
    }
    return ftruncate(descriptor, (off_t)sealed) < 0 ? otter_status_from_errno(errno) : OTTER_OK;
}

enum otter_status otter_event_file_seal(const char *path, size_t chunk_size, uint64_t *n_events, uint64_t *last_time)
{
    *n_events = 0;
    *last_time = 0;
    int descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor < 0) {
        return otter_status_from_errno(errno);
    }
    enum otter_status status = seal_descriptor(descriptor, chunk_size, n_events, last_time);
    close(descriptor);
    return status;
}
