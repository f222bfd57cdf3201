// Event files for tests: a writer in a folder, a sequence of events, and a reader of its own.
#include "chunks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "folder.h"
#include "recording/event_file.h"

struct recording start_recording(const char *name, bool is_mapped)
{
    struct recording recording = {.folder = strdup(in_test_folder("%s", name))};
    mkdir(recording.folder, 0777);
    recording.events = strdup(in_test_folder("%s/events", name));
    struct otter_writer_options options = {
        .folder = recording.folder, .chunk_size = TEST_CHUNK, .is_mapped = is_mapped};
    if (otter_writer_open(&options, &recording.writer) ||
        otter_writer_open_location(recording.writer, 0, &recording.location)) {
        fprintf(stderr, "no writer in %s\n", recording.folder);
        abort();
    }
    return recording;
}

enum otter_status end_and_save(struct otter_writer *writer, uint32_t n)
{
    for (uint32_t id = 0; id < n; id++) {
        otter_writer_end_writing(writer, id);
    }
    return otter_writer_save(writer);
}

uint64_t time_of_nth_event(uint64_t i)
{
    return 1000 + i / 2;
}

void write_nth_event(struct otter_location_writer *location, uint64_t i)
{
    static const uint64_t values[] = {0,       1,          0xff,           0x100,     0xffff,
                                      0x10000, UINT32_MAX, UINT64_MAX - 1, UINT64_MAX};
    uint64_t time = time_of_nth_event(i);
    uint32_t number = (uint32_t)(i * 2654435761U);
    switch (i * 7 % 11) {
    case 0: otter_write_enter(location, time, 1 + number % 70000); break;
    case 1: otter_write_leave(location, time, 256 * (1 + number % 200)); break;
    case 2: otter_write_fork(location, time, number % 512); break;
    case 3: otter_write_join(location, time); break;
    case 4: otter_write_team_begin(location, time, 0); break;
    case 5: otter_write_task_create(location, time, 0, number); break;
    case 6: otter_write_task_switch(location, time, number % 300, 0); break;
    case 7: otter_write_task_complete(location, time, 16383, UINT32_MAX); break;
    case 8: otter_write_lock_acquire(location, time, number % 7, 0); break;
    case 9: otter_write_flush(location, time, time + number); break;
    default: otter_write_parameter(location, time, number % 20, values[i % 9]); break;
    }
}

static uint64_t number_at(const uint8_t *bytes)
{
    uint64_t number;
    memcpy(&number, bytes, sizeof(number));
    return number;
}

// Counts the events of a chunk without otter_event_chunk_used. Sets *at to the end of the last
// record.
static uint64_t walk(const uint8_t *chunk, size_t size, size_t *at)
{
    uint64_t n = 0;
    *at = 18;
    while (*at < size && chunk[*at] > 2) {
        bool is_time = chunk[*at] == 5;
        *at += is_time ? 9 : 2 + (size_t)chunk[*at + 1];
        n += !is_time;
    }
    return n;
}

uint64_t events_of_sealed_file(const char *path, size_t chunk_size)
{
    size_t size = 0;
    uint8_t *bytes = read_file(path, &size);
    uint64_t n = 0;
    bool has_end = false;
    for (size_t offset = 0; bytes && offset < size && !has_end; offset += chunk_size) {
        size_t room = size - offset < chunk_size ? size - offset : chunk_size, end = 0;
        const uint8_t *chunk = bytes + offset;
        if (room < 20 || chunk[0] != 3 || number_at(chunk + 2) != n + 1) {
            break;
        }
        n += walk(chunk, room, &end);
        if (number_at(chunk + 10) != n) {
            break;
        }
        has_end =
            end + 2 == room && offset + room == size && chunk[end] == 2 && chunk[end + 1] == 1;
    }
    free(bytes);
    return has_end ? n : UINT64_MAX;
}
