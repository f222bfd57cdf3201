// A file that appears complete or not at all: written beside its path, then renamed.
#pragma once

#include <stdio.h>

// All zero: no file.
struct otter_new_file {
    char *path;      // as the user named it, but for links; NULL: standard output
    char *temporary; // NULL: written at `path`, which is a pipe or a device, or already renamed
    FILE *stream;    // for the caller's writes; NULL: closed
    char *buffer;    // of the stream; NULL: the stream allocates a smaller one
};

// Opens a file for `path`; "-" is standard output. A dangling link, or a link of another user, is
// replaced; a pipe or a device, such as /dev/stdout, is written directly.
// Returns 0 or errno. In both cases the caller calls otter_new_file_finish.
int otter_new_file_open(struct otter_new_file *file, const char *path);

// Flushes and closes the file. Returns 0 or the errno of the first write that failed.
int otter_new_file_close(struct otter_new_file *file);

// Renames a closed file to its path. Returns 0 or errno.
int otter_new_file_publish(struct otter_new_file *file);

// Closes the file, removes it unless it was published, and frees the paths.
void otter_new_file_finish(struct otter_new_file *file);
