// Creates and runs a builder: from an archive, or event by event.
#include "graph/build/build.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "graph/build/internal.h"
#include "trace/schema.h"

// ---- memory

uint32_t otter_build_node(struct otter_builder *builder, const struct otter_node *node)
{
    if (!OTTER_VECTOR_RESERVE(&builder->nodes)) {
        builder->has_failed = true;
        return 0;
    }
    builder->nodes.items[builder->nodes.n] = *node;
    return builder->nodes.n++;
}

void otter_build_edge(struct otter_builder *builder, uint32_t from, uint32_t to, unsigned kind)
{
    if (!OTTER_VECTOR_RESERVE(&builder->edge_from) || !OTTER_VECTOR_RESERVE(&builder->edge_to) ||
        !OTTER_VECTOR_RESERVE(&builder->edge_kind)) {
        builder->has_failed = true;
        return;
    }
    builder->edge_from.items[builder->edge_from.n++] = from;
    builder->edge_to.items[builder->edge_to.n++] = to;
    builder->edge_kind.items[builder->edge_kind.n++] = (uint8_t)kind;
}

uint32_t otter_build_task(struct otter_builder *builder, enum otter_task_kind kind,
                          uint32_t location, uint32_t number)
{
    if (!OTTER_VECTOR_RESERVE(&builder->tasks) || !OTTER_VECTOR_RESERVE(&builder->task_scope) ||
        !OTTER_VECTOR_RESERVE(&builder->task_next)) {
        builder->has_failed = true;
        return 0;
    }
    uint32_t task = builder->tasks.n++;
    uint32_t node = otter_build_node(
        builder, &(struct otter_node){
                     .task = task,
                     .scope = OTTER_OF_TASK,
                     .region = OTTER_NONE,
                     .location = (uint16_t)location,
                     .kind = otter_is_structure(builder) ? OTTER_NODE_TASK : OTTER_NODE_FRAGMENT,
                 });
    builder->tasks.items[task] = (struct otter_graph_task){.first_node = node,
                                                           .last_node = node,
                                                           .creator = OTTER_NONE,
                                                           .number = number,
                                                           .location = (uint16_t)location,
                                                           .kind = (uint8_t)kind};
    builder->task_scope.items[builder->task_scope.n++] = OTTER_NONE;
    builder->task_next.items[builder->task_next.n++] = OTTER_NONE;
    return task;
}

bool otter_graph_may_be_task(const struct otter_definitions *definitions, uint32_t location,
                             uint32_t number)
{
    enum { MAX_LOST = 1 << 20, MAX_LOST_OF_ALL = 1 << 23, ALWAYS_LOST = 1 << 8 };
    static const uint64_t max_unrecorded = UINT64_C(1) << 32; // tasks that were created in pauses
    if (location >= definitions->n_locations || number == 0) {
        return false;
    }
    uint64_t most = MAX_LOST_OF_ALL / definitions->n_locations;
    most = most > MAX_LOST ? MAX_LOST : most < ALWAYS_LOST ? ALWAYS_LOST : most;
    uint64_t unrecorded = max_unrecorded / definitions->n_locations;
    unrecorded = definitions->n_unrecorded < unrecorded ? definitions->n_unrecorded : unrecorded;
    return number <= definitions->locations[location].n_held + unrecorded + most;
}

// Tasks of a pause are numbered, but few occur in records: hence pages. *Returns* NULL when memory
// is short.
static uint32_t *find_page(struct otter_builder *builder, uint32_t location, uint32_t page)
{
    struct otter_location_tasks *tasks = &builder->location_tasks[location];
    while (tasks->n <= page) {
        if (!OTTER_VECTOR_RESERVE(tasks)) {
            return NULL;
        }
        tasks->items[tasks->n++] = NULL;
    }
    if (!tasks->items[page]) {
        tasks->items[page] = malloc(OTTER_TASK_PAGE * sizeof *tasks->items[page]);
        if (tasks->items[page]) {
            memset(tasks->items[page], 0xff, OTTER_TASK_PAGE * sizeof *tasks->items[page]);
        }
    }
    return tasks->items[page];
}

uint32_t otter_build_find_task(struct otter_builder *builder, uint32_t location, uint32_t number)
{
    if (!otter_graph_may_be_task(builder->definitions, location, number)) {
        return OTTER_NONE;
    }
    uint32_t *page = find_page(builder, location, number / OTTER_TASK_PAGE);
    if (!page) {
        builder->has_failed = true;
        return OTTER_NONE;
    }
    uint32_t *task = &page[number % OTTER_TASK_PAGE];
    if (*task == OTTER_NONE) {
        *task = otter_build_task(builder, OTTER_TASK_KIND_UNKNOWN, location, number);
    }
    return *task;
}

