// Creates and runs a builder: from an archive, or event by event.
#include "graph/build/build.h"

#include <stdio.h>
#include <string.h>

#include "graph/build/arrays.h"
#include "graph/build/edges/fork.h"
#include "graph/build/event.h"
#include "graph/build/scope.h"
#include "trace/schema.h"

// ---- a builder from creation to graph

struct otter_builder {
    struct otter_parts parts;
    struct otter_reading reading;
    uint64_t n_events;
};

struct otter_builder *otter_builder_create(const struct otter_definitions *definitions,
                                           enum otter_graph_view view)
{
    struct otter_builder *builder = calloc(1, sizeof *builder);
    if (!builder) {
        return NULL;
    }
    struct otter_parts *parts = &builder->parts;
    bool is_good = otter_parts_init(parts, definitions, view);
    is_good = otter_stack_init(&builder->reading.stack, parts) && is_good;
    if (!is_good || !otter_numbers_init(&builder->reading.numbers, definitions->n_locations)) {
        otter_builder_destroy(builder);
        return NULL;
    }
    return builder;
}

bool otter_builder_add(void *user, const struct otter_event *event)
{
    struct otter_builder *builder = user;
    bool *has_failed = &builder->parts.store.has_failed;
    if (!*has_failed) {
        builder->n_events++;
        otter_read_event(&builder->reading, event);
    }
    return !*has_failed;
}

static void count_unfinished(struct otter_store *store)
{
    for (uint32_t i = 0; i < store->tasks.n; i++) {
        struct otter_graph_task *task = &store->tasks.items[i];
        if (task->number == 0) {
            continue;
        }
        if (task->creator == OTTER_NONE) {
            store->findings.n_unknown_tasks++;
        }
        if (!(task->flags & OTTER_BUILD_ENDED)) {
            store->findings.n_unfinished_tasks++;
            task->flags |= OTTER_NODE_UNFINISHED;
        }
    }
}

// Resolves relations between locations. alias[node] becomes the node that replaces `node`.
// *Returns* false if out of memory.
static bool resolve(struct otter_parts *parts, uint32_t *alias)
{
    struct otter_store *store = &parts->store;
    if (store->has_failed) {
        return false;
    }
    otter_scopes_find_detached(&parts->joins, store, &parts->teams);
    if (!otter_forks_find(&parts->teams, store)) {
        return false;
    }
    otter_teams_build(&parts->teams, store, alias);
    count_unfinished(store);
    otter_ends_fulfil(&parts->ends, store, alias);
    if (store->has_failed) {
        return false;
    }
    otter_doacross_link(&parts->doacross, store, &parts->teams);
    otter_join_resolve_adoptions(&parts->joins, store);
    otter_ends_copy_tails(&parts->ends, store);
    otter_scopes_build(&parts->joins, store, &parts->teams);
    otter_ends_complete(&parts->ends, store);
    return !store->has_failed;
}

enum otter_status otter_builder_finish(struct otter_builder *builder, struct otter_graph **graph,
                                       struct otter_build_findings *findings)
{
    struct otter_parts *parts = &builder->parts;
    *graph = NULL;
    otter_read_end_location(&builder->reading);
    otter_log_replay(&builder->reading.stack.log, parts);
    otter_join_resolve_orphans(&parts->joins, &parts->store);
    otter_operations_build(&parts->operations, &parts->store);
    otter_numbers_finish(&builder->reading.numbers);
    size_t n_nodes =
        (size_t)parts->store.nodes.n + parts->teams.forks.n + parts->ends.fulfilments.n;
    uint32_t *alias = malloc((n_nodes + 1) * sizeof *alias);
    if (alias && resolve(parts, alias)) {
        *graph = otter_arrays_build(&parts->store, &parts->teams, alias);
    } else {
        free(alias);
    }
    if (*graph) {
        (*graph)->n_events = builder->n_events;
    }
    if (findings) {
        *findings = parts->store.findings;
    }
    otter_builder_destroy(builder);
    return *graph ? OTTER_OK : OTTER_NO_MEMORY;
}

void otter_builder_destroy(struct otter_builder *builder)
{
    if (!builder) {
        return;
    }
    otter_numbers_finish(&builder->reading.numbers);
    otter_stack_finish(&builder->reading.stack);
    otter_parts_finish(&builder->parts);
    free(builder);
}

// ---- from an archive

bool otter_graph_knows(const struct otter_archive *archive, char why[OTTER_MAX_WHY])
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    const char *schema = otter_archive_property(archive, "OTTER::SCHEMA");
    char known[16];
    snprintf(known, sizeof known, "%d", OTTER_SCHEMA_VERSION);
    if (!schema) {
        snprintf(why, OTTER_MAX_WHY,
                 "the archive was not written by Otter, but by %.60s (record the program with "
                 "'otter record')",
                 *definitions->creator ? definitions->creator : "an unknown tool");
    } else if (strcmp(schema, known) != 0) {
        snprintf(
            why, OTTER_MAX_WHY,
            "the archive has schema %.20s, and this version of Otter knows %s (use the version "
            "that wrote it)",
            schema, known);
    } else if (definitions->n_locations > UINT16_MAX) {
        snprintf(why, OTTER_MAX_WHY, "the archive has %zu locations; Otter knows up to %d",
                 definitions->n_locations, (int)UINT16_MAX);
    } else {
        return true;
    }
    return false;
}

enum otter_status otter_graph_build(struct otter_archive *archive, enum otter_graph_view view,
                                    struct otter_graph **graph,
                                    struct otter_build_findings *findings,
                                    struct otter_complaint *complaint)
{
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    *graph = NULL;
    char why[OTTER_MAX_WHY];
    if (!otter_graph_knows(archive, why)) {
        snprintf(complaint->text, sizeof complaint->text, "no task graph in '%s': %s",
                 definitions->anchor, why);
        return OTTER_BAD_ARCHIVE;
    }
    struct otter_builder *builder = otter_builder_create(definitions, view);
    for (size_t i = 0; builder && i < definitions->n_locations; i++) {
        struct otter_complaint damage;
        enum otter_location_kind kind = definitions->locations[i].kind;
        bool has_part = kind == OTTER_LOCATION_CPU_THREAD || kind == OTTER_LOCATION_ACCELERATOR;
        enum otter_status status =
            has_part ? otter_archive_read(archive, i, otter_builder_add, builder, NULL, &damage)
                     : OTTER_OK;
        if (status == OTTER_NO_FILES) {
            otter_builder_destroy(builder);
            *complaint = damage;
            return status;
        }
        builder->parts.store.findings.n_damaged_locations += status != OTTER_OK;
    }
    enum otter_status status =
        builder ? otter_builder_finish(builder, graph, findings) : OTTER_NO_MEMORY;
    if (status) {
        snprintf(complaint->text, sizeof complaint->text,
                 "not enough memory for the task graph of '%s'", definitions->anchor);
    }
    return status;
}
