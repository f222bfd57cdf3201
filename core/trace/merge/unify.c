// Writes the definitions of constructs, parameters, metrics and teams of all ranks, without
// duplicates. References are mapped before contents are compared.
#include "trace/merge/unify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"

static uint32_t text_of(const struct otter_merger *merger, OTF2_StringRef string)
{
    return otter_merge_string(merger, string);
}

static OTF2_CallbackCode on_paradigm(void *user, OTF2_Paradigm paradigm, OTF2_StringRef name,
                                     OTF2_ParadigmClass paradigm_class)
{
    struct otter_merger *merger = user;
    bool is_new;
    otter_merge_number(merger, OTTER_MERGE_PARADIGMS, otter_path("%d", paradigm), &is_new);
    if (is_new) {
        OTF2_GlobalDefWriter_WriteParadigm(merger->archive.writer, paradigm, text_of(merger, name),
                                           paradigm_class);
    }
    return otter_merge_result(merger);
}

static OTF2_CallbackCode on_paradigm_property(void *user, OTF2_Paradigm paradigm,
                                              OTF2_ParadigmProperty property, OTF2_Type type,
                                              OTF2_AttributeValue value)
{
    struct otter_merger *merger = user;
    bool is_new;
    if (type == OTF2_TYPE_STRING) {
        value.stringRef = text_of(merger, value.stringRef);
    }
    otter_merge_number(merger, OTTER_MERGE_PARADIGMS, otter_path("%d %d", paradigm, property),
                       &is_new);
    if (is_new) {
        OTF2_GlobalDefWriter_WriteParadigmProperty(merger->archive.writer, paradigm, property, type,
                                                   value);
    }
    return otter_merge_result(merger);
}

static OTF2_CallbackCode on_attribute(void *user, OTF2_AttributeRef self, OTF2_StringRef name,
                                      OTF2_StringRef description, OTF2_Type type)
{
    struct otter_merger *merger = user;
    bool is_new;
    uint32_t texts[] = {text_of(merger, name), text_of(merger, description)};
    uint32_t id = otter_merge_number(
        merger, OTTER_MERGE_ATTRIBUTES,
        otter_path("%" PRIu32 " %" PRIu32 " %d", texts[0], texts[1], type), &is_new);
    if (is_new) {
        OTF2_GlobalDefWriter_WriteAttribute(merger->archive.writer, id, texts[0], texts[1], type);
    }
    otter_merge_add(merger, OTTER_MERGE_ATTRIBUTES, id);
    return otter_merge_result(merger);
}

// Returns whether the current rank already has a region of this number, and stores that it has one
// now.
static bool has_region(struct otter_merger *merger, uint32_t id)
{
    uint32_t rank = 1 + (uint32_t)(merger->rank - merger->plan->ranks);
    while (merger->region_ranks.n <= id) {
        if (!otter_list_add(&merger->region_ranks, sizeof(uint32_t))) {
            otter_archive_note_error(&merger->archive, OTTER_NO_MEMORY);
            return false;
        }
    }
    uint32_t *owner = (uint32_t *)merger->region_ranks.items + id;
    bool has = *owner == rank;
    *owner = rank;
    return has;
}

// Identical regions of one rank stay separate: the nth such region of a rank corresponds to the nth
// of every other rank.
static OTF2_CallbackCode on_region(void *user, OTF2_RegionRef self, OTF2_StringRef name,
                                   OTF2_StringRef canonical_name, OTF2_StringRef description,
                                   OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                   OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin_line,
                                   uint32_t end_line)
{
    struct otter_merger *merger = user;
    const uint32_t texts[] = {text_of(merger, name), text_of(merger, canonical_name),
                              text_of(merger, description), text_of(merger, file)};
    bool is_new = false;
    uint32_t id = UINT32_MAX;
    for (unsigned nth = 0; !merger->archive.error; nth++) {
        char *key = otter_path("%" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %d %d %" PRIu32
                               " %" PRIu32 " %" PRIu32 " %u",
                               texts[0], texts[1], texts[2], texts[3], role, paradigm, flags,
                               begin_line, end_line, nth);
        id = otter_merge_number(merger, OTTER_MERGE_REGIONS, key, &is_new);
        if (id == UINT32_MAX || !has_region(merger, id)) {
            break;
        }
    }
    if (is_new) {
        OTF2_GlobalDefWriter_WriteRegion(merger->archive.writer, id, texts[0], texts[1], texts[2],
                                         role, paradigm, flags, texts[3], begin_line, end_line);
    }
    otter_merge_add(merger, OTTER_MERGE_REGIONS, id);
    return otter_merge_result(merger);
}

