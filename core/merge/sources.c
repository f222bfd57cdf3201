// The archives that are merged: reads what the merge needs to know, and checks that the archives
// belong together.
#include "merge/sources.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/free.h"
#include "base/log.h"
#include "base/path.h"
#include "merge/job_folder.h"
#include "trace/read/checked/check.h"
#include "trace/complaint.h"
#include "trace/read/layout.h"

static const uint64_t largest_tick = UINT64_C(1) << 60;

static char *copy_property(const struct otter_archive *archive, const char *name)
{
    const char *value = otter_archive_property(archive, name);
    return strdup(value ? value : "");
}

static void copy_properties(struct otter_merge_source *source,
                            const struct otter_definitions *definitions)
{
    size_t n = definitions->n_properties;
    source->properties = calloc(n + 1, sizeof *source->properties);
    for (size_t i = 0; i < n; i++) {
        struct otter_property *property = &source->properties[source->n_properties++];
        property->name = strdup(definitions->properties[i].name);
        property->value = strdup(definitions->properties[i].value);
    }
}

static void describe(struct otter_merge_source *source, const struct otter_archive *archive)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    const char *rank = otter_archive_property(archive, "OTTER::RANK");
    struct otter_archive_layout layout = otter_archive_layout(archive);
    source->has_rank = rank && otter_rank_from_text(rank, &source->rank);
    source->n_ranks = (uint32_t)otter_archive_number(archive, "OTTER::RANKS");
    source->monotonic_ns = otter_archive_number(archive, "OTTER::CLOCK_MONOTONIC");
    source->job = copy_property(archive, "OTTER::JOB");
    source->boot_id = copy_property(archive, "OTTER::BOOT_ID");
    source->command_line = copy_property(archive, "OTTER::COMMAND_LINE");
    source->host = strdup(definitions->host);
    source->path = strdup(definitions->folder);
    source->name = strdup(definitions->n_locations > 0 ? definitions->locations[0].group : "");
    source->clock = definitions->clock;
    source->n_locations = definitions->n_locations;
    source->n_regions = definitions->n_regions;
    source->n_comms = definitions->n_comms;
    source->n_parameters = definitions->n_parameters;
    source->n_metrics = definitions->n_metrics;
    source->n_contexts = definitions->n_contexts;
    source->event_chunk = layout.event_chunk;
    source->largest_table = layout.largest_table;
    copy_properties(source, definitions);
}

static enum otter_status check_events(const struct otter_merge_source *source,
                                      struct otter_complaint *complaint)
{
    char why[256];
    enum otter_status status = OTTER_OK;
    for (size_t i = 0; i < source->n_locations && !status; i++) {
        char *path = otter_path("%s/traces/%zu.evt", source->path, i);
        status = otter_check_event_file_ends(path, why, sizeof why);
        if (status) {
            status = status == OTTER_NO_FILES ? status : OTTER_BAD_ARCHIVE;
            otter_complain(complaint, status, "'%s' %s", path, why);
        }
        free(path);
    }
    return status;
}

// Checks that the archive has the form that Otter writes for a process.
static enum otter_status check_form(const struct otter_archive *archive,
                                    struct otter_complaint *complaint)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    const char *path = definitions->folder;
    if (definitions->n_ranks > 0) {
        return otter_complain(complaint, OTTER_BAD_ARCHIVE,
                              "'%s' is a merged archive: name the archives of its ranks", path);
    }
    if (!otter_archive_property(archive, "OTTER::SCHEMA")) {
        return otter_complain(complaint, OTTER_BAD_ARCHIVE, "'%s' was not written by Otter", path);
    }
    if (definitions->marker_damage) {
        return otter_complain(complaint, OTTER_BAD_ARCHIVE, "%s", definitions->marker_damage);
    }
    bool is_possible = definitions->clock.offset < largest_tick &&
                       definitions->clock.length < largest_tick && definitions->n_locations > 0;
    if (!is_possible) {
        return otter_complain(complaint, OTTER_BAD_ARCHIVE, "'%s': its definitions are damaged",
                              path);
    }
    return otter_archive_layout(archive).is_dense
               ? OTTER_OK
               : otter_complain(complaint, OTTER_BAD_ARCHIVE,
                                "'%s': its definitions are not numbered 0, 1, 2, ... in their "
                                "order, as Otter numbers them",
                                path);
}

static void free_source(struct otter_merge_source *source)
{
    for (size_t i = 0; i < source->n_properties; i++) {
        free((void *)(uintptr_t)source->properties[i].name);
        free((void *)(uintptr_t)source->properties[i].value);
    }
    OTTER_FREE(source->properties, source->path, source->name, source->job, source->host,
               source->boot_id, source->command_line);
}

