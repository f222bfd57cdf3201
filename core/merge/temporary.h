// The temporary folder of a merge. Its lock ends with the process.
#pragma once

#include <stdbool.h>

#define OTTER_MERGE_TEMPORARY ".otter-merge-"

// Makes a new folder in `parent` and locks the folder until the caller closes *lock. The folder's
// name begins with OTTER_MERGE_TEMPORARY. *lock: -1 where the file system has no locks.
// *Returns* its path, which the caller frees, or NULL with errno.
char *otter_merge_temporary_create(const char *parent, int *lock);

// Locks a temporary folder until the caller closes the lock. Sets *has_owner to whether another
// process has the lock.
// *Returns* the lock, or -1.
int otter_merge_temporary_lock(const char *path, bool *has_owner);
