// The folder of a job: it contains the archives of the ranks, and recordings that are not complete.
#pragma once

#include <stdbool.h>

#include "base/vector.h"

struct otter_job_folder {
    OTTER_VECTOR(char *); // paths, in order of their names
};

// Lists the archives and recordings in `path`; none if `path` is the archive of a process, or
// cannot be read.
void otter_job_folder_read(struct otter_job_folder *job, const char *path);
// Returns whether an archive or recording has the name of a rank.
bool otter_job_folder_has_ranks(const struct otter_job_folder *job);
// Waits until no other command merges in the folder. *Returns* the lock, or -1: the file system has
// no locks.
int otter_job_folder_lock(const char *path);
void otter_job_folder_unlock(int lock);

void otter_job_folder_free(struct otter_job_folder *job);
