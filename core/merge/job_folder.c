// Lists the archives and recordings in the folder of a job.
#include "merge/job_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/order.h"
#include "base/path.h"
#include "trace/schema.h"

static bool has_file(const char *folder, const char *name)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    return length < PATH_MAX && access(path, F_OK) == 0;
}

// Returns whether `path` is an archive or a recording.
static bool is_source(const char *path)
{
    return has_file(path, "traces.otf2") || has_file(path, "journal");
}

static void add(struct otter_job_folder *job, const char *folder, const char *name)
{
    char *path = otter_path("%s/%s", folder, name);
    if (is_source(path)) {
        OTTER_VECTOR_APPEND(job, path);
    } else {
        free(path);
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void otter_job_folder_read(struct otter_job_folder *job, const char *path)
{
    *job = (struct otter_job_folder){.n = 0};
    char *folder = otter_path_without_slashes(path);
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        if (entry->d_name[0] != '.') {
            add(job, folder, entry->d_name);
        }
    }
    if (entries) {
        closedir(entries);
    }
    free(folder);
    OTTER_SORT(job, by_name);
}

bool otter_job_folder_has_ranks(const struct otter_job_folder *job)
{
    for (uint32_t i = 0; i < job->n; i++) {
        const char *name = otter_path_file(job->items[i]);
        if (strncmp(name, OTTER_RANK_PREFIX, strlen(OTTER_RANK_PREFIX)) == 0) {
            return true;
        }
    }
    return false;
}

int otter_job_folder_lock(const char *path)
{
    int lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock >= 0 && flock(lock, LOCK_EX) < 0) {
        close(lock);
        lock = -1;
    }
    return lock;
}

void otter_job_folder_unlock(int lock)
{
    if (lock >= 0) {
        close(lock);
    }
}

void otter_job_folder_free(struct otter_job_folder *job)
{
    for (uint32_t i = 0; i < job->n; i++) {
        free(job->items[i]);
    }
    free(job->items);
    *job = (struct otter_job_folder){.n = 0};
}
