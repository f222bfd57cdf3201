// The program, the machine and the rank, and the archive name made from them. *Thread*: the holder
// of the session's lock.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

// Stores the rank and the working folder, to which relative paths always refer. Called once, early.
void otter_host_note_start(void);

// Adds PROGRAM, COMMAND_LINE, HOST, PID and RANK to the archive's properties by calls of
// `describe`.
void otter_host_describe(void (*describe)(const char *name, const char *value));

// Makes one folder. *Errors*: OTTER_MASKED: the umask denies its owner access to new folders, and
// the folder is removed; otherwise from errno.
enum otter_status otter_host_make_folder(const char *path);

// Makes the parents of the archive's absolute path, which the settings in force determine.
// `attempt` 0 is the wanted name; later attempts avoid a collision. *Errors*: OTTER_NAME_TOO_LONG.
enum otter_status otter_host_archive_folder(unsigned attempt, char *folder, size_t size);

// Makes the parent folders of a file next to the archive, and stores the file's absolute path. The
// file is called `name`, extended by host (append-hostname), rank and process id before
// `extension`; `name` may already end with `extension`. No two processes get the same path.
// *Errors*: OTTER_NAME_TOO_LONG.
enum otter_status otter_host_output_file(const char *name, const char *extension, char *path,
                                         size_t size);

// *Returns* `path` in a form that is short to type: without the working folder, if it is below that
// folder. The result points into `path`.
const char *otter_host_short_path(const char *path);

// *Returns* whether the file system of `folder` copies on write. If so, a store into a mapped file
// may raise SIGBUS on a full disk, even if space was reserved.
bool otter_host_copies_on_write(const char *folder);

// *Returns* whether mapped files are reliable on the file system of `folder`. They are not on
// network file systems or on file systems that copy on write.
bool otter_host_may_map(const char *folder);
