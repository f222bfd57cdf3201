// Writes folders for the user, each complete or not at all.
#include "base/output/new_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output/new_file.h"
#include "base/path.h"
#include "base/output/protected.h"
#include "base/output/unfinished.h"

// ---- trees

static bool each_below(const char *path, unsigned depth, otter_tree_function *use);

static bool use_entry(const char *path, unsigned depth, const char *name, otter_tree_function *use)
{
    struct stat info;
    if (lstat(path, &info) != 0) {
        return false;
    }
    bool is_folder = S_ISDIR(info.st_mode);
    return (!is_folder || each_below(path, depth + 1, use)) && use(path, depth, name, is_folder);
}

static bool each_below(const char *path, unsigned depth, otter_tree_function *use)
{
    DIR *folder = opendir(path);
    bool is_good = folder != NULL;
    for (struct dirent *entry; is_good && (entry = readdir(folder)) != NULL;) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            char *inner = otter_path("%s/%s", path, entry->d_name);
            is_good = inner && use_entry(inner, depth, entry->d_name, use);
            free(inner);
        }
    }
    if (folder) {
        closedir(folder);
    }
    return is_good;
}

bool otter_tree_each(const char *path, otter_tree_function *use)
{
    return each_below(path, 0, use);
}

// ---- the folder

int otter_new_folder_create(struct otter_new_folder *folder, const char *path,
                            otter_replaceable_function *is_replaceable)
{
    struct stat info;
    *folder = (struct otter_new_folder){.path = otter_path_without_slashes(path)};
    if (!folder->path) {
        return ENOMEM;
    }
    if (otter_protected_has(folder->path)) {
        return OTTER_INSIDE_ARCHIVE;
    }
    bool is_there = lstat(folder->path, &info) == 0;
    if (is_there && (!S_ISDIR(info.st_mode) || !is_replaceable(folder->path))) {
        return EEXIST;
    }
    char *temporary = otter_path("%s.%ld.part", folder->path, (long)getpid());
    if (!temporary) {
        return ENOMEM;
    }
    otter_unfinished_remove_leftovers(folder->path);
    if (mkdir(temporary, 0777) != 0) {
        int error = errno;
        free(temporary);
        return error;
    }
    bool is_lost;
    folder->unfinished = otter_unfinished_add(temporary);
    folder->lock = otter_unfinished_lock(temporary, &is_lost);
    folder->has_lock = folder->lock >= 0;
    folder->temporary = temporary;
    return is_lost ? EAGAIN : 0;
}

// Replaces a folder that has files; rename() can replace only an empty folder. Returns 0 or errno.
static int exchange(struct otter_new_folder *folder)
{
    char *old = otter_path("%s.%ld.old", folder->path, (long)getpid());
    if (!old) {
        return ENOMEM;
    }
    int error = rename(folder->path, old) != 0 ? errno : 0;
    if (!error && rename(folder->temporary, folder->path) != 0) {
        error = errno;
        rename(old, folder->path);
    } else if (!error) {
        otter_tree_remove(old);
    }
    free(old);
    return error;
}

// The new folder gets the permissions of the folder that it replaces.
static int keep_mode(const struct otter_new_folder *folder)
{
    struct stat info;
    bool is_there = lstat(folder->path, &info) == 0;
    return is_there && chmod(folder->temporary, info.st_mode & 0777) != 0 ? errno : 0;
}

int otter_new_folder_publish(struct otter_new_folder *folder)
{
    int error = keep_mode(folder);
    if (error) {
        return error;
    }
    otter_unfinished_hold();
    error = rename(folder->temporary, folder->path) != 0 ? errno : 0;
    if (error == ENOTEMPTY || error == EEXIST) {
        error = exchange(folder);
    }
    if (!error) {
        free(folder->temporary);
        folder->temporary = NULL;
        otter_unfinished_forget(folder->unfinished);
        folder->unfinished = 0;
    }
    otter_unfinished_release();
    return error;
}

void otter_new_folder_finish(struct otter_new_folder *folder)
{
    if (folder->temporary) {
        otter_tree_remove(folder->temporary);
    }
    if (folder->has_lock) {
        close(folder->lock);
    }
    otter_unfinished_forget(folder->unfinished);
    free(folder->temporary);
    free(folder->path);
    *folder = (struct otter_new_folder){0};
}
