// The OTF2 archive around event files: anchor with properties, global and local definitions, in the subset that every reader takes.
#pragma once

#include <stdint.h>

#include "base/status.h"
#include "recording/definitions.h"

// Writes <folder>/traces.otf2, traces.def, traces/<location>.def, and traces/<location>.evt of a location without events; `folder` must not
// exist. `n_events`: of each location; `last_time`: of the last event of all. The other event files are the caller's business.
enum otter_status otter_archive_write(const char *folder,
                                      const struct otter_journal_definitions *definitions,
                                      const uint64_t *n_events, uint64_t last_time);
