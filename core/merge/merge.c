// Makes one archive from the archives of a job's processes.
#include "merge/merge.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/free.h"
#include "base/path.h"
#include "base/output/protected.h"
#include "merge/existing.h"
#include "merge/job_folder.h"
#include "merge/leftovers.h"
#include "merge/sources.h"
#include "merge/target.h"
#include "merge/ticks.h"
#include "trace/merge/merge.h"
#include "trace/complaint.h"
#include "trace/schema.h"

static const char default_output[] = OTTER_MERGED;

enum { N_PROPERTIES = 16, DEFINITION_BYTES = 16 };

// The state of a merge. The plan points into the other members.
struct merge {
    struct otter_merge_sources sources;
    struct otter_host_offsets offsets;
    struct otter_related_clock *clocks;
    const char **hosts;
    struct otter_property properties[N_PROPERTIES];
    char texts[N_PROPERTIES][64];
    struct otter_merge_plan plan;
    struct otter_merge_target target;
};

static uint32_t host_index(struct merge *merge, const char *host)
{
    uint32_t i = 0;
    while (i < merge->plan.n_hosts && strcmp(merge->hosts[i], host) != 0) {
        i++;
    }
    if (i == merge->plan.n_hosts) {
        merge->hosts[merge->plan.n_hosts++] = host;
    }
    return i;
}

static void plan_rank(struct merge *merge, uint32_t i)
{
    const struct otter_merge_source *source = &merge->sources.items[i];
    const struct otter_related_clock *clock = &merge->clocks[i];
    merge->plan.ranks[i] = (struct otter_merge_rank){
        .archive = source->path,
        .name = source->name,
        .number = source->rank,
        .node = host_index(merge, source->host),
        .first_location = merge->plan.n_locations,
        .n_locations = source->n_locations,
        .first_tick = source->clock.offset,
        .last_tick =
            source->clock.length > 0 ? source->clock.offset + source->clock.length : UINT64_MAX,
        .clock = clock->clock,
        .map = clock->map,
        .clock_deviation_ns = clock->deviation_ns,
        .properties = source->properties,
        .n_properties = source->n_properties,
        .n_regions = source->n_regions,
        .n_comms = source->n_comms,
        .n_parameters = source->n_parameters,
        .n_metrics = source->n_metrics,
        .n_contexts = source->n_contexts,
    };
    merge->plan.n_locations += source->n_locations;
}

static void add_property(struct merge *merge, const char *name, const char *value)
{
    merge->properties[merge->plan.n_properties++] = (struct otter_property){name, value};
}

static void add_number(struct merge *merge, const char *name, uint64_t number)
{
    char *text = merge->texts[merge->plan.n_properties];
    snprintf(text, sizeof merge->texts[0], "%" PRIu64, number);
    add_property(merge, name, text);
}

// Returns whether a property has the value "true" in all ranks.
static bool is_true_of_all(const struct otter_merge_sources *sources, const char *name)
{
    for (uint32_t i = 0; i < sources->n; i++) {
        const struct otter_merge_source *source = &sources->items[i];
        bool is_true = false;
        for (size_t k = 0; k < source->n_properties; k++) {
            is_true |= strcmp(source->properties[k].name, name) == 0 &&
                       strcmp(source->properties[k].value, "true") == 0;
        }
        if (!is_true) {
            return false;
        }
    }
    return true;
}

static void plan_properties(struct merge *merge, const struct otter_merge_result *result)
{
    static const char *const complete[] = {"OTF2::THREAD_FORK_JOIN_EVENT_COMPLETE",
                                           "OTF2::THREAD_LOCK_EVENT_COMPLETE"};
    for (size_t i = 0; i < sizeof complete / sizeof *complete; i++) {
        add_property(merge, complete[i],
                     is_true_of_all(&merge->sources, complete[i]) ? "true" : "false");
    }
    add_number(merge, "OTTER::SCHEMA", OTTER_SCHEMA_VERSION);
    add_number(merge, "OTTER::MERGED", merge->sources.n);
    add_number(merge, "OTTER::RANKS", merge->sources.n + result->n_missing);
    add_property(merge, "OTTER::CLOCKS", otter_clocks_name(result->clocks));
    if (*merge->sources.job) {
        add_property(merge, "OTTER::JOB", merge->sources.job);
    }
}

