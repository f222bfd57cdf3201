// Checks whether OTF2 can read a file of an archive to its end.
#include "trace/read/checked/check.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "trace/event_layout.h"

enum { BIG_ENDIAN_CHUNK = 0x23 };

enum {
    KNOWN_ANCHOR_FORMAT = 3,
    MAX_ANCHOR = 1 << 28,     // bytes; an anchor of OTF2 or Otter has about 100
    ANCHOR_HEADER_SIZE = 2,   // marker, byte order
    ANCHOR_NUMBERS_SIZE = 38, // versions, sizes, counts: between format and strings
};

static const char anchor_magic[] = "OTF2";

// A part of a file, read into memory: a chunk, or a whole anchor file. The file itself may change.
struct file {
    const struct otter_chunks *chunks;
    const unsigned char *data;
    uint64_t offset; // position of `data` in the file
    size_t size;     // bytes in `data`
    uint64_t file_size;
    uint64_t *n_whole;
    char *why;
    size_t why_size;
};

static enum otter_status complain(const struct file *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static enum otter_status complain(const struct file *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(file->why, file->why_size, format, arguments);
    va_end(arguments);
    return OTTER_BAD_ARCHIVE;
}

// Returns whether the record stores no length. Its only field begins with the field's size; 0xff:
// the value is undefined.
static bool is_single_field(unsigned char type)
{
    switch (type) {
    case 12: // Enter
    case 13: // Leave
    case 16: // MpiIsendComplete
    case 17: // MpiIrecvRequest
    case 20: // MpiRequestTest
    case 21: // MpiRequestCancelled
    case 24: // OmpFork
    case 28: // OmpTaskCreate
    case 29: // OmpTaskSwitch
    case 30: // OmpTaskComplete
        return true;
    default: return false;
    }
}

static uint64_t read_u64(const unsigned char *bytes, bool is_big)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++) {
        value |= (uint64_t)bytes[is_big ? 7 - i : i] << (8 * i);
    }
    return value;
}

// Sets the sizes of a record's type and length, and of its fields. Returns false when `room` is too
// small for the record and a byte for the end of the chunk.
static bool measure(const unsigned char *record, size_t room, bool is_event, bool is_big,
                    size_t *header, size_t *size)
{
    *header = 2;
    if (room < 3) {
        return false;
    }
    if (is_event && is_single_field(record[0])) {
        *header = 1;
        *size = record[1] == LONG_LENGTH ? 1 : 1 + (size_t)record[1];
    } else if (record[1] != LONG_LENGTH) {
        *size = record[1];
    } else {
        *header = 10;
        if (room <= 10 || read_u64(record + 2, is_big) >= room) {
            return false;
        }
        *size = (size_t)read_u64(record + 2, is_big);
    }
    return *header + *size < room;
}

// Returns the size of a record with its type and length, or 0 if the record is incomplete.
static size_t record_size(const struct file *file, const unsigned char *record, size_t room,
                          bool is_big)
{
    bool is_event = file->chunks->kind == OTTER_FILE_EVENTS;
    if (is_event && record[0] == RECORD_TIME) {
        return room > TIME_SIZE ? TIME_SIZE : 0;
    }
    size_t header, size;
    if (!measure(record, room, is_event, is_big, &header, &size) ||
        !otter_record_is_whole(file->chunks->kind, record[0], record + header, size, is_big)) {
        return 0;
    }
    return header + size;
}

// Returns whether the record is a timestamp without an event.
static bool is_outside(const struct file *file, const unsigned char *record, bool is_big)
{
    const struct otter_tick_range *ticks = file->chunks->ticks;
    if (!ticks || record[0] != RECORD_TIME) {
        return false;
    }
    uint64_t time = read_u64(record + 1, is_big);
    return time < ticks->first || time > ticks->last;
}

static bool has_chunk_header(const unsigned char *data, size_t size)
{
    return size > HEADER_SIZE && data[0] == CHUNK_HEADER &&
           (data[1] == BIG_ENDIAN_CHUNK || data[1] == LITTLE_ENDIAN_CHUNK);
}

static bool ends_chunk(const struct file *file, size_t at)
{
    return file->data[at] == RECORD_END_OF_CHUNK && file->size == file->chunks->chunk_size;
}

// Times and attributes of events do not count as records.
static bool is_counted(const struct file *file, unsigned char type)
{
    return file->chunks->kind != OTTER_FILE_EVENTS ||
           (type != RECORD_TIME && type != RECORD_ATTRIBUTES);
}

