// Seals and balances the event files of a recording, and counts missing events.
#include "recording/finish/finish_events.h"

#include <stdlib.h>

#include "recording/finish/event_balance.h"
#include "recording/event_seal.h"
#include "recording/folder.h"
#include "recording/task_numbers.h"
#include "trace/event_layout.h"

// Notes how many recorded events of a location are no longer in any file. The journal has the
// number of events before the location's last chunk. The last chunk of a killed recorder may have
// any number of events.
static void note_missing(struct otter_finish_state *state, size_t location,
                         const struct otter_begun_chunk *begun, const struct otter_last_chunk *last)
{
    struct otter_archive_content *content = &state->definitions.content;
    uint64_t n_found = state->n_events[location], n_before = begun->n_events;
    uint64_t least = (n_before > n_found ? n_before - n_found : 0) + last->n_behind;
    bool has_chunk =
        last->is_there || last->n_behind > 0 || n_found > n_before || !state->definitions.is_mapped;
    if (least > 0 || !has_chunk) {
        uint64_t most = least + (has_chunk ? 0 : content->chunk_size / SMALLEST_EVENT_SIZE);
        content->missing[content->n_missing++] = (struct otter_missing_events){
            .location = location, .least = least > 0 ? least : 1, .most = most};
    }
}

static enum otter_status seal(struct otter_finish_state *state, size_t location)
{
    const struct otter_journal_definitions *definitions = &state->definitions;
    struct otter_last_chunk last = {.is_there = false};
    uint64_t last_time = 0;
    uint32_t id = otter_content_recorded_id(&definitions->content, location);
    enum otter_status status =
        otter_event_file_seal(state->events, id, definitions->content.chunk_size,
                              &state->n_events[location], &last_time, &last);
    bool is_begun = id < definitions->n_begun && definitions->begun[id].has_begun;
    if (status == OTTER_BAD_ARCHIVE && is_begun) {
        state->n_events[location] = last_time = 0;
        status = OTTER_OK;
    }
    if (is_begun) {
        note_missing(state, location, &definitions->begun[id], &last);
    }
    state->last_time = last_time > state->last_time ? last_time : state->last_time;
    state->result->n_events += state->n_events[location];
    return status == OTTER_NOT_FOUND ? OTTER_OK : status;
}

// Sums up the missing events. A recorder that ended properly has stored their number.
static void sum_missing(struct otter_finish_state *state)
{
    struct otter_finish_result *result = state->result;
    struct otter_archive_content *content = &state->definitions.content;
    uint64_t n_recorded = state->definitions.n_recorded;
    if (content->has_end && n_recorded > 0 && n_recorded <= result->n_events) {
        content->n_missing = 0;
    }
    for (size_t i = 0; i < content->n_missing; i++) {
        result->least_missing += content->missing[i].least;
        result->most_missing += content->missing[i].most;
    }
    result->n_missing = content->n_missing;
}

enum otter_status otter_finish_seal_events(struct otter_finish_state *state)
{
    struct otter_archive_content *content = &state->definitions.content;
    size_t n = otter_content_n_locations(content);
    content->missing = calloc(n + 1, sizeof(*content->missing));
    enum otter_status status = content->missing ? OTTER_OK : OTTER_NO_MEMORY;
    for (size_t i = 0; i < n && !status; i++) {
        status = seal(state, i);
    }
    sum_missing(state);
    bool has_any = state->result->n_events > 0 || content->totals || content->n_missing > 0;
    if (status || has_any) {
        return status;
    }
    return otter_recording_has_events(state->events) ? OTTER_BAD_ARCHIVE : OTTER_EMPTY;
}

void otter_finish_count_missing(struct otter_finish_state *state)
{
    struct otter_archive_content *content = &state->definitions.content;
    uint64_t n_recorded = state->definitions.n_recorded, n_found = state->result->n_events;
    uint64_t n_gone = n_recorded > n_found ? n_recorded - n_found : 0;
    uint64_t n_missing = state->result->least_missing;
    content->n_lost += n_gone > n_missing ? n_gone : n_missing;
    // A killed recorder has not stored its count of lost events.
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
    // A recorder that ended properly without losses has left nothing open.
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
