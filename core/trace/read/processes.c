// Reads machines, nodes and processes. A process of a merged archive has the properties of its own
// archive, followed by the properties that the merge added.
#include "trace/read/processes.h"

#include <stdlib.h>
#include <string.h>

#include "base/free.h"
#include "trace/read/callback.h"
#include "trace/schema.h"

static OTF2_CallbackCode on_system_tree_node(void *user, OTF2_SystemTreeNodeRef self,
                                             OTF2_StringRef name, OTF2_StringRef class_name,
                                             OTF2_SystemTreeNodeRef parent)
{
    struct otter_archive *archive = user;
    struct otter_system_tree_node *item =
        otter_reader_add(&archive->system_tree, &archive->system_tree_ids, self, sizeof *item);
    if (!item) {
        return otter_reader_out_of_memory(archive);
    }
    *item = (struct otter_system_tree_node){
        .name = otter_reader_string(archive, name),
        .is_node = strcmp(otter_reader_string(archive, class_name), "node") == 0,
        .parent = otter_ids_find(&archive->system_tree_ids, parent)};
    if (archive->definitions.host[0] == '\0' && item->is_node) {
        archive->definitions.host = item->name;
    }
    return OTF2_CALLBACK_SUCCESS;
}

// Returns the name of the node that contains a place in the system tree. Parents are defined before
// their children, so indexes decrease on the way up.
static const char *host_of(const struct otter_archive *archive, OTF2_SystemTreeNodeRef place)
{
    const struct otter_system_tree_node *nodes = archive->system_tree.items;
    uint32_t at = otter_ids_find(&archive->system_tree_ids, place);
    while (at != OTTER_NONE && !nodes[at].is_node) {
        at = nodes[at].parent < at ? nodes[at].parent : OTTER_NONE;
    }
    return at == OTTER_NONE ? "" : nodes[at].name;
}

