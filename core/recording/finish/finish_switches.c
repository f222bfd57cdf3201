// Converts the switches of a recording to events of processors.
#include "recording/finish/finish_switches.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/path.h"
#include "recording/finish/added_events.h"
#include "recording/paths.h"
#include "recording/switch_log.h"

enum {
    MAX_PROCESSORS = 1 << 16,
    NO_PROCESSOR = MAX_PROCESSORS,
    MAX_ADDED = 2 * MAX_PROCESSORS, // locations of processors and of samples
    FILES_AT_ONCE = 32,             // the log is read once for this many processors
};

struct target;

struct conversion {
    struct otter_finish_state *state;
    int file;
    uint64_t n_records;
    uint64_t begin, end; // span of the archive, in ticks
    uint64_t complete;   // the latest time up to which no switch is missing; 0: none
    uint32_t completed;  // the processor in whose record this time is stored
    uint64_t n_events[MAX_PROCESSORS];
    struct target *targets[MAX_PROCESSORS]; // the open event files, by processor
};

// The event file of one processor.
struct target {
    struct otter_added_events events;
    struct conversion *conversion;
    uint32_t processor;
};

// ---- which processors

static bool is_switch(const struct otter_switch_record *record)
{
    return record->kind == OTTER_SWITCH_WAITED ||
           (record->kind >= OTTER_SWITCH_IN && record->kind <= OTTER_SWITCH_LOST);
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

// Chooses the processor whose events state until when the switches are complete: the first with a
// switch; if there is no switch, the processor that the log's record names.
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

static bool write_event(struct target *target, uint64_t time, uint64_t thread, uint64_t kind)
{
    struct otter_location_writer *records = &target->events.records;
    uint64_t n_before = records->n_events;
    otter_write_metric(records, otter_added_time(&target->events, time),
                       (uint32_t)target->conversion->state->definitions.content.n_spaces, thread,
                       kind);
    return records->n_events > n_before;
}

static bool convert(void *user, const struct otter_switch_record *record)
{
    const struct conversion *conversion = user;
    struct target *target = conversion->targets[record->processor];
    bool is_wanted = target && is_switch(record) && record->time >= conversion->begin &&
                     record->time <= conversion->end;
    return !is_wanted || write_event(target, record->time, record->thread, record->kind);
}

static bool open_target(struct conversion *conversion, size_t location, struct target *target)
{
    const struct otter_archive_content *content = &conversion->state->definitions.content;
    size_t first = otter_content_n_executing(content);
    *target = (struct target){.conversion = conversion,
                              .processor = content->processors[location - first]};
    conversion->targets[target->processor] = target;
    return otter_added_open(&target->events, conversion->state, location);
}

// Completes the event file if `is_written`.
static bool close_target(struct target *target, bool is_written, uint64_t *n_events)
{
    struct conversion *conversion = target->conversion;
    conversion->targets[target->processor] = NULL;
    if (is_written && target->processor == conversion->completed) {
        is_written = write_event(target, conversion->complete, 0, OTTER_SWITCH_COMPLETE);
    }
    return otter_added_close(&target->events, is_written, n_events);
}

// Writes the event files of `n` locations from `first` on, at most FILES_AT_ONCE.
static bool write_some(struct conversion *conversion, size_t first, size_t n, uint64_t *n_events)
{
    struct target targets[FILES_AT_ONCE];
    size_t n_open = 0;
    bool is_written = true;
    for (; n_open < n && is_written; n_open++) {
        is_written = open_target(conversion, first + n_open, &targets[n_open]);
    }
    is_written = is_written && otter_switch_log_visit(conversion->file, conversion->n_records,
                                                      convert, conversion);
    for (size_t i = 0; i < n_open; i++) {
        is_written = close_target(&targets[i], is_written, &n_events[first + i]) && is_written;
    }
    return is_written;
}

static bool write_processors(struct conversion *conversion)
{
    struct otter_finish_state *state = conversion->state;
    const struct otter_archive_content *content = &state->definitions.content;
    size_t n = otter_content_n_locations(content), first = n - content->n_processors;
    bool is_written = otter_added_count(state);
    uint64_t *n_events = state->n_events;
    is_written = is_written && !otter_switch_log_note(state->recording, (uint32_t)first,
                                                      (uint32_t)content->n_processors);
    for (size_t i = first; i < n && is_written; i += FILES_AT_ONCE) {
        is_written =
            write_some(conversion, i, n - i < FILES_AT_ONCE ? n - i : FILES_AT_ONCE, n_events);
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
        otter_added_remove(state, 0, content->n_processors);
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
    bool is_after = header.first_location >= otter_content_n_locations(&state->definitions.content);
    size_t n = is_after && header.n_locations < MAX_ADDED ? header.n_locations : 0;
    for (size_t i = 0; i < n; i++) {
        size_t location = header.first_location + i;
        otter_paths_remove_file(otter_path("%s/traces/%zu.evt", state->archive_folder, location));
        otter_paths_remove_file(otter_path("%s/traces/%zu.def", state->archive_folder, location));
    }
    otter_added_remove(state, 0, n);
}
