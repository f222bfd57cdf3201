// Who and where we are: the program, the machine, the rank, and the name of the archive that follows from them. Called under the
// session's lock.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

// Remembers the working folder, to which relative paths refer whatever the program does later, and the rank. Once, early.
void otter_host_note_start(void);

// Adds PROGRAM, COMMAND_LINE, HOST, PID and RANK to what is written into the archive, by calling `describe`.
void otter_host_describe(void (*describe)(const char *name, const char *value));

// Makes one folder. OTTER_MASKED: the umask denies its owner access to new folders, and the folder
// is removed; else as errno says.
enum otter_status otter_host_make_folder(const char *path);

// The absolute path of the archive to be made, from the settings in force; its parents are made. `attempt` 0 is the wanted name, others
// are ways out of a collision. OTTER_NAME_TOO_LONG.
enum otter_status otter_host_archive_folder(unsigned attempt, char *folder, size_t size);

// The absolute path of a file to be written beside the archive: `name` with host (append-hostname),
// rank and process id in front of `extension`, which `name` may have already; its parents are made.
// No two processes get the same. OTTER_NAME_TOO_LONG.
enum otter_status otter_host_output_file(const char *name, const char *extension, char *path,
                                         size_t size);

// The part of `path` below the working folder, or all of it: for a person to type. Points into `path`.
const char *otter_host_short_path(const char *path);

// Whether the file system of `folder` writes every page to a new place: on a full disk a store into a mapped file may find none, which is SIGBUS,
// however much was reserved.
bool otter_host_copies_on_write(const char *folder);

// Whether mapped files can be trusted on the file system of `folder`: not on those shared over a network, and not where it copies on write.
bool otter_host_may_map(const char *folder);
