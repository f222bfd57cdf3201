// Checks whether OTF2 can read a file of an archive to its end. Checks the chunks and the fields of
// their records; of the values, only the times of events.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/status.h"
#include "trace/read/checked/formats.h"

// The times that events can have, in ticks of the clock of the file.
struct otter_tick_range {
    uint64_t first, last;
};

// A file of chunks of equal size; the last chunk may be shorter.
struct otter_chunks {
    enum otter_file_kind kind; // only files of events have times and records without a length
    uint64_t chunk_size;
    const struct otter_tick_range *ticks; // range of valid event times; NULL: any times
};

// Checks a file of chunks. `why` gets the reason: "is cut off at byte 512".
// `n_whole` gets the number of events (or other records) before the first damage; may be NULL.
// *Thread*: any.
// *Errors*: OTTER_NOT_FOUND: there is no file; OTTER_BAD_ARCHIVE: it is damaged.
enum otter_status otter_check_chunked_file(const char *path, const struct otter_chunks *chunks,
                                           uint64_t *n_whole, char *why, size_t why_size);

// Checks at most `most` records of the chunk at `offset`. Sets *n_whole to the number of checked
// records, and *ends_file to whether the file ends after them. *Errors*: OTTER_BAD_ARCHIVE.
enum otter_status otter_check_chunk(const struct otter_chunks *chunks, const unsigned char *data,
                                    size_t size, uint64_t offset, uint64_t most, uint64_t *n_whole,
                                    bool *ends_file);

// Checks only the first and last bytes of an event file, which takes the same time for any size.
enum otter_status otter_check_event_file_ends(const char *path, char *why, size_t why_size);

// Checks those lengths in an anchor file that OTF2 itself does not check.
enum otter_status otter_check_anchor(const unsigned char *data, size_t size);
enum otter_status otter_check_anchor_file(const char *path, char *why, size_t why_size);

// Opens any kind of file to read it, without waiting for the writer of a pipe.
// Returns a descriptor, or -1 and errno.
int otter_check_open(const char *path, struct stat *about);
