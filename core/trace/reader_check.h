// Is a file of an archive what OTF2 can read to its end? Looks at the frame of chunks and records, not at their content.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

// Checks an event file, made of chunks of `chunk_size` bytes. `why` receives the reason: "ends after 512 bytes of a chunk".
// OTTER_NOT_FOUND when there is none, OTTER_BAD_ARCHIVE when it is damaged.
enum otter_status otter_check_event_file(const char *path, uint64_t chunk_size, char *why,
                                         size_t why_size);

// The same for a file of definitions.
enum otter_status otter_check_definition_file(const char *path, uint64_t chunk_size, char *why,
                                              size_t why_size);

// The same for a file of markers.
enum otter_status otter_check_marker_file(const char *path, uint64_t chunk_size, char *why,
                                          size_t why_size);

// Checks what OTF2 does not check in an anchor file before it uses it.
enum otter_status otter_check_anchor_file(const char *path, char *why, size_t why_size);
