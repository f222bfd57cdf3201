// Writes the event files of locations that finishing adds.
#include "recording/finish/added_events.h"

#include <stdlib.h>

#include "base/path.h"
#include "recording/event_file.h"
#include "recording/event_seal.h"
#include "recording/paths.h"

bool otter_added_count(struct otter_finish_state *state)
{
    size_t n = otter_content_n_locations(&state->definitions.content);
    uint64_t *n_events = reallocarray(state->n_events, n + 1, sizeof(*n_events));
    state->n_events = n_events ? n_events : state->n_events;
    return n_events != NULL;
}

static bool next_chunk(struct otter_added_events *events)
{
    size_t size = events->state->definitions.content.chunk_size;
    if (otter_event_file_next_chunk(events->file, &events->chunk)) {
        return false;
    }
    otter_location_begin_chunk(&events->records, events->chunk, size);
    return true;
}

static bool make_room(struct otter_location_writer *records)
{
    struct otter_added_events *events = (struct otter_added_events *)records;
    otter_location_end_chunk(records, events->chunk);
    return next_chunk(events);
}

bool otter_added_open(struct otter_added_events *events, const struct otter_finish_state *state,
                      size_t location)
{
    const struct otter_archive_content *content = &state->definitions.content;
    *events = (struct otter_added_events){.records.make_room = make_room,
                                          .state = state,
                                          .id = otter_content_recorded_id(content, location)};
    events->file = otter_event_file_create(state->events, events->id, content->chunk_size, false);
    return events->file && next_chunk(events);
}

bool otter_added_close(struct otter_added_events *events, bool is_written, uint64_t *n_events)
{
    const struct otter_finish_state *state = events->state;
    uint64_t last_time = 0;
    if (!events->file) {
        return false;
    }
    is_written = otter_event_file_close(events->file) && is_written &&
                 !otter_event_file_save_chunk(events->file);
    otter_event_file_destroy(events->file);
    return is_written &&
           !otter_event_file_seal(state->events, events->id, state->definitions.content.chunk_size,
                                  n_events, &last_time, NULL);
}

void otter_added_remove(const struct otter_finish_state *state, size_t first, size_t n)
{
    for (size_t i = first; i < first + n; i++) {
        size_t id = OTTER_FIRST_PROCESSOR + i;
        otter_paths_remove_file(otter_path("%s/%zu.evt", state->events, id));
        otter_paths_remove_file(otter_path("%s/%zu.chunk", state->events, id));
    }
}
