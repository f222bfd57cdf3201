// The definitions of one rank of a merged archive, as in the rank's own archive.
//
// The local definitions of a location contain mapping tables. They list the rank's definitions in
// the order of its own archive, the same for each location. So numbers in events are indexes into
// these lists, and OTF2 need not map them. This also works for values that OTF2 does not map, such
// as parameters that are regions.
#include "trace/read/rank_view.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "trace/read/checked/checked_file.h"
#include "trace/complaint.h"
#include "trace/read/definitions.h"
#include "trace/read/event_files.h"
#include "trace/read/local_tables.h"
#include "trace/read/processes.h"
#include "trace/read/sources.h"
#include "trace/schema.h"

// Stands for a definition that the archive lacks, because its number in a mapping table is damaged.
static const struct otter_region no_region = {.shared = OTTER_NONE,
                                              .name = "",
                                              .canonical_name = "",
                                              .description = "",
                                              .role = "other",
                                              .paradigm = "other",
                                              .file = ""};
static const struct otter_comm no_comm = {
    .shared = OTTER_NONE, .name = "", .parent = OTTER_NONE, .members = NULL, .identity = ""};
static const struct otter_parameter_definition no_parameter = {.name = ""};
static const struct otter_metric no_metric = {.space = "", .name = "", .unit = ""};
static const struct otter_calling_context no_context = {OTTER_NONE, OTTER_NONE, OTTER_NONE};

// Returns the members of a group as indexes of the rank's locations. All communicators of a group
// share the list.
static const uint32_t *local_members(struct otter_archive *archive, const struct otter_comm *comm,
                                     uint32_t group)
{
    uint32_t **list = &archive->view.members[group];
    if (!*list) {
        *list = malloc((comm->n_members + 1) * sizeof **list);
        archive->is_short_of_memory |= !*list;
        for (size_t i = 0; *list && i < comm->n_members; i++) {
            uint32_t location = comm->members[i];
            (*list)[i] = location == OTTER_NONE ? OTTER_NONE : archive->view.local[location];
        }
    }
    return *list;
}

// Definitions of one kind, of the rank and of all ranks.
struct kind {
    struct otter_list *own;
    const struct otter_ids *ids;
    const void *whole, *unknown;
    size_t size;
};

// Adds the definition with the number `global` in the merged archive.
static bool add(const struct kind *kind, uint64_t global)
{
    uint32_t index = otter_ids_find(kind->ids, global);
    void *item = otter_list_add(kind->own, kind->size);
    if (item) {
        memcpy(item,
               index == OTTER_NONE ? kind->unknown : (const char *)kind->whole + index * kind->size,
               kind->size);
    }
    return item != NULL;
}

// The local definitions of the rank's locations, which must all be equal.
struct local {
    struct otter_archive *archive;
    uint64_t n_expected[OTTER_N_LOCAL_TABLES]; // number of the rank's definitions
    bool is_expected;                          // the merge has recorded these numbers
    bool has_first;
    struct otter_local_tables first; // tables of the first location without damage
    struct otter_local_tables own;   // tables of the current location
};

static const char *find_flaw(const struct local *local)
{
    bool lacks_table = local->own.is_sparse;
    for (unsigned i = 0; i < OTTER_N_LOCAL_TABLES; i++) {
        lacks_table |= local->is_expected && local->own.numbers[i].n != local->n_expected[i];
    }
    if (lacks_table) {
        return "does not map all definitions of its rank";
    }
    bool differs = local->has_first && !otter_local_tables_are_equal(&local->own, &local->first);
    return local->own.offsets.n < 2 ? "lacks the offsets of its rank's clock"
           : differs                ? "has other definitions than the rest of its rank"
                                    : NULL;
}

static const char *end_location(void *user)
{
    struct local *local = user;
    const char *flaw = find_flaw(local);
    local->archive->is_short_of_memory |= local->own.is_short_of_memory;
    if (!flaw && !local->has_first) {
        local->has_first = true;
        local->first = local->own;
        local->own = (struct otter_local_tables){.is_sparse = false};
    }
    otter_local_tables_finish(&local->own);
    return flaw;
}