static enum otter_status walk_chunk(const struct file *file, uint64_t most, bool *ends_file)
{
    const unsigned char *data = file->data;
    if (!has_chunk_header(data, file->size)) {
        return complain(file, "has no chunk header at byte %" PRIu64, file->offset);
    }
    bool is_big = data[1] == BIG_ENDIAN_CHUNK;
    for (size_t at = HEADER_SIZE; at < file->size && *file->n_whole < most;) {
        *ends_file = data[at] == RECORD_END_OF_FILE;
        if (*ends_file || ends_chunk(file, at)) {
            return OTTER_OK;
        }
        size_t size =
            data[at] <= CHUNK_HEADER ? 0 : record_size(file, data + at, file->size - at, is_big);
        if (size == 0) {
            return complain(file, "is cut off or damaged at byte %" PRIu64 " of %" PRIu64,
                            file->offset + at, file->file_size);
        }
        if (is_outside(file, data + at, is_big)) {
            return complain(file,
                            "has a time outside of the recording at byte %" PRIu64 " of %" PRIu64,
                            file->offset + at, file->file_size);
        }
        *file->n_whole += is_counted(file, data[at]);
        at += size;
    }
    return *file->n_whole < most
               ? complain(file, "is cut off at byte %" PRIu64, file->offset + file->size)
               : OTTER_OK;
}

enum otter_status otter_check_chunk(const struct otter_chunks *chunks, const unsigned char *data,
                                    size_t size, uint64_t offset, uint64_t most, uint64_t *n_whole,
                                    bool *ends_file)
{
    char why[1];
    struct file file = {.chunks = chunks,
                        .data = data,
                        .offset = offset,
                        .size = size,
                        .n_whole = n_whole,
                        .why = why,
                        .why_size = sizeof why};
    *n_whole = 0;
    return walk_chunk(&file, most, ends_file);
}

// Returns the offset after `n` strings at `at`, or the end of the file.
static size_t skip_strings(const struct file *file, size_t at, unsigned n)
{
    for (; n > 0 && at < file->size; n--) {
        const unsigned char *end = memchr(file->data + at, '\0', file->size - at);
        at = end ? (size_t)(end - file->data) + 1 : file->size;
    }
    return at;
}

static uint32_t read_u32(const unsigned char *bytes, bool is_big)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        value |= (uint32_t)bytes[is_big ? 3 - i : i] << (8 * i);
    }
    return value;
}

// Returns the offset after the properties and the numbers that follow them, or the end of the file.
static size_t skip_properties(const struct file *file, size_t at, unsigned format)
{
    if (format == 1) {
        return at;
    }
    if (file->size - at < 4) {
        return file->size;
    }
    uint32_t n = read_u32(file->data + at, file->data[1] == BIG_ENDIAN_CHUNK);
    if (n > (file->size - at) / 2) { // a name and a value take at least two bytes
        return file->size;
    }
    size_t rest = format == 2 ? 8 : 16; // number of the trace; numbers of snapshots and thumbnails
    at = skip_strings(file, at + 4, 2 * n);
    return file->size - at < rest ? file->size : at + rest;
}

// OTF2 allocates memory for as many properties as an anchor file claims, and leaks it if the file
// is cut off.
static enum otter_status check_anchor(const struct file *file)
{
    const unsigned char *data = file->data;
    if (file->size < ANCHOR_HEADER_SIZE + sizeof anchor_magic || data[0] != CHUNK_HEADER ||
        memcmp(data + ANCHOR_HEADER_SIZE, anchor_magic, sizeof anchor_magic) != 0) {
        return complain(file, "is not an OTF2 anchor file");
    }
    size_t at = ANCHOR_HEADER_SIZE + sizeof anchor_magic;
    unsigned format = at < file->size ? data[at] : 0;
    at = skip_strings(file, at + 1 + ANCHOR_NUMBERS_SIZE, 3); // machine, creator, description
    at = at < file->size ? skip_properties(file, at, format) : at;
    if (at >= file->size || (format <= KNOWN_ANCHOR_FORMAT && data[at] != RECORD_END_OF_FILE)) {
        return complain(file, "is cut off or damaged");
    }
    return OTTER_OK;
}

int otter_check_open(const char *path, struct stat *about)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd >= 0 && fstat(fd, about) != 0) {
        int error = errno;
        close(fd);
        errno = error;
        return -1;
    }
    return fd;
}

