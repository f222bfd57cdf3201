// Compares jobs, whose archives are merged.
#pragma once

#include "report/diff/diff_job.h"

// Returns whether the archive is merged and `path` does not name one of its ranks.
bool otter_path_has_ranks(const char *path);

// Reads each rank of all archives and compares the sums. *job must be zero.
// - If all jobs have the same number of ranks, a rank missing from an archive is left out with a
//   warning.
// - Otherwise, ranks that only one side has count, too.
// Even after a failure, the caller finishes *diff, then *job. *Returns* false after printing an
// error; there is then no comparison. *n_failed: ranks that cannot be compared.
bool otter_rank_diffs_read(struct otter_diff *diff, struct otter_diff_job *job,
                           const struct otter_diff_paths *paths, uint32_t *n_failed);