static void add_definitions(const struct local *local)
{
    struct otter_archive *archive = local->archive;
    struct otter_rank_view *view = &archive->view;
    const struct otter_definitions *whole = &archive->whole;
    const struct kind kinds[OTTER_N_LOCAL_TABLES] = {
        [OTTER_LOCAL_REGIONS] = {&view->regions, &archive->region_ids, whole->regions, &no_region,
                                 sizeof no_region},
        [OTTER_LOCAL_COMMS] = {&view->comms, &archive->comm_ids, whole->comms, &no_comm,
                               sizeof no_comm},
        [OTTER_LOCAL_PARAMETERS] = {&view->parameters, &archive->parameter_ids, whole->parameters,
                                    &no_parameter, sizeof no_parameter},
        [OTTER_LOCAL_METRICS] = {&view->metrics, &archive->metric_ids, whole->metrics, &no_metric,
                                 sizeof no_metric},
        [OTTER_LOCAL_CONTEXTS] = {&view->contexts, &archive->context_ids, whole->contexts,
                                  &no_context, sizeof no_context},
    };
    for (unsigned i = 0; i < OTTER_N_LOCAL_TABLES; i++) {
        const struct otter_list *numbers = &local->first.numbers[i];
        for (size_t k = 0; k < numbers->n && !archive->is_short_of_memory; k++) {
            archive->is_short_of_memory |= !add(&kinds[i], ((uint64_t *)numbers->items)[k]);
        }
    }
}

// Converts parents and members to the rank's numbers.
static void localize_comms(struct otter_archive *archive)
{
    struct otter_comm *comms = archive->view.comms.items;
    size_t n = archive->view.comms.n;
    uint32_t *local = malloc((archive->whole.n_comms + 1) * sizeof *local);
    archive->is_short_of_memory |= !local;
    for (size_t i = 0; local && i < archive->whole.n_comms; i++) {
        local[i] = OTTER_NONE;
    }
    for (size_t i = 0; local && i < n && !archive->is_short_of_memory; i++) {
        if (comms[i].shared == OTTER_NONE) {
            continue;
        }
        local[comms[i].shared] = (uint32_t)i;
        uint32_t parent = comms[i].parent;
        comms[i].parent = parent == OTTER_NONE ? OTTER_NONE : local[parent];
        uint32_t group = ((uint32_t *)archive->group_of_comm.items)[comms[i].shared];
        comms[i].members =
            comms[i].members ? local_members(archive, &comms[i], group) : comms[i].members;
    }
    free(local);
}

// Converts regions and parents to the rank's numbers.
static void localize_contexts(struct otter_archive *archive)
{
    const struct otter_region *regions = archive->view.regions.items;
    struct otter_calling_context *contexts = archive->view.contexts.items;
    size_t n_all = archive->whole.n_regions + archive->whole.n_contexts;
    uint32_t *local = archive->view.contexts.n > 0 ? malloc((n_all + 1) * sizeof *local) : NULL;
    archive->is_short_of_memory |= archive->view.contexts.n > 0 && !local;
    for (size_t i = 0; local && i < n_all; i++) {
        local[i] = OTTER_NONE;
    }
    for (size_t i = 0; local && i < archive->view.regions.n; i++) {
        if (regions[i].shared != OTTER_NONE) {
            local[regions[i].shared] = (uint32_t)i;
        }
    }
    uint32_t *parents = local ? local + archive->whole.n_regions : NULL;
    for (size_t i = 0; parents && i < archive->view.contexts.n; i++) {
        struct otter_calling_context *context = &contexts[i];
        context->region = context->region == OTTER_NONE ? OTTER_NONE : local[context->region];
        context->parent = context->parent == OTTER_NONE ? OTTER_NONE : parents[context->parent];
        if (context->shared != OTTER_NONE) {
            parents[context->shared] = (uint32_t)i;
        }
    }
    free(local);
}

// Adds the locations of the rank, in order.
static bool add_locations(struct otter_archive *archive, uint32_t rank)
{
    struct otter_rank_view *view = &archive->view;
    const uint32_t *groups = archive->group_of_location.items;
    view->local = malloc((archive->locations.n + 1) * sizeof *view->local);
    for (size_t i = 0; view->local && i < archive->locations.n; i++) {
        bool is_ours = otter_reader_rank_of_group(archive, groups[i]) == rank;
        view->local[i] = is_ours ? (uint32_t)view->locations.n : OTTER_NONE;
        struct otter_location *item =
            is_ours ? otter_list_add(&view->locations, sizeof *item) : NULL;
        if (item) {
            *item = archive->whole.locations[i];
            item->id = view->locations.n - 1;
        } else if (is_ours) {
            return false;
        }
    }
    return view->local != NULL;
}

static bool add_markers(struct otter_archive *archive, uint32_t rank)
{
    const struct otter_marker_place *places = archive->marker_places.items;
    for (size_t i = 0; i < archive->whole.n_markers; i++) {
        bool is_ours = places[i].rank == rank || places[i].rank == OTTER_NONE;
        struct otter_marker *item =
            is_ours ? otter_list_add(&archive->view.markers, sizeof *item) : NULL;
        if (item) {
            *item = archive->whole.markers[i];
        } else if (is_ours) {
            return false;
        }
    }
    return true;
}

