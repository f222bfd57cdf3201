// Merges the folder of a job when a command first reads it.
#include "cli/job.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/log.h"
#include "base/path.h"
#include "merge/job_folder.h"
#include "merge/merge.h"
#include "trace/schema.h"

// Whether a process of the job has not completed its archive.
static bool is_unfinished(const struct otter_job_folder *job, const char *path)
{
    size_t n = strlen(OTTER_RECORDING_SUFFIX);
    for (uint32_t i = 0; i < job->n; i++) {
        size_t length = strlen(job->items[i]);
        if (length > n && strcmp(job->items[i] + length - n, OTTER_RECORDING_SUFFIX) == 0) {
            otter_error("the job '%s' has a rank that is not complete, '%s': wait for the job's "
                        "end, or recover the rank; to read the others: otter merge",
                        path, job->items[i]);
            return true;
        }
    }
    return false;
}

static bool merge(const char *path)
{
    char *paths[] = {strdup(path)};
    struct otter_merge_request request = {.paths = paths, .n_paths = 1};
    struct otter_merge_result result;
    struct otter_complaint complaint;
    bool is_merged = paths[0] && otter_merge(&request, &result, &complaint) == OTTER_OK;
    if (is_merged) {
        otter_note("merged %zu ranks of '%s'", result.n_ranks, path);
        free(result.archive);
    } else {
        otter_error("%s", paths[0] ? complaint.text : "not enough memory");
    }
    free(paths[0]);
    return is_merged;
}

bool otter_prepare_job(const char *path)
{
    struct otter_job_folder job;
    struct stat about;
    char *anchor = otter_path("%s/traces.otf2", path);
    bool is_archive = !anchor || stat(anchor, &about) == 0;
    free(anchor);
    if (is_archive || !otter_job_folder_read(&job, path)) {
        return true;
    }
    bool is_job = job.n > 0 && otter_job_folder_has_ranks(&job);
    bool is_ready = !is_job || (!is_unfinished(&job, path) && merge(path));
    otter_job_folder_free(&job);
    return is_ready;
}
