// Converts the switches of a recording to events of processors.
#include "recording/finish_switches.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/path.h"
#include "recording/event_file.h"
#include "recording/event_seal.h"
#include "recording/paths.h"
#include "recording/switch_log.h"
#include "trace/write/location_writer.h"

enum { MAX_PROCESSORS = 1 << 16, NO_PROCESSOR = MAX_PROCESSORS };

struct conversion {
    struct otter_finish_state *state;
    int file;
    uint64_t n_records;
    uint64_t begin, end; // ticks: the archive's
    uint64_t complete;   // the last time before which no switch is missing; 0: none
    uint32_t completed;  // the processor that says so
    uint64_t n_events[MAX_PROCESSORS];
};

// The event file of one processor.
struct target {
    struct otter_location_writer records; // first: make_room has a pointer to it
    struct conversion *conversion;
    struct otter_event_file *file;
    void *chunk;
    uint32_t processor;
};

// ---- which processors

static bool is_switch(const struct otter_switch_record *record)
{
    return record->kind >= OTTER_SWITCH_IN && record->kind <= OTTER_SWITCH_LOST;
}

static bool count(void *user, const struct otter_switch_record *record)
{
    struct conversion *conversion = user;
    bool is_inside = record->time >= conversion->begin && record->time <= conversion->end;
    conversion->n_events[record->processor] += is_inside && is_switch(record);
    if (record->kind == OTTER_SWITCH_COMPLETE && record->time >= conversion->begin) {
        conversion->complete = record->time < conversion->end ? record->time : conversion->end;
        conversion->completed = record->processor;
    }
    return true;
}

// The first processor with a switch states up to when switches are complete; without any switch,
// the processor that the record names.
static void assign_completion(struct conversion *conversion)
{
    uint32_t first = 0;
    while (first < MAX_PROCESSORS && conversion->n_events[first] == 0) {
        first++;
    }
    if (conversion->complete > 0) {
        conversion->completed = first < MAX_PROCESSORS ? first : conversion->completed;
        conversion->n_events[conversion->completed]++;
    } else {
        conversion->completed = NO_PROCESSOR;
    }
}

static bool list_processors(struct conversion *conversion)
{
    struct otter_archive_content *content = &conversion->state->definitions.content;
    size_t n = 0;
    for (uint32_t i = 0; i < MAX_PROCESSORS; i++) {
        n += conversion->n_events[i] > 0;
    }
    content->processors = n > 0 ? calloc(n, sizeof(*content->processors)) : NULL;
    if (!content->processors) {
        return false;
    }
    for (uint32_t i = 0; i < MAX_PROCESSORS; i++) {
        if (conversion->n_events[i] > 0) {
            content->processors[content->n_processors++] = i;
        }
    }
    return true;
}

// ---- event files

static bool next_chunk(struct target *target)
{
    size_t size = target->conversion->state->definitions.content.chunk_size;
    if (otter_event_file_next_chunk(target->file, &target->chunk)) {
        return false;
    }
    otter_location_begin_chunk(&target->records, target->chunk, size);
    return true;
}

static bool make_room(struct otter_location_writer *records)
{
    struct target *target = (struct target *)records;
    otter_location_end_chunk(records, target->chunk);
    return next_chunk(target);
}

static bool write_event(struct target *target, uint64_t time, uint64_t thread, uint64_t kind)
{
    struct otter_location_writer *records = &target->records;
    uint64_t n_before = records->n_events;
    // The launcher converts times between two readings of the clocks; a tick may be missing.
    time = time > records->time ? time : records->time;
    otter_write_metric(records, time,
                       (uint32_t)target->conversion->state->definitions.content.n_spaces, thread,
                       kind);
    return records->n_events > n_before;
}

static bool convert(void *user, const struct otter_switch_record *record)
{
    struct target *target = user;
    const struct conversion *conversion = target->conversion;
    bool is_wanted = record->processor == target->processor && is_switch(record) &&
                     record->time >= conversion->begin && record->time <= conversion->end;
    return !is_wanted || write_event(target, record->time, record->thread, record->kind);
}

