// The folder of the merged archive: it is written elsewhere in the same parent folder, then moved
// to its path.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct otter_merge_target {
    char *path;      // path of the merged archive
    char *parent;    // folder that contains the temporary folder
    char *temporary; // a folder that contains the archive until it is complete
    char *folder;    // the new archive in the temporary folder
    int lock;        // lock of the temporary folder, or -1
    unsigned unfinished;
    bool is_job; // `path` is the folder of a job, which also becomes the archive
};

// Names in the temporary folder: the new archive, and the archive that it replaces.
#define OTTER_MERGE_ARCHIVE "archive"
#define OTTER_MERGE_OLD "old"

// Makes the temporary folder. `path`: a new name, or the folder of a job, whose merged archive is
// replaced.
// *Errors*: OTTER_EXISTS: `path` exists and is not the folder of a job; otherwise from errno.
enum otter_status otter_merge_target_open(struct otter_merge_target *target, const char *path,
                                          bool is_job);

// Makes <folder>/traces/<to>.evt from the event file `from`, as a hard link or a copy. If a link is
// impossible, copies and sets *has_copied.
enum otter_status otter_merge_target_add(const struct otter_merge_target *target, const char *from,
                                         uint64_t to, bool copies, bool *has_copied);

// Moves the archive to its path. The anchor file of a job's archive is moved last; after a failure
// the earlier archive is restored. Other files in its folders remain.
enum otter_status otter_merge_target_publish(struct otter_merge_target *target);

// Removes the files of an archive. Other files, and their folders, remain.
void otter_merge_remove_archive(const char *folder);

// Removes the files that were not published.
void otter_merge_target_close(struct otter_merge_target *target);
