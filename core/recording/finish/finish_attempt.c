// Undoes an interrupted attempt to finish a recording.
#include "recording/finish/finish_attempt.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "recording/finish/gaps.h"
#include "recording/paths.h"
#include "trace/silent.h"

static bool has_events_of(const struct otter_finish_state *state, size_t thread)
{
    return otter_paths_exists(otter_path("%s/%zu.evt", state->events, thread)) ||
           otter_paths_exists(otter_path("%s/%zu.chunk", state->events, thread));
}

enum otter_status otter_finish_add_unknown_threads(struct otter_finish_state *state)
{
    struct otter_journal_definitions *definitions = &state->definitions;
    enum otter_status status = OTTER_OK;
    while (!status && definitions->content.n_locations < OTTER_MAX_LOCATIONS &&
           otter_paths_exists(otter_path("%s/traces/%zu.def", state->archive_folder,
                                         otter_content_n_locations(&definitions->content)))) {
        status = otter_gap_add_threads(definitions, definitions->content.n_locations);
    }
    for (size_t i = definitions->content.n_locations;
         !status && i < OTTER_MAX_LOCATIONS &&
         otter_gap_is_possible(definitions, i, definitions->content.n_locations);
         i++) {
        if (has_events_of(state, i)) {
            status = otter_gap_add_threads(definitions, i);
        }
    }
    for (size_t i = 0; i < definitions->content.n_locations; i++) {
        state->result->n_unknown += definitions->content.locations[i].os_thread == 0;
    }
    return status;
}

// Moves an event file back from the earlier attempt's archive, but removes a silent file
// (core/trace/silent.h). Never removes the only copy of an event.
static int move_back(const char *moved, const char *from, uint64_t first_tick)
{
    if (access(from, F_OK) == 0 || otter_silent_begins(moved, first_tick)) {
        return unlink(moved) < 0 && errno != ENOENT ? errno : 0;
    }
    if (errno != ENOENT) {
        return errno;
    }
    return rename(moved, from) < 0 && errno != ENOENT ? errno : 0;
}

static enum otter_status move_back_event_file(const struct otter_finish_state *state,
                                              size_t location)
{
    char *moved = otter_path("%s/traces/%zu.evt", state->archive_folder, location);
    char *from = otter_path("%s/%" PRIu32 ".evt", state->events,
                            otter_content_recorded_id(&state->definitions.content, location));
    enum otter_status status = OTTER_NO_MEMORY;
    if (moved && from) {
        status =
            otter_paths_own_failure(move_back(moved, from, state->definitions.content.start.ticks));
    }
    free(moved);
    free(from);
    return status;
}

static enum otter_status move_back_event_files(const struct otter_finish_state *state)
{
    if (mkdir(state->events, 0777) < 0 && errno != EEXIST) { // a copy may lack the empty folder
        return otter_paths_own_failure(errno);
    }
    for (size_t i = 0; i < otter_content_n_locations(&state->definitions.content); i++) {
        enum otter_status status = move_back_event_file(state, i);
        if (status) {
            return status;
        }
    }
    return OTTER_OK;
}

enum otter_status otter_finish_undo_attempt(const struct otter_finish_state *state)
{
    if (access(state->archive_folder, F_OK) < 0) {
        return errno == ENOENT ? OTTER_OK : otter_paths_own_failure(errno);
    }
    enum otter_status status = move_back_event_files(state);
    if (status) {
        return status;
    }
    for (size_t i = 0; i < otter_content_n_locations(&state->definitions.content); i++) {
        otter_paths_remove_file(otter_path("%s/traces/%zu.def", state->archive_folder, i));
    }
    otter_paths_remove_file(otter_path("%s/traces.otf2", state->archive_folder));
    otter_paths_remove_file(otter_path("%s/traces.def", state->archive_folder));
    otter_paths_remove_file(otter_path("%s/traces.marker", state->archive_folder));
    otter_paths_remove_folder(otter_path("%s/traces", state->archive_folder));
    return rmdir(state->archive_folder) < 0 ? otter_paths_own_failure(errno) : OTTER_OK;
}