static OTF2_CallbackCode on_parameter(void *user, OTF2_ParameterRef self, OTF2_StringRef name,
                                      OTF2_ParameterType type)
{
    struct otter_merger *merger = user;
    bool is_new;
    uint32_t text = text_of(merger, name);
    uint32_t id = otter_merge_number(merger, OTTER_MERGE_PARAMETERS,
                                     otter_path("%" PRIu32 " %d", text, type), &is_new);
    if (is_new) {
        OTF2_GlobalDefWriter_WriteParameter(merger->archive.writer, id, text, type);
    }
    otter_merge_add(merger, OTTER_MERGE_PARAMETERS, id);
    return otter_merge_result(merger);
}

static OTF2_CallbackCode on_metric_member(void *user, OTF2_MetricMemberRef self,
                                          OTF2_StringRef name, OTF2_StringRef description,
                                          OTF2_MetricType type, OTF2_MetricMode mode,
                                          OTF2_Type value_type, OTF2_Base base, int64_t exponent,
                                          OTF2_StringRef unit)
{
    struct otter_merger *merger = user;
    bool is_new;
    const uint32_t texts[] = {text_of(merger, name), text_of(merger, description),
                              text_of(merger, unit)};
    char *key = otter_path("%" PRIu32 " %" PRIu32 " %" PRIu32 " %d %d %d %d %" PRId64, texts[0],
                           texts[1], texts[2], type, mode, value_type, base, exponent);
    uint32_t id = otter_merge_number(merger, OTTER_MERGE_METRIC_MEMBERS, key, &is_new);
    if (is_new) {
        OTF2_GlobalDefWriter_WriteMetricMember(merger->archive.writer, id, texts[0], texts[1], type,
                                               mode, value_type, base, exponent, texts[2]);
    }
    otter_merge_add(merger, OTTER_MERGE_METRIC_MEMBERS, id);
    return otter_merge_result(merger);
}

// Returns `first` followed by all numbers of a list, and frees `first`. NULL if out of memory.
static char *join(char *first, const uint64_t *numbers, size_t n)
{
    enum { DIGITS = 21 };
    size_t used = first ? strlen(first) : 0;
    char *text = first ? realloc(first, used + n * DIGITS + 1) : NULL;
    if (!text) {
        free(first);
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        used += (size_t)snprintf(text + used, DIGITS + 1, " %" PRIu64, numbers[i]);
    }
    return text;
}

static OTF2_CallbackCode on_metric_class(void *user, OTF2_MetricRef self, uint8_t n_members,
                                         const OTF2_MetricMemberRef *members,
                                         OTF2_MetricOccurrence occurrence, OTF2_RecorderKind kind)
{
    struct otter_merger *merger = user;
    bool is_new;
    uint64_t numbers[UINT8_MAX];
    OTF2_MetricMemberRef mapped[UINT8_MAX];
    for (unsigned i = 0; i < n_members; i++) {
        numbers[i] = otter_merge_find(merger, OTTER_MERGE_METRIC_MEMBERS, members[i],
                                      OTF2_UNDEFINED_METRIC_MEMBER);
        mapped[i] = (OTF2_MetricMemberRef)numbers[i];
    }
    char *key = join(otter_path("%d %d:", occurrence, kind), numbers, n_members);
    uint32_t id = otter_merge_number(merger, OTTER_MERGE_METRICS, key, &is_new);
    if (is_new) {
        OTF2_GlobalDefWriter_WriteMetricClass(merger->archive.writer, id, n_members, mapped,
                                              occurrence, kind);
    }
    otter_merge_add(merger, OTTER_MERGE_METRICS, id);
    return otter_merge_result(merger);
}

