// Turns a recording into an archive.
#include "recording/finish/finish.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "recording/finish/finish_attempt.h"
#include "recording/finish/finish_events.h"
#include "recording/finish/finish_samples.h"
#include "recording/finish/finish_state.h"
#include "recording/finish/finish_switches.h"
#include "recording/folder.h"
#include "recording/paths.h"
#include "recording/switch_log.h"
#include "recording/totals.h"
#include "trace/write/archive.h"

static enum otter_status move_event_file(const struct otter_finish_state *state, size_t location)
{
    char *from = otter_path("%s/%" PRIu32 ".evt", state->events,
                            otter_content_recorded_id(&state->definitions.content, location));
    char *to = otter_path("%s/traces/%zu.evt", state->archive_folder, location);
    enum otter_status status = OTTER_NO_MEMORY;
    if (from && to) {
        status =
            rename(from, to) < 0 && errno != ENOENT ? otter_paths_own_failure(errno) : OTTER_OK;
    }
    free(from);
    free(to);
    return status;
}

static enum otter_status move_events(const struct otter_finish_state *state)
{
    enum otter_status status = OTTER_OK;
    size_t n = otter_content_n_locations(&state->definitions.content);
    for (size_t i = 0; i < n && !status; i++) {
        // else the file is damaged
        status = state->n_events[i] > 0 ? move_event_file(state, i) : OTTER_OK;
    }
    return status;
}

// Checks that `folder` does not exist and can be created, since rename() would replace an empty
// folder.
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
    char *inside = otter_path("%s/.", parent); // exists only if `parent` is a folder
    free(parent);
    if (!inside) {
        return OTTER_NO_MEMORY;
    }
    int error = access(inside, W_OK | X_OK) < 0 ? errno : 0;
    free(inside);
    return otter_status_from_errno(error);
}

static enum otter_status publish(const struct otter_finish_state *state, const char *folder)
{
    enum otter_status status = check_name(folder);
    if (status) {
        return status;
    }
    return rename(state->archive_folder, folder) < 0 ? otter_status_from_errno(errno) : OTTER_OK;
}

static enum otter_status finish_recording(struct otter_finish_state *state, const char *folder)
{
    state->n_events = calloc(otter_content_n_locations(&state->definitions.content) + 1,
                             sizeof(*state->n_events));
    if (!state->n_events) {
        return OTTER_NO_MEMORY;
    }
    enum otter_status status = otter_finish_seal_events(state);
    otter_finish_count_missing(state);
    if (!status) {
        status = otter_finish_balance_events(state);
    }
    if (!status) {
        otter_finish_add_switches(state);
        otter_finish_add_samples(state);
        status = otter_archive_write(state->archive_folder, &state->definitions.content,
                                     state->n_events, state->last_time);
    }
    if (!status) {
        status = move_events(state);
    }
    return status ? status : publish(state, folder);
}

static uint64_t file_size(char *path)
{
    struct stat about;
    uint64_t size = path && stat(path, &about) == 0 ? (uint64_t)about.st_size : 0;
    free(path);
    return size;
}

static void measure(const struct otter_finish_state *state, const char *folder)
{
    uint64_t n = file_size(otter_path("%s/traces.otf2", folder)) +
                 file_size(otter_path("%s/traces.def", folder));
    n += file_size(otter_path("%s/traces.marker", folder));
    for (size_t i = 0; i < otter_content_n_locations(&state->definitions.content); i++) {
        n += file_size(otter_path("%s/traces/%zu.evt", folder, i));
        n += file_size(otter_path("%s/traces/%zu.def", folder, i));
    }
    state->result->n_bytes = n;
    state->result->n_locations = state->definitions.content.n_locations;
}

// Refuses links, since files are written and removed in these folders, and anybody may have made
// them.
static enum otter_status check_folders(const struct otter_finish_state *state)
{
    char *traces = otter_path("%s/traces", state->archive_folder);
    if (!traces) {
        return OTTER_NO_MEMORY;
    }
    bool has_link = otter_paths_is_link(state->events) ||
                    otter_paths_is_link(state->archive_folder) || otter_paths_is_link(traces);
    free(traces);
    return has_link ? OTTER_BAD_ARCHIVE : OTTER_OK;
}

static enum otter_status read_totals(struct otter_finish_state *state, const char *recording)
{
    struct otter_archive_content *content = &state->definitions.content;
    size_t n = content->n_regions + OTTER_REGION_FIRST;
    char *path = otter_path("%s/totals", recording);
    content->totals = calloc(n, sizeof(*content->totals));
    enum otter_status status =
        path && content->totals ? otter_total_file_sum(path, n, content->totals) : OTTER_NO_MEMORY;
    if (status) {
        free(content->totals);
        content->totals = NULL;
    }
    free(path);
    return status == OTTER_NOT_FOUND ? OTTER_OK : status;
}

static void report_journal(struct otter_finish_state *state)
{
    state->result->n_unread = state->definitions.content.n_unread;
    state->result->has_start = state->definitions.has_start;
    state->result->has_clock = state->definitions.has_clock;
}

// Removes the recording, unless it has events of locations that the journal does not define.
static void remove_recording(const struct otter_finish_state *state, const char *recording)
{
    otter_recording_remove_empty_chunks(state->events);
    state->result->is_kept = otter_recording_has_events(state->events);
    if (state->result->is_kept) {
        return;
    }
    // an earlier attempt may have lacked the memory for this
    otter_recording_use_reserve(recording);
    otter_paths_remove_file(otter_path("%s/totals", recording));
    otter_switch_log_remove(recording);
    unlink(state->journal);
    rmdir(state->events);
    rmdir(recording);
}

// A recorder writes the head of its journal before its first event file.
static enum otter_status read_definitions(struct otter_finish_state *state)
{
    enum otter_status status = otter_definitions_read(state->journal, &state->definitions);
    bool is_damaged = status == OTTER_EMPTY && (otter_recording_has_events(state->events) ||
                                                access(state->archive_folder, F_OK) == 0);
    return is_damaged ? OTTER_BAD_ARCHIVE : status;
}

static enum otter_status read_and_finish(struct otter_finish_state *state, const char *recording,
                                         const char *folder)
{
    enum otter_status status = check_folders(state);
    if (!status) {
        status = check_name(folder);
    }
    if (!status) {
        status = read_definitions(state);
    }
    if (status) {
        return status;
    }
    otter_recording_use_reserve(recording);
    report_journal(state);
    otter_finish_undo_switches(state);
    status = read_totals(state, recording);
    if (!status) {
        status = otter_finish_add_unknown_threads(state);
    }
    if (!status) {
        status = otter_finish_undo_attempt(state);
    }
    if (!status) {
        status = finish_recording(state, folder);
    }
    if (!status) {
        measure(state, folder);
        remove_recording(state, recording);
    }
    free(state->n_events);
    otter_definitions_free(&state->definitions);
    return status;
}

enum otter_status otter_finish(const char *recording, const char *folder,
                               struct otter_finish_result *result)
{
    *result = (struct otter_finish_result){0};
    struct otter_finish_state state = {.recording = recording,
                                       .events = otter_path("%s/events", recording),
                                       .archive_folder = otter_path("%s/archive", recording),
                                       .journal = otter_path("%s/journal", recording),
                                       .result = result};
    enum otter_status status = OTTER_NO_MEMORY;
    if (state.events && state.archive_folder && state.journal) {
        status = read_and_finish(&state, recording, folder);
    }
    free(state.events);
    free(state.archive_folder);
    free(state.journal);
    return status;
}
