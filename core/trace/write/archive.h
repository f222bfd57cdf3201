// Writes an OTF2 archive around existing event files, in the subset that every reader accepts.
#pragma once

#include <stdint.h>

#include "base/status.h"
#include "trace/write/archive_content.h"

// Creates `folder`: traces.otf2, traces.def, traces/<location>.def, and traces/<location>.evt of
// each location without events. The caller adds the other event files.
// `n_events`: the number of events of each location; `last_time`: the time of the last event of
// all, in ticks.
// *Thread*: one at a time in the process, because OTF2 has one error callback.
// *Errors*: OTTER_EXISTS if `folder` exists; otherwise from errno, and files may remain in
// `folder`.
enum otter_status otter_archive_write(const char *folder,
                                      const struct otter_archive_content *content,
                                      const uint64_t *n_events, uint64_t last_time);
