// Who and where we are: the program, the machine, the rank, and the name of the archive that follows from them. Called under the
// session's lock.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

// Remembers the working folder, to which a relative trace-path refers whatever the program does later. Once, early.
void otter_host_note_working_folder(void);

// Adds PROGRAM, COMMAND_LINE, HOST, PID and RANK to what is written into the archive, by calling `describe`.
void otter_host_describe(void (*describe)(const char *name, const char *value));

// The absolute path of the archive to be made, from the settings in force; its parents are made. `attempt` 0 is the wanted name, others
// are ways out of a collision. OTTER_BAD_VALUE: too long.
enum otter_status otter_host_archive_folder(unsigned attempt, char *folder, size_t size);

// The part of `path` below the working folder, or all of it: for a person to type. Points into `path`.
const char *otter_host_short_path(const char *path);

// Whether mapped files can be trusted on the file system of `folder`: not on those shared over a network.
bool otter_host_may_map(const char *folder);
