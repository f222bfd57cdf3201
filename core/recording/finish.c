#include "recording/finish.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "trace/write/archive.h"
#include "recording/definitions.h"
#include "recording/event_file.h"
#include "trace/schema.h"
#include "trace/write/silent.h"
#include "recording/task_numbers.h"

// Enough for definitions and for one chunk: each location's own chunk is given back when it has been appended.
enum { RESERVE_SIZE = 768 * 1024 };

struct finish {
    char *events;         // folder of the recording's event files
    char *archive_folder; // until it is published
    char *journal;
    struct otter_journal_definitions definitions;
    uint64_t *n_events; // of each location
    uint64_t last_time;
    struct otter_finish_result *result;
};

void otter_finish_reserve(const char *recording)
{
    char *path = otter_path("%s/reserve", recording);
    int file = path ? otter_file_open(path, O_WRONLY | O_CREAT | O_EXCL) : -1;
    free(path);
    if (file >= 0) {
        int error = posix_fallocate(file, 0, RESERVE_SIZE);
        (void)error; // then a full disk will leave the recording unfinished
        close(file);
    }
}

static enum otter_status seal(struct finish *finish, size_t location)
{
    uint64_t last_time = 0;
    uint32_t id = otter_definitions_recorded_id(&finish->definitions, location);
    enum otter_status status =
        otter_event_file_seal(finish->events, id, finish->definitions.chunk_size,
                              &finish->n_events[location], &last_time);
    finish->last_time = last_time > finish->last_time ? last_time : finish->last_time;
    finish->result->n_events += finish->n_events[location];
    return status == OTTER_NOT_FOUND ? OTTER_OK : status;
}

// Of whichever thread or stream. A folder that cannot be read may have some.
static bool has_event_files(const char *events)
{
    DIR *folder = opendir(events);
    bool has_any = !folder && errno != ENOENT;
    for (struct dirent *entry; folder && !has_any && (entry = readdir(folder));) {
        const char *ending = strrchr(entry->d_name, '.');
        has_any = ending && (strcmp(ending, ".evt") == 0 || strcmp(ending, ".chunk") == 0);
    }
    if (folder) {
        closedir(folder);
    }
    return has_any;
}

static enum otter_status seal_events(struct finish *finish)
{
    enum otter_status status = OTTER_OK;
    size_t n = otter_definitions_n_locations(&finish->definitions);
    for (size_t i = 0; i < n && !status; i++) {
        status = seal(finish, i);
    }
    bool has_any = finish->result->n_events > 0 || finish->definitions.totals;
    if (status || has_any) {
        return status;
    }
    return has_event_files(finish->events) ? OTTER_BAD_ARCHIVE : OTTER_EMPTY;
}

// What a recorder that ended in good order had recorded and is not there: it could not be saved, or its file was removed.
static void count_missing(struct finish *finish)
{
    struct otter_journal_definitions *definitions = &finish->definitions;
    uint64_t n_found = finish->result->n_events;
    if (definitions->n_recorded > n_found) {
        definitions->n_lost += definitions->n_recorded - n_found;
    }
    // A killed recorder has counted on, and told nobody.
    bool is_losing = !definitions->has_end && *otter_definitions_described(definitions, "LOSING");
    definitions->n_lost += is_losing && definitions->n_lost == 0;
    finish->result->n_lost = definitions->n_lost;
}

// What cannot be closed is left open: that is no reason to have nothing.
static enum otter_status balance(struct finish *finish, size_t location,
                                 struct otter_task_numbers *numbers)
{
    uint64_t n_before = finish->n_events[location];
    if (n_before == 0) {
        return OTTER_OK;
    }
    uint32_t id = otter_definitions_recorded_id(&finish->definitions, location);
    enum otter_status status = otter_event_file_balance(
        finish->events, id, finish->definitions.chunk_size, numbers, &finish->n_events[location]);
    finish->result->n_events += finish->n_events[location] - n_before;
    return status == OTTER_BAD_ARCHIVE ? OTTER_OK : status;
}

static enum otter_status balance_events(struct finish *finish)
{
    struct otter_journal_definitions *definitions = &finish->definitions;
    struct otter_task_numbers *numbers = NULL;
    // A recorder that ended in good order and lost nothing has left nothing open.
    if (definitions->has_end && otter_definitions_are_complete(definitions)) {
        return OTTER_OK;
    }
    enum otter_status status = otter_task_numbers_create(definitions->n_locations, &numbers);
    for (size_t i = 0; i < otter_definitions_n_locations(definitions) && !status; i++) {
        status = balance(finish, i, numbers);
    }
    finish->result->has_tasks = !status;
    finish->result->n_tasks = status ? 0 : otter_task_numbers_created(numbers);
    if (!status && !definitions->has_end) {
        definitions->n_unrecorded = otter_task_numbers_unrecorded(numbers);
    }
    otter_task_numbers_destroy(numbers);
    return status;
}

