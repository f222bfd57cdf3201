// The event file of a location without recorded events: one record, MeasurementOnOff(on).
//
// OTF2 3.0.2 accesses freed memory if it reads all locations together and one of them has no
// records. Any thread may call these. `first_tick` is the offset of the archive's clock.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

enum { OTTER_SILENT_EVENTS = 1 };

// Creates the file. *Errors*: OTTER_EXISTS and a status from errno.
enum otter_status otter_silent_write(const char *path, uint64_t first_tick);

// Returns whether the file is such a file, or the beginning of one whose writer was killed.
bool otter_silent_begins(const char *path, uint64_t first_tick);
// Returns whether the file is a complete file of this kind.
bool otter_silent_is(const char *path, uint64_t first_tick);
