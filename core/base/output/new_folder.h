// A folder that appears complete or not at all: it is filled under a temporary name, then renamed.
#pragma once

#include <stdbool.h>

// All zero: no folder.
struct otter_new_folder {
    char *path;      // path that the user named, without slashes at its end
    char *temporary; // the caller adds files here; NULL: already renamed
    bool has_lock;
    int lock; // descriptor that locks `temporary`
    unsigned unfinished;
};

// Returns whether the folder at the path may be replaced: it is empty, or an earlier export wrote
// it.
typedef bool otter_replaceable_function(const char *path);

// Creates an empty folder in the parent folder of `path`, with the mode of the folder that it
// replaces. Returns 0 or errno; EEXIST: a file or folder exists that must not be replaced;
// OTTER_INSIDE_ARCHIVE as for otter_new_file_open. In both cases the caller calls
// otter_new_folder_finish.
int otter_new_folder_create(struct otter_new_folder *folder, const char *path,
                            otter_replaceable_function *is_replaceable);

// Renames the folder to its path, and removes the folder that was there. Returns 0 or errno.
int otter_new_folder_publish(struct otter_new_folder *folder);

// Removes the folder unless it was published, and frees the paths.
void otter_new_folder_finish(struct otter_new_folder *folder);

// Called for each file or folder with its path, its depth below the root and its own name. Returns
// false to stop.
typedef bool otter_tree_function(const char *path, unsigned depth, const char *name,
                                 bool is_folder);

// Calls `use` for all files and folders below `path`, folders after their contents. Does not follow
// links. Returns false if `use` returned false, or a folder cannot be read.
bool otter_tree_each(const char *path, otter_tree_function *use);