// Opens a regular file. Returns a descriptor, or -1 and sets *status.
static int open_file(const char *path, struct file *file, enum otter_status *status)
{
    struct stat about;
    int fd = otter_check_open(path, &about);
    if (fd < 0) {
        *status = otter_status_from_errno(errno);
        complain(file, "cannot be opened: %s", otter_status_text(*status));
        return -1;
    }
    if (!S_ISREG(about.st_mode) || about.st_size == 0) {
        close(fd);
        *status = complain(file, S_ISREG(about.st_mode) ? "is empty" : "is not a file");
        return -1;
    }
    file->file_size = (uint64_t)about.st_size;
    return fd;
}

// Reads `size` bytes, or fewer at the end of the file.
static enum otter_status read_part(int fd, struct file *file, unsigned char *data, size_t size)
{
    int error = otter_file_read(fd, data, size, file->offset, &file->size);
    if (error) {
        complain(file, "cannot be read: %s", strerror(error));
    }
    return otter_status_from_errno(error);
}

static enum otter_status walk_chunks(int fd, struct file *file, unsigned char *data, size_t size)
{
    file->data = data;
    for (; file->offset < file->file_size; file->offset += size) {
        bool ends_file = false;
        enum otter_status status = read_part(fd, file, data, size);
        OTTER_THEN(status, walk_chunk(file, UINT64_MAX, &ends_file));
        if (status || ends_file) {
            return status;
        }
    }
    return complain(file, "is cut off at byte %" PRIu64, file->file_size);
}

// Reads the file in parts of at most `most` bytes and calls `check`.
static enum otter_status check_parts(const char *path, struct file *file, uint64_t most,
                                     enum otter_status (*check)(int, struct file *, unsigned char *,
                                                                size_t))
{
    enum otter_status status;
    int fd = open_file(path, file, &status);
    if (fd < 0) {
        return status;
    }
    size_t part = (size_t)(file->file_size < most ? file->file_size : most);
    unsigned char *data = malloc(part);
    if (data) {
        status = check(fd, file, data, part);
    } else {
        status = OTTER_NO_MEMORY;
        complain(file, "cannot be read: %s", otter_status_text(status));
    }
    free(data);
    close(fd);
    return status;
}

enum otter_status otter_check_chunked_file(const char *path, const struct otter_chunks *chunks,
                                           uint64_t *n_whole, char *why, size_t why_size)
{
    uint64_t ignored = 0;
    struct file file = {.chunks = chunks,
                        .n_whole = n_whole ? n_whole : &ignored,
                        .why = why,
                        .why_size = why_size};
    *file.n_whole = 0;
    return check_parts(path, &file, chunks->chunk_size, walk_chunks);
}

enum otter_status otter_check_event_file_ends(const char *path, char *why, size_t why_size)
{
    unsigned char head[HEADER_SIZE + 1], tail[END_SIZE];
    struct file file = {.why = why, .why_size = why_size};
    enum otter_status status;
    int fd = open_file(path, &file, &status);
    if (fd < 0) {
        return status;
    }
    status = read_part(fd, &file, head, sizeof head);
    if (!status && !has_chunk_header(head, file.size)) {
        status = complain(&file, "has no chunk header at byte 0");
    }
    file.offset = file.file_size - sizeof tail;
    OTTER_THEN(status, read_part(fd, &file, tail, sizeof tail));
    close(fd);
    if (!status && (file.size < sizeof tail || tail[0] != RECORD_END_OF_FILE ||
                    tail[1] != RECORD_END_OF_BUFFER)) {
        status = complain(&file, "is cut off at byte %" PRIu64, file.file_size);
    }
    return status;
}

static enum otter_status read_anchor(int fd, struct file *file, unsigned char *data, size_t size)
{
    file->data = data;
    enum otter_status status = read_part(fd, file, data, size);
    return status ? status : check_anchor(file);
}

enum otter_status otter_check_anchor(const unsigned char *data, size_t size)
{
    char why[1];
    struct file file = {.data = data, .size = size, .why = why, .why_size = sizeof why};
    return check_anchor(&file);
}

enum otter_status otter_check_anchor_file(const char *path, char *why, size_t why_size)
{
    struct file file = {.why = why, .why_size = why_size};
    return check_parts(path, &file, MAX_ANCHOR, read_anchor);
}
