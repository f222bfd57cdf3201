// Checks whether OTF2 can read a file of an archive to its end.
#include "trace/read/check.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/event_layout.h"

enum { BIG_ENDIAN_CHUNK = 0x23 };

enum {
    KNOWN_ANCHOR_FORMAT = 3,
    ANCHOR_HEADER_SIZE = 2,   // marker, byte order
    ANCHOR_NUMBERS_SIZE = 38, // versions, sizes, counts: between format and strings
};

static const char anchor_magic[] = "OTF2";

struct file {
    const unsigned char *data;
    size_t size;
    uint64_t chunk_size;
    enum otter_file_kind kind; // only events have times, and records without a length
    const struct otter_tick_range *ticks;
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

// Whether the record has no length. Its one field begins with its size; 0xff: undefined value.
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

// The size of a record with its type and length, or 0 when it is not whole.
static size_t record_size(const struct file *file, const unsigned char *record, size_t room,
                          bool is_big)
{
    bool is_event = file->kind == OTTER_FILE_EVENTS;
    if (is_event && record[0] == RECORD_TIME) {
        return room > TIME_SIZE ? TIME_SIZE : 0;
    }
    size_t header, size;
    if (!measure(record, room, is_event, is_big, &header, &size) ||
        !otter_record_is_whole(file->kind, record[0], record + header, size, is_big)) {
        return 0;
    }
    bool is_counted = !is_event || record[0] != RECORD_ATTRIBUTES;
    *file->n_whole += is_counted;
    return header + size;
}

// Whether the record is a time at which nothing was recorded.
static bool is_outside(const struct file *file, const unsigned char *record, bool is_big)
{
    if (!file->ticks || record[0] != RECORD_TIME) {
        return false;
    }
    uint64_t time = read_u64(record + 1, is_big);
    return time < file->ticks->first || time > file->ticks->last;
}

static bool has_chunk_header(const struct file *file, size_t begin, size_t end)
{
    return end - begin > HEADER_SIZE && file->data[begin] == CHUNK_HEADER &&
           (file->data[begin + 1] == BIG_ENDIAN_CHUNK ||
            file->data[begin + 1] == LITTLE_ENDIAN_CHUNK);
}

// Walks the records of the chunk at `begin`. *ends_file: the chunk has the end marker of the file.
static enum otter_status walk_chunk(const struct file *file, size_t begin, size_t end,
                                    bool *ends_file)
{
    const unsigned char *data = file->data;
    if (!has_chunk_header(file, begin, end)) {
        return complain(file, "has no chunk header at byte %zu", begin);
    }
    bool is_big = data[begin + 1] == BIG_ENDIAN_CHUNK;
    for (size_t at = begin + HEADER_SIZE; at < end;) {
        if (data[at] == RECORD_END_OF_FILE) {
            *ends_file = true;
            return OTTER_OK;
        }
        if (data[at] == RECORD_END_OF_CHUNK && end - begin == file->chunk_size) {
            return OTTER_OK;
        }
        size_t size = data[at] <= CHUNK_HEADER ? 0 : record_size(file, data + at, end - at, is_big);
        if (size == 0) {
            return complain(file, "is cut off or damaged at byte %zu of %zu", at, file->size);
        }
        if (is_outside(file, data + at, is_big)) {
            return complain(file, "has a time outside of the recording at byte %zu of %zu", at,
                            file->size);
        }
        at += size;
    }
    return complain(file, "is cut off at byte %zu", file->size);
}

static enum otter_status walk_chunks(const struct file *file)
{
    size_t step = (size_t)file->chunk_size;
    for (size_t begin = 0; begin < file->size; begin += step) {
        size_t end = file->size - begin < step ? file->size : begin + step;
        bool ends_file = false;
        enum otter_status status = walk_chunk(file, begin, end, &ends_file);
        if (status || ends_file) {
            return status;
        }
    }
    return complain(file, "is cut off at byte %zu", file->size);
}

static enum otter_status check_ends(const struct file *file)
{
    if (!has_chunk_header(file, 0, file->size)) {
        return complain(file, "has no chunk header at byte 0");
    }
    return file->data[file->size - 2] == RECORD_END_OF_FILE &&
                   file->data[file->size - 1] == RECORD_END_OF_BUFFER
               ? OTTER_OK
               : complain(file, "is cut off at byte %zu", file->size);
}

// The end of `n` strings that begin at `at`, or of the file.
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

// The end of the properties and the numbers behind them, or of the file.
static size_t skip_properties(const struct file *file, size_t at, unsigned format)
{
    if (format == 1) {
        return at;
    }
    if (file->size - at < 4) {
        return file->size;
    }
    uint32_t n = read_u32(file->data + at, file->data[1] == BIG_ENDIAN_CHUNK);
    if (n > (file->size - at) / 2) { // a name and a value have two bytes at least
        return file->size;
    }
    size_t rest = format == 2 ? 8 : 16; // number of the trace, numbers of snapshots and thumbnails
    at = skip_strings(file, at + 4, 2 * n);
    return file->size - at < rest ? file->size : at + rest;
}

// OTF2 allocates memory for as many properties as an anchor file claims, and loses memory when the
// file is cut off.
static enum otter_status check_anchor(const struct file *file)
{
    const unsigned char *data = file->data;
    if (file->size < ANCHOR_HEADER_SIZE + sizeof anchor_magic || data[0] != CHUNK_HEADER ||
        memcmp(data + ANCHOR_HEADER_SIZE, anchor_magic, sizeof anchor_magic) != 0) {
        return complain(file, "is no OTF2 anchor file");
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

// Maps the file and calls `check`. Opening does not wait for a writer when the file is a pipe.
static enum otter_status check_file(const char *path, struct file *file,
                                    enum otter_status (*check)(const struct file *))
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0) {
        enum otter_status status = otter_status_from_errno(errno);
        complain(file, "cannot be opened: %s", otter_status_text(status));
        if (fd >= 0) {
            close(fd);
        }
        return status;
    }
    if (!S_ISREG(info.st_mode) || info.st_size == 0) {
        close(fd);
        return complain(file, S_ISREG(info.st_mode) ? "is empty" : "is not a file");
    }
    file->size = (size_t)info.st_size;
    void *data = mmap(NULL, file->size, PROT_READ, MAP_PRIVATE, fd, 0);
    int error = errno;
    close(fd);
    if (data == MAP_FAILED) {
        complain(file, "cannot be read: %s", strerror(error));
        return otter_status_from_errno(error);
    }
    file->data = data;
    madvise(data, file->size, MADV_SEQUENTIAL);
    enum otter_status status = check(file);
    munmap(data, file->size);
    return status;
}

enum otter_status otter_check_chunked_file(const char *path, enum otter_file_kind kind,
                                           uint64_t chunk_size,
                                           const struct otter_tick_range *ticks, uint64_t *n_whole,
                                           char *why, size_t why_size)
{
    uint64_t ignored = 0;
    struct file file = {.chunk_size = chunk_size,
                        .kind = kind,
                        .ticks = ticks,
                        .n_whole = n_whole ? n_whole : &ignored,
                        .why = why,
                        .why_size = why_size};
    *file.n_whole = 0;
    return check_file(path, &file, walk_chunks);
}

enum otter_status otter_check_event_file_ends(const char *path, char *why, size_t why_size)
{
    struct file file = {.why = why, .why_size = why_size};
    return check_file(path, &file, check_ends);
}

enum otter_status otter_check_anchor_file(const char *path, char *why, size_t why_size)
{
    struct file file = {.why = why, .why_size = why_size};
    return check_file(path, &file, check_anchor);
}
