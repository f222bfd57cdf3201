// Makes one archive from the archives of a job's processes.
//
// Definitions are rewritten, and event files are hard links: events are neither read nor copied.
// Ranks that cannot be read are left out with a warning; the archives are not changed.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "merge/clocks.h"
#include "trace/read/reader.h"

// The default output. This folder is never the newest archive, since the merged runs are
// older.
#define OTTER_MERGED "otter-merged"

struct otter_merge_request {
    char *const *paths; // archives, and folders of archives
    size_t n_paths;
    const char *output;  // NULL: a single folder itself becomes the archive, otherwise OTTER_MERGED
    const char *offsets; // a file of ovnisync, or NULL
    bool copies;         // event files are copied, not linked
    bool is_forced;      // archives without a job may be copies, or recorded at different times
};

struct otter_merge_result {
    char *archive; // path of the new archive, for free()
    size_t n_ranks, n_left_out, n_missing;
    uint64_t n_locations;
    size_t n_hosts;
    bool has_copied; // event files were copied, because they are on another file system
    enum otter_clocks_kind clocks;
    uint64_t clock_deviation_ns; // the largest of all processes
};

// Merges. After a failure there is no new archive, and *complaint has the reason. *Thread*: one at
// a time in the process. The caller locks the folder of a job (job_folder.h). *Errors*:
// OTTER_BAD_VALUE: archives of the same rank or of different jobs; OTTER_NOT_FOUND: there is no
// archive. OTTER_EXISTS: the output exists, or the archive in the folder of the job has other
// events. Otherwise from errno.
enum otter_status otter_merge(const struct otter_merge_request *request,
                              struct otter_merge_result *result, struct otter_complaint *complaint);