// ---- an attempt before this one may have been interrupted anywhere

// Within the recording, what is missing or in the way is no matter of names that a caller could choose better.
static enum otter_status own_failure(int error)
{
    enum otter_status status = otter_status_from_errno(error);
    bool is_name =
        status == OTTER_NOT_FOUND || status == OTTER_NOT_FOLDER || status == OTTER_EXISTS;
    return is_name ? OTTER_IO : status;
}

static void remove_file(char *path)
{
    if (path) {
        unlink(path);
    }
    free(path);
}

void otter_finish_use_reserve(const char *recording)
{
    remove_file(otter_path("%s/reserve", recording));
}

static void remove_folder(char *path)
{
    if (path) {
        rmdir(path);
    }
    free(path);
}

static void remove_events(const char *recording, uint32_t first, uint32_t n)
{
    for (uint32_t i = first; i < first + n; i++) {
        remove_file(otter_path("%s/events/%" PRIu32 ".evt", recording, i));
        remove_file(otter_path("%s/events/%" PRIu32 ".chunk", recording, i));
    }
}

void otter_finish_discard(const char *recording, uint32_t n_threads)
{
    remove_events(recording, 0, n_threads);
    remove_events(recording, OTTER_FIRST_STREAM, OTTER_MAX_STREAMS);
    otter_finish_use_reserve(recording);
    remove_file(otter_path("%s/totals", recording));
    remove_file(otter_path("%s/journal", recording));
    remove_folder(otter_path("%s/events", recording));
    rmdir(recording);
}

static bool is_there(char *path)
{
    bool is_found = path && access(path, F_OK) == 0;
    free(path);
    return is_found;
}

enum otter_status otter_finish_remove_rest(const char *recording, const char *folder)
{
    char *events = otter_path("%s/events", recording);
    if (!events) {
        return OTTER_NO_MEMORY;
    }
    bool is_rest = is_there(otter_path("%s/traces.otf2", folder)) &&
                   !is_there(otter_path("%s/archive", recording)) &&
                   (rmdir(events) == 0 || errno == ENOENT);
    free(events);
    if (!is_rest) {
        return OTTER_NOT_FOUND;
    }
    otter_finish_use_reserve(recording);
    remove_file(otter_path("%s/totals", recording));
    remove_file(otter_path("%s/journal", recording));
    return rmdir(recording) == 0 ? OTTER_OK : otter_status_from_errno(errno);
}

static bool is_link(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0 && S_ISLNK(about.st_mode);
}