// Returns the number of the job's ranks that were not merged.
static size_t count_missing(const struct otter_merge_sources *sources)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < sources->n; i++) {
        const struct otter_merge_source *source = &sources->items[i];
        n = source->n_ranks > n ? source->n_ranks : n;
    }
    return n > sources->n ? n - sources->n : 0;
}

static void note_clocks(const struct merge *merge, struct otter_merge_result *result)
{
    for (uint32_t i = 0; i < merge->sources.n; i++) {
        const struct otter_related_clock *clock = &merge->clocks[i];
        result->clocks = clock->kind > result->clocks ? clock->kind : result->clocks;
        result->clock_deviation_ns = clock->deviation_ns > result->clock_deviation_ns
                                         ? clock->deviation_ns
                                         : result->clock_deviation_ns;
    }
}

static enum otter_status make_plan(struct merge *merge, struct otter_merge_result *result,
                                   struct otter_complaint *complaint)
{
    uint32_t n = merge->sources.n;
    struct otter_merge_plan *plan = &merge->plan;
    merge->clocks = calloc(n, sizeof *merge->clocks);
    merge->hosts = calloc(n, sizeof *merge->hosts);
    plan->ranks = calloc(n, sizeof *plan->ranks);
    enum otter_status status = otter_clocks_relate(&merge->sources, &merge->offsets, merge->clocks,
                                                   &plan->clock, complaint);
    uint64_t largest = 0;
    for (uint32_t i = 0; i < n && !status; i++) {
        plan_rank(merge, i);
        otter_merge_ticks(&merge->sources.items[i], &merge->clocks[i].map);
        uint64_t table = merge->sources.items[i].largest_table;
        largest = table > largest ? table : largest;
    }
    if (status) {
        return status;
    }
    note_clocks(merge, result);
    plan->n_ranks = n;
    plan->hosts = merge->hosts;
    plan->machine = plan->n_hosts == 1 ? merge->hosts[0] : "machine";
    plan->description = merge->sources.items[0].command_line;
    plan->event_chunk = merge->sources.items[0].event_chunk;
    largest = plan->n_locations > largest ? plan->n_locations : largest;
    plan->definition_chunk = otter_merge_definition_chunk(largest * DEFINITION_BYTES);
    result->n_missing = count_missing(&merge->sources);
    plan_properties(merge, result);
    plan->properties = merge->properties;
    return OTTER_OK;
}

static enum otter_status add_events(const struct merge *merge, bool copies,
                                    struct otter_merge_result *result)
{
    enum otter_status status = OTTER_OK;
    for (size_t i = 0; i < merge->plan.n_ranks && !status; i++) {
        const struct otter_merge_rank *rank = &merge->plan.ranks[i];
        for (size_t k = 0; k < rank->n_locations && !status; k++) {
            char *from = otter_path("%s/traces/%zu.evt", rank->archive, k);
            status = otter_merge_target_add(&merge->target, from, rank->first_location + k, copies,
                                            &result->has_copied);
            free(from);
        }
    }
    return status;
}

static enum otter_status complain_of_target(const struct merge *merge, enum otter_status status,
                                            struct otter_complaint *complaint)
{
    if (status == OTTER_EXISTS) {
        return otter_complain(complaint, status,
                              "'%s' exists already: choose another name with --output",
                              merge->target.path);
    }
    return otter_complain(complaint, status, "cannot write the archive '%s': %s",
                          merge->target.path ? merge->target.path : "", otter_status_text(status));
}

