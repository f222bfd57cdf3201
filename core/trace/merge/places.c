// Writes clock, machine, nodes, processes, devices and locations of a merged archive.
#include "trace/merge/places.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "trace/schema.h"

enum { MACHINE = 0, FIRST_NODE = 1 };

static void write_system_tree(struct otter_merger *merger)
{
    const struct otter_merge_plan *plan = merger->plan;
    OTF2_GlobalDefWriter *writer = merger->archive.writer;
    OTF2_GlobalDefWriter_WriteSystemTreeNode(
        writer, MACHINE, otter_merge_text(merger, plan->machine),
        otter_merge_text(merger, "machine"), OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(writer, MACHINE,
                                                   OTF2_SYSTEM_TREE_DOMAIN_MACHINE);
    for (uint32_t i = 0; i < plan->n_hosts; i++) {
        OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, FIRST_NODE + i,
                                                 otter_merge_text(merger, plan->hosts[i]),
                                                 otter_merge_text(merger, "node"), MACHINE);
        OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(writer, FIRST_NODE + i,
                                                       OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY);
    }
}

static void write_property(struct otter_merger *merger, uint32_t process, const char *name,
                           const char *value)
{
    OTF2_AttributeValue text = {.stringRef = otter_merge_text(merger, value)};
    OTF2_GlobalDefWriter_WriteLocationGroupProperty(
        merger->archive.writer, process, otter_merge_text(merger, name), OTF2_TYPE_STRING, text);
}

// A property of a process must not have a name that the merge uses itself.
static bool is_reserved(const char *name)
{
    return strncmp(name, OTTER_MERGE_PREFIX, strlen(OTTER_MERGE_PREFIX)) == 0;
}

static void write_process(struct otter_merger *merger, const struct otter_merge_rank *rank)
{
    char number[32], deviation[32], first[32], last[32], clock[128], numbers[128];
    uint32_t process = merger->n_processes++;
    snprintf(number, sizeof number, "%" PRIu32, rank->number);
    snprintf(deviation, sizeof deviation, "%" PRIu64, rank->clock_deviation_ns);
    snprintf(first, sizeof first, "%" PRIu64, rank->first_tick);
    snprintf(last, sizeof last, "%" PRIu64, rank->last_tick);
    snprintf(clock, sizeof clock, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64,
             rank->clock.resolution, rank->clock.offset, rank->clock.length, rank->clock.realtime);
    int used = snprintf(numbers, sizeof numbers, "%zu %zu %zu %zu", rank->n_regions, rank->n_comms,
                        rank->n_parameters, rank->n_metrics);
    if (rank->n_contexts > 0) {
        snprintf(numbers + used, sizeof numbers - (size_t)used, " %zu", rank->n_contexts);
    }
    OTF2_GlobalDefWriter_WriteLocationGroup(
        merger->archive.writer, process, otter_merge_text(merger, rank->name),
        OTF2_LOCATION_GROUP_TYPE_PROCESS, FIRST_NODE + rank->node, OTF2_UNDEFINED_LOCATION_GROUP);
    for (size_t i = 0; i < rank->n_properties; i++) {
        if (!is_reserved(rank->properties[i].name)) {
            write_property(merger, process, rank->properties[i].name, rank->properties[i].value);
        }
    }
    write_property(merger, process, OTTER_MERGE_RANK, number);
    write_property(merger, process, OTTER_MERGE_DEVIATION, deviation);
    write_property(merger, process, OTTER_MERGE_FIRST_TICK, first);
    write_property(merger, process, OTTER_MERGE_LAST_TICK, last);
    write_property(merger, process, OTTER_MERGE_CLOCK, clock);
    write_property(merger, process, OTTER_MERGE_NUMBERS, numbers);
}

static uint32_t process_of(const struct otter_merger *merger)
{
    return (uint32_t)(merger->rank - merger->plan->ranks);
}

