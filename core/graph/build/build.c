// Creates and runs a builder: from an archive, or event by event.
#include "graph/build/build.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "graph/build/internal.h"
#include "trace/schema.h"

// ---- a builder from creation to graph

struct otter_builder *otter_builder_create(const struct otter_definitions *definitions,
                                           enum otter_graph_view view)
{
    struct otter_builder *builder = calloc(1, sizeof *builder);
    if (!builder) {
        return NULL;
    }
    builder->definitions = definitions;
    builder->view = view;
    builder->location = OTTER_NONE;
    builder->region_class = calloc(definitions->n_regions + 1, 1);
    builder->region_flags = calloc(definitions->n_regions + 1, 1);
    builder->location_tasks = calloc(definitions->n_locations + 1, sizeof *builder->location_tasks);
    // Index 0 must be writable even when memory is short.
    if (!builder->region_class || !builder->region_flags || !builder->location_tasks ||
        !OTTER_VECTOR_RESERVE(&builder->nodes) || !OTTER_VECTOR_RESERVE(&builder->tasks) ||
        !OTTER_VECTOR_RESERVE(&builder->task_scope) || !OTTER_VECTOR_RESERVE(&builder->task_next) ||
        !OTTER_VECTOR_RESERVE(&builder->contexts) || !OTTER_VECTOR_RESERVE(&builder->scopes) ||
        !OTTER_VECTOR_RESERVE(&builder->forks) || !OTTER_VECTOR_RESERVE(&builder->members)) {
        otter_builder_destroy(builder);
        return NULL;
    }
    otter_build_classify_regions(builder);
    for (size_t i = 0; i < definitions->n_locations; i++) {
        builder->has_devices |= definitions->locations[i].kind == OTTER_LOCATION_ACCELERATOR;
    }
    return builder;
}

bool otter_builder_add(void *user, const struct otter_event *event)
{
    struct otter_builder *builder = user;
    if (!builder->has_failed) {
        builder->n_events++;
        otter_build_event(builder, event);
    }
    return !builder->has_failed;
}

static void count_unfinished(struct otter_builder *builder)
{
    for (uint32_t i = 0; i < builder->tasks.n; i++) {
        struct otter_graph_task *task = &builder->tasks.items[i];
        if (task->number == 0) {
            continue;
        }
        if (task->creator == OTTER_NONE) {
            builder->findings.n_unknown_tasks++;
        }
        if (!(task->flags & OTTER_BUILD_ENDED)) {
            builder->findings.n_unfinished_tasks++;
            task->flags |= OTTER_NODE_UNFINISHED;
        }
    }
}

enum otter_status otter_builder_finish(struct otter_builder *builder, struct otter_graph **graph,
                                       struct otter_build_findings *findings)
{
    *graph = NULL;
    otter_build_end_location(builder);
    otter_build_replay(builder);
    otter_build_adopt_orphans(builder);
    otter_build_devices(builder);
    uint32_t *alias = malloc(
        ((size_t)builder->nodes.n + builder->forks.n + builder->fulfilments.n + 1) * sizeof *alias);
    if (alias && !builder->has_failed) {
        otter_build_teams(builder, alias);
        count_unfinished(builder);
        *graph = otter_build_close(builder, alias);
    } else {
        free(alias);
    }
    if (findings) {
        *findings = builder->findings;
    }
    otter_builder_destroy(builder);
    return *graph ? OTTER_OK : OTTER_NO_MEMORY;
}

static void free_contexts(struct otter_builder *builder)
{
    for (uint32_t i = 0; i < builder->contexts.n; i++) {
        otter_depend_clear(&builder->contexts.items[i]);
    }
    free(builder->contexts.items);
    free(builder->open.items);
    free(builder->open_forks.items);
}

void otter_builder_destroy(struct otter_builder *builder)
{
    if (!builder) {
        return;
    }
    otter_build_forget_numbers(builder);
    free(builder->region_class);
    free(builder->region_flags);
    free(builder->nodes.items);
    free(builder->edge_from.items);
    free(builder->edge_to.items);
    free(builder->edge_kind.items);
    free(builder->tasks.items);
    free(builder->task_scope.items);
    free(builder->task_next.items);
    free(builder->scopes.items);
    free(builder->forks.items);
    free(builder->members.items);
    free(builder->barriers.items);
    free(builder->doacross.items);
    free(builder->fulfilments.items);
    free(builder->adoptions.items);
    free(builder->orphans.items);
    free(builder->targets.items);
    free(builder->operations.items);
    free(builder->device_pieces.items);
    free(builder->tails.items);
    free(builder->entries.items);
    free(builder->log.items);
    free(builder->predecessors.items);
    free(builder->sorted_members);
    free(builder->fulfils);
    free_contexts(builder);
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
        if (has_part && otter_archive_read(archive, i, otter_builder_add, builder, NULL, &damage)) {
            builder->findings.n_damaged_locations++;
        }
    }
    enum otter_status status =
        builder ? otter_builder_finish(builder, graph, findings) : OTTER_NO_MEMORY;
    if (status) {
        snprintf(complaint->text, sizeof complaint->text,
                 "not enough memory for the task graph of '%s'", definitions->anchor);
    }
    return status;
}
