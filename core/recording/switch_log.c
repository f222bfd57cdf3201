// The file with the switches of a recording: create, append, await, read.
#include "recording/switch_log.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "recording/paths.h"
#include "trace/schema.h"

enum { RECORDS_AT_ONCE = 512, FIRST_PAUSE_NS = 50 * 1000, LONGEST_PAUSE_NS = 1000 * 1000 };

static int open_log(const char *recording, int flags)
{
    char path[PATH_MAX]; // a recording thread allocates nothing
    if (snprintf(path, sizeof(path), "%s/switches", recording) >= (int)sizeof(path)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return otter_file_open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
}

enum otter_status otter_switch_log_create(const char *recording, bool is_counter, uint64_t max_size)
{
    int file = open_log(recording, O_WRONLY | O_CREAT | O_EXCL);
    if (file < 0) {
        return otter_status_from_errno(errno);
    }
    struct otter_switch_log_header header = {
        .magic = OTTER_SWITCH_LOG_MAGIC, .is_counter = is_counter, .max_size = max_size};
    int error = otter_file_write(file, &header, sizeof(header), 0);
    error = close(file) < 0 && !error ? errno : error;
    return otter_status_from_errno(error);
}

void otter_switch_log_remove(const char *recording)
{
    otter_paths_remove_file(otter_path("%s/switches", recording));
}

static bool read_header(int file, struct otter_switch_log_header *header, uint64_t *n_records)
{
    struct stat about;
    size_t n_read = 0;
    *n_records = 0;
    bool is_log = fstat(file, &about) == 0 && S_ISREG(about.st_mode) &&
                  otter_file_read(file, header, sizeof(*header), 0, &n_read) == 0 &&
                  n_read == sizeof(*header) && header->magic == OTTER_SWITCH_LOG_MAGIC;
    if (is_log) {
        *n_records =
            ((uint64_t)about.st_size - sizeof(*header)) / sizeof(struct otter_switch_record);
    }
    return is_log;
}

int otter_switch_log_read(const char *recording, struct otter_switch_log_header *header,
                          uint64_t *n_records)
{
    int file = open_log(recording, O_RDONLY);
    if (file >= 0 && !read_header(file, header, n_records)) {
        close(file);
        file = -1;
    }
    return file;
}

int otter_switch_log_open(const char *recording, bool *is_counter)
{
    struct otter_switch_log_header header;
    uint64_t n;
    int file = open_log(recording, O_RDWR | O_APPEND);
    if (file >= 0 && !read_header(file, &header, &n)) {
        close(file);
        file = -1;
    }
    *is_counter = file >= 0 && header.is_counter;
    return file;
}

uint64_t otter_switch_log_update(const char *recording, uint64_t size)
{
    struct otter_switch_log_header header;
    uint64_t n = 0;
    int file = open_log(recording, O_RDWR);
    if (file >= 0 && read_header(file, &header, &n)) {
        uint64_t offset = offsetof(struct otter_switch_log_header, size);
        otter_file_write(file, &size, sizeof(size), offset); // a failure leaves the former size
    }
    if (file >= 0) {
        close(file);
    }
    return n * OTTER_SWITCH_ROOM;
}

bool otter_switch_log_has_room(int file, uint64_t n)
{
    struct otter_switch_log_header header;
    uint64_t n_stored;
    return !read_header(file, &header, &n_stored) || header.max_size == 0 ||
           header.size + n * OTTER_SWITCH_ROOM <= header.max_size;
}

bool otter_switch_log_append(int file, const struct otter_switch_record *records, size_t n)
{
    const char *at = (const char *)records;
    for (size_t left = n * sizeof(*records); left > 0;) {
        ssize_t written = write(file, at, left);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        at += written > 0 ? written : 0;
        left -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

enum otter_status otter_switch_log_note(const char *recording, uint32_t first_location,
                                        uint32_t n_locations)
{
    struct otter_switch_log_header header;
    uint64_t n;
    int file = open_log(recording, O_RDWR);
    if (file < 0) {
        return otter_status_from_errno(errno);
    }
    int error = read_header(file, &header, &n) ? 0 : EINVAL;
    header.first_location = first_location;
    header.n_locations = n_locations;
    error = error ? error : otter_file_write(file, &header, sizeof(header), 0);
    error = close(file) < 0 && !error ? errno : error;
    return otter_status_from_errno(error);
}

bool otter_switch_log_visit(int file, uint64_t n,
                            bool (*visit)(void *user, const struct otter_switch_record *record),
                            void *user)
{
    struct otter_switch_record records[RECORDS_AT_ONCE];
    for (uint64_t at = 0; at < n;) {
        size_t wanted = n - at < RECORDS_AT_ONCE ? (size_t)(n - at) : RECORDS_AT_ONCE, n_read = 0;
        uint64_t offset = sizeof(struct otter_switch_log_header) + at * sizeof(records[0]);
        int error = otter_file_read(file, records, wanted * sizeof(records[0]), offset, &n_read);
        if (error || n_read != wanted * sizeof(records[0])) {
            return false;
        }
        for (size_t i = 0; i < wanted; i++) {
            if (!visit(user, &records[i])) {
                return false;
            }
        }
        at += wanted;
    }
    return true;
}

// Returns whether the last record says that no switch before `time` will follow.
static bool is_complete(int file, uint64_t time)
{
    struct otter_switch_log_header header;
    struct otter_switch_record last;
    size_t n_read = 0;
    uint64_t n;
    if (!read_header(file, &header, &n)) {
        return true;
    }
    bool has_last = n > 0 && otter_file_read(file, &last, sizeof(last),
                                             sizeof(header) + (n - 1) * sizeof(last), &n_read) == 0;
    return has_last && n_read == sizeof(last) &&
           (last.kind == OTTER_SWITCH_UNKNOWN ||
            (last.kind == OTTER_SWITCH_COMPLETE && last.time >= time));
}

void otter_switch_log_await(const char *recording, uint64_t time, uint64_t max_wait_ns)
{
    int file = open_log(recording, O_RDONLY);
    uint64_t deadline_ns = otter_clock_monotonic_ns() + max_wait_ns;
    struct timespec pause = {.tv_nsec = FIRST_PAUSE_NS};
    while (file >= 0 && !is_complete(file, time) && otter_clock_monotonic_ns() < deadline_ns) {
        nanosleep(&pause, NULL);
        pause.tv_nsec += pause.tv_nsec < LONGEST_PAUSE_NS ? FIRST_PAUSE_NS : 0;
    }
    if (file >= 0) {
        close(file);
    }
}
