// Reads the definitions of an archive. OTF2 defines each definition before those that refer to it,
// so each reference is resolved when it is read.
#include "trace/read/definitions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/free.h"
#include "trace/read/callback.h"
#include "trace/read/checked/checked_file.h"
#include "trace/complaint.h"
#include "trace/read/layout.h"
#include "trace/read/names.h"
#include "trace/read/processes.h"
#include "trace/schema.h"

static OTF2_CallbackCode on_string(void *user, OTF2_StringRef self, const char *text)
{
    struct otter_archive *archive = user;
    char **item = otter_list_add(&archive->strings, sizeof *item);
    if (!item) {
        return otter_reader_out_of_memory(archive);
    }
    *item = strdup(text);
    return *item && otter_ids_add(&archive->string_ids, self) ? OTF2_CALLBACK_SUCCESS
                                                              : otter_reader_out_of_memory(archive);
}

static OTF2_CallbackCode on_clock(void *user, uint64_t resolution, uint64_t offset, uint64_t length,
                                  uint64_t realtime)
{
    struct otter_archive *archive = user;
    archive->definitions.clock = (struct otter_clock){
        .resolution = resolution,
        .offset = offset,
        .length = length,
        .realtime = realtime == OTF2_UNDEFINED_TIMESTAMP ? 0 : realtime,
    };
    return OTF2_CALLBACK_SUCCESS;
}

static enum otter_location_kind location_kind(OTF2_LocationType type)
{
    switch (type) {
    case OTF2_LOCATION_TYPE_CPU_THREAD: return OTTER_LOCATION_CPU_THREAD;
    case OTF2_LOCATION_TYPE_ACCELERATOR_STREAM: return OTTER_LOCATION_ACCELERATOR;
    case OTF2_LOCATION_TYPE_METRIC: return OTTER_LOCATION_METRIC;
    default: return OTTER_LOCATION_UNKNOWN;
    }
}

