// Seals and balances the event files of a recording, and counts missing events.
#include "recording/finish_events.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "recording/event_balance.h"
#include "recording/event_seal.h"
#include "recording/task_numbers.h"

bool otter_finish_has_event_files(const char *events)
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

static enum otter_status seal(struct otter_finish_state *state, size_t location)
{
    uint64_t last_time = 0;
    uint32_t id = otter_content_recorded_id(&state->definitions.content, location);
    enum otter_status status =
        otter_event_file_seal(state->events, id, state->definitions.content.chunk_size,
                              &state->n_events[location], &last_time);
    state->last_time = last_time > state->last_time ? last_time : state->last_time;
    state->result->n_events += state->n_events[location];
    return status == OTTER_NOT_FOUND ? OTTER_OK : status;
}

enum otter_status otter_finish_seal_events(struct otter_finish_state *state)
{
    enum otter_status status = OTTER_OK;
    size_t n = otter_content_n_locations(&state->definitions.content);
    for (size_t i = 0; i < n && !status; i++) {
        status = seal(state, i);
    }
    bool has_any = state->result->n_events > 0 || state->definitions.content.totals;
    if (status || has_any) {
        return status;
    }
    return otter_finish_has_event_files(state->events) ? OTTER_BAD_ARCHIVE : OTTER_EMPTY;
}

// Counts recorded events that no file has: they could not be saved, or their file was removed.
void otter_finish_count_missing(struct otter_finish_state *state)
{
    struct otter_archive_content *content = &state->definitions.content;
    uint64_t n_recorded = state->definitions.n_recorded, n_found = state->result->n_events;
    if (n_recorded > n_found) {
        content->n_lost += n_recorded - n_found;
    }
    // The count of a killed recorder is unknown.
    bool is_losing = !content->has_end && *otter_content_description(content, "LOSING");
    content->n_lost += is_losing && content->n_lost == 0;
    state->result->n_lost = content->n_lost;
}

// Constructs that cannot be closed remain open in the archive.
static enum otter_status balance(struct otter_finish_state *state, size_t location,
                                 struct otter_task_numbers *numbers)
{
    uint64_t n_before = state->n_events[location];
    if (n_before == 0) {
        return OTTER_OK;
    }
    uint32_t id = otter_content_recorded_id(&state->definitions.content, location);
    enum otter_status status =
        otter_event_file_balance(state->events, id, state->definitions.content.chunk_size, numbers,
                                 &state->n_events[location]);
    state->result->n_events += state->n_events[location] - n_before;
    return status == OTTER_BAD_ARCHIVE ? OTTER_OK : status;
}

enum otter_status otter_finish_balance_events(struct otter_finish_state *state)
{
    struct otter_archive_content *content = &state->definitions.content;
    struct otter_task_numbers *numbers = NULL;
    // A recorder with a good end and no losses has left nothing open.
    if (content->has_end && otter_content_is_complete(content)) {
        return OTTER_OK;
    }
    enum otter_status status = otter_task_numbers_create(content->n_locations, &numbers);
    for (size_t i = 0; i < otter_content_n_locations(content) && !status; i++) {
        status = balance(state, i, numbers);
    }
    state->result->has_tasks = !status;
    state->result->n_tasks = status ? 0 : otter_task_numbers_created(numbers);
    if (!status && !content->has_end) {
        content->n_unrecorded = otter_task_numbers_unrecorded(numbers);
    }
    otter_task_numbers_destroy(numbers);
    return status;
}