void otter_build_forget_numbers(struct otter_builder *builder)
{
    for (size_t i = 0; builder->location_tasks && i < builder->definitions->n_locations; i++) {
        for (uint32_t page = 0; page < builder->location_tasks[i].n; page++) {
            free(builder->location_tasks[i].items[page]);
        }
        free(builder->location_tasks[i].items);
    }
    free(builder->location_tasks);
    builder->location_tasks = NULL;
}

// ---- regions

static enum otter_region_class class_of_sync(enum otter_construct construct)
{
    switch (construct) {
    case OTTER_CONSTRUCT_TASKWAIT: return OTTER_CLASS_TASKWAIT;
    case OTTER_CONSTRUCT_TASKWAIT_DEPEND: return OTTER_CLASS_TASKWAIT_DEPEND;
    case OTTER_CONSTRUCT_TASKGROUP: return OTTER_CLASS_TASKGROUP;
    case OTTER_CONSTRUCT_TASKGROUP_WAIT: return OTTER_CLASS_TASKGROUP_WAIT;
    case OTTER_CONSTRUCT_SYNC_UNKNOWN:
    case OTTER_CONSTRUCT_REDUCTION: return OTTER_CLASS_SYNC;
    default: return OTTER_CLASS_BARRIER;
    }
}

static enum otter_region_class class_of_target(enum otter_construct construct)
{
    if (construct >= OTTER_CONSTRUCT_TARGET && construct <= OTTER_CONSTRUCT_TARGET_UNKNOWN) {
        return OTTER_CLASS_TARGET;
    }
    if (construct >= OTTER_CONSTRUCT_DEVICE_ALLOCATE &&
        construct <= OTTER_CONSTRUCT_DATA_OP_UNKNOWN) {
        return OTTER_CLASS_OPERATION;
    }
    return construct == OTTER_CONSTRUCT_TARGET_SUBMIT ? OTTER_CLASS_SCOPE : OTTER_CLASS_NONE;
}

static enum otter_region_class class_of(enum otter_construct construct)
{
    if (construct >= OTTER_CONSTRUCT_BARRIER && construct <= OTTER_CONSTRUCT_REDUCTION) {
        return class_of_sync(construct);
    }
    switch (construct) {
    case OTTER_CONSTRUCT_INITIAL_TASK: return OTTER_CLASS_INITIAL;
    case OTTER_CONSTRUCT_PARALLEL:
    case OTTER_CONSTRUCT_TEAMS: return OTTER_CLASS_TEAM;
    case OTTER_CONSTRUCT_TASK: return OTTER_CLASS_TASK;
    case OTTER_CONSTRUCT_LOOP:
    case OTTER_CONSTRUCT_SECTIONS:
    case OTTER_CONSTRUCT_SINGLE:
    case OTTER_CONSTRUCT_WORKSHARE:
    case OTTER_CONSTRUCT_DISTRIBUTE:
    case OTTER_CONSTRUCT_TASKLOOP:
    case OTTER_CONSTRUCT_SCOPE:
    case OTTER_CONSTRUCT_MASKED:
    case OTTER_CONSTRUCT_WORK_UNKNOWN:
    case OTTER_CONSTRUCT_KOKKOS_FOR:
    case OTTER_CONSTRUCT_KOKKOS_REDUCE:
    case OTTER_CONSTRUCT_KOKKOS_SCAN:
    case OTTER_CONSTRUCT_KOKKOS_REGION:
    case OTTER_CONSTRUCT_KOKKOS_COPY: return OTTER_CLASS_SCOPE;
    case OTTER_CONSTRUCT_KOKKOS_FENCE: return OTTER_CLASS_SYNC;
    case OTTER_CONSTRUCT_ORDERED: return OTTER_CLASS_ORDERED;
    case OTTER_CONSTRUCT_ORDERED_BLOCK: return OTTER_CLASS_ORDERED_BLOCK;
    default: return class_of_target(construct);
    }
}

static void classify_regions(struct otter_builder *builder)
{
    for (size_t i = 0; i < builder->definitions->n_regions; i++) {
        const struct otter_region *region = &builder->definitions->regions[i];
        builder->region_class[i] = (uint8_t)class_of(region->construct);
        if (region->construct == OTTER_CONSTRUCT_TASK) {
            const char *words = region->description;
            builder->region_flags[i] =
                (uint8_t)((strstr(words, "undeferred") ? OTTER_TASK_UNDEFERRED : 0) |
                          (strstr(words, "untied") ? OTTER_TASK_UNTIED : 0) |
                          (strstr(words, "target") ? OTTER_TASK_TARGET : 0));
        }
    }
}

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
    classify_regions(builder);
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
