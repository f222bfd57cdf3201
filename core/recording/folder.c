// The folder of a recording: its reserve of disk space, and its removal.
#include "recording/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "recording/paths.h"
#include "trace/schema.h"

// Enough for definitions and one chunk: a location's chunk is removed when it has been appended.
enum { RESERVE_SIZE = 768 * 1024 }; // bytes

void otter_recording_reserve(const char *recording)
{
    char *path = otter_path("%s/reserve", recording);
    int file = path ? otter_file_open(path, O_WRONLY | O_CREAT | O_EXCL) : -1;
    free(path);
    if (file >= 0) {
        int error = posix_fallocate(file, 0, RESERVE_SIZE);
        (void)error; // after a failure, a full disk leaves the recording unfinished
        close(file);
    }
}

void otter_recording_use_reserve(const char *recording)
{
    otter_paths_remove_file(otter_path("%s/reserve", recording));
}

static void remove_events(const char *recording, uint32_t first, uint32_t n)
{
    for (uint32_t i = first; i < first + n; i++) {
        otter_paths_remove_file(otter_path("%s/events/%" PRIu32 ".evt", recording, i));
        otter_paths_remove_file(otter_path("%s/events/%" PRIu32 ".chunk", recording, i));
    }
}

void otter_recording_discard(const char *recording, uint32_t n_threads)
{
    remove_events(recording, 0, n_threads);
    remove_events(recording, OTTER_FIRST_STREAM, OTTER_MAX_STREAMS);
    otter_recording_use_reserve(recording);
    otter_paths_remove_file(otter_path("%s/totals", recording));
    otter_paths_remove_file(otter_path("%s/journal", recording));
    otter_paths_remove_folder(otter_path("%s/events", recording));
    rmdir(recording);
}

enum otter_status otter_recording_remove_rest(const char *recording, const char *folder)
{
    char *events = otter_path("%s/events", recording);
    if (!events) {
        return OTTER_NO_MEMORY;
    }
    bool is_rest = otter_paths_exists(otter_path("%s/traces.otf2", folder)) &&
                   !otter_paths_exists(otter_path("%s/archive", recording)) &&
                   (rmdir(events) == 0 || errno == ENOENT);
    free(events);
    if (!is_rest) {
        return OTTER_NOT_FOUND;
    }
    otter_recording_use_reserve(recording);
    otter_paths_remove_file(otter_path("%s/totals", recording));
    otter_paths_remove_file(otter_path("%s/journal", recording));
    return rmdir(recording) == 0 ? OTTER_OK : otter_status_from_errno(errno);
}

// Whether `path` is a folder with no other names than the first `n` of `names`.
static bool holds_only(const char *path, size_t n)
{
    static const char *const names[] = {".", "..", "journal", "reserve", "events"};
    DIR *folder = otter_paths_is_link(path) ? NULL : opendir(path);
    bool is_known = folder;
    for (struct dirent *entry; is_known && (entry = readdir(folder));) {
        size_t i = 0;
        while (i < n && strcmp(entry->d_name, names[i]) != 0) {
            i++;
        }
        is_known = i < n;
    }
    if (folder) {
        closedir(folder);
    }
    return is_known;
}

bool otter_recording_is_unbegun(const char *recording)
{
    char *events = otter_path("%s/events", recording);
    bool is_unbegun =
        events && holds_only(recording, 5) && (access(events, F_OK) < 0 || holds_only(events, 2));
    free(events);
    return is_unbegun;
}

enum otter_status otter_recording_remove_unbegun(const char *recording)
{
    if (!otter_recording_is_unbegun(recording)) {
        return OTTER_EXISTS;
    }
    otter_paths_remove_folder(otter_path("%s/events", recording));
    otter_recording_use_reserve(recording);
    otter_paths_remove_file(otter_path("%s/journal", recording));
    return rmdir(recording) == 0 ? OTTER_OK : otter_status_from_errno(errno);
}
