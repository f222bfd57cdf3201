#include "trace/event_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"

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
    char *path, *chunk_path;
    size_t chunk_size;
    uint64_t length; // of the event file
    void *chunk;
    bool is_mapped;
};

// ---- writing. No descriptor is kept: programs that close all they find would close ours, and those that count theirs would miscount.

struct otter_event_file *otter_event_file_create(const char *folder, uint32_t location,
                                                 size_t chunk_size, bool is_mapped)
{
    struct otter_event_file *file = calloc(1, sizeof(*file));
    if (!file) {
        return NULL;
    }
    file->path = otter_path("%s/%" PRIu32 ".evt", folder, location);
    file->chunk_path = otter_path("%s/%" PRIu32 ".chunk", folder, location);
    file->chunk_size = chunk_size;
    file->is_mapped = is_mapped;
    if (!file->path || !file->chunk_path) {
        otter_event_file_destroy(file);
        return NULL;
    }
    return file;
}

void otter_event_file_destroy(struct otter_event_file *file)
{
    if (!file) {
        return;
    }
    if (file->chunk) {
        munmap(file->chunk, file->chunk_size);
    }
    free(file->path);
    free(file->chunk_path);
    free(file);
}

// Blocks are reserved before they are mapped: a store into a hole of a full disk would be SIGBUS.
static int map_file(const struct otter_event_file *file, void **chunk)
{
    int descriptor = open(file->chunk_path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        return errno;
    }
    int error = posix_fallocate(descriptor, 0, (off_t)file->chunk_size);
    if (!error) {
        *chunk = mmap(NULL, file->chunk_size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        error = *chunk == MAP_FAILED ? errno : 0;
    }
    close(descriptor);
    return error;
}

static int map_memory(const struct otter_event_file *file, void **chunk)
{
    *chunk =
        mmap(NULL, file->chunk_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return *chunk == MAP_FAILED ? errno : 0;
}

static int write_all(int descriptor, const uint8_t *data, size_t size, uint64_t offset)
{
    while (size > 0) {
        ssize_t n = pwrite(descriptor, data, size, (off_t)offset);
        if (n < 0 && errno != EINTR) {
            return errno;
        }
        if (n > 0) {
            data += n;
            offset += (uint64_t)n;
            size -= (size_t)n;
        }
    }
    return 0;
}

static int write_file(const char *path, int flags, const void *data, size_t size, uint64_t offset)
{
    int descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | flags, 0666);
    if (descriptor < 0) {
        return errno;
    }
    int error = write_all(descriptor, data, size, offset);
    if (error && ftruncate(descriptor, (off_t)offset) < 0) {
        error = errno; // a torn chunk stays behind; whoever seals the file passes over it
    }
    return close(descriptor) < 0 && !error ? errno : error;
}

static enum otter_status first_chunk(struct otter_event_file *file, void **chunk)
{
    void *made = NULL;
    int error = file->is_mapped ? map_file(file, &made) : map_memory(file, &made);
    if (error) {
        return otter_status_from_errno(error);
    }
    file->chunk = made;
    *chunk = made;
    return OTTER_OK;
}

enum otter_status otter_event_file_next_chunk(struct otter_event_file *file, void **chunk)
{
    if (!file->chunk) {
        return first_chunk(file, chunk);
    }
    int create = file->length == 0 ? O_CREAT | O_EXCL : 0;
    int error = write_file(file->path, create, file->chunk, file->chunk_size, file->length);
    if (error) {
        return otter_status_from_errno(error);
    }
    file->length += file->chunk_size;
    memset(file->chunk, 0, file->chunk_size);
    *chunk = file->chunk;
    return OTTER_OK;
}

enum otter_status otter_event_file_save_chunk(const struct otter_event_file *file)
{
    if (file->is_mapped || !file->chunk) {
        return OTTER_OK;
    }
    return otter_status_from_errno(
        write_file(file->chunk_path, O_CREAT | O_EXCL, file->chunk, file->chunk_size, 0));
}

// ---- walking a chunk

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

size_t otter_event_chunk_used(const uint8_t *chunk, size_t size, uint64_t *n_events,
                              uint64_t *last_time)
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

// ---- sealing

struct seal {
    size_t chunk_size;
    uint8_t *chunk; // a copy of the last chunk, then with its end
    uint64_t *n_events, *last_time;
};

static uint64_t first_event(const uint8_t *chunk)
{
    uint64_t number = 0;
    memcpy(&number, chunk + FIRST_EVENT_OFFSET, sizeof(number));
    return number;
}

static bool read_chunk(int descriptor, const struct seal *seal, uint64_t offset, uint8_t *chunk)
{
    return pread(descriptor, chunk, seal->chunk_size, (off_t)offset) == (ssize_t)seal->chunk_size;
}

// The chunk that was being written: the one in <n>.chunk, or, if the process ended just before it began that, the last of the event
// file. Tells its place in the event file.
static bool find_last_chunk(int chunk_file, int event_file, const struct seal *seal,
                            uint64_t *offset)
{
    struct stat about;
    uint64_t n = fstat(event_file, &about) == 0 ? (uint64_t)about.st_size / seal->chunk_size : 0;
    uint8_t header[HEADER_SIZE] = {0};
    bool has_before = n > 0 && pread(event_file, header, HEADER_SIZE,
                                     (off_t)((n - 1) * seal->chunk_size)) == HEADER_SIZE;
    *offset = n * seal->chunk_size;
    if (!read_chunk(chunk_file, seal, 0, seal->chunk)) {
        return false;
    }
    if (seal->chunk[0] != CHUNK_HEADER) {
        *offset -= has_before ? seal->chunk_size : 0;
        return has_before && read_chunk(event_file, seal, *offset, seal->chunk);
    }
    if (has_before && first_event(header) == first_event(seal->chunk)) {
        *offset -= seal->chunk_size; // appended already, and not yet cleared
    }
    return true;
}

static enum otter_status seal_files(int chunk_file, int event_file, const struct seal *seal)
{
    uint64_t offset = 0;
    if (!find_last_chunk(chunk_file, event_file, seal, &offset)) {
        return OTTER_BAD_ARCHIVE;
    }
    size_t used = otter_event_chunk_used(seal->chunk, seal->chunk_size - END_SIZE, seal->n_events,
                                         seal->last_time);
    if (used == 0) {
        return OTTER_BAD_ARCHIVE;
    }
    memcpy(seal->chunk + LAST_EVENT_OFFSET, seal->n_events, sizeof(*seal->n_events));
    seal->chunk[used] = RECORD_END_OF_FILE;
    seal->chunk[used + 1] = RECORD_END_OF_BUFFER;
    int error = write_all(event_file, seal->chunk, used + END_SIZE, offset);
    if (!error && ftruncate(event_file, (off_t)(offset + used + END_SIZE)) < 0) {
        error = errno;
    }
    return otter_status_from_errno(error);
}

static enum otter_status seal_paths(const char *path, const char *chunk_path,
                                    const struct seal *seal)
{
    int chunk_file = open(chunk_path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (chunk_file < 0) {
        return otter_status_from_errno(errno);
    }
    enum otter_status status;
    int event_file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (event_file < 0) {
        status = otter_status_from_errno(errno);
    } else {
        status = seal_files(chunk_file, event_file, seal);
        close(event_file);
    }
    close(chunk_file);
    return status;
}

enum otter_status otter_event_file_seal(const char *folder, uint32_t location, size_t chunk_size,
                                        uint64_t *n_events, uint64_t *last_time)
{
    *n_events = 0;
    *last_time = 0;
    char *path = otter_path("%s/%" PRIu32 ".evt", folder, location);
    char *chunk_path = otter_path("%s/%" PRIu32 ".chunk", folder, location);
    uint8_t *chunk = malloc(chunk_size);
    enum otter_status status = OTTER_NO_MEMORY;
    if (path && chunk_path && chunk) {
        struct seal seal = {
            .chunk_size = chunk_size, .chunk = chunk, .n_events = n_events, .last_time = last_time};
        status = seal_paths(path, chunk_path, &seal);
    }
    if (!status) {
        unlink(chunk_path);
    }
    free(path);
    free(chunk_path);
    free(chunk);
    return status;
}
