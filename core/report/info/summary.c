// Counts the contents of an archive for `otter info`.
#include "report/info/summary.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/time/switches.h"
#include "trace/schema.h"

struct reading {
    struct otter_summary *summary;
    const struct otter_definitions *definitions;
    uint64_t n_events; // events of the location so far
    bool never_ran;    // the last event was the parameter of a task that never ran
    bool is_paused;
    uint64_t paused; // start of the pause
    uint64_t first, last;
};

// A task that was cancelled before it began has both parameters, one after the other, and counts as
// never run.
static void count_parameter(struct reading *reading, const struct otter_event *event)
{
    if (event->parameter.definition >= reading->definitions->n_parameters) {
        return;
    }
    switch (reading->definitions->parameters[event->parameter.definition].kind) {
    case OTTER_PARAMETER_TASK_NEVER_RAN:
        reading->summary->tasks_never_ran++;
        reading->never_ran = true;
        break;
    case OTTER_PARAMETER_TASK_CANCELLED:
        reading->summary->tasks_cancelled += !reading->never_ran;
        break;
    default: break;
    }
}

// Counts a team each time it is formed, which is when its first member starts.
static void count_team(struct reading *reading, const struct otter_event *event)
{
    if (event->comm < reading->definitions->n_comms) {
        const struct otter_comm *comm = &reading->definitions->comms[event->comm];
        reading->summary->n_teams += comm->n_members > 0 && comm->members[0] == event->location;
    }
}

static void count_pause(struct reading *reading, const struct otter_event *event)
{
    if (event->is_on == reading->is_paused) {
        struct otter_summary *summary = reading->summary;
        summary->n_pauses += !event->is_on;
        summary->paused_ticks += event->is_on ? event->time - reading->paused : 0;
        reading->is_paused = !event->is_on;
        reading->paused = event->time;
    }
}

// A pause without an end lasts until the archive's end.
static void end_pause(const struct reading *reading)
{
    const struct otter_clock *clock = &reading->definitions->clock;
    uint64_t end = clock->offset + clock->length;
    if (reading->is_paused && end > reading->paused) {
        reading->summary->paused_ticks += end - reading->paused;
    }
}

static void count_lost_switches(const struct reading *reading, const struct otter_event *event)
{
    bool is_lost = otter_event_is_switch(reading->definitions, event) &&
                   event->metric.values[1] == OTTER_SWITCH_LOST;
    reading->summary->n_switches_lost += is_lost ? event->metric.values[0] : 0;
}

static bool count_event(void *user, const struct otter_event *event)
{
    struct reading *reading = user;
    if (reading->n_events++ == 0) {
        reading->first = event->time;
    }
    reading->last = event->time;
    reading->summary->n_records[event->kind]++;
    if (event->kind == OTTER_RECORD_ENTER && event->region < reading->definitions->n_regions) {
        reading->summary->n_region_enters[event->region]++;
    } else if (event->kind == OTTER_RECORD_PARAMETER) {
        count_parameter(reading, event);
        return true;
    }
    if (event->kind == OTTER_RECORD_MEASUREMENT) {
        count_pause(reading, event);
    } else if (event->kind == OTTER_RECORD_TEAM_BEGIN) {
        count_team(reading, event);
    } else if (event->kind == OTTER_RECORD_METRIC) {
        count_lost_switches(reading, event);
    }
    reading->never_ran = false;
    return true;
}

static void widen_time_span(struct otter_summary *summary, const struct reading *reading)
{
    if (reading->n_events == 0) {
        return;
    }
    bool is_first = summary->n_events == 0;
    if (is_first || reading->first < summary->first_time) {
        summary->first_time = reading->first;
    }
    if (is_first || reading->last > summary->last_time) {
        summary->last_time = reading->last;
    }
    summary->n_events += reading->n_events;
}

static void count_location(struct otter_summary *summary, struct otter_archive *archive, size_t i)
{
    struct reading reading = {.summary = summary,
                              .definitions = otter_archive_definitions(archive)};
    struct otter_complaint complaint;
    uint64_t n_others = 0;
    if (otter_archive_read(archive, i, count_event, &reading, &n_others, &complaint)) {
        if (summary->n_damaged++ == 0) {
            summary->first_damage = complaint;
        }
    }
    end_pause(&reading);
    widen_time_span(summary, &reading);
    summary->n_others += n_others;
    summary->n_events += n_others;
    summary->n_location_events[i] = reading.n_events + n_others;
}

static void count_tasks(struct otter_summary *summary)
{
    uint64_t ends = summary->n_records[OTTER_RECORD_TASK_COMPLETE];
    uint64_t without_run = summary->tasks_never_ran + summary->tasks_cancelled;
    summary->tasks_created = summary->n_records[OTTER_RECORD_TASK_CREATE];
    summary->tasks_completed = ends > without_run ? ends - without_run : 0;
    summary->tasks_unfinished = summary->tasks_created > ends ? summary->tasks_created - ends : 0;
}

static void count_teams(struct otter_summary *summary, const struct otter_definitions *definitions)
{
    summary->parallel_regions = summary->n_records[OTTER_RECORD_FORK];
    for (size_t i = 0; i < definitions->n_comms; i++) {
        // The first communicator of Otter's archives contains all threads. Each team has a parent.
        if (definitions->comms[i].parent == OTTER_NONE) {
            continue;
        }
        summary->n_distinct_teams++;
        if (definitions->comms[i].n_members > summary->largest_team) {
            summary->largest_team = (uint32_t)definitions->comms[i].n_members;
        }
    }
}

static void add_file(struct otter_summary *summary, const char *path)
{
    struct stat info;
    if (stat(path, &info) == 0 && S_ISREG(info.st_mode)) {
        summary->size += (uint64_t)info.st_size;
        summary->n_files++;
    }
}

// Adds the sizes of the archive's own files. The folder may have more files.
static void measure_size(struct otter_summary *summary, const struct otter_definitions *definitions)
{
    char path[PATH_MAX];
    int stem = (int)(strlen(definitions->anchor) - strlen(".otf2"));
    static const char *const endings[] = {".otf2", ".def", ".marker"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        snprintf(path, sizeof path, "%.*s%s", stem, definitions->anchor, endings[i]);
        add_file(summary, path);
    }
    for (size_t i = 0; i < definitions->n_locations; i++) {
        uint64_t file = definitions->locations[i].file;
        snprintf(path, sizeof path, "%.*s/%" PRIu64 ".evt", stem, definitions->anchor, file);
        add_file(summary, path);
        snprintf(path, sizeof path, "%.*s/%" PRIu64 ".def", stem, definitions->anchor, file);
        add_file(summary, path);
    }
}

void otter_summary_init(struct otter_summary *summary, struct otter_archive *archive)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    *summary = (struct otter_summary){0};
    summary->n_location_events =
        calloc(definitions->n_locations + 1, sizeof *summary->n_location_events);
    summary->n_region_enters = calloc(definitions->n_regions + 1, sizeof *summary->n_region_enters);
    for (size_t i = 0; i < definitions->n_locations; i++) {
        count_location(summary, archive, i);
    }
    count_tasks(summary);
    count_teams(summary, definitions);
    measure_size(summary, definitions);
}

void otter_summary_finish(struct otter_summary *summary)
{
    free(summary->n_location_events);
    free(summary->n_region_enters);
    summary->n_location_events = NULL;
    summary->n_region_enters = NULL;
}
