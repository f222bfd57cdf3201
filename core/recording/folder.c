// The folder of a recording: its reserve of disk space, and its removal.
#include "recording/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "recording/paths.h"
#include "recording/switch_log.h"
#include "trace/event_chunk.h"
#include "trace/schema.h"

// Enough for definitions and one chunk, since a location's chunk is removed once it has been
// appended.
enum { RESERVE_SIZE = 768 * 1024, MAX_CHUNK = 16 * 1024 * 1024 }; // bytes

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
    otter_switch_log_remove(recording);
    otter_paths_remove_file(otter_path("%s/journal", recording));
    otter_paths_remove_folder(otter_path("%s/events", recording));
    rmdir(recording);
}

static bool has_ending(const char *name, const char *ending)
{
    const char *found = strrchr(name, '.');
    return found && strcmp(found, ending) == 0;
}

// Reads the file, and returns whether it is a chunk without an event.
static bool is_read_empty(int file, uint8_t *bytes, size_t size)
{
    uint64_t n_events = 0, time = 0;
    size_t n_read = 0;
    int error = otter_file_read(file, bytes, size, 0, &n_read);
    otter_event_chunk_used(bytes, n_read, &n_events, &time);
    return !error && n_events == 0;
}

// Returns whether the file is a chunk without an event. A file that cannot be read may have events.
static bool is_empty_chunk(const char *path)
{
    struct stat about;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (file < 0) {
        return false;
    }
    bool is_chunk =
        fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size <= MAX_CHUNK;
    uint8_t *bytes = is_chunk ? malloc((size_t)about.st_size + 1) : NULL;
    bool is_empty = bytes && is_read_empty(file, bytes, (size_t)about.st_size);
    free(bytes);
    close(file);
    return is_empty;
}

// Calls `visit` for each file that may have events until it returns true. Returns the last result,
// or true if the folder cannot be read.
static bool any_event_file(const char *events, bool (*visit)(const char *path, const char *name))
{
    DIR *folder = opendir(events);
    bool is_found = !folder && errno != ENOENT;
    for (struct dirent *entry; folder && !is_found && (entry = readdir(folder));) {
        char *path = otter_path("%s/%s", events, entry->d_name);
        is_found = !path || visit(path, entry->d_name);
        free(path);
    }
    if (folder) {
        closedir(folder);
    }
    return is_found;
}

static bool has_events(const char *path, const char *name)
{
    return has_ending(name, ".evt") || has_ending(name, ".rest") ||
           (has_ending(name, ".chunk") && !is_empty_chunk(path));
}

bool otter_recording_has_events(const char *events)
{
    return any_event_file(events, has_events);
}

static bool remove_if_empty(const char *path, const char *name)
{
    if (has_ending(name, ".chunk") && is_empty_chunk(path)) {
        unlink(path);
    }
    return false;
}

void otter_recording_remove_empty_chunks(const char *events)
{
    any_event_file(events, remove_if_empty);
}

enum otter_status otter_recording_remove_rest(const char *recording, const char *folder)
{
    char *events = otter_path("%s/events", recording);
    if (!events) {
        return OTTER_NO_MEMORY;
    }
    bool is_rest = otter_paths_exists(otter_path("%s/traces.otf2", folder)) &&
                   !otter_paths_exists(otter_path("%s/archive", recording));
    if (is_rest) {
        otter_recording_remove_empty_chunks(events);
        is_rest = rmdir(events) == 0 || errno == ENOENT;
    }
    free(events);
    if (!is_rest) {
        return OTTER_NOT_FOUND;
    }
    otter_recording_use_reserve(recording);
    otter_paths_remove_file(otter_path("%s/totals", recording));
    otter_switch_log_remove(recording);
    otter_paths_remove_file(otter_path("%s/journal", recording));
    return rmdir(recording) == 0 ? OTTER_OK : otter_status_from_errno(errno);
}

// Returns whether `path` is a folder that contains only the first `n` of `names`.
static bool holds_only(const char *path, size_t n)
{
    static const char *const names[] = {".", "..", "journal", "reserve", "switches", "events"};
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
        events && holds_only(recording, 6) && (access(events, F_OK) < 0 || holds_only(events, 2));
    free(events);
    return is_unbegun;
}

enum otter_status otter_recording_remove_unbegun(const char *recording)
{
    char *events = otter_path("%s/events", recording);
    if (!events) {
        return OTTER_NO_MEMORY;
    }
    if (holds_only(recording, 6)) {
        otter_recording_remove_empty_chunks(events);
    }
    free(events);
    if (!otter_recording_is_unbegun(recording)) {
        return OTTER_EXISTS;
    }
    otter_paths_remove_folder(otter_path("%s/events", recording));
    otter_recording_use_reserve(recording);
    otter_switch_log_remove(recording);
    otter_paths_remove_file(otter_path("%s/journal", recording));
    return rmdir(recording) == 0 ? OTTER_OK : otter_status_from_errno(errno);
}
