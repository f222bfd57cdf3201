// Event files as a recorder leaves them, at its end or when it is killed.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "recording/writer.h"

enum { TEST_CHUNK = 256 * 1024 };

// A folder below the test folder, with a writer and its location 0. Failures end the test program.
struct recording {
    const char *folder, *events;
    struct otter_writer *writer;
    struct otter_location_writer *location;
};
struct recording start_recording(const char *name, bool is_mapped);

// Ends the locations 0 to `n` - 1, and saves their remaining chunks.
enum otter_status end_and_save(struct otter_writer *writer, uint32_t n);

// Writes the `i`-th event (from 1) of a sequence with all kinds and sizes of records. Its time is
// 1000 + i / 2.
void write_nth_event(struct otter_location_writer *location, uint64_t i);
uint64_t time_of_nth_event(uint64_t i);

// Walks an event file without the code under test: chunks of TEST_CHUNK bytes with consecutive
// numbers of events, then an end. *Returns* the number of events; UINT64_MAX: the file is
// incomplete.
uint64_t events_of_sealed_file(const char *path, size_t chunk_size);
