// A thread's event file as OTF2 3.0 lays it out, grown by mapped chunks: what OTF2 writes into a chunk is in the file.
//
// The layout (OTF2 3.0.2; nowhere promised, so otter_event_file_layout_is_known checks it at start-up): chunks of one size,
// the last one cut to its used part. A chunk is 0x03, a byte order byte, the numbers of its first and last event (8 bytes
// each), then records: 0x05 and 8 bytes of time, or type, length (0xff: an 8-byte length follows) and payload; Enter and Leave
// have no length: type, number of bytes, region. 0x00 ends a
// chunk, 0x02 0x01 the file. OTF2 fills in a chunk's last event when it asks for the next chunk.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct otter_event_file;

// Names the file; nothing is made before the first chunk. NULL: out of memory.
struct otter_event_file *otter_event_file_create(const char *path, size_t chunk_size);
// Unmaps what is mapped. The file stays.
void otter_event_file_destroy(struct otter_event_file *file);

// The next chunk, zeroed, mapped and its blocks reserved; unmaps the last but one. By one thread at a time.
enum otter_status otter_event_file_next_chunk(struct otter_event_file *file, void **chunk);

// Makes a complete file of one that a recorder has left, dead or alive: finds the end of the last whole record, writes the
// end marker and the number of the last event, cuts the rest. Tells the number of events and the time of the last.
// Nobody may write to the file any more. A file that is complete already stays as it is.
enum otter_status otter_event_file_seal(const char *path, size_t chunk_size, uint64_t *n_events, uint64_t *last_time);

// The bytes of a chunk in use: up to the first byte behind its last whole record. 0: no chunk begins there.
// Every length is checked against `size`: the bytes may be anything.
size_t otter_event_chunk_used(const uint8_t *chunk, size_t size, uint64_t *n_events, uint64_t *last_time);
