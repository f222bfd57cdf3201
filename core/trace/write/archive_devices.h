// Devices in an archive: a group of locations and an RMA window each.
#pragma once

#include "trace/write/archive_writer.h"

// Writes devices as groups of locations, and their streams as locations.
void otter_archive_write_devices(struct otter_archive_writer *archive);

// Writes the RMA window of each device and its communicator, after the communicators of teams.
// `members` has room for all locations and one more entry.
void otter_archive_write_windows(struct otter_archive_writer *archive, uint64_t *members);
