// Merges the folder of a job when a command reads it.
#include "cli/request/job.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/log.h"
#include "base/path.h"
#include "base/text/print.h"
#include "base/text/visible.h"
#include "report/ranks/rank_ranges.h"
#include "merge/job_folder.h"
#include "merge/merge.h"
#include "merge/sources.h"
#include "recording/paths.h"
#include "trace/schema.h"

// Contents of the folder of a job.
struct state {
    bool has_archive; // merged, or of one process
    bool needs_merge; // a rank that can be read is missing from the merged archive
    bool lacks_ranks; // ranks of the job are missing from the merged archive
};

static bool has_complete_rank(const struct otter_job_folder *job)
{
    uint32_t i = 0;
    while (i < job->n && otter_paths_is_recording(job->items[i])) {
        i++;
    }
    return i < job->n;
}

// Returns the path of a process that has not completed its archive, or NULL.
static const char *find_unfinished(const struct otter_job_folder *job)
{
    for (uint32_t i = 0; i < job->n; i++) {
        if (otter_paths_is_recording(job->items[i])) {
            return job->items[i];
        }
    }
    return NULL;
}

static int by_number(const void *key, const void *rank)
{
    unsigned long number = *(const unsigned long *)key;
    uint32_t other = ((const struct otter_rank *)rank)->number;
    return (number > other) - (number < other);
}

static bool has_rank(const struct otter_definitions *definitions, unsigned long number)
{
    return bsearch(&number, definitions->ranks, definitions->n_ranks, sizeof *definitions->ranks,
                   by_number) != NULL;
}

// Returns whether the folder has the archive of a rank that the merged archive lacks.
static bool has_new_rank(const struct otter_job_folder *job,
                         const struct otter_definitions *definitions)
{
    size_t n = strlen(OTTER_RANK_PREFIX);
    for (uint32_t i = 0; i < job->n; i++) {
        const char *name = otter_path_file(job->items[i]);
        if (strncmp(name, OTTER_RANK_PREFIX, n) == 0 && !otter_paths_is_recording(name) &&
            !has_rank(definitions, strtoul(name + n, NULL, 10)) &&
            otter_merge_is_source(job->items[i])) {
            return true;
        }
    }
    return false;
}

// Compares the merged archive with the folder. If an archive cannot be read, the command will
// complain later.
static void read_archive(struct state *state, const char *path, const struct otter_job_folder *job)
{
    struct otter_archive *archive;
    struct otter_complaint complaint;
    if (otter_archive_open_definitions(path, &archive, &complaint)) {
        return;
    }
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    if (definitions->n_ranks > 0) {
        state->lacks_ranks = otter_archive_number(archive, "OTTER::RANKS") > definitions->n_ranks;
        state->needs_merge = !find_unfinished(job) && has_new_rank(job, definitions);
    }
    otter_archive_close(archive);
}

static struct state read_state(const char *path, const struct otter_job_folder *job)
{
    struct state state = {.needs_merge = false};
    struct stat about;
    char *anchor = otter_path("%s/traces.otf2", path);
    state.has_archive = !anchor || stat(anchor, &about) == 0;
    free(anchor);
    if (!state.has_archive) {
        state.needs_merge = true;
    } else {
        read_archive(&state, path, job);
    }
    return state;
}

void otter_warn_of_missing_ranks(const char *path)
{
    struct otter_archive *archive;
    struct otter_complaint complaint;
    char missing[OTTER_MISSING_RANKS];
    if (otter_archive_open_definitions(path, &archive, &complaint)) {
        return;
    }
    uint64_t n_all = otter_archive_number(archive, "OTTER::RANKS");
    uint64_t n = otter_missing_ranks(missing, otter_archive_definitions(archive), n_all);
    if (n > 0) {
        otter_warning("'%s' lacks %" PRIu64 " of the job's %" PRIu64 " ranks: %s", path, n, n_all,
                      missing);
    }
    otter_archive_close(archive);
}

// After a failure, a merged archive without the new ranks remains readable.
static bool merge(const char *path, bool has_archive)
{
    char *paths[] = {strdup(path)};
    struct otter_merge_request request = {.paths = paths, .n_paths = 1};
    struct otter_merge_result result;
    struct otter_complaint complaint;
    bool is_merged = otter_merge(&request, &result, &complaint) == OTTER_OK;
    if (is_merged) {
        otter_note("merged %zu rank%s of '%s'", result.n_ranks, otter_plural(result.n_ranks), path);
        if (result.n_missing > 0) {
            otter_warn_of_missing_ranks(path);
        }
        free(result.archive);
    } else if (has_archive) {
        otter_warning("the new ranks of '%s' cannot be merged: %s", path, complaint.text);
    } else {
        otter_error("%s", complaint.text);
    }
    free(paths[0]);
    return is_merged || has_archive;
}

static void complain_of_unfinished(const char *path, const char *unfinished, bool has_others)
{
    char *word = otter_visible_word(path);
    if (has_others) {
        otter_error("the job '%s' has a rank that is not complete, '%s': wait for the job's end; "
                    "if it was killed: otter recover %s; to read the others: otter merge %s",
                    path, unfinished, word, word);
    } else {
        otter_error("the job '%s' has no rank that is complete: wait for the job's end; if it was "
                    "killed: otter recover %s",
                    path, word);
    }
    free(word);
}

// While this command waited for the lock, another one may have merged the job.
static bool prepare(const char *path, const struct otter_job_folder *job)
{
    struct state state = read_state(path, job);
    const char *unfinished = find_unfinished(job);
    bool is_ready = true;
    if (!state.has_archive && unfinished) {
        complain_of_unfinished(path, unfinished, has_complete_rank(job));
        return false;
    }
    int lock = state.needs_merge ? otter_job_folder_lock(path) : -1;
    if (state.needs_merge) {
        state = read_state(path, job);
    }
    if (state.needs_merge) {
        is_ready = merge(path, state.has_archive);
    } else if (state.lacks_ranks) {
        otter_warn_of_missing_ranks(path);
    }
    otter_job_folder_unlock(lock);
    return is_ready;
}

static bool prepare_folder(const char *path)
{
    struct otter_job_folder job;
    otter_job_folder_read(&job, path);
    bool is_ready = !otter_job_folder_has_ranks(&job) || prepare(path, &job);
    otter_job_folder_free(&job);
    return is_ready;
}

// "job/rank-3" names a rank of the merged archive, unless it is the folder of the rank's own
// archive. Returns the path of the job, or NULL for another path; the caller frees it.
static char *job_of_rank(const char *path)
{
    struct stat about;
    const char *name = otter_path_file(path);
    bool is_rank = strncmp(name, OTTER_RANK_PREFIX, strlen(OTTER_RANK_PREFIX)) == 0;
    return is_rank && name > path && stat(path, &about) != 0 ? otter_path_folder(path) : NULL;
}

bool otter_prepare_job(const char *path)
{
    char *job = job_of_rank(path);
    bool is_ready = prepare_folder(job ? job : path);
    free(job);
    return is_ready;
}