static enum otter_status open_reader(struct otter_archive *archive,
                                     struct otter_complaint *complaint)
{
    otter_checked_begin_anchor();
    errno = 0;
    archive->view.reader = OTF2_Reader_Open(archive->anchor);
    otter_checked_end();
    if (!archive->view.reader) {
        enum otter_status status = errno ? otter_status_from_errno(errno) : OTTER_BAD_ARCHIVE;
        return otter_complain(complaint, status, "'%s' cannot be opened again: %s", archive->anchor,
                              otter_status_text(status));
    }
    OTF2_Reader_SetSerialCollectiveCallbacks(archive->view.reader);
    archive->files.reader = archive->view.reader;
    return OTTER_OK;
}

static struct local begin_local(struct otter_archive *archive, uint32_t rank)
{
    struct local local = {.archive = archive};
    uint64_t *n = local.n_expected;
    const char *numbers = otter_reader_merge_property(archive, rank, OTTER_MERGE_NUMBERS);
    // without samples, the number of calling contexts may be absent
    local.is_expected =
        sscanf(numbers, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
               &n[OTTER_LOCAL_REGIONS], &n[OTTER_LOCAL_COMMS], &n[OTTER_LOCAL_PARAMETERS],
               &n[OTTER_LOCAL_METRICS], &n[OTTER_LOCAL_CONTEXTS]) >= OTTER_LOCAL_CONTEXTS;
    return local;
}

static enum otter_status open_files(struct otter_archive *archive, uint32_t rank,
                                    struct otter_complaint *complaint)
{
    struct otter_rank_view *view = &archive->view;
    const char *first = otter_reader_merge_property(archive, rank, OTTER_MERGE_FIRST_TICK);
    const char *last = otter_reader_merge_property(archive, rank, OTTER_MERGE_LAST_TICK);
    archive->files.first_tick = strtoull(first, NULL, 10);
    archive->files.ticks = (struct otter_tick_range){archive->files.first_tick,
                                                     *last ? strtoull(last, NULL, 10) : UINT64_MAX};
    OTF2_DefReaderCallbacks *callbacks = OTF2_DefReaderCallbacks_New();
    if (!callbacks) {
        return OTTER_NO_MEMORY;
    }
    struct local local = begin_local(archive, rank);
    otter_local_tables_set_callbacks(callbacks);
    enum otter_status status = otter_event_files_open(
        archive, view->locations.items, view->locations.n,
        &(struct otter_local_reading){callbacks, &local.own, end_location, &local}, complaint);
    OTF2_DefReaderCallbacks_Delete(callbacks);
    add_definitions(&local);
    otter_local_tables_finish(&local.first);
    return archive->is_short_of_memory ? OTTER_NO_MEMORY : status;
}

static struct otter_clock read_clock(const struct otter_archive *archive, uint32_t rank)
{
    struct otter_clock clock = archive->whole.clock;
    sscanf(otter_reader_merge_property(archive, rank, OTTER_MERGE_CLOCK),
           "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, &clock.resolution, &clock.offset,
           &clock.length, &clock.realtime);
    return clock;
}

static void publish(struct otter_archive *archive, uint32_t rank)
{
    struct otter_definitions *definitions = &archive->definitions;
    struct otter_rank_view *view = &archive->view;
    const struct otter_rank *chosen = &definitions->ranks[rank];
    definitions->rank = rank;
    definitions->folder = view->folder;
    definitions->machine = definitions->host = chosen->host;
    definitions->clock = read_clock(archive, rank);
    definitions->properties = chosen->properties;
    definitions->n_properties = chosen->n_properties;
    definitions->n_unrecorded = otter_archive_number(archive, "OTTER::UNRECORDED");
    definitions->locations = view->locations.items;
    definitions->n_locations = view->locations.n;
    definitions->regions = view->regions.items;
    definitions->n_regions = view->region_ids.n = view->regions.n;
    definitions->comms = view->comms.items;
    definitions->n_comms = view->comm_ids.n = view->comms.n;
    definitions->parameters = view->parameters.items;
    definitions->n_parameters = view->parameter_ids.n = view->parameters.n;
    definitions->metrics = view->metrics.items;
    definitions->n_metrics = view->metric_ids.n = view->metrics.n;
    definitions->contexts = view->contexts.items;
    definitions->n_contexts = view->context_ids.n = view->contexts.n;
    definitions->markers = view->markers.items;
    definitions->n_markers = view->markers.n;
    archive->event_regions = &view->region_ids;
    archive->event_comms = &view->comm_ids;
    archive->event_parameters = &view->parameter_ids;
    archive->event_metrics = &view->metric_ids;
    archive->event_contexts = &view->context_ids;
}

