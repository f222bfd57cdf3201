// Closes the constructs that a recorder left open in a sealed event file.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "recording/task_numbers.h"

// Appends the ends of open Enters and ThreadTeamBegins, at the time of the last event.
// Adds their number to *n_events. `numbers`, which may be NULL, gets the records of the file.
// *Thread*: one at a time; nobody else may write to the file. *Errors*: OTTER_BAD_ARCHIVE: the file
// is not sealed or nested too deeply, and unchanged. After any other error, the file must be sealed
// again before it is read.
enum otter_status otter_event_file_balance(const char *folder, uint32_t location, size_t chunk_size,
                                           struct otter_task_numbers *numbers, uint64_t *n_events);
