// The event file of a location of which nothing was recorded: one record, that recording is on, at the first tick of the archive's clock. OTF2
// 3.0.2 reads all locations together through memory that it has freed where one of them has no record.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

enum { OTTER_SILENT_EVENTS = 1 };

// Makes the file, which must not exist. `first_tick`: of the archive's clock.
enum otter_status otter_silent_write(const char *path, uint64_t first_tick);

// Whether the file is such a one, or the beginning of one whose writer was killed.
bool otter_silent_begins(const char *path, uint64_t first_tick);
// Whether it is a whole one.
bool otter_silent_is(const char *path, uint64_t first_tick);
