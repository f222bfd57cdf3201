// Closing what a recorder left open, in its finished file: the end of a construct is its beginning with another type byte.
#include "trace/event_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "trace/event_layout.h"

enum {
    MAX_RECORD = 8, // of Enter and ThreadTeamBegin
    SMALLEST_CHUNK = HEADER_SIZE + TIME_SIZE + END_SIZE + 2 * MAX_RECORD,
};

struct begun {
    uint8_t bytes[MAX_RECORD];
    uint8_t size;
};

struct balance {
    struct begun *open;
    size_t n_open, room;
    bool is_broken;
    uint64_t n_events, last_time;
    uint8_t *chunk;
    size_t chunk_size;
    uint64_t offset; // of the last chunk
    size_t used;     // bytes of it
};

static void push(struct balance *balance, const uint8_t *record, size_t size)
{
    if (size > MAX_RECORD || balance->n_open == balance->room) {
        balance->is_broken = true;
        return;
    }
    struct begun *begun = &balance->open[balance->n_open++];
    memcpy(begun->bytes, record, size);
    begun->size = (uint8_t)size;
}

static void look_at(void *user, const uint8_t *record, size_t size)
{
    struct balance *balance = user;
    switch (*record) {
    case RECORD_ENTER:
    case RECORD_TEAM_BEGIN: push(balance, record, size); return;
    case RECORD_LEAVE:
    case RECORD_TEAM_END: balance->n_open -= balance->n_open > 0; return;
    default: return;
    }
}

static enum otter_status walk_file(int file, struct balance *balance)
{
    struct stat about;
    if (fstat(file, &about) < 0 || about.st_size == 0) {
        return OTTER_BAD_ARCHIVE;
    }
    for (uint64_t at = 0; at < (uint64_t)about.st_size; at += balance->chunk_size) {
        ssize_t n = pread(file, balance->chunk, balance->chunk_size, (off_t)at);
        balance->used = n <= 0
                            ? 0
                            : otter_event_chunk_walk(balance->chunk, (size_t)n, &balance->n_events,
                                                     &balance->last_time, look_at, balance);
        if (balance->used == 0 || balance->is_broken) {
            return OTTER_BAD_ARCHIVE;
        }
        balance->offset = at;
    }
    return OTTER_OK;
}

static size_t size_of_ends(const struct balance *balance)
{
    size_t n = TIME_SIZE + END_SIZE;
    for (size_t i = 0; i < balance->n_open; i++) {
        n += balance->open[i].size;
    }
    return n;
}

static void put_number(uint8_t *to, uint64_t number)
{
    memcpy(to, &number, sizeof(number));
}

// Writes the time, the ends, innermost first, and the end of the file at `to`; returns the number of bytes.
static size_t put_ends(const struct balance *balance, uint8_t *to)
{
    to[0] = RECORD_TIME;
    put_number(to + 1, balance->last_time);
    size_t n = TIME_SIZE;
    for (size_t i = balance->n_open; i > 0; i--) {
        const struct begun *begun = &balance->open[i - 1];
        memcpy(to + n, begun->bytes, begun->size);
        to[n]++; // the type of an end follows that of its beginning
        n += begun->size;
    }
    to[n++] = RECORD_END_OF_FILE;
    to[n++] = RECORD_END_OF_BUFFER;
    return n;
}

// In the last chunk, or behind it in one of their own.
static int append_ends(int file, struct balance *balance)
{
    uint64_t last_event = balance->n_events + balance->n_open;
    uint8_t *chunk = balance->chunk;
    if (balance->used + size_of_ends(balance) <= balance->chunk_size) {
        put_number(chunk + LAST_EVENT_OFFSET, last_event);
        size_t size = balance->used + put_ends(balance, chunk + balance->used);
        return otter_event_file_write(file, chunk, size, balance->offset);
    }
    memset(chunk + balance->used, RECORD_END_OF_CHUNK, balance->chunk_size - balance->used);
    int error = otter_event_file_write(file, chunk, balance->chunk_size, balance->offset);
    if (error) {
        return error;
    }
    put_number(chunk + FIRST_EVENT_OFFSET, balance->n_events + 1);
    put_number(chunk + LAST_EVENT_OFFSET, last_event);
    size_t size = HEADER_SIZE + put_ends(balance, chunk + HEADER_SIZE);
    return otter_event_file_write(file, chunk, size, balance->offset + balance->chunk_size);
}

static enum otter_status balance_file(int file, struct balance *balance, uint64_t *n_events)
{
    enum otter_status status = walk_file(file, balance);
    if (status || balance->n_open == 0) {
        return status;
    }
    int error = append_ends(file, balance);
    if (!error) {
        *n_events = balance->n_events + balance->n_open;
    }
    return otter_status_from_errno(error);
}

enum otter_status otter_event_file_balance(const char *folder, uint32_t location, size_t chunk_size,
                                           uint64_t *n_events)
{
    if (chunk_size < SMALLEST_CHUNK) {
        return OTTER_BAD_VALUE;
    }
    struct balance balance = {.chunk_size = chunk_size,
                              .room = (chunk_size - HEADER_SIZE - TIME_SIZE) / MAX_RECORD - 1};
    char *path = otter_path("%s/%" PRIu32 ".evt", folder, location);
    balance.chunk = malloc(chunk_size);
    balance.open = malloc(balance.room * sizeof(*balance.open));
    enum otter_status status = OTTER_NO_MEMORY;
    if (path && balance.chunk && balance.open) {
        int file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
        status = file < 0 ? otter_status_from_errno(errno) : balance_file(file, &balance, n_events);
        if (file >= 0) {
            close(file);
        }
    }
    free(path);
    free(balance.chunk);
    free(balance.open);
    return status;
}