static enum otter_status read_source(struct otter_merge_source *source, const char *path,
                                     struct otter_complaint *complaint)
{
    struct otter_archive *archive;
    enum otter_status status = otter_archive_open_definitions(path, &archive, complaint);
    if (status) {
        return status;
    }
    status = check_form(archive, complaint);
    if (!status) {
        describe(source, archive);
    }
    otter_archive_close(archive);
    return status ? status : check_events(source, complaint);
}

bool otter_merge_is_source(const char *path)
{
    struct otter_merge_source source = {.path = NULL};
    struct otter_complaint complaint;
    bool is_source = read_source(&source, path, &complaint) == OTTER_OK;
    free_source(&source);
    return is_source;
}

// An archive that cannot be read is left out.
static enum otter_status add_source(struct otter_merge_sources *sources, const char *path,
                                    struct otter_complaint *complaint)
{
    struct otter_merge_source source = {.path = NULL};
    enum otter_status status = read_source(&source, path, complaint);
    if (!status) {
        OTTER_VECTOR_APPEND(sources, source);
        return OTTER_OK;
    }
    free_source(&source);
    if (status == OTTER_NO_FILES) {
        return status;
    }
    otter_warning("left out: %s", complaint->text);
    sources->n_left_out++;
    return OTTER_OK;
}

static enum otter_status add_path(struct otter_merge_sources *sources, const char *path,
                                  struct otter_complaint *complaint)
{
    struct otter_job_folder job;
    otter_job_folder_read(&job, path);
    enum otter_status status = job.n == 0 ? add_source(sources, path, complaint) : OTTER_OK;
    for (uint32_t i = 0; i < job.n && !status; i++) {
        status = add_source(sources, job.items[i], complaint);
    }
    otter_job_folder_free(&job);
    return status;
}

static int by_rank(const void *a, const void *b)
{
    const struct otter_merge_source *left = a, *right = b;
    return (left->rank > right->rank) - (left->rank < right->rank);
}

static enum otter_status compare(const struct otter_merge_source *a,
                                 const struct otter_merge_source *b,
                                 struct otter_complaint *complaint)
{
    if (a->rank == b->rank) {
        return otter_complain(complaint, OTTER_BAD_VALUE,
                              "'%s' and '%s' both belong to rank %" PRIu32
                              ", as after MPI_Comm_spawn: name one archive of each rank, or read "
                              "one: otter report %s",
                              a->path, b->path, a->rank, a->path);
    }
    if (a->event_chunk != b->event_chunk) {
        return otter_complain(complaint, OTTER_BAD_VALUE,
                              "'%s' has chunks of %zu bytes, but '%s' has chunks of %zu "
                              "(chunk-size): all chunks of an archive have the same size",
                              a->path, a->event_chunk, b->path, b->event_chunk);
    }
    return OTTER_OK;
}

// Archives without a job may belong to any job. All others must belong to the same job.
static enum otter_status compare_jobs(struct otter_merge_sources *sources,
                                      struct otter_complaint *complaint)
{
    const struct otter_merge_source *first = NULL;
    sources->job = "";
    for (uint32_t i = 0; i < sources->n; i++) {
        const struct otter_merge_source *source = &sources->items[i];
        if (!*source->job) {
            continue;
        }
        if (!first) {
            first = source;
            sources->job = source->job;
        } else if (strcmp(first->job, source->job) != 0) {
            return otter_complain(
                complaint, OTTER_BAD_VALUE,
                "'%s' belongs to job %s, but '%s' to job %s: name the archives of one job",
                first->path, first->job, source->path, source->job);
        }
    }
    return OTTER_OK;
}

// Archives that belong to no job may be from unrelated processes: the user decides, after being
// told what differs.
static void warn_of_unrelated(const struct otter_merge_sources *sources)
{
    const struct otter_merge_source *first = &sources->items[0];
    for (uint32_t i = 1; i < sources->n && !*sources->job; i++) {
        const struct otter_merge_source *source = &sources->items[i];
        if (strcmp(source->command_line, first->command_line) != 0) {
            otter_warning("'%s' and '%s' belong to no job, and have different command lines: "
                          "'%s' and '%s'; the merged archive treats them as ranks %" PRIu32
                          " and %" PRIu32,
                          first->path, source->path, first->command_line, source->command_line,
                          first->rank, source->rank);
            return;
        }
    }
}

// A damaged clock may have any length.
static const double MAX_SECONDS = 1e9;

static uint64_t end_of(const struct otter_merge_source *source)
{
    const struct otter_clock *clock = &source->clock;
    double seconds = (double)clock->length / (double)clock->resolution;
    return clock->realtime + (seconds < MAX_SECONDS ? (uint64_t)(seconds * 1e9) : 0);
}

