// A thread's event file as OTF2 3.0 lays it out, and the chunk that is being written.
//
// The layout (OTF2 3.0.2; nowhere promised, so otter_writer_layout_is_known tries it at start-up): chunks of one size, the
// last one cut to its used part. A chunk is 0x03, a byte order byte, the numbers of its first and last event (8 bytes each),
// then records: 0x05 and 8 bytes of time, or type, length (0xff: an 8-byte length follows) and payload; Enter and Leave have no
// length: type, number of bytes, region. 0x00 ends a chunk, 0x02 0x01 the file. A chunk is complete when the next one begins.
//
// The chunk being written is a file of its own, <n>.chunk, mapped as shared memory: what was written into it is there after the
// process has been killed. A full chunk is appended to <n>.evt and its memory used again. So a thread holds one chunk, whose pages are
// touched for the first time once: mapping ever new pieces of the event file instead costs a page fault and the file system's
// bookkeeping for every 4 KiB of trace, which is more than the copy.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "recording/task_numbers.h"

struct otter_event_file;

// Names the files; nothing is made before the first chunk. `is_mapped`: the chunk is a file; else it is memory, and lost when the
// process is killed. NULL: out of memory.
struct otter_event_file *otter_event_file_create(const char *folder, uint32_t location,
                                                 size_t chunk_size, bool is_mapped);
// Gives the memory back. The files stay.
void otter_event_file_destroy(struct otter_event_file *file);

// A chunk of zeros to write into, after the one before has been appended to the event file. By one thread at a time. On failure
// the chunk before stays as it is, to be sealed. OTTER_NO_SPACE also where the process' limit on file sizes (RLIMIT_FSIZE) would leave no room
// for sealing. OTTER_BUSY: the location was abandoned meanwhile; the thread writes nothing more.
enum otter_status otter_event_file_next_chunk(struct otter_event_file *file, void **chunk);

// Puts what a chunk that is memory holds so far into its file. By the thread that writes the chunk.
// Nothing to do for a mapped one. OTTER_BUSY: as above.
enum otter_status otter_event_file_flush_chunk(struct otter_event_file *file);

// The life of a location's files: open, then either closing (its thread has come to rest) or
// abandoned (it has not). An abandoned location's thread changes neither the file nor the chunk of
// the caller any more, also amid a record, so that both can be sealed.

// Ends the recording of a location at rest. False: it was abandoned.
bool otter_event_file_close(struct otter_event_file *file);

// Takes the files from a thread that does not come to rest. Any thread. Of a thread that is
// appending a chunk the event file is replaced by a copy of what is whole, since the rest of that
// write may come at any time. On failure nobody may seal the files while the thread is there. A
// location that is closing stays so.
enum otter_status otter_event_file_abandon(struct otter_event_file *file);

// Puts a chunk that is memory into its file, for otter_event_file_seal. Nothing to do for a mapped one. On failure what was saved of it
// before is still there. OTTER_BUSY: the location is neither closing nor abandoned.
enum otter_status otter_event_file_save_chunk(struct otter_event_file *file);

// Makes one complete event file of what a recorder has left, dead or alive: appends the whole records of the last chunk and the
// end marker. Tells the number of events and the time of the last. A file that is complete already stays as it
// is. OTTER_NOT_FOUND: not one event was recorded; no file stays. Nobody may write any more.
enum otter_status otter_event_file_seal(const char *folder, uint32_t location, size_t chunk_size,
                                        uint64_t *n_events, uint64_t *last_time);

// Gives every Enter of a sealed event file its Leave, and every ThreadTeamBegin its end, at the time of its last event: a recorder that failed or
// died left some open. `n_events` grows by what was added; what was there is noted in `numbers`, which may be NULL. OTTER_BAD_ARCHIVE: not sealed, or nested too deeply to be true; the file is as it
// was. Others: it could not be read or written, and is to be sealed again before anybody reads it.
enum otter_status otter_event_file_balance(const char *folder, uint32_t location, size_t chunk_size,
                                           struct otter_task_numbers *numbers, uint64_t *n_events);

// Shows every whole event of a chunk to `visit`, and returns what otter_event_chunk_used does.
size_t otter_event_chunk_walk(const uint8_t *chunk, size_t size, uint64_t *n_events,
                              uint64_t *last_time,
                              void (*visit)(void *user, const uint8_t *record, size_t size),
                              void *user);

// The bytes of a chunk in use: up to the first byte behind its last whole record. 0: no chunk begins there.
// Every length is checked against `size`: the bytes may be anything.
size_t otter_event_chunk_used(const uint8_t *chunk, size_t size, uint64_t *n_events,
                              uint64_t *last_time);
