// Event files as the recorder leaves them, dead or alive.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "recording/writer.h"

enum { TEST_CHUNK = 256 * 1024 };

// A folder of the test folder with a writer in it and its location 0. Ends the test program when it cannot be had.
struct recording {
    const char *folder, *events;
    struct otter_writer *writer;
    struct otter_location_writer *location;
};
struct recording start_recording(const char *name, bool is_mapped);

// Ends the locations 0 to `n` - 1, and saves what is left of them.
enum otter_status end_and_save(struct otter_writer *writer, uint32_t n);

// The `i`-th of a sequence of events (from 1) in which all kinds and sizes of records occur; its time is 1000 + i / 2.
void write_nth_event(struct otter_location_writer *location, uint64_t i);
uint64_t time_of_nth_event(uint64_t i);

// Tells, as an event file is walked by hand, whether it is whole: chunks of TEST_CHUNK whose numbers of events follow one another, and
// an end. Returns its number of events, or UINT64_MAX.
uint64_t events_of_sealed_file(const char *path, size_t chunk_size);
