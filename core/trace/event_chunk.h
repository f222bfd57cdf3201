// Walks the records of a chunk of an event file (core/trace/event_layout.h).
//
// The bytes may be invalid, so each length is checked. Any thread may call these.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Returns whether `chunk` (HEADER_SIZE bytes) is a chunk header with the number of its first event.
bool otter_event_chunk_has_begun(const uint8_t *chunk);

// Calls `visit` for each whole event of the chunk, in order.
// Sets *n_events to the number of the last whole event in its file, and *last_time to its time.
// Both are unchanged if no chunk begins there. *last_time is unchanged if there is no event.
// *Returns* the number of bytes up to the end of the last whole event; 0: no chunk begins there.
size_t otter_event_chunk_walk(const uint8_t *chunk, size_t size, uint64_t *n_events,
                              uint64_t *last_time,
                              void (*visit)(void *user, const uint8_t *record, size_t size),
                              void *user);

// Like otter_event_chunk_walk, without calling a visitor.
size_t otter_event_chunk_used(const uint8_t *chunk, size_t size, uint64_t *n_events,
                              uint64_t *last_time);