static bool write_all(struct target *target)
{
    struct conversion *conversion = target->conversion;
    bool is_written =
        next_chunk(target) &&
        otter_switch_log_visit(conversion->file, conversion->n_records, convert, target);
    if (is_written && target->processor == conversion->completed) {
        is_written = write_event(target, conversion->complete, 0, OTTER_SWITCH_COMPLETE);
    }
    return otter_event_file_close(target->file) && is_written &&
           !otter_event_file_save_chunk(target->file);
}

static bool write_processor(struct conversion *conversion, size_t location, uint64_t *n_events)
{
    struct otter_finish_state *state = conversion->state;
    const struct otter_archive_content *content = &state->definitions.content;
    size_t first = otter_content_n_locations(content) - content->n_processors;
    uint32_t id = otter_content_recorded_id(content, location);
    struct target target = {.records.make_room = make_room,
                            .conversion = conversion,
                            .processor = content->processors[location - first]};
    uint64_t last_time = 0;
    target.file = otter_event_file_create(state->events, id, content->chunk_size, false);
    bool is_written = target.file && write_all(&target);
    otter_event_file_destroy(target.file);
    return is_written && !otter_event_file_seal(state->events, id, content->chunk_size, n_events,
                                                &last_time, NULL);
}

static void remove_event_files(const struct otter_finish_state *state, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t id = OTTER_FIRST_PROCESSOR + i;
        otter_paths_remove_file(otter_path("%s/%zu.evt", state->events, id));
        otter_paths_remove_file(otter_path("%s/%zu.chunk", state->events, id));
    }
}

static bool write_processors(struct conversion *conversion)
{
    struct otter_finish_state *state = conversion->state;
    const struct otter_archive_content *content = &state->definitions.content;
    size_t n = otter_content_n_locations(content), first = n - content->n_processors;
    uint64_t *n_events = reallocarray(state->n_events, n + 1, sizeof(*n_events));
    if (!n_events) {
        return false;
    }
    state->n_events = n_events;
    bool is_written =
        !otter_switch_log_note(state->recording, (uint32_t)first, (uint32_t)content->n_processors);
    for (size_t i = first; i < n && is_written; i++) {
        is_written = write_processor(conversion, i, &n_events[i]);
    }
    return is_written;
}

// ---- all

static void add_from(struct conversion *conversion)
{
    struct otter_finish_state *state = conversion->state;
    struct otter_archive_content *content = &state->definitions.content;
    if (!otter_switch_log_visit(conversion->file, conversion->n_records, count, conversion)) {
        return;
    }
    assign_completion(conversion);
    if (list_processors(conversion) && !write_processors(conversion)) {
        remove_event_files(state, content->n_processors);
        content->n_processors = 0;
    }
}

void otter_finish_add_switches(struct otter_finish_state *state)
{
    const struct otter_archive_content *content = &state->definitions.content;
    struct conversion *conversion = calloc(1, sizeof(*conversion));
    struct otter_switch_log_header header;
    if (!conversion) {
        return;
    }
    conversion->state = state;
    conversion->begin = content->start.ticks;
    conversion->end = content->has_end ? content->end.ticks : state->last_time;
    conversion->file = otter_switch_log_read(state->recording, &header, &conversion->n_records);
    if (conversion->file >= 0) {
        if ((header.is_counter != 0) == content->clock_is_counter) {
            add_from(conversion);
        }
        close(conversion->file);
    }
    free(conversion);
}

void otter_finish_undo_switches(const struct otter_finish_state *state)
{
    struct otter_switch_log_header header;
    uint64_t n_records;
    int file = otter_switch_log_read(state->recording, &header, &n_records);
    if (file < 0) {
        return;
    }
    close(file);
    // A damaged header must not remove the events of threads.
    bool is_behind =
        header.first_location >= otter_content_n_locations(&state->definitions.content);
    size_t n = is_behind && header.n_locations < MAX_PROCESSORS ? header.n_locations : 0;
    for (size_t i = 0; i < n; i++) {
        size_t location = header.first_location + i;
        otter_paths_remove_file(otter_path("%s/traces/%zu.evt", state->archive_folder, location));
        otter_paths_remove_file(otter_path("%s/traces/%zu.def", state->archive_folder, location));
    }
    remove_event_files(state, n);
}
