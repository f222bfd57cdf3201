// The event file of one location while it is recorded, and the chunk that is being written.
//
// core/trace/event_layout.h describes the bytes. The chunk being written is a file of its own,
// <n>.chunk, mapped as shared memory, so that it survives the death of the process. A full chunk is
// appended to <n>.evt, and its memory is reused. So a thread has one chunk, and each of its pages
// faults only once. Mapping new pieces of the event file instead would cost a page fault for every
// 4 KiB of trace, which takes longer than the copy.
//
// The states of the files are open, storing, closing and abandoned; core/README.md has the table.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct otter_event_file;

// Creates no file before the first chunk. `is_mapped`: the chunk is a mapped file; otherwise it is
// in memory. *Returns* NULL if out of memory.
struct otter_event_file *otter_event_file_create(const char *folder, uint32_t location,
                                                 size_t chunk_size, bool is_mapped);
// Frees the memory. The files remain.
void otter_event_file_destroy(struct otter_event_file *file);

// Appends the chunk to the event file and returns a chunk of zeros. After a failure the chunk is
// unchanged, and can be sealed.
// *Thread*: one at a time.
// *Errors*: OTTER_NO_SPACE: no room, or the limit on file sizes (RLIMIT_FSIZE) leaves none for
// sealing. OTTER_BUSY: the location was abandoned, and the thread must write no more.
enum otter_status otter_event_file_next_chunk(struct otter_event_file *file, void **chunk);

// Writes a chunk held in memory to its file. Does nothing for a mapped chunk.
// *Thread*: the one that writes the chunk. *Errors*: OTTER_BUSY: as above.
enum otter_status otter_event_file_flush_chunk(struct otter_event_file *file);

// Ends the recording of a location whose thread is outside any call.
// *Returns* false when the location was abandoned.
bool otter_event_file_close(struct otter_event_file *file);

// Withdraws the files from a thread that is still inside a call, perhaps in the middle of a record.
// Its later stores reach neither file, so that both can be sealed. A closing location remains
// closing.
// If the thread is appending a chunk, the event file is replaced with a copy of its complete
// chunks.
// *Thread*: any. *Errors*: any; then nobody may seal the files while the thread exists.
enum otter_status otter_event_file_abandon(struct otter_event_file *file);

// Writes a chunk held in memory to its file, for otter_event_file_seal. Does nothing for a mapped
// chunk. After a failure, the part written earlier is unchanged.
// *Errors*: OTTER_BUSY: the location is neither closing nor abandoned.
enum otter_status otter_event_file_save_chunk(struct otter_event_file *file);