// Members of an OpenMP group are positions in the group of all locations. A damaged definition may
// have members that the rank lacks.
static uint64_t map_member(const struct otter_merger *merger, OTF2_GroupType type,
                           OTF2_Paradigm paradigm, uint64_t member)
{
    bool is_position = type == OTF2_GROUP_TYPE_COMM_GROUP && paradigm == OTF2_PARADIGM_OPENMP;
    bool is_location = type == OTF2_GROUP_TYPE_LOCATIONS || type == OTF2_GROUP_TYPE_COMM_LOCATIONS;
    if (is_position || is_location) {
        return member < merger->rank->n_locations ? merger->rank->first_location + member
                                                  : OTF2_UNDEFINED_LOCATION;
    }
    return type == OTF2_GROUP_TYPE_REGIONS
               ? otter_merge_find(merger, OTTER_MERGE_REGIONS, member, OTF2_UNDEFINED_REGION)
               : member;
}

static uint32_t write_group(struct otter_merger *merger, uint32_t name, OTF2_GroupType type,
                            OTF2_Paradigm paradigm, OTF2_GroupFlag flags, uint32_t n,
                            const uint64_t *members)
{
    bool is_new;
    uint64_t *mapped = malloc(((size_t)n + 1) * sizeof *mapped);
    if (!mapped) {
        otter_archive_note_error(&merger->archive, OTTER_NO_MEMORY);
        return UINT32_MAX;
    }
    for (uint32_t i = 0; i < n; i++) {
        mapped[i] = map_member(merger, type, paradigm, members[i]);
    }
    char *key =
        join(otter_path("%" PRIu32 " %d %d %" PRIu32 ":", name, type, paradigm, flags), mapped, n);
    uint32_t id = otter_merge_number(merger, OTTER_MERGE_GROUPS, key, &is_new);
    if (is_new) {
        OTF2_GlobalDefWriter_WriteGroup(merger->archive.writer, id, name, type, paradigm, flags, n,
                                        mapped);
    }
    free(mapped);
    return id;
}

// The positions in MPI's groups are ranks of the job: position i is the first location of rank i. A
// missing rank gets the first location of the whole archive.
static uint32_t write_ranks(struct otter_merger *merger, uint32_t name, uint32_t n)
{
    bool is_new;
    uint32_t id =
        otter_merge_number(merger, OTTER_MERGE_GROUPS, otter_path("ranks %" PRIu32, n), &is_new);
    uint64_t *members = is_new ? calloc((size_t)n + 1, sizeof *members) : NULL;
    if (is_new && !members) {
        otter_archive_note_error(&merger->archive, OTTER_NO_MEMORY);
        return UINT32_MAX;
    }
    for (size_t i = 0; members && i < merger->plan->n_ranks; i++) {
        if (merger->plan->ranks[i].number < n) {
            members[merger->plan->ranks[i].number] = merger->plan->ranks[i].first_location;
        }
    }
    if (is_new) {
        OTF2_GlobalDefWriter_WriteGroup(merger->archive.writer, id, name,
                                        OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                        OTF2_GROUP_FLAG_NONE, n, members);
    }
    free(members);
    return id;
}

static OTF2_CallbackCode on_group(void *user, OTF2_GroupRef self, OTF2_StringRef name,
                                  OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag flags,
                                  uint32_t n_members, const uint64_t *members)
{
    struct otter_merger *merger = user;
    bool is_new;
    uint32_t id =
        type == OTF2_GROUP_TYPE_COMM_LOCATIONS && paradigm == OTF2_PARADIGM_OPENMP
            ? otter_merge_number(merger, OTTER_MERGE_GROUPS, otter_path("locations"), &is_new)
        : type == OTF2_GROUP_TYPE_COMM_LOCATIONS && paradigm == OTF2_PARADIGM_MPI
            ? write_ranks(merger, text_of(merger, name), n_members)
            : write_group(merger, text_of(merger, name), type, paradigm, flags, n_members, members);
    otter_merge_add(merger, OTTER_MERGE_GROUPS, id);
    return otter_merge_result(merger);
}

static OTF2_CallbackCode on_comm(void *user, OTF2_CommRef self, OTF2_StringRef name,
                                 OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
    struct otter_merger *merger = user;
    bool is_new;
    uint32_t text = text_of(merger, name);
    uint32_t members =
        (uint32_t)otter_merge_find(merger, OTTER_MERGE_GROUPS, group, OTF2_UNDEFINED_GROUP);
    uint32_t outer =
        (uint32_t)otter_merge_find(merger, OTTER_MERGE_COMMS, parent, OTF2_UNDEFINED_COMM);
    char *key =
        otter_path("%" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32, text, members, outer, flags);
    uint32_t id = otter_merge_number(merger, OTTER_MERGE_COMMS, key, &is_new);
    if (is_new) {
        OTF2_GlobalDefWriter_WriteComm(merger->archive.writer, id, text, members, outer, flags);
    }
    otter_merge_add(merger, OTTER_MERGE_COMMS, id);
    return otter_merge_result(merger);
}

