// Writes files for the user, each complete or not at all.
#include "base/output/new_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "base/output/protected.h"
#include "base/output/unfinished.h"

enum { BUFFER_SIZE = 1 << 18, MAX_TRIES = 10 };

const char *otter_new_file_error(int error)
{
    return error == OTTER_INSIDE_ARCHIVE
               ? "it would be inside the archive that is being read; name a file elsewhere"
               : strerror(error);
}

// Returns the target of a link, so that the link itself is not replaced; a dangling link is
// returned as it is. NULL if out of memory.
static char *follow_links(const char *path)
{
    char *real = realpath(path, NULL);
    return real || errno == ENOMEM ? real : strdup(path);
}

// Returns whether another user made the link: in a folder that all may write to, such a link may
// point to a file of ours.
static bool is_link_of_others(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISLNK(info.st_mode) && info.st_uid != geteuid() &&
           info.st_uid != 0;
}

static int choose_temporary(struct otter_new_file *file)
{
    file->temporary = otter_path("%s.%ld.part", file->path, (long)getpid());
    return file->temporary ? 0 : ENOMEM;
}

// Sets the paths. Returns 0 or errno.
static int choose_paths(struct otter_new_file *file, const char *path)
{
    struct stat info;
    bool is_replaced = is_link_of_others(path);
    file->path = is_replaced ? strdup(path) : follow_links(path);
    if (!file->path) {
        return ENOMEM;
    }
    if (otter_protected_has(file->path)) {
        return OTTER_INSIDE_ARCHIVE;
    }
    bool is_there = !is_replaced && stat(file->path, &info) == 0;
    if (is_there && S_ISDIR(info.st_mode)) {
        return EISDIR;
    }
    if (is_there && access(file->path, W_OK) != 0) {
        return errno;
    }
    return is_there && !S_ISREG(info.st_mode) ? 0 : choose_temporary(file);
}

static void drop_lock(struct otter_new_file *file)
{
    if (file->has_lock) {
        close(file->lock);
    }
    file->has_lock = false;
}

// Creates a new file. Removes an existing file or link of this name: another user made it, or an
// earlier process with our process id left it.
static FILE *create(struct otter_new_file *file)
{
    bool is_lost = true;
    FILE *stream = NULL;
    for (int i = 0; i < MAX_TRIES && is_lost; i++) {
        unlink(file->temporary);
        stream = fopen(file->temporary, "wxe");
        if (!stream) {
            return NULL;
        }
        file->lock = otter_unfinished_lock(file->temporary, &is_lost);
        file->has_lock = file->lock >= 0;
        if (is_lost) { // another process removed the file, as a leftover
            drop_lock(file);
            fclose(stream);
            stream = NULL;
            errno = EAGAIN;
        }
    }
    return stream;
}

static FILE *create_temporary(struct otter_new_file *file)
{
    struct stat about;
    otter_unfinished_remove_leftovers(file->path);
    file->unfinished = otter_unfinished_add(file->temporary);
    FILE *stream = create(file);
    if (stream && stat(file->path, &about) == 0 &&
        fchmod(fileno(stream), about.st_mode & 0777) != 0) {
        fclose(stream);
        return NULL;
    }
    return stream;
}

// Opens standard output a second time, so that the caller can close the stream.
static FILE *open_stdout(void)
{
    int copy = fflush(stdout) == 0 ? dup(STDOUT_FILENO) : -1;
    FILE *stream = copy >= 0 ? fdopen(copy, "w") : NULL;
    if (copy >= 0 && !stream) {
        close(copy);
    }
    return stream;
}

int otter_new_file_open(struct otter_new_file *file, const char *path)
{
    *file = (struct otter_new_file){0};
    bool is_stdout = strcmp(path, "-") == 0;
    int error = is_stdout ? 0 : choose_paths(file, path);
    if (error) {
        free(file->temporary);
        file->temporary = NULL;
        return error;
    }
    file->stream = is_stdout         ? open_stdout()
                   : file->temporary ? create_temporary(file)
                                     : fopen(file->path, "we");
    if (!file->stream) {
        return errno;
    }
    file->buffer = malloc(BUFFER_SIZE);
    if (file->buffer) {
        setvbuf(file->stream, file->buffer, _IOFBF, BUFFER_SIZE);
    }
    errno = 0;
    return 0;
}

int otter_new_file_close(struct otter_new_file *file)
{
    bool has_failed = fflush(file->stream) != 0 || ferror(file->stream);
    int error = errno;
    if (fclose(file->stream) != 0 && !has_failed) {
        has_failed = true;
        error = errno;
    }
    file->stream = NULL;
    return has_failed ? (error ? error : EIO) : 0;
}

int otter_new_file_publish(struct otter_new_file *file)
{
    if (!file->temporary) {
        return 0;
    }
    if (rename(file->temporary, file->path) != 0) {
        return errno;
    }
    free(file->temporary);
    file->temporary = NULL;
    otter_unfinished_forget(file->unfinished);
    file->unfinished = 0;
    return 0;
}

void otter_new_file_finish(struct otter_new_file *file)
{
    if (file->stream) {
        fclose(file->stream);
    }
    if (file->temporary) {
        unlink(file->temporary);
    }
    drop_lock(file);
    otter_unfinished_forget(file->unfinished);
    free(file->buffer);
    free(file->temporary);
    free(file->path);
    *file = (struct otter_new_file){0};
}