static OTF2_CallbackCode on_location(void *user, OTF2_LocationRef self, OTF2_StringRef name,
                                     OTF2_LocationType type, uint64_t n_events,
                                     OTF2_LocationGroupRef group)
{
    struct otter_archive *archive = user;
    struct otter_location *item =
        otter_reader_add(&archive->locations, &archive->location_ids, self, sizeof *item);
    uint32_t *group_index = otter_list_add(&archive->group_of_location, sizeof *group_index);
    if (!item || !group_index) {
        return otter_reader_out_of_memory(archive);
    }
    *group_index = otter_ids_find(&archive->location_group_ids, group);
    *item = (struct otter_location){
        .id = self,
        .file = self,
        .name = otter_reader_string(archive, name),
        .group = otter_reader_process_name(archive, *group_index),
        .kind = location_kind(type),
        .n_events = n_events,
    };
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location_property(void *user, OTF2_LocationRef location,
                                              OTF2_StringRef name, OTF2_Type type,
                                              OTF2_AttributeValue value)
{
    struct otter_archive *archive = user;
    uint32_t index = otter_ids_find(&archive->location_ids, location);
    if (index == OTTER_NONE) {
        return OTF2_CALLBACK_SUCCESS;
    }
    struct otter_location *owner = (struct otter_location *)archive->locations.items + index;
    struct otter_property *properties = realloc((void *)(uintptr_t)owner->properties,
                                                (owner->n_properties + 1) * sizeof *properties);
    if (!properties) {
        return otter_reader_out_of_memory(archive);
    }
    const char *text = otter_reader_property_text(archive, type, value);
    properties[owner->n_properties] = (struct otter_property){
        .name = otter_reader_string(archive, name), .value = text ? text : ""};
    owner->properties = properties;
    owner->n_properties++;
    return text ? OTF2_CALLBACK_SUCCESS : otter_reader_out_of_memory(archive);
}

static OTF2_CallbackCode on_region(void *user, OTF2_RegionRef self, OTF2_StringRef name,
                                   OTF2_StringRef canonical_name, OTF2_StringRef description,
                                   OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                   OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin_line,
                                   uint32_t end_line)
{
    struct otter_archive *archive = user;
    struct otter_region *item =
        otter_reader_add(&archive->regions, &archive->region_ids, self, sizeof *item);
    if (!item) {
        return otter_reader_out_of_memory(archive);
    }
    *item = (struct otter_region){
        .shared = (uint32_t)(archive->regions.n - 1),
        .name = otter_reader_string(archive, name),
        .canonical_name = otter_reader_string(archive, canonical_name),
        .description = otter_reader_string(archive, description),
        .construct = otter_construct_from_name(otter_reader_string(archive, canonical_name),
                                               otter_reader_string(archive, description)),
        .role = otter_reader_role_name(role),
        .paradigm = otter_reader_paradigm_name(paradigm),
        .file = otter_reader_string(archive, file),
        .begin_line = begin_line,
        .end_line = end_line,
    };
    return OTF2_CALLBACK_SUCCESS;
}

static enum otter_parameter parameter_kind(const char *name)
{
    for (int i = OTTER_PARAMETER_UNKNOWN + 1; i < OTTER_N_PARAMETERS; i++) {
        if (strcmp(name, otter_parameter_name((enum otter_parameter)i)) == 0) {
            return (enum otter_parameter)i;
        }
    }
    return OTTER_PARAMETER_UNKNOWN;
}

static OTF2_CallbackCode on_parameter(void *user, OTF2_ParameterRef self, OTF2_StringRef name,
                                      OTF2_ParameterType type)
{
    struct otter_archive *archive = user;
    struct otter_parameter_definition *item =
        otter_reader_add(&archive->parameters, &archive->parameter_ids, self, sizeof *item);
    if (!item) {
        return otter_reader_out_of_memory(archive);
    }
    item->name = otter_reader_string(archive, name);
    item->kind = parameter_kind(item->name);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_metric_member(void *user, OTF2_MetricMemberRef self,
                                          OTF2_StringRef name, OTF2_StringRef description,
                                          OTF2_MetricType type, OTF2_MetricMode mode,
                                          OTF2_Type value_type, OTF2_Base base, int64_t exponent,
                                          OTF2_StringRef unit)
{
    struct otter_archive *archive = user;
    struct otter_metric_member *item =
        otter_reader_add(&archive->metric_members, &archive->metric_member_ids, self, sizeof *item);
    if (!item) {
        return otter_reader_out_of_memory(archive);
    }
    *item = (struct otter_metric_member){otter_reader_string(archive, name),
                                         otter_reader_string(archive, unit), value_type};
    return OTF2_CALLBACK_SUCCESS;
}

// Returns the part of the metric's name after `prefix`; NULL if the name does not begin with it, or
// if the metric is not an unsigned number.
static const char *space_after(const struct otter_metric_member *member, const char *prefix)
{
    size_t length = strlen(prefix);
    bool is_found = member->type == OTF2_TYPE_UINT64 && strncmp(member->name, prefix, length) == 0;
    return is_found ? member->name + length : NULL;
}

static OTF2_CallbackCode on_metric_class(void *user, OTF2_MetricRef self, uint8_t n_members,
                                         const OTF2_MetricMemberRef *members,
                                         OTF2_MetricOccurrence occurrence, OTF2_RecorderKind kind)
{
    static const struct otter_metric_member unknown = {"", "", OTF2_TYPE_NONE};
    struct otter_archive *archive = user;
    struct otter_metric *item =
        otter_reader_add(&archive->metrics, &archive->metric_ids, self, sizeof *item);
    if (!item) {
        return otter_reader_out_of_memory(archive);
    }
    const struct otter_metric_member *both[2] = {&unknown, &unknown};
    for (unsigned i = 0; i < 2 && i < n_members; i++) {
        uint32_t index = otter_ids_find(&archive->metric_member_ids, members[i]);
        if (index != OTTER_NONE) {
            both[i] = (struct otter_metric_member *)archive->metric_members.items + index;
        }
    }
    const char *space = space_after(both[0], "memory in use: ");
    const char *same = space_after(both[1], "memory high water: ");
    bool is_memory = n_members == 2 && space && same && strcmp(space, same) == 0;
    *item = (struct otter_metric){.space = is_memory ? space : "",
                                  .name = both[0]->name,
                                  .unit = both[0]->unit,
                                  .n_values = n_members};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_context(void *user, OTF2_CallingContextRef self, OTF2_RegionRef region,
                                    OTF2_SourceCodeLocationRef place, OTF2_CallingContextRef parent)
{
    struct otter_archive *archive = user;
    uint32_t parent_index = otter_ids_find(&archive->context_ids, parent);
    struct otter_calling_context *item =
        otter_reader_add(&archive->contexts, &archive->context_ids, self, sizeof *item);
    if (!item) {
        return otter_reader_out_of_memory(archive);
    }
    *item = (struct otter_calling_context){.shared = (uint32_t)(archive->contexts.n - 1),
                                           .region = otter_ids_find(&archive->region_ids, region),
                                           .parent = parent_index};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_group(void *user, OTF2_GroupRef self, OTF2_StringRef name,
                                  OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag flags,
                                  uint32_t n_members, const uint64_t *members)
{
    struct otter_archive *archive = user;
    struct otter_group *item =
        otter_reader_add(&archive->groups, &archive->group_ids, self, sizeof *item);
    uint64_t *copy = malloc((n_members + 1) * sizeof *copy);
    if (!item || !copy) {
        free(copy);
        return otter_reader_out_of_memory(archive);
    }
    if (n_members > 0) {
        memcpy(copy, members, n_members * sizeof *copy);
    }
    *item = (struct otter_group){.name = otter_reader_string(archive, name),
                                 .type = type,
                                 .paradigm = paradigm,
                                 .members = copy,
                                 .n_members = n_members};
    uint32_t *list = &archive->location_lists[paradigm];
    if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS && *list == 0) {
        *list = (uint32_t)archive->groups.n;
    }
    return OTF2_CALLBACK_SUCCESS;
}

// Returns the group whose positions are the members of `group`, or NULL when the members are
// locations.
static const struct otter_group *locations_of(const struct otter_archive *archive,
                                              const struct otter_group *group)
{
    uint32_t number = archive->location_lists[group->paradigm];
    bool is_index = group->type == OTF2_GROUP_TYPE_COMM_GROUP && number > 0;
    return is_index ? (struct otter_group *)archive->groups.items + number - 1 : NULL;
}

static bool find_locations(struct otter_archive *archive, struct otter_group *group)
{
    const struct otter_group *base = locations_of(archive, group);
    group->locations = malloc((group->n_members + 1) * sizeof *group->locations);
    for (size_t i = 0; group->locations && i < group->n_members; i++) {
        uint64_t id = group->members[i];
        if (base) {
            id = id < base->n_members ? base->members[id] : OTF2_UNDEFINED_LOCATION;
        }
        group->locations[i] = otter_ids_find(&archive->location_ids, id);
    }
    return group->locations != NULL;
}

// All communicators of a group share its list, since a small file may define many communicators for
// a large group.
static bool resolve_members(struct otter_archive *archive, uint32_t group_index,
                            struct otter_comm *comm)
{
    if (group_index == OTTER_NONE) {
        return true;
    }
    struct otter_group *group = (struct otter_group *)archive->groups.items + group_index;
    if (!group->locations && !find_locations(archive, group)) {
        return false;
    }
    comm->members = group->locations;
    comm->n_members = group->n_members;
    if (group->type == OTF2_GROUP_TYPE_COMM_GROUP && group->paradigm == OTF2_PARADIGM_MPI) {
        bool is_ours =
            strncmp(group->name, OTTER_COMMUNICATOR_PREFIX, strlen(OTTER_COMMUNICATOR_PREFIX)) == 0;
        comm->ranks = group->members;
        comm->identity = is_ours ? group->name : "";
    }
    return true;
}

static OTF2_CallbackCode on_comm(void *user, OTF2_CommRef self, OTF2_StringRef name,
                                 OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
    struct otter_archive *archive = user;
    struct otter_comm *item =
        otter_reader_add(&archive->comms, &archive->comm_ids, self, sizeof *item);
    uint32_t *group_index = otter_list_add(&archive->group_of_comm, sizeof *group_index);
    if (!item || !group_index) {
        return otter_reader_out_of_memory(archive);
    }
    *group_index = otter_ids_find(&archive->group_ids, group);
    item->shared = (uint32_t)(archive->comms.n - 1);
    item->name = otter_reader_string(archive, name);
    item->identity = "";
    item->parent =
        parent == OTF2_UNDEFINED_COMM ? OTTER_NONE : otter_ids_find(&archive->comm_ids, parent);
    return resolve_members(archive, *group_index, item) ? OTF2_CALLBACK_SUCCESS
                                                        : otter_reader_out_of_memory(archive);
}

static OTF2_GlobalDefReaderCallbacks *definition_callbacks(void)
{
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    if (callbacks) {
        OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
        OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
        otter_reader_set_process_callbacks(callbacks);
        otter_layout_set_callbacks(callbacks);
        OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
        OTF2_GlobalDefReaderCallbacks_SetLocationPropertyCallback(callbacks, on_location_property);
        OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
        OTF2_GlobalDefReaderCallbacks_SetParameterCallback(callbacks, on_parameter);
        OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(callbacks, on_metric_member);
        OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(callbacks, on_metric_class);
        OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(callbacks, on_context);
        OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
        OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_comm);
    }
    return callbacks;
}

void otter_reader_publish(struct otter_archive *archive)
{
    struct otter_definitions *definitions = &archive->definitions;
    definitions->locations = archive->locations.items;
    definitions->n_locations = archive->locations.n;
    definitions->regions = archive->regions.items;
    definitions->n_regions = archive->regions.n;
    definitions->comms = archive->comms.items;
    definitions->n_comms = archive->comms.n;
    definitions->parameters = archive->parameters.items;
    definitions->n_parameters = archive->parameters.n;
    definitions->metrics = archive->metrics.items;
    definitions->n_metrics = archive->metrics.n;
    definitions->contexts = archive->contexts.items;
    definitions->n_contexts = archive->contexts.n;
    archive->event_regions = &archive->region_ids;
    archive->event_comms = &archive->comm_ids;
    archive->event_parameters = &archive->parameter_ids;
    archive->event_metrics = &archive->metric_ids;
    archive->event_contexts = &archive->context_ids;
}

OTF2_GlobalDefReader *otter_reader_open_definitions(const struct otter_archive *archive)
{
    struct otter_chunks chunks = {.kind = OTTER_FILE_GLOBAL_DEFINITIONS,
                                  .chunk_size = archive->definition_chunk_size};
    otter_checked_begin(&chunks, UINT64_MAX);
    OTF2_GlobalDefReader *reader = OTF2_Reader_GetGlobalDefReader(archive->reader);
    otter_checked_end();
    return reader;
}

enum otter_status otter_reader_read_definitions(struct otter_archive *archive,
                                                struct otter_complaint *complaint)
{
    OTF2_GlobalDefReader *reader = otter_reader_open_definitions(archive);
    OTF2_GlobalDefReaderCallbacks *callbacks = definition_callbacks();
    if (!reader || !callbacks) {
        OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
        return otter_complain(complaint, OTTER_BAD_ARCHIVE, "'%s': its definitions cannot be read",
                              archive->anchor);
    }
    OTF2_Reader_RegisterGlobalDefCallbacks(archive->reader, reader, callbacks, archive);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    uint64_t n_read = 0;
    OTF2_ErrorCode error = OTF2_Reader_ReadAllGlobalDefinitions(archive->reader, reader, &n_read);
    OTF2_Reader_CloseGlobalDefReader(archive->reader, reader);
    otter_reader_publish(archive);
    if (archive->is_short_of_memory) {
        return otter_complain(complaint, OTTER_NO_MEMORY, "'%s': %s", archive->anchor,
                              otter_status_text(OTTER_NO_MEMORY));
    }
    if (error != OTF2_SUCCESS) {
        return otter_complain(complaint, OTTER_BAD_ARCHIVE,
                              "'%s': its definitions are damaged after number %" PRIu64,
                              archive->anchor, n_read);
    }
    if (archive->location_ids.has_twice) { // the location would be read twice
        return otter_complain(complaint, OTTER_BAD_ARCHIVE,
                              "'%s': its definitions are damaged: a location is defined twice",
                              archive->anchor);
    }
    return OTTER_OK;
}

static void free_strings(struct otter_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        free(((char **)list->items)[i]);
    }
    free(list->items);
}

static void free_locations(struct otter_archive *archive)
{
    struct otter_location *locations = archive->locations.items;
    for (size_t i = 0; i < archive->locations.n; i++) {
        free((void *)(uintptr_t)locations[i].properties);
        free((void *)(uintptr_t)locations[i].damage);
    }
    free(locations);
}

static void free_comms(struct otter_archive *archive)
{
    free(archive->comms.items);
    struct otter_group *groups = archive->groups.items;
    for (size_t i = 0; i < archive->groups.n; i++) {
        free(groups[i].members);
        free(groups[i].locations);
    }
    free(groups);
}

void otter_reader_free_definitions(struct otter_archive *archive)
{
    free_strings(&archive->strings);
    free_strings(&archive->texts);
    free_locations(archive);
    free_comms(archive);
    OTTER_FREE(archive->regions.items, archive->parameters.items, archive->metrics.items,
               archive->metric_members.items, archive->group_of_location.items,
               archive->group_of_comm.items, archive->string_ids.table, archive->location_ids.table,
               archive->region_ids.table, archive->comm_ids.table, archive->parameter_ids.table,
               archive->metric_ids.table, archive->metric_member_ids.table,
               archive->group_ids.table, archive->attribute_ids.table, archive->window_ids.table,
               archive->contexts.items, archive->context_ids.table, archive->generator_ids.table);
}