static enum otter_status open_view(struct otter_archive *archive, uint32_t rank,
                                   struct otter_complaint *complaint)
{
    archive->view.members = calloc(archive->groups.n + 1, sizeof *archive->view.members);
    archive->view.folder = otter_path("%s/" OTTER_RANK_PREFIX "%04" PRIu32, archive->folder,
                                      archive->whole.ranks[rank].number);
    if (!archive->view.members || !archive->view.folder || !add_locations(archive, rank) ||
        !add_markers(archive, rank)) {
        return OTTER_NO_MEMORY;
    }
    enum otter_status status = open_reader(archive, complaint);
    OTTER_THEN(status, open_files(archive, rank, complaint));
    if (status) {
        return status;
    }
    if (archive->view.regions.n == 0 || archive->view.comms.n == 0) {
        return otter_complain(complaint, OTTER_BAD_ARCHIVE,
                              "'%s': the local definitions of rank %" PRIu32 " are damaged",
                              archive->anchor, archive->whole.ranks[rank].number);
    }
    localize_comms(archive);
    localize_contexts(archive);
    const struct otter_rank *chosen = &archive->whole.ranks[rank];
    archive->is_short_of_memory |=
        !otter_sources_separate(archive->view.regions.items, archive->view.regions.n,
                                chosen->properties, chosen->n_properties, &archive->view.sources);
    return archive->is_short_of_memory ? OTTER_NO_MEMORY : OTTER_OK;
}

enum otter_status otter_archive_select_rank(struct otter_archive *archive, uint32_t rank,
                                            struct otter_complaint *complaint)
{
    otter_rank_view_close(archive);
    if (rank == OTTER_NONE) {
        return OTTER_OK;
    }
    otter_complain(complaint, OTTER_OK, "cannot read '%s': out of memory", archive->anchor);
    enum otter_status status = open_view(archive, rank, complaint);
    if (status) {
        otter_rank_view_close(archive);
        return status;
    }
    publish(archive, rank);
    return OTTER_OK;
}

enum otter_status otter_archive_open_shared(const struct otter_archive *archive, uint32_t rank,
                                            struct otter_archive **shared,
                                            struct otter_complaint *complaint)
{
    *shared = malloc(sizeof **shared);
    if (!*shared) {
        return otter_complain(complaint, OTTER_NO_MEMORY, "cannot read '%s': out of memory",
                              archive->anchor);
    }
    **shared = *archive;
    (*shared)->is_shared = true;
    (*shared)->view = (struct otter_rank_view){.reader = NULL};
    (*shared)->files = (struct otter_event_files){.reader = NULL};
    (*shared)->same_regions = NULL;
    (*shared)->watch = NULL;
    (*shared)->n_watched = 0;
    enum otter_status status = otter_archive_select_rank(*shared, rank, complaint);
    if (status) {
        free(*shared);
        *shared = NULL;
    }
    return status;
}

void otter_archive_count_events(const struct otter_archive *archive, uint64_t *n_events)
{
    const uint32_t *groups = archive->group_of_location.items;
    for (size_t i = 0; i < archive->locations.n; i++) {
        uint32_t rank = otter_reader_rank_of_group(archive, groups[i]);
        if (rank != OTTER_NONE) {
            n_events[rank] += archive->whole.locations[i].n_events;
        }
    }
}

static void free_view(struct otter_archive *archive)
{
    struct otter_rank_view *view = &archive->view;
    struct otter_location *locations = view->locations.items;
    for (size_t i = 0; i < view->locations.n; i++) {
        free((void *)(uintptr_t)locations[i].damage);
    }
    for (size_t i = 0; view->members && i < archive->groups.n; i++) {
        free(view->members[i]);
    }
    struct otter_list *lists[] = {&view->locations,  &view->regions, &view->comms,
                                  &view->parameters, &view->metrics, &view->contexts,
                                  &view->markers};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        free(lists[i]->items);
    }
    otter_sources_free(&view->sources);
    free(view->members);
    free(view->local);
    free(view->folder);
    *view = (struct otter_rank_view){.reader = NULL};
}

void otter_rank_view_close(struct otter_archive *archive)
{
    if (archive->whole.n_ranks == 0) {
        return;
    }
    free(archive->same_regions);
    archive->same_regions = NULL;
    otter_event_files_close(archive);
    if (archive->view.reader) {
        OTF2_Reader_Close(archive->view.reader);
    }
    free_view(archive);
    archive->is_short_of_memory = false;
    archive->definitions = archive->whole;
    otter_reader_publish(archive);
}