static OTF2_CallbackCode on_location_group(void *user, OTF2_LocationGroupRef self,
                                           OTF2_StringRef name, OTF2_LocationGroupType type,
                                           OTF2_SystemTreeNodeRef parent,
                                           OTF2_LocationGroupRef creator)
{
    struct otter_archive *archive = user;
    struct otter_location_group *item = otter_reader_add(
        &archive->location_groups, &archive->location_group_ids, self, sizeof *item);
    if (!item) {
        return otter_reader_out_of_memory(archive);
    }
    item->name = otter_reader_string(archive, name);
    item->host = host_of(archive, parent);
    item->type = type;
    item->creator = creator == OTF2_UNDEFINED_LOCATION_GROUP
                        ? OTTER_NONE
                        : otter_ids_find(&archive->location_group_ids, creator);
    item->rank = OTTER_NONE;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location_group_property(void *user, OTF2_LocationGroupRef group,
                                                    OTF2_StringRef name, OTF2_Type type,
                                                    OTF2_AttributeValue value)
{
    struct otter_archive *archive = user;
    uint32_t index = otter_ids_find(&archive->location_group_ids, group);
    if (index == OTTER_NONE) {
        return OTF2_CALLBACK_SUCCESS;
    }
    struct otter_location_group *owner =
        (struct otter_location_group *)archive->location_groups.items + index;
    struct otter_property *item = otter_list_add(&owner->properties, sizeof *item);
    const char *text = otter_reader_property_text(archive, type, value);
    if (!item || !text) {
        owner->properties.n -= item != NULL;
        return otter_reader_out_of_memory(archive);
    }
    *item = (struct otter_property){.name = otter_reader_string(archive, name), .value = text};
    return OTF2_CALLBACK_SUCCESS;
}

void otter_reader_set_process_callbacks(OTF2_GlobalDefReaderCallbacks *callbacks)
{
    OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(callbacks, on_system_tree_node);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(callbacks, on_location_group);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupPropertyCallback(callbacks,
                                                                   on_location_group_property);
}

static struct otter_location_group *group_at(const struct otter_archive *archive, uint32_t group)
{
    return group < archive->location_groups.n
               ? (struct otter_location_group *)archive->location_groups.items + group
               : NULL;
}

const char *otter_reader_process_name(const struct otter_archive *archive, uint32_t group)
{
    const struct otter_location_group *found = group_at(archive, group);
    return found ? found->name : "";
}

uint32_t otter_reader_rank_of_group(const struct otter_archive *archive, uint32_t group)
{
    const struct otter_location_group *found = group_at(archive, group);
    if (found && found->rank == OTTER_NONE && found->creator < group) { // the group is a device
        found = group_at(archive, found->creator);
    }
    return found ? found->rank : OTTER_NONE;
}

static const char *value_of(const struct otter_location_group *group, const char *name)
{
    const struct otter_property *properties = group->properties.items;
    for (size_t i = 0; i < group->properties.n; i++) {
        if (strcmp(properties[i].name, name) == 0) {
            return properties[i].value;
        }
    }
    return "";
}

const char *otter_reader_merge_property(const struct otter_archive *archive, uint32_t rank,
                                        const char *name)
{
    return value_of(group_at(archive, ((uint32_t *)archive->group_of_rank.items)[rank]), name);
}

// Returns the number of properties before the first one that the merge added.
static size_t n_own_properties(const struct otter_location_group *group)
{
    const struct otter_property *properties = group->properties.items;
    size_t n = 0;
    while (n < group->properties.n &&
           strncmp(properties[n].name, OTTER_MERGE_PREFIX, strlen(OTTER_MERGE_PREFIX)) != 0) {
        n++;
    }
    return n;
}

bool otter_rank_from_text(const char *text, uint32_t *rank)
{
    size_t n = strspn(text, "0123456789");
    unsigned long value =
        n > 0 && n <= 10 && text[n] == '\0' ? strtoul(text, NULL, 10) : UINT32_MAX;
    *rank = value < UINT32_MAX ? (uint32_t)value : 0;
    return value < UINT32_MAX;
}

// Returns whether the group is a process whose rank is larger than those of all ranks in the list.
static bool is_next_rank(const struct otter_archive *archive,
                         const struct otter_location_group *group)
{
    uint32_t number;
    const struct otter_rank *ranks = archive->ranks.items;
    return group->type == OTF2_LOCATION_GROUP_TYPE_PROCESS &&
           otter_rank_from_text(value_of(group, OTTER_MERGE_RANK), &number) &&
           (archive->ranks.n == 0 || number > ranks[archive->ranks.n - 1].number);
}

static bool add_rank(struct otter_archive *archive, uint32_t index)
{
    struct otter_location_group *group = group_at(archive, index);
    struct otter_rank *rank = otter_list_add(&archive->ranks, sizeof *rank);
    uint32_t *place = otter_list_add(&archive->group_of_rank, sizeof *place);
    if (!rank || !place) {
        return false;
    }
    uint32_t number;
    otter_rank_from_text(value_of(group, OTTER_MERGE_RANK), &number);
    *place = index;
    group->rank = (uint32_t)(archive->ranks.n - 1);
    *rank = (struct otter_rank){
        .number = number,
        .name = group->name,
        .host = group->host,
        .program = value_of(group, "OTTER::PROGRAM"),
        .properties = group->properties.items,
        .n_properties = n_own_properties(group),
        .clock_deviation_ns = strtoull(value_of(group, OTTER_MERGE_DEVIATION), NULL, 10),
    };
    return true;
}

bool otter_reader_find_ranks(struct otter_archive *archive)
{
    archive->definitions.rank = OTTER_NONE;
    for (uint32_t i = 0; i < archive->location_groups.n; i++) {
        if (is_next_rank(archive, group_at(archive, i)) && !add_rank(archive, i)) {
            return false;
        }
    }
    archive->definitions.ranks = archive->ranks.items;
    archive->definitions.n_ranks = archive->ranks.n;
    return true;
}

void otter_reader_free_processes(struct otter_archive *archive)
{
    struct otter_location_group *groups = archive->location_groups.items;
    for (size_t i = 0; i < archive->location_groups.n; i++) {
        free(groups[i].properties.items);
    }
    OTTER_FREE(groups, archive->location_group_ids.table, archive->system_tree.items,
               archive->system_tree_ids.table, archive->ranks.items, archive->group_of_rank.items);
}
