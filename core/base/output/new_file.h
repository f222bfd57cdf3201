// A file that appears complete or not at all: it is written under a temporary name, then renamed.
#pragma once

#include <stdbool.h>
#include <stdio.h>

// Returned instead of an errno: the path is in a protected folder (base/output/protected.h).
enum { OTTER_INSIDE_ARCHIVE = -1 };

// Returns the text of errno, or of OTTER_INSIDE_ARCHIVE.
const char *otter_new_file_error(int error);

// All zero: no file.
struct otter_new_file {
    char *path;      // path that the user named, with links resolved; NULL: standard output
    char *temporary; // NULL: written at `path`, a pipe or a device, or already renamed
    FILE *stream;    // stream to which the caller writes; NULL: closed
    char *buffer;    // the stream's buffer; NULL, in the library only: a smaller one
    bool has_lock;
    int lock; // descriptor that locks `temporary`
    unsigned unfinished;
};

// Opens a file for `path`; "-" is standard output. The new file has the mode of the file that it
// replaces. Removes the leftovers of killed commands. A dangling link, or a link of another user,
// is replaced; a pipe or a device, such as /dev/stdout, is written directly. Returns 0, errno or
// OTTER_INSIDE_ARCHIVE. In all cases the caller calls otter_new_file_finish.
int otter_new_file_open(struct otter_new_file *file, const char *path);

// Flushes and closes the file. Returns 0 or the errno of the first write that failed.
int otter_new_file_close(struct otter_new_file *file);

// Renames a closed file to its path. Returns 0 or errno.
int otter_new_file_publish(struct otter_new_file *file);

// Closes the file, removes it unless it was published, and frees the paths.
void otter_new_file_finish(struct otter_new_file *file);
