// Is a file of an archive what OTF2 can read to its end? Looks at the frame of chunks and records, and whether records hold their
// fields; not at what these say.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "trace/read/formats.h"

// Checks a file that is made of chunks of `chunk_size` bytes. `why` receives the reason: "is cut off at byte 512".
// *n_whole: events before the damage, or in all; of definitions and markers, records. May be NULL.
// OTTER_NOT_FOUND when there is no file, OTTER_BAD_ARCHIVE when it is damaged.
enum otter_status otter_check_chunked_file(const char *path, enum otter_file_kind kind,
                                           uint64_t chunk_size, uint64_t *n_whole, char *why,
                                           size_t why_size);

// Checks what OTF2 does not check in an anchor file before it uses it.
enum otter_status otter_check_anchor_file(const char *path, char *why, size_t why_size);
