// The folder of a job as an archive.
#pragma once

#include <stdbool.h>

// Merges the archives in the folder of a job, if `path` is one that was not merged.
// *Returns* false after printing an error: a rank is not complete, or the merge failed.
bool otter_prepare_job(const char *path);
