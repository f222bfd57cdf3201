// Operations on the paths of a recording.
#include "recording/paths.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/schema.h"

void otter_paths_remove_file(char *path)
{
    if (path) {
        unlink(path);
    }
    free(path);
}

void otter_paths_remove_folder(char *path)
{
    if (path) {
        rmdir(path);
    }
    free(path);
}

bool otter_paths_exists(char *path)
{
    bool is_found = path && access(path, F_OK) == 0;
    free(path);
    return is_found;
}

bool otter_paths_is_link(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0 && S_ISLNK(about.st_mode);
}

bool otter_paths_is_recording(const char *path)
{
    size_t n = strlen(OTTER_RECORDING_SUFFIX), length = strlen(path);
    return length > n && strcmp(path + length - n, OTTER_RECORDING_SUFFIX) == 0;
}

enum otter_status otter_paths_own_failure(int error)
{
    enum otter_status status = otter_status_from_errno(error);
    bool is_name =
        status == OTTER_NOT_FOUND || status == OTTER_NOT_FOLDER || status == OTTER_EXISTS;
    return is_name ? OTTER_IO : status;
}