// The process itself is written before all devices, so that process r is rank r.
static OTF2_CallbackCode on_location_group(void *user, OTF2_LocationGroupRef self,
                                           OTF2_StringRef name, OTF2_LocationGroupType type,
                                           OTF2_SystemTreeNodeRef parent,
                                           OTF2_LocationGroupRef creator)
{
    struct otter_merger *merger = user;
    if (type == OTF2_LOCATION_GROUP_TYPE_PROCESS) {
        otter_merge_add(merger, OTTER_MERGE_PROCESSES, process_of(merger));
        return otter_merge_result(merger);
    }
    otter_merge_add(merger, OTTER_MERGE_PROCESSES, merger->n_processes);
    OTF2_GlobalDefWriter_WriteLocationGroup(merger->archive.writer, merger->n_processes++,
                                            otter_merge_string(merger, name), type,
                                            FIRST_NODE + merger->rank->node, process_of(merger));
    return otter_merge_result(merger);
}

static OTF2_CallbackCode on_location(void *user, OTF2_LocationRef self, OTF2_StringRef name,
                                     OTF2_LocationType type, uint64_t n_events,
                                     OTF2_LocationGroupRef group)
{
    struct otter_merger *merger = user;
    OTF2_GlobalDefWriter_WriteLocation(
        merger->archive.writer, merger->rank->first_location + self,
        otter_merge_string(merger, name), type, n_events,
        (uint32_t)otter_merge_find(merger, OTTER_MERGE_PROCESSES, group, process_of(merger)));
    return otter_merge_result(merger);
}

static OTF2_CallbackCode on_location_property(void *user, OTF2_LocationRef location,
                                              OTF2_StringRef name, OTF2_Type type,
                                              OTF2_AttributeValue value)
{
    struct otter_merger *merger = user;
    if (location >= merger->rank->n_locations) {
        return otter_merge_result(merger);
    }
    if (type == OTF2_TYPE_STRING) {
        value.stringRef = otter_merge_string(merger, value.stringRef);
    }
    OTF2_GlobalDefWriter_WriteLocationProperty(merger->archive.writer,
                                               merger->rank->first_location + location,
                                               otter_merge_string(merger, name), type, value);
    return otter_merge_result(merger);
}

static enum otter_status write_locations(struct otter_merger *merger,
                                         struct otter_complaint *complaint)
{
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    if (!callbacks) {
        return OTTER_NO_MEMORY;
    }
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(callbacks, on_location_group);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
    OTF2_GlobalDefReaderCallbacks_SetLocationPropertyCallback(callbacks, on_location_property);
    return otter_merge_read(merger, callbacks, complaint);
}

// The members of OpenMP groups are positions in this group.
static void write_group_of_locations(struct otter_merger *merger)
{
    uint64_t n = merger->plan->n_locations;
    uint64_t *members = malloc((n + 1) * sizeof *members);
    if (!members) {
        otter_archive_note_error(&merger->archive, OTTER_NO_MEMORY);
        return;
    }
    for (uint64_t i = 0; i < n; i++) {
        members[i] = i;
    }
    bool is_new;
    uint32_t id = otter_merge_number(merger, OTTER_MERGE_GROUPS, otter_path("locations"), &is_new);
    OTF2_GlobalDefWriter_WriteGroup(merger->archive.writer, id, otter_merge_text(merger, "OpenMP"),
                                    OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_OPENMP,
                                    OTF2_GROUP_FLAG_NONE, (uint32_t)n, members);
    free(members);
}

enum otter_status otter_merge_write_places(struct otter_merger *merger,
                                           struct otter_complaint *complaint)
{
    const struct otter_merge_plan *plan = merger->plan;
    OTF2_GlobalDefWriter_WriteClockProperties(merger->archive.writer, plan->clock.resolution,
                                              plan->clock.offset, plan->clock.length,
                                              plan->clock.realtime);
    otter_merge_text(merger, "");
    write_system_tree(merger);
    for (size_t i = 0; i < plan->n_ranks; i++) {
        write_process(merger, &plan->ranks[i]);
    }
    enum otter_status status = merger->archive.error;
    for (size_t i = 0; i < plan->n_ranks && !status; i++) {
        merger->rank = &plan->ranks[i];
        status = write_locations(merger, complaint);
    }
    write_group_of_locations(merger);
    return status;
}