// Whether `path` is a folder, and all names in it are among the first `n` of these.
static bool holds_only(const char *path, size_t n)
{
    static const char *const names[] = {".", "..", "journal", "reserve", "events"};
    DIR *folder = is_link(path) ? NULL : opendir(path);
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

bool otter_finish_is_unbegun(const char *recording)
{
    char *events = otter_path("%s/events", recording);
    bool is_unbegun =
        events && holds_only(recording, 5) && (access(events, F_OK) < 0 || holds_only(events, 2));
    free(events);
    return is_unbegun;
}

enum otter_status otter_finish_remove_unbegun(const char *recording)
{
    if (!otter_finish_is_unbegun(recording)) {
        return OTTER_EXISTS;
    }
    remove_folder(otter_path("%s/events", recording));
    otter_finish_use_reserve(recording);
    remove_file(otter_path("%s/journal", recording));
    return rmdir(recording) == 0 ? OTTER_OK : otter_status_from_errno(errno);
}

// Moves an event file back from the earlier attempt's archive, unless it is one that was made for readers. Nothing is removed unless it is known
// to be no event's only place.
static int take_back(const char *moved, const char *from, uint64_t first_tick)
{
    if (access(from, F_OK) == 0 || otter_silent_begins(moved, first_tick)) {
        return unlink(moved) < 0 && errno != ENOENT ? errno : 0;
    }
    if (errno != ENOENT) {
        return errno;
    }
    return rename(moved, from) < 0 && errno != ENOENT ? errno : 0;
}

static enum otter_status take_back_event_file(const struct finish *finish, size_t location)
{
    char *moved = otter_path("%s/traces/%zu.evt", finish->archive_folder, location);
    char *from = otter_path("%s/%" PRIu32 ".evt", finish->events,
                            otter_definitions_recorded_id(&finish->definitions, location));
    enum otter_status status = OTTER_NO_MEMORY;
    if (moved && from) {
        status = own_failure(take_back(moved, from, finish->definitions.start.ticks));
    }
    free(moved);
    free(from);
    return status;
}

static bool has_events_of(const struct finish *finish, size_t thread)
{
    return is_there(otter_path("%s/%zu.evt", finish->events, thread)) ||
           is_there(otter_path("%s/%zu.chunk", finish->events, thread));
}

// Threads whose lines the journal has lost have event files all the same; or an earlier attempt has found them, which made a file of
// definitions for each location before it moved the first event file.
static enum otter_status add_unknown_threads(struct finish *finish)
{
    struct otter_journal_definitions *definitions = &finish->definitions;
    enum otter_status status = OTTER_OK;
    while (!status && definitions->n_locations < OTTER_MAX_LOCATIONS &&
           is_there(otter_path("%s/traces/%zu.def", finish->archive_folder,
                               otter_definitions_n_locations(definitions)))) {
        status = otter_definitions_add_unknown_threads(definitions, definitions->n_locations);
    }
    for (size_t i = definitions->n_locations;
         !status && i < OTTER_MAX_LOCATIONS &&
         otter_definitions_may_follow(definitions, i, definitions->n_locations);
         i++) {
        if (has_events_of(finish, i)) {
            status = otter_definitions_add_unknown_threads(definitions, i);
        }
    }
    for (size_t i = 0; i < definitions->n_locations; i++) {
        finish->result->n_unknown += definitions->locations[i].os_thread == 0;
    }
    return status;
}

static enum otter_status take_back_event_files(const struct finish *finish)
{
    if (mkdir(finish->events, 0777) < 0 && errno != EEXIST) { // tools that copy may leave it out
        return own_failure(errno);
    }
    for (size_t i = 0; i < otter_definitions_n_locations(&finish->definitions); i++) {
        enum otter_status status = take_back_event_file(finish, i);
        if (status) {
            return status;
        }
    }
    return OTTER_OK;
}

static enum otter_status clear_earlier_attempt(const struct finish *finish)
{
    if (access(finish->archive_folder, F_OK) < 0) {
        return errno == ENOENT ? OTTER_OK : own_failure(errno);
    }
    enum otter_status status = take_back_event_files(finish);
    if (status) {
        return status;
    }
    for (size_t i = 0; i < otter_definitions_n_locations(&finish->definitions); i++) {
        remove_file(otter_path("%s/traces/%zu.def", finish->archive_folder, i));
    }
    remove_file(otter_path("%s/traces.otf2", finish->archive_folder));
    remove_file(otter_path("%s/traces.def", finish->archive_folder));
    remove_file(otter_path("%s/traces.marker", finish->archive_folder));
    remove_folder(otter_path("%s/traces", finish->archive_folder));
    return rmdir(finish->archive_folder) < 0 ? own_failure(errno) : OTTER_OK;
}

static enum otter_status move_event_file(const struct finish *finish, size_t location)
{
    char *from = otter_path("%s/%" PRIu32 ".evt", finish->events,
                            otter_definitions_recorded_id(&finish->definitions, location));
    char *to = otter_path("%s/traces/%zu.evt", finish->archive_folder, location);
    enum otter_status status = OTTER_NO_MEMORY;
    if (from && to) {
        status = rename(from, to) < 0 && errno != ENOENT ? own_failure(errno) : OTTER_OK;
    }
    free(from);
    free(to);
    return status;
}

static enum otter_status move_events(const struct finish *finish)
{
    for (size_t i = 0; i < otter_definitions_n_locations(&finish->definitions); i++) {
        enum otter_status status = move_event_file(finish, i);
        if (status) {
            return status;
        }
    }
    return OTTER_OK;
}

// rename() would replace an empty folder of somebody else.
static enum otter_status check_name(const char *folder)
{
    struct stat about;
    if (lstat(folder, &about) == 0) {
        return OTTER_EXISTS;
    }
    char *parent = otter_path_folder(folder);
    if (!parent) {
        return OTTER_NO_MEMORY;
    }
    char *inside = otter_path("%s/.", parent); // which only a folder has
    free(parent);
    if (!inside) {
        return OTTER_NO_MEMORY;
    }
    int error = access(inside, W_OK | X_OK) < 0 ? errno : 0;
    free(inside);
    return otter_status_from_errno(error);
}

static enum otter_status publish(const struct finish *finish, const char *folder)
{
    enum otter_status status = check_name(folder);
    if (status) {
        return status;
    }
    return rename(finish->archive_folder, folder) < 0 ? otter_status_from_errno(errno) : OTTER_OK;
}

static enum otter_status finish_recording(struct finish *finish, const char *folder)
{
    finish->n_events =
        calloc(otter_definitions_n_locations(&finish->definitions) + 1, sizeof(*finish->n_events));
    if (!finish->n_events) {
        return OTTER_NO_MEMORY;
    }
    enum otter_status status = seal_events(finish);
    count_missing(finish);
    if (!status) {
        status = balance_events(finish);
    }
    if (!status) {
        status = otter_archive_write(finish->archive_folder, &finish->definitions, finish->n_events,
                                     finish->last_time);
    }
    if (!status) {
        status = move_events(finish);
    }
    return status ? status : publish(finish, folder);
}

static uint64_t file_size(char *path)
{
    struct stat about;
    uint64_t size = path && stat(path, &about) == 0 ? (uint64_t)about.st_size : 0;
    free(path);
    return size;
}

static void measure(const struct finish *finish, const char *folder)
{
    uint64_t n = file_size(otter_path("%s/traces.otf2", folder)) +
                 file_size(otter_path("%s/traces.def", folder));
    n += file_size(otter_path("%s/traces.marker", folder));
    for (size_t i = 0; i < otter_definitions_n_locations(&finish->definitions); i++) {
        n += file_size(otter_path("%s/traces/%zu.evt", folder, i));
        n += file_size(otter_path("%s/traces/%zu.def", folder, i));
    }
    finish->result->n_bytes = n;
    finish->result->n_locations = finish->definitions.n_locations;
}

// A recording from somebody else shall not lead us out of its folder: files are written and removed in these.
static enum otter_status check_folders(const struct finish *finish)
{
    char *traces = otter_path("%s/traces", finish->archive_folder);
    if (!traces) {
        return OTTER_NO_MEMORY;
    }
    bool is_led_away =
        is_link(finish->events) || is_link(finish->archive_folder) || is_link(traces);
    free(traces);
    return is_led_away ? OTTER_BAD_ARCHIVE : OTTER_OK;
}

// What was kept when no more events were, if it came to that.
static enum otter_status read_totals(struct finish *finish, const char *recording)
{
    struct otter_journal_definitions *definitions = &finish->definitions;
    size_t n = definitions->n_regions + OTTER_REGION_FIRST;
    char *path = otter_path("%s/totals", recording);
    definitions->totals = calloc(n, sizeof(*definitions->totals));
    enum otter_status status = path && definitions->totals
                                   ? otter_total_file_sum(path, n, definitions->totals)
                                   : OTTER_NO_MEMORY;
    if (status) {
        free(definitions->totals);
        definitions->totals = NULL;
    }
    free(path);
    return status == OTTER_NOT_FOUND ? OTTER_OK : status;
}

static void tell_of_journal(struct finish *finish)
{
    finish->result->n_unread = finish->definitions.n_unread;
    finish->result->has_start = finish->definitions.has_start;
    finish->result->has_clock = finish->definitions.has_clock;
}

// All of it is in the archive, unless there are events of what the journal does not name, or no longer does.
static void remove_recording(const struct finish *finish, const char *recording)
{
    finish->result->is_kept = has_event_files(finish->events);
    if (finish->result->is_kept) {
        return;
    }
    remove_file(otter_path("%s/totals", recording));
    unlink(finish->journal);
    rmdir(finish->events);
    rmdir(recording);
}

// A recorder makes the first event file behind the head of its journal.
static enum otter_status read_definitions(struct finish *finish)
{
    enum otter_status status = otter_definitions_read(finish->journal, &finish->definitions);
    bool has_more = has_event_files(finish->events) || access(finish->archive_folder, F_OK) == 0;
    return status == OTTER_EMPTY && has_more ? OTTER_BAD_ARCHIVE : status;
}

static enum otter_status read_and_finish(struct finish *finish, const char *recording,
                                         const char *folder)
{
    enum otter_status status = check_folders(finish);
    if (!status) {
        status = check_name(folder);
    }
    if (!status) {
        status = read_definitions(finish);
    }
    if (status) {
        return status;
    }
    otter_finish_use_reserve(recording);
    tell_of_journal(finish);
    status = read_totals(finish, recording);
    if (!status) {
        status = add_unknown_threads(finish);
    }
    if (!status) {
        status = clear_earlier_attempt(finish);
    }
    if (!status) {
        status = finish_recording(finish, folder);
    }
    if (!status) {
        measure(finish, folder);
        remove_recording(finish, recording);
    }
    free(finish->n_events);
    otter_definitions_free(&finish->definitions);
    return status;
}

enum otter_status otter_finish(const char *recording, const char *folder,
                               struct otter_finish_result *result)
{
    *result = (struct otter_finish_result){0};
    struct finish finish = {.events = otter_path("%s/events", recording),
                            .archive_folder = otter_path("%s/archive", recording),
                            .journal = otter_path("%s/journal", recording),
                            .result = result};
    enum otter_status status = OTTER_NO_MEMORY;
    if (finish.events && finish.archive_folder && finish.journal) {
        status = read_and_finish(&finish, recording, folder);
    }
    free(finish.events);
    free(finish.archive_folder);
    free(finish.journal);
    return status;
}
