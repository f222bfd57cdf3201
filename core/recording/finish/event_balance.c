// Closes the constructs that a recorder left open in a sealed event file. The end of a construct
// has the same bytes as its start, except for the type.
#include "recording/finish/event_balance.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "trace/event_chunk.h"
#include "trace/event_layout.h"

enum {
    MAX_RECORD = 8, // bytes of an Enter or ThreadTeamBegin
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
    struct otter_task_numbers *numbers;
    uint64_t n_events, last_time;
    uint8_t *chunk;
    size_t chunk_size;
    uint64_t offset; // position of the last chunk in the file
    size_t used;     // bytes used in the last chunk
    uint64_t size;   // bytes in the file
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

static void visit_record(void *user, const uint8_t *record, size_t size)
{
    struct balance *balance = user;
    if (balance->numbers) {
        otter_task_numbers_note(balance->numbers, record, size);
    }
    switch (*record) {
    case RECORD_ENTER:
    case RECORD_TEAM_BEGIN: push(balance, record, size); return;
    case RECORD_LEAVE:
    case RECORD_TEAM_END: balance->n_open -= balance->n_open > 0; return;
    default: return;
    }
}

static int read_and_walk(int file, struct balance *balance, uint64_t offset)
{
    size_t n = 0;
    int error = otter_file_read(file, balance->chunk, balance->chunk_size, offset, &n);
    balance->used = otter_event_chunk_walk(balance->chunk, n, &balance->n_events,
                                           &balance->last_time, visit_record, balance);
    balance->offset = offset;
    return error;
}

// Walks all chunks. The last chunk remains in balance->chunk.
static enum otter_status walk_file(int file, struct balance *balance)
{
    struct stat about;
    if (fstat(file, &about) < 0) {
        return otter_status_from_errno(errno);
    }
    balance->size = (uint64_t)about.st_size;
    for (uint64_t at = 0; at < balance->size; at += balance->chunk_size) {
        int error = read_and_walk(file, balance, at);
        if (error) {
            return otter_status_from_errno(error);
        }
        if (balance->used == 0 || balance->is_broken) {
            return OTTER_BAD_ARCHIVE;
        }
    }
    bool is_sealed = balance->used > 0 &&
                     balance->offset + balance->used + END_SIZE == balance->size &&
                     balance->chunk[balance->used] == RECORD_END_OF_FILE;
    return is_sealed ? OTTER_OK : OTTER_BAD_ARCHIVE;
}

static size_t size_of_ends(const struct balance *balance)
{
    size_t n = TIME_SIZE + END_SIZE;
    for (size_t i = 0; i < balance->n_open; i++) {
        n += balance->open[i].size;
    }
    return n;
}

// Stores the time, the ends from the innermost outwards, and the end of the file. Returns the
// number of bytes used.
static size_t put_ends(const struct balance *balance, uint8_t *to)
{
    to[0] = RECORD_TIME;
    otter_event_put_number(to + 1, balance->last_time);
    size_t n = TIME_SIZE;
    for (size_t i = balance->n_open; i > 0; i--) {
        const struct begun *begun = &balance->open[i - 1];
        memcpy(to + n, begun->bytes, begun->size);
        to[n]++; // the type of an end is the type of its start plus one
        n += begun->size;
    }
    to[n++] = RECORD_END_OF_FILE;
    to[n++] = RECORD_END_OF_BUFFER;
    return n;
}

// Writes after the end of the file, then replaces the end marker. If the process dies in between,
// sealing restores the file as it was.
static int append_in_chunk(int file, struct balance *balance)
{
    uint8_t last_event[sizeof(uint64_t)];
    const uint8_t *ends = balance->chunk + balance->used;
    size_t size = put_ends(balance, balance->chunk + balance->used);
    otter_event_put_number(last_event, balance->n_events + balance->n_open);
    int error =
        otter_file_write(file, last_event, sizeof(last_event), balance->offset + LAST_EVENT_OFFSET);
    if (!error) {
        error = otter_file_write(file, ends + END_SIZE, size - END_SIZE, balance->size);
    }
    return error ? error : otter_file_write(file, ends, END_SIZE, balance->size - END_SIZE);
}

// Writes the ends into another chunk. Its first byte is written last, and until then the chunk does
// not count. The bytes between the two chunks are zeros.
static int append_chunk(int file, struct balance *balance)
{
    static const uint8_t end_of_chunk[END_SIZE] = {RECORD_END_OF_CHUNK, RECORD_END_OF_CHUNK};
    static const uint8_t header = CHUNK_HEADER;
    uint8_t *chunk = balance->chunk;
    uint64_t offset = balance->offset + balance->chunk_size;
    chunk[0] = 0;
    otter_event_put_number(chunk + FIRST_EVENT_OFFSET, balance->n_events + 1);
    otter_event_put_number(chunk + LAST_EVENT_OFFSET, balance->n_events + balance->n_open);
    size_t size = HEADER_SIZE + put_ends(balance, chunk + HEADER_SIZE);
    int error = otter_file_write(file, chunk, size, offset);
    if (!error) {
        error = otter_file_write(file, end_of_chunk, END_SIZE, balance->size - END_SIZE);
    }
    return error ? error : otter_file_write(file, &header, sizeof(header), offset);
}

// Restores the sealed file. A failure is ignored, because sealing also restores the file.
static void restore(int file, const struct balance *balance)
{
    uint8_t last_event[sizeof(uint64_t)];
    static const uint8_t end[END_SIZE] = {RECORD_END_OF_FILE, RECORD_END_OF_BUFFER};
    otter_event_put_number(last_event, balance->n_events);
    otter_file_write(file, last_event, sizeof(last_event), balance->offset + LAST_EVENT_OFFSET);
    otter_file_write(file, end, END_SIZE, balance->size - END_SIZE);
    if (ftruncate(file, (off_t)balance->size) < 0) {
        return; // the file is then longer than its content
    }
}

static enum otter_status balance_file(int file, struct balance *balance, uint64_t *n_events)
{
    enum otter_status status = walk_file(file, balance);
    if (status || balance->n_open == 0) {
        return status;
    }
    bool is_room = balance->used + size_of_ends(balance) <= balance->chunk_size;
    int error = is_room ? append_in_chunk(file, balance) : append_chunk(file, balance);
    if (error) {
        restore(file, balance);
        return otter_status_from_errno(error);
    }
    *n_events = balance->n_events + balance->n_open;
    return OTTER_OK;
}

enum otter_status otter_event_file_balance(const char *folder, uint32_t location, size_t chunk_size,
                                           struct otter_task_numbers *numbers, uint64_t *n_events)
{
    if (chunk_size < SMALLEST_CHUNK) {
        return OTTER_BAD_VALUE;
    }
    struct balance balance = {.chunk_size = chunk_size,
                              .numbers = numbers,
                              .room = (chunk_size - HEADER_SIZE - TIME_SIZE) / MAX_RECORD - 1};
    char *path = otter_path("%s/%" PRIu32 ".evt", folder, location);
    balance.chunk = malloc(chunk_size);
    balance.open = malloc(balance.room * sizeof(*balance.open));
    enum otter_status status = OTTER_NO_MEMORY;
    if (path && balance.chunk && balance.open) {
        int file = otter_file_open(path, O_RDWR | O_NOFOLLOW);
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