static OTF2_CallbackCode on_window(void *user, OTF2_RmaWinRef self, OTF2_StringRef name,
                                   OTF2_CommRef comm, OTF2_RmaWinFlag flags)
{
    struct otter_merger *merger = user;
    bool is_new;
    uint32_t text = text_of(merger, name);
    uint32_t members =
        (uint32_t)otter_merge_find(merger, OTTER_MERGE_COMMS, comm, OTF2_UNDEFINED_COMM);
    char *key = otter_path("%" PRIu32 " %" PRIu32 " %" PRIu32, text, members, flags);
    uint32_t id = otter_merge_number(merger, OTTER_MERGE_WINDOWS, key, &is_new);
    if (is_new) {
        OTF2_GlobalDefWriter_WriteRmaWin(merger->archive.writer, id, text, members, flags);
    }
    otter_merge_add(merger, OTTER_MERGE_WINDOWS, id);
    return otter_merge_result(merger);
}

static OTF2_CallbackCode on_context(void *user, OTF2_CallingContextRef self, OTF2_RegionRef region,
                                    OTF2_SourceCodeLocationRef place, OTF2_CallingContextRef parent)
{
    struct otter_merger *merger = user;
    bool is_new;
    uint32_t code =
        (uint32_t)otter_merge_find(merger, OTTER_MERGE_REGIONS, region, OTF2_UNDEFINED_REGION);
    uint32_t outer = (uint32_t)otter_merge_find(merger, OTTER_MERGE_CONTEXTS, parent,
                                                OTF2_UNDEFINED_CALLING_CONTEXT);
    uint32_t id = otter_merge_number(merger, OTTER_MERGE_CONTEXTS,
                                     otter_path("%" PRIu32 " %" PRIu32, code, outer), &is_new);
    if (is_new) {
        OTF2_GlobalDefWriter_WriteCallingContext(merger->archive.writer, id, code,
                                                 OTF2_UNDEFINED_SOURCE_CODE_LOCATION, outer);
    }
    otter_merge_add(merger, OTTER_MERGE_CONTEXTS, id);
    return otter_merge_result(merger);
}

static OTF2_CallbackCode on_generator(void *user, OTF2_InterruptGeneratorRef self,
                                      OTF2_StringRef name, OTF2_InterruptGeneratorMode mode,
                                      OTF2_Base base, int64_t exponent, uint64_t period)
{
    struct otter_merger *merger = user;
    bool is_new;
    uint32_t text = text_of(merger, name);
    char *key =
        otter_path("%" PRIu32 " %d %d %" PRId64 " %" PRIu64, text, mode, base, exponent, period);
    uint32_t id = otter_merge_number(merger, OTTER_MERGE_GENERATORS, key, &is_new);
    if (is_new) {
        OTF2_GlobalDefWriter_WriteInterruptGenerator(merger->archive.writer, id, text, mode, base,
                                                     exponent, period);
    }
    otter_merge_add(merger, OTTER_MERGE_GENERATORS, id);
    return otter_merge_result(merger);
}

enum otter_status otter_merge_unify(struct otter_merger *merger, struct otter_complaint *complaint)
{
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    if (!callbacks) {
        return OTTER_NO_MEMORY;
    }
    OTF2_GlobalDefReaderCallbacks_SetParadigmCallback(callbacks, on_paradigm);
    OTF2_GlobalDefReaderCallbacks_SetParadigmPropertyCallback(callbacks, on_paradigm_property);
    OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(callbacks, on_attribute);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
    OTF2_GlobalDefReaderCallbacks_SetParameterCallback(callbacks, on_parameter);
    OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(callbacks, on_metric_member);
    OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(callbacks, on_metric_class);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_comm);
    OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(callbacks, on_window);
    OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(callbacks, on_context);
    OTF2_GlobalDefReaderCallbacks_SetInterruptGeneratorCallback(callbacks, on_generator);
    return otter_merge_read(merger, callbacks, complaint);
}
