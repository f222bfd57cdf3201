// The folder of the merged archive: it is written elsewhere in the same parent folder, then moved
// to its path.
#include "merge/target.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/free.h"
#include "base/file.h"
#include "base/path.h"
#include "base/output/unfinished.h"
#include "merge/temporary.h"

// Removes the anchor first, since without it the rest is not an archive.
static const char *const parts[] = {"traces.otf2", "traces.marker", "traces.def", "traces"};
enum { N_PARTS = sizeof parts / sizeof *parts };

enum otter_status otter_merge_target_open(struct otter_merge_target *target, const char *path,
                                          bool is_job)
{
    struct stat about;
    *target =
        (struct otter_merge_target){.path = otter_path_without_slashes(path), .is_job = is_job};
    target->lock = -1;
    target->parent = is_job ? strdup(target->path) : otter_path_folder(target->path);
    if (!is_job && lstat(target->path, &about) == 0) {
        return OTTER_EXISTS;
    }
    target->temporary = otter_merge_temporary_create(target->parent, &target->lock);
    if (!target->temporary) {
        return otter_status_from_errno(errno);
    }
    target->unfinished = otter_unfinished_add(target->temporary);
    target->folder = otter_path("%s/" OTTER_MERGE_ARCHIVE, target->temporary);
    return OTTER_OK;
}

static enum otter_status copy_file(const char *from, const char *to)
{
    struct stat about;
    if (stat(from, &about) < 0) {
        return otter_status_from_errno(errno);
    }
    return otter_status_from_errno(otter_file_copy(from, to, (uint64_t)about.st_size));
}

// Returns whether a copy may succeed where link() failed: on other file systems, with files of
// other users, or without support for links.
static bool needs_copy(int error)
{
    return error == EXDEV || error == EPERM || error == EOPNOTSUPP || error == EMLINK;
}

enum otter_status otter_merge_target_add(const struct otter_merge_target *target, const char *from,
                                         uint64_t to, bool copies, bool *has_copied)
{
    char *path = otter_path("%s/traces/%" PRIu64 ".evt", target->folder, to);
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

void otter_merge_remove_archive(const char *folder)
{
    for (int i = 0; i < N_PARTS; i++) {
        char *path = otter_path("%s/%s", folder, parts[i]);
        if (i == N_PARTS - 1) {
            remove_locations(path);
        } else {
            unlink(path);
        }
        free(path);
    }
}

// Moves a part, which may be missing: not every archive has markers, and there may be no earlier
// archive. Allocates nothing, since a failed allocation would end the command between two moves.
static enum otter_status move_part(const char *from, const char *to, const char *part)
{
    char old[PATH_MAX], new[PATH_MAX];
    if (snprintf(old, sizeof old, "%s/%s", from, part) >= PATH_MAX ||
        snprintf(new, sizeof new, "%s/%s", to, part) >= PATH_MAX) {
        return otter_status_from_errno(ENAMETOOLONG);
    }
    return rename(old, new) < 0 && errno != ENOENT ? otter_status_from_errno(errno) : OTTER_OK;
}

// Moves the anchor first, so that no anchor is ever without the rest. After a failure, nothing has
// moved.
static enum otter_status move_away(const char *from, const char *to)
{
    enum otter_status status = OTTER_OK;
    int n = 0;
    while (n < N_PARTS && !(status = move_part(from, to, parts[n]))) {
        n++;
    }
    while (status && n-- > 0) {
        move_part(to, from, parts[n]);
    }
    return status;
}

// Moves all parts, the anchor last. After a failure, moves the parts back where possible.
static enum otter_status move_in(const char *from, const char *to)
{
    enum otter_status status = OTTER_OK;
    int n = N_PARTS;
    while (n > 0 && !(status = move_part(from, to, parts[n - 1]))) {
        n--;
    }
    for (; status && n < N_PARTS; n++) {
        move_part(to, from, parts[n]);
    }
    return status;
}

// Files that do not belong to the archive remain in the folder `traces`. *Returns* false if one
// could not be moved. `others` is the earlier folder, or NULL. Allocates nothing, since a failed
// allocation would remove these files with the temporary folder.
static bool keep_others(DIR *others, const char *traces)
{
    char path[PATH_MAX];
    bool is_good = true;
    for (struct dirent *entry; others && (entry = readdir(others));) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && !is_part_of_archive(name)) {
            is_good &= snprintf(path, sizeof path, "%s/%s", traces, name) < PATH_MAX &&
                       renameat(dirfd(others), name, AT_FDCWD, path) == 0;
        }
    }
    return is_good;
}

// The earlier archive waits in the temporary folder until the new one is complete.
static enum otter_status replace(struct otter_merge_target *target)
{
    char *old = otter_path("%s/" OTTER_MERGE_OLD, target->temporary);
    char *traces = otter_path("%s/traces", target->path);
    DIR *others = opendir(traces);
    enum otter_status status = mkdir(old, 0700) < 0 ? otter_status_from_errno(errno) : OTTER_OK;
    OTTER_THEN(status, move_away(target->path, old));
    if (!status) {
        status = move_in(target->folder, target->path);
        if (status ? move_in(old, target->path) != OTTER_OK : !keep_others(others, traces)) {
            // What could not be moved stays, even if a later allocation fails.
            otter_unfinished_forget(target->unfinished);
            target->unfinished = 0;
        }
        if (!status) {
            otter_merge_remove_archive(old);
        }
    }
    rmdir(old);
    if (others) {
        closedir(others);
    }
    OTTER_FREE(old, traces);
    return status;
}

enum otter_status otter_merge_target_publish(struct otter_merge_target *target)
{
    struct stat about;
    otter_unfinished_hold(); // the folder may contain an earlier archive until it is closed
    if (target->is_job) {
        return replace(target);
    }
    if (lstat(target->path, &about) == 0) { // rename() would replace an empty folder
        return OTTER_EXISTS;
    }
    return rename(target->folder, target->path) < 0 ? otter_status_from_errno(errno) : OTTER_OK;
}

void otter_merge_target_close(struct otter_merge_target *target)
{
    if (target->folder) {
        otter_merge_remove_archive(target->folder);
        rmdir(target->folder);
    }
    if (target->temporary) {
        rmdir(target->temporary);
    }
    otter_unfinished_forget(target->unfinished);
    otter_unfinished_release();
    if (target->lock >= 0) {
        close(target->lock);
    }
    OTTER_FREE(target->path, target->parent, target->temporary, target->folder);
    *target = (struct otter_merge_target){.lock = -1};
}
