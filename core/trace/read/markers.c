// Reads the markers of an archive.
#include "trace/read/markers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "trace/read/checked/check.h"
#include "trace/read/checked/checked_file.h"
#include "trace/read/locate.h"
#include "trace/read/processes.h"

struct marker_kind {
    const char *group, *category;
    enum otter_severity severity;
};

// Copies a text for the archive. Returns NULL if out of memory.
static const char *copy_text(struct otter_archive *archive, const char *text)
{
    char **item = otter_list_add(&archive->texts, sizeof *item);
    if (item) {
        *item = strdup(text);
    }
    archive->is_short_of_memory |= !item || !*item;
    return item ? *item : NULL;
}

const char *otter_severity_name(enum otter_severity severity)
{
    static const char *const names[] = {"none", "low", "medium", "high"};
    return names[severity];
}

static enum otter_severity severity_of(OTF2_MarkerSeverity severity)
{
    switch (severity) {
    case OTF2_SEVERITY_LOW: return OTTER_SEVERITY_LOW;
    case OTF2_SEVERITY_MEDIUM: return OTTER_SEVERITY_MEDIUM;
    case OTF2_SEVERITY_HIGH: return OTTER_SEVERITY_HIGH;
    default: return OTTER_SEVERITY_NONE;
    }
}

static OTF2_CallbackCode on_definition(void *user, OTF2_MarkerRef self, const char *group,
                                       const char *category, OTF2_MarkerSeverity severity)
{
    struct otter_archive *archive = user;
    struct marker_kind *kind = otter_list_add(&archive->marker_kinds, sizeof *kind);
    if (!kind || !otter_ids_add(&archive->marker_kind_ids, self)) {
        archive->is_short_of_memory = true;
        return OTF2_CALLBACK_INTERRUPT;
    }
    *kind = (struct marker_kind){copy_text(archive, group), copy_text(archive, category),
                                 severity_of(severity)};
    return archive->is_short_of_memory ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

static const struct marker_kind *find_kind(const struct otter_archive *archive, OTF2_MarkerRef id)
{
    uint32_t index = otter_ids_find(&archive->marker_kind_ids, id);
    return index == OTTER_NONE ? NULL : (struct marker_kind *)archive->marker_kinds.items + index;
}

static uint32_t rank_of(const struct otter_archive *archive, OTF2_MarkerScope scope, uint64_t id)
{
    uint32_t group = OTTER_NONE;
    if (scope == OTF2_MARKER_SCOPE_LOCATION) {
        uint32_t location = otter_ids_find(&archive->location_ids, id);
        group = location == OTTER_NONE ? OTTER_NONE
                                       : ((uint32_t *)archive->group_of_location.items)[location];
    } else if (scope == OTF2_MARKER_SCOPE_LOCATION_GROUP) {
        group = otter_ids_find(&archive->location_group_ids, id);
    }
    return otter_reader_rank_of_group(archive, group);
}

static OTF2_CallbackCode on_marker(void *user, OTF2_TimeStamp time, OTF2_TimeStamp duration,
                                   OTF2_MarkerRef id, OTF2_MarkerScope scope, uint64_t scope_id,
                                   const char *text)
{
    struct otter_archive *archive = user;
    const struct marker_kind *kind = find_kind(archive, id);
    struct otter_marker *marker = otter_list_add(&archive->markers, sizeof *marker);
    struct otter_marker_place *place = otter_list_add(&archive->marker_places, sizeof *place);
    const char *copy = copy_text(archive, text);
    if (!marker || !place || !copy) {
        archive->is_short_of_memory = true;
        return OTF2_CALLBACK_INTERRUPT;
    }
    *marker = (struct otter_marker){.group = kind ? kind->group : "",
                                    .category = kind ? kind->category : "",
                                    .severity = kind ? kind->severity : OTTER_SEVERITY_NONE,
                                    .time = time,
                                    .text = copy};
    *place = (struct otter_marker_place){scope, scope_id, rank_of(archive, scope, scope_id)};
    return OTF2_CALLBACK_SUCCESS;
}

static struct otter_chunks marker_chunks(const struct otter_archive *archive)
{
    return (struct otter_chunks){.kind = OTTER_FILE_MARKERS,
                                 .chunk_size = archive->definition_chunk_size};
}

static void read_markers(struct otter_archive *archive)
{
    struct otter_chunks chunks = marker_chunks(archive);
    otter_checked_begin(&chunks, UINT64_MAX);
    OTF2_MarkerReader *reader = OTF2_Reader_GetMarkerReader(archive->reader);
    otter_checked_end();
    OTF2_MarkerReaderCallbacks *callbacks = OTF2_MarkerReaderCallbacks_New();
    if (reader && callbacks) {
        OTF2_MarkerReaderCallbacks_SetDefMarkerCallback(callbacks, on_definition);
        OTF2_MarkerReaderCallbacks_SetMarkerCallback(callbacks, on_marker);
        OTF2_Reader_RegisterMarkerCallbacks(archive->reader, reader, callbacks, archive);
        uint64_t n_read;
        OTF2_Reader_ReadAllMarkers(archive->reader, reader, &n_read);
    }
    OTF2_MarkerReaderCallbacks_Delete(callbacks);
    if (reader) {
        OTF2_Reader_CloseMarkerReader(archive->reader, reader);
    }
}

// Most archives have no markers.
enum otter_status otter_reader_read_markers(struct otter_archive *archive)
{
    char why[256];
    char *path =
        otter_path("%.*s.marker", otter_reader_stem_length(archive->anchor), archive->anchor);
    if (!path) {
        return OTTER_NO_MEMORY;
    }
    if (access(path, F_OK) == 0) {
        struct otter_chunks chunks = marker_chunks(archive);
        if (otter_check_chunked_file(path, &chunks, NULL, why, sizeof why)) {
            archive->definitions.marker_damage = otter_path("'%s' %s", path, why);
        } else {
            read_markers(archive);
        }
    }
    free(path);
    archive->definitions.markers = archive->markers.items;
    archive->definitions.n_markers = archive->markers.n;
    return archive->is_short_of_memory ? OTTER_NO_MEMORY : OTTER_OK;
}

void otter_reader_free_markers(struct otter_archive *archive)
{
    free(archive->markers.items);
    free(archive->marker_places.items);
    free(archive->marker_kinds.items);
    free(archive->marker_kind_ids.table);
    free((void *)(uintptr_t)archive->definitions.marker_damage);
}