// Refuses runs that did not overlap, since processes of a job run at the same time; a launcher's
// numbers or the user may override this.
static enum otter_status check_times(const struct otter_merge_sources *sources, bool is_forced,
                                     struct otter_complaint *complaint)
{
    const struct otter_merge_source *last = &sources->items[0], *first = last;
    for (uint32_t i = 0; i < sources->n; i++) {
        const struct otter_merge_source *source = &sources->items[i];
        if (is_forced || source->has_rank || *source->job || source->clock.realtime == 0 ||
            source->clock.resolution == 0) {
            return OTTER_OK;
        }
        last = source->clock.realtime > last->clock.realtime ? source : last;
        first = end_of(source) < end_of(first) ? source : first;
    }
    if (last->clock.realtime <= end_of(first)) {
        return OTTER_OK;
    }
    return otter_complain(complaint, OTTER_BAD_VALUE,
                          "'%s' ended before '%s' began, so they cannot be ranks of one job; to "
                          "compare two runs: otter diff; to merge them nevertheless: otter merge "
                          "--force",
                          first->path, last->path);
}

static bool is_same_recording(const struct otter_merge_source *a,
                              const struct otter_merge_source *b)
{
    const struct otter_clock *x = &a->clock, *y = &b->clock;
    return x->realtime > 0 && x->realtime == y->realtime && x->offset == y->offset &&
           x->length == y->length && a->has_rank == b->has_rank && a->rank == b->rank &&
           strcmp(a->name, b->name) == 0 && strcmp(a->host, b->host) == 0;
}

// Refuses an archive and its copy, unless the user wants both.
static enum otter_status check_copies(const struct otter_merge_sources *sources, bool is_forced,
                                      struct otter_complaint *complaint)
{
    for (uint32_t i = 0; i < sources->n && !is_forced; i++) {
        const struct otter_merge_source *source = &sources->items[i];
        for (uint32_t k = 0; k < i; k++) {
            const struct otter_merge_source *other = &sources->items[k];
            if (is_same_recording(source, other)) {
                return otter_complain(
                    complaint, OTTER_BAD_VALUE,
                    "'%s' and '%s' are copies of one recording: name one of "
                    "them%s",
                    other->path, source->path,
                    source->has_rank ? "" : "; to merge them nevertheless: otter merge --force");
            }
        }
    }
    return OTTER_OK;
}

// Processes not numbered by a launcher are numbered in the order of the arguments.
static enum otter_status number_sources(struct otter_merge_sources *sources,
                                        struct otter_complaint *complaint)
{
    const struct otter_merge_source *with = NULL, *without = NULL;
    for (uint32_t i = 0; i < sources->n; i++) {
        struct otter_merge_source *source = &sources->items[i];
        with = source->has_rank ? source : with;
        without = source->has_rank ? without : source;
    }
    if (with && without) {
        return otter_complain(complaint, OTTER_BAD_VALUE,
                              "'%s' belongs to a rank, but '%s' does not: name the archives of one "
                              "job",
                              with->path, without->path);
    }
    for (uint32_t i = 0; i < sources->n && without; i++) {
        sources->items[i].rank = i;
    }
    return OTTER_OK;
}

enum otter_status otter_merge_sources_read(struct otter_merge_sources *sources, char *const *paths,
                                           size_t n_paths, bool is_forced,
                                           struct otter_complaint *complaint)
{
    enum otter_status status = OTTER_OK;
    for (size_t i = 0; i < n_paths && !status; i++) {
        status = add_path(sources, paths[i], complaint);
    }
    if (!status && sources->n == 0) {
        status = otter_complain(complaint, OTTER_NOT_FOUND, "there is no archive to merge");
    }
    OTTER_THEN(status, check_copies(sources, is_forced, complaint));
    OTTER_THEN(status, check_times(sources, is_forced, complaint));
    OTTER_THEN(status, number_sources(sources, complaint));
    if (!status) {
        qsort(sources->items, sources->n, sizeof *sources->items, by_rank);
    }
    OTTER_THEN(status, compare_jobs(sources, complaint));
    for (uint32_t i = 1; i < sources->n && !status; i++) {
        status = compare(&sources->items[i - 1], &sources->items[i], complaint);
    }
    if (!status) {
        warn_of_unrelated(sources);
    }
    return status;
}

void otter_merge_sources_free(struct otter_merge_sources *sources)
{
    for (uint32_t i = 0; i < sources->n; i++) {
        free_source(&sources->items[i]);
    }
    free(sources->items);
    *sources = (struct otter_merge_sources){.n = 0};
}
