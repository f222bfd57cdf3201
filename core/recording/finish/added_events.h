// The event files of locations that finishing adds: processors, and samples of threads.
//
// *Thread*: one at a time.
#pragma once

#include "recording/finish/finish_state.h"
#include "trace/write/location_writer.h"

struct otter_event_file;

// The event file of one location while it is written.
struct otter_added_events {
    struct otter_location_writer records; // must be first: make_room has a pointer to it
    const struct otter_finish_state *state;
    struct otter_event_file *file;
    void *chunk;
    uint32_t id;
};

// Makes room in state->n_events for all locations of the content. *Returns* false if out of memory.
bool otter_added_count(struct otter_finish_state *state);

// `location`: the location's number in the archive. *Returns* false after a failure; even
// then, the caller closes the events.
bool otter_added_open(struct otter_added_events *events, const struct otter_finish_state *state,
                      size_t location);
// Completes the file if all records are written. *Returns* false if the file is not complete.
bool otter_added_close(struct otter_added_events *events, bool is_written, uint64_t *n_events);
// Removes the files of `n` added locations, starting at number `first`.
void otter_added_remove(const struct otter_finish_state *state, size_t first, size_t n);

// Returns the time for the next record. The launcher converts times between two readings of the
// clocks, so a time may be a tick too small.
static inline uint64_t otter_added_time(const struct otter_added_events *events, uint64_t time)
{
    return time > events->records.time ? time : events->records.time;
}
