// The folder of a job as an archive.
#pragma once

#include <stdbool.h>

// If `path` is the folder of a job that was not merged, merges the archives in it. Merges again if
// the merged archive lacks a rank that can be read now. Warns about missing ranks. Commands
// that run at the same time merge one after the other. *Returns* false after printing an error, if
// a rank is not complete or the first merge failed.
bool otter_prepare_job(const char *path);

// Warns about ranks of the job that the merged archive lacks; the warning has their numbers.
void otter_warn_of_missing_ranks(const char *archive);
