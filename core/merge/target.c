// The folder of the merged archive: written beside its place, then moved there.
#include "merge/target.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"

// The anchor first: without it, the rest is no archive.
static const char *const parts[] = {"traces.otf2", "traces.marker", "traces.def", "traces"};
enum { N_PARTS = sizeof parts / sizeof *parts };

enum otter_status otter_merge_target_open(struct otter_merge_target *target, const char *path,
                                          bool is_job)
{
    struct stat about;
    *target =
        (struct otter_merge_target){.path = otter_path_without_slashes(path), .is_job = is_job};
    char *parent = target->path ? otter_path_folder(target->path) : NULL;
    target->temporary =
        parent ? otter_path("%s/.otter-merge-XXXXXX", is_job ? target->path : parent) : NULL;
    target->folder = NULL;
    free(parent);
    if (!target->temporary) {
        return OTTER_NO_MEMORY;
    }
    if (!is_job && lstat(target->path, &about) == 0) {
        return OTTER_EXISTS;
    }
    if (!mkdtemp(target->temporary)) {
        enum otter_status status = otter_status_from_errno(errno);
        free(target->temporary);
        target->temporary = NULL;
        return status;
    }
    target->folder = otter_path("%s/archive", target->temporary);
    return target->folder ? OTTER_OK : OTTER_NO_MEMORY;
}

static enum otter_status copy_file(const char *from, const char *to)
{
    struct stat about;
    if (stat(from, &about) < 0) {
        return otter_status_from_errno(errno);
    }
    return otter_status_from_errno(otter_file_copy(from, to, (uint64_t)about.st_size));
}

// Whether link() fails where a copy may succeed: other file systems, files of others, file systems
// without links.
static bool needs_copy(int error)
{
    return error == EXDEV || error == EPERM || error == EOPNOTSUPP || error == EMLINK;
}

enum otter_status otter_merge_target_add(const struct otter_merge_target *target, const char *from,
                                         uint64_t to, bool copies, bool *has_copied)
{
    char *path = otter_path("%s/traces/%" PRIu64 ".evt", target->folder, to);
    if (!path) {
        return OTTER_NO_MEMORY;
    }
    enum otter_status status = OTTER_OK;
    int error = copies || *has_copied ? EXDEV : link(from, path) < 0 ? errno : 0;
    if (needs_copy(error)) {
        *has_copied |= !copies;
        status = copy_file(from, path);
    } else {
        status = otter_status_from_errno(error);
    }
    free(path);
    return status;
}

static bool is_part_of_archive(const char *name)
{
    size_t n = strspn(name, "0123456789");
    return n > 0 && (strcmp(name + n, ".evt") == 0 || strcmp(name + n, ".def") == 0);
}

// Removes the files of locations, and the folder if nothing else is in it.
static void remove_locations(const char *folder)
{
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        if (is_part_of_archive(entry->d_name)) {
            unlinkat(dirfd(entries), entry->d_name, 0);
        }
    }
    if (entries) {
        closedir(entries);
    }
    rmdir(folder);
}

static void remove_archive(const char *folder)
{
    for (int i = 0; i < N_PARTS; i++) {
        char *path = otter_path("%s/%s", folder, parts[i]);
        if (path && i == N_PARTS - 1) {
            remove_locations(path);
        } else if (path) {
            unlink(path);
        }
        free(path);
    }
}

static enum otter_status move_part(const struct otter_merge_target *target, const char *part)
{
    char *from = otter_path("%s/%s", target->folder, part);
    char *to = otter_path("%s/%s", target->path, part);
    enum otter_status status = OTTER_NO_MEMORY;
    if (from && to) {
        status = rename(from, to) < 0 && errno != ENOENT ? otter_status_from_errno(errno)
                                                         : OTTER_OK; // there may be no markers
    }
    free(from);
    free(to);
    return status;
}

enum otter_status otter_merge_target_publish(const struct otter_merge_target *target)
{
    struct stat about;
    if (!target->is_job) {
        if (lstat(target->path, &about) == 0) { // rename() would replace an empty folder
            return OTTER_EXISTS;
        }
        return rename(target->folder, target->path) < 0 ? otter_status_from_errno(errno) : OTTER_OK;
    }
    remove_archive(target->path);
    enum otter_status status = OTTER_OK;
    for (int i = N_PARTS - 1; i >= 0 && !status; i--) {
        status = move_part(target, parts[i]);
    }
    return status;
}

void otter_merge_target_close(struct otter_merge_target *target)
{
    if (target->folder) {
        remove_archive(target->folder);
        rmdir(target->folder);
    }
    if (target->temporary) {
        rmdir(target->temporary);
    }
    free(target->path);
    free(target->temporary);
    free(target->folder);
    *target = (struct otter_merge_target){.path = NULL};
}
