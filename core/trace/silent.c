// Writes and recognises event files of locations without recorded events.
#include "trace/silent.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "trace/event_layout.h"

enum {
    PAYLOAD_SIZE = 1,
    SILENT_SIZE = HEADER_SIZE + TIME_SIZE + RECORD_HEAD_SIZE + PAYLOAD_SIZE + END_SIZE,
};

static void put_bytes(uint8_t bytes[SILENT_SIZE], uint64_t first_tick)
{
    uint8_t *record = bytes + HEADER_SIZE + TIME_SIZE;
    bytes[0] = CHUNK_HEADER;
    bytes[1] = LITTLE_ENDIAN_CHUNK;
    otter_event_put_number(bytes + FIRST_EVENT_OFFSET, 1);
    otter_event_put_number(bytes + LAST_EVENT_OFFSET, 1);
    bytes[HEADER_SIZE] = RECORD_TIME;
    otter_event_put_number(bytes + HEADER_SIZE + 1, first_tick > 0 ? first_tick : 1);
    record[0] = RECORD_MEASUREMENT;
    record[1] = PAYLOAD_SIZE;
    record[2] = MEASUREMENT_ON;
    record[3] = RECORD_END_OF_FILE;
    record[4] = RECORD_END_OF_BUFFER;
}

enum otter_status otter_silent_write(const char *path, uint64_t first_tick)
{
    uint8_t bytes[SILENT_SIZE];
    put_bytes(bytes, first_tick);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file < 0) {
        return otter_status_from_errno(errno);
    }
    int error = otter_file_write(file, bytes, sizeof(bytes), 0);
    error = close(file) < 0 && !error ? errno : error;
    return otter_status_from_errno(error);
}

// Returns the number of bytes read, at most one more than a complete file has; SIZE_MAX:
// unreadable.
static size_t read_bytes(const char *path, uint8_t bytes[SILENT_SIZE + 1])
{
    struct stat about;
    size_t n = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (file < 0) {
        return SIZE_MAX;
    }
    bool is_file = fstat(file, &about) == 0 && S_ISREG(about.st_mode);
    int error = is_file ? otter_file_read(file, bytes, SILENT_SIZE + 1, 0, &n) : EINVAL;
    close(file);
    return error ? SIZE_MAX : n;
}

static bool is_like(const char *path, uint64_t first_tick, size_t least)
{
    uint8_t expected[SILENT_SIZE], found[SILENT_SIZE + 1];
    size_t n = read_bytes(path, found);
    put_bytes(expected, first_tick);
    return n >= least && n <= SILENT_SIZE && memcmp(found, expected, n) == 0;
}

bool otter_silent_begins(const char *path, uint64_t first_tick)
{
    return is_like(path, first_tick, 0);
}

bool otter_silent_is(const char *path, uint64_t first_tick)
{
    return is_like(path, first_tick, SILENT_SIZE);
}