// The output is the folder of the job itself if the user names one folder, and no output.
static enum otter_status open_target(struct merge *merge, const struct otter_merge_request *request,
                                     struct otter_complaint *complaint)
{
    bool is_job = !request->output && request->n_paths == 1;
    struct otter_job_folder job;
    if (is_job) {
        otter_job_folder_read(&job, request->paths[0]);
        is_job = job.n > 0;
        otter_job_folder_free(&job);
    }
    const char *path = request->output ? request->output
                       : is_job        ? request->paths[0]
                                       : default_output;
    enum otter_status status = otter_merge_target_open(&merge->target, path, is_job);
    if (status && is_job) {
        return otter_complain(complaint, status,
                              "cannot write the archive '%s': %s; to write it elsewhere: otter "
                              "merge -o NAME %s",
                              path, otter_status_text(status), path);
    }
    return status ? complain_of_target(merge, status, complaint) : OTTER_OK;
}

static enum otter_status write_archive(struct merge *merge,
                                       const struct otter_merge_request *request,
                                       struct otter_merge_result *result,
                                       struct otter_complaint *complaint)
{
    enum otter_status status = otter_merge_write(merge->target.folder, &merge->plan, complaint);
    if (status && complaint->text[0]) {
        return status;
    }
    OTTER_THEN(status, add_events(merge, request->copies, result));
    OTTER_THEN(status, otter_merge_target_publish(&merge->target));
    if (status) {
        return complain_of_target(merge, status, complaint);
    }
    otter_merge_leftovers_remove(merge->target.parent);
    return OTTER_OK;
}

// The archive must not be inside one of its sources.
static enum otter_status check_place(const struct merge *merge, struct otter_complaint *complaint)
{
    for (size_t i = 0; i < merge->sources.n; i++) {
        otter_protected_add(merge->sources.items[i].path);
    }
    return otter_protected_has(merge->target.path)
               ? otter_complain(complaint, OTTER_EXISTS,
                                "cannot write the archive '%s': it would be in an archive that is "
                                "merged; choose another name with --output",
                                merge->target.path)
               : OTTER_OK;
}

static enum otter_status run(struct merge *merge, const struct otter_merge_request *request,
                             struct otter_merge_result *result, struct otter_complaint *complaint)
{
    enum otter_status status = OTTER_OK;
    if (request->offsets) {
        status = otter_host_offsets_read(&merge->offsets, request->offsets, complaint);
    }
    OTTER_THEN(status, open_target(merge, request, complaint));
    OTTER_THEN(status, otter_merge_sources_read(&merge->sources, request->paths, request->n_paths,
                                                request->is_forced, complaint));
    if (!status && merge->target.is_job) {
        status = otter_merge_check_existing(merge->target.path, &merge->sources, complaint);
    } else if (!status) {
        status = check_place(merge, complaint);
    }
    OTTER_THEN(status, make_plan(merge, result, complaint));
    OTTER_THEN(status, write_archive(merge, request, result, complaint));
    result->n_ranks = merge->plan.n_ranks;
    result->n_left_out = merge->sources.n_left_out;
    result->n_locations = merge->plan.n_locations;
    result->n_hosts = merge->plan.n_hosts;
    return status;
}

enum otter_status otter_merge(const struct otter_merge_request *request,
                              struct otter_merge_result *result, struct otter_complaint *complaint)
{
    struct merge merge = {.target = {.lock = -1}};
    *result = (struct otter_merge_result){.archive = NULL};
    enum otter_status status = run(&merge, request, result, complaint);
    if (!status) {
        result->archive = merge.target.path;
        merge.target.path = NULL;
    }
    otter_merge_target_close(&merge.target);
    otter_merge_sources_free(&merge.sources);
    OTTER_FREE(merge.offsets.items, merge.clocks, merge.hosts, merge.plan.ranks);
    return status;
}
