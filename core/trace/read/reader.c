// Opens an archive, and reads its events.
#include "trace/read/reader.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/read/check.h"
#include "trace/read/complaint.h"
#include "trace/read/definitions.h"
#include "trace/read/events.h"
#include "trace/read/locate.h"
#include "trace/read/markers.h"
#include "trace/silent.h"

static OTF2_ErrorCode ignore_error(void *user, const char *file, uint64_t line,
                                   const char *function, OTF2_ErrorCode code, const char *format,
                                   va_list arguments)
{
    return code;
}

// OTF2 writes no other sizes, and allocates the size that it reads here.
static bool is_chunk_size(uint64_t size)
{
    return size >= OTF2_CHUNK_SIZE_MIN && size <= OTF2_CHUNK_SIZE_MAX;
}

static enum otter_status open_anchor(struct otter_archive *archive,
                                     struct otter_complaint *complaint)
{
    char why[256];
    enum otter_status status = otter_check_anchor_file(archive->anchor, why, sizeof why);
    if (status) {
        return otter_complain(complaint, status, "'%s' %s", archive->anchor, why);
    }
    archive->reader = OTF2_Reader_Open(archive->anchor);
    if (!archive->reader) {
        return otter_complain(complaint, OTTER_BAD_ARCHIVE,
                              "'%s' is damaged, or of a version of OTF2 that is not known here",
                              archive->anchor);
    }
    OTF2_Reader_SetSerialCollectiveCallbacks(archive->reader);
    OTF2_FileSubstrate substrate = OTF2_SUBSTRATE_UNDEFINED;
    OTF2_Reader_GetFileSubstrate(archive->reader, &substrate);
    if (substrate != OTF2_SUBSTRATE_POSIX) {
        return otter_complain(complaint, OTTER_UNSUPPORTED,
                              "'%s' keeps its events in a way that is not supported (SIONlib)",
                              archive->anchor);
    }
    OTF2_Reader_GetChunkSize(archive->reader, &archive->event_chunk_size,
                             &archive->definition_chunk_size);
    if (!is_chunk_size(archive->event_chunk_size) ||
        !is_chunk_size(archive->definition_chunk_size)) {
        return otter_complain(complaint, OTTER_BAD_ARCHIVE, "'%s' is damaged", archive->anchor);
    }
    return OTTER_OK;
}

static enum otter_status read_properties(struct otter_archive *archive)
{
    uint32_t n = 0;
    char **names = NULL;
    if (OTF2_Reader_GetPropertyNames(archive->reader, &n, &names) != OTF2_SUCCESS) {
        return OTTER_OK; // none
    }
    enum otter_status status = OTTER_OK;
    for (uint32_t i = 0; i < n && !status; i++) {
        char *value = NULL;
        struct otter_property *item = otter_list_add(&archive->properties, sizeof *item);
        if (!item) {
            status = OTTER_NO_MEMORY;
            break;
        }
        if (OTF2_Reader_GetProperty(archive->reader, names[i], &value) != OTF2_SUCCESS) {
            value = NULL;
        }
        item->name = strdup(names[i]);
        item->value = value ? value : strdup("");
        status = item->name && item->value ? OTTER_OK : OTTER_NO_MEMORY;
    }
    free(names);
    archive->definitions.properties = archive->properties.items;
    archive->definitions.n_properties = archive->properties.n;
    archive->definitions.n_unrecorded = otter_archive_number(archive, "OTTER::UNRECORDED");
    return status;
}

static enum otter_status read_definitions(struct otter_archive *archive,
                                          struct otter_complaint *complaint)
{
    OTF2_Reader_GetCreator(archive->reader, &archive->creator);
    OTF2_Reader_GetMachineName(archive->reader, &archive->machine);
    archive->definitions.creator = archive->creator ? archive->creator : "";
    archive->definitions.machine = archive->machine ? archive->machine : "";
    archive->definitions.host = "";
    char *path, why[256];
    if (asprintf(&path, "%.*s.def", otter_reader_stem_length(archive->anchor), archive->anchor) <
        0) {
        return OTTER_NO_MEMORY;
    }
    enum otter_status status = otter_check_chunked_file(
        path, OTTER_FILE_GLOBAL_DEFINITIONS, archive->definition_chunk_size, NULL, why, sizeof why);
    if (status) {
        otter_complain(complaint, status, "'%s' %s", path, why);
        free(path);
        return status;
    }
    free(path);
    status = read_properties(archive);
    return status ? status : otter_reader_read_definitions(archive, complaint);
}

// Sets location->damage when its files are not whole. Returns whether local definitions exist.
static bool check_location(struct otter_archive *archive, struct otter_location *location)
{
    char path[PATH_MAX], why[256];
    int stem = otter_reader_stem_length(archive->anchor);
    snprintf(path, sizeof path, "%.*s/%" PRIu64 ".evt", stem, archive->anchor, location->id);
    uint64_t n_whole;
    enum otter_status status = otter_check_chunked_file(
        path, OTTER_FILE_EVENTS, archive->event_chunk_size, &n_whole, why, sizeof why);
    bool is_silent = !status && location->n_events == OTTER_SILENT_EVENTS &&
                     otter_silent_is(path, archive->definitions.clock.offset);
    if (is_silent) {
        location->n_events = n_whole = 0; // nothing was recorded
    }
    location->n_held = n_whole;
    archive->n_readable[location - (struct otter_location *)archive->locations.items] =
        status || is_silent ? n_whole : UINT64_MAX;
    if (status && !(status == OTTER_NOT_FOUND && location->n_events == 0)) {
        char *damage;
        location->damage = asprintf(&damage, "'%s' %s", path, why) < 0 ? NULL : damage;
    }
    snprintf(path, sizeof path, "%.*s/%" PRIu64 ".def", stem, archive->anchor, location->id);
    return otter_check_chunked_file(path, OTTER_FILE_LOCAL_DEFINITIONS,
                                    archive->definition_chunk_size, NULL, why,
                                    sizeof why) == OTTER_OK;
}

// In merged archives of several processes, local definitions have the mapping of ids and the
// correction of clocks.
static void read_local_definitions(struct otter_archive *archive,
                                   const struct otter_location *location)
{
    OTF2_DefReader *reader = OTF2_Reader_GetDefReader(archive->reader, location->id);
    if (reader) {
        uint64_t n_read;
        OTF2_Reader_ReadAllLocalDefinitions(archive->reader, reader, &n_read);
        OTF2_Reader_CloseDefReader(archive->reader, reader);
    }
}

static enum otter_status prepare_locations(struct otter_archive *archive)
{
    struct otter_location *locations = archive->locations.items;
    size_t n = archive->locations.n;
    bool *has_local = calloc(n + 1, sizeof *has_local);
    archive->n_readable = calloc(n + 1, sizeof *archive->n_readable);
    if (!has_local || !archive->n_readable) {
        free(has_local);
        return OTTER_NO_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        has_local[i] = check_location(archive, &locations[i]);
        if (archive->n_readable[i] > 0) {
            OTF2_Reader_SelectLocation(archive->reader, locations[i].id);
        }
    }
    OTF2_Reader_OpenDefFiles(archive->reader);
    for (size_t i = 0; i < n; i++) {
        if (has_local[i]) {
            read_local_definitions(archive, &locations[i]);
        }
    }
    OTF2_Reader_CloseDefFiles(archive->reader);
    archive->events_are_open = OTF2_Reader_OpenEvtFiles(archive->reader) == OTF2_SUCCESS;
    free(has_local);
    return OTTER_OK;
}

enum otter_status otter_archive_open(const char *path, struct otter_archive **archive,
                                     struct otter_complaint *complaint)
{
    *archive = NULL;
    struct otter_archive *opened = calloc(1, sizeof *opened);
    if (!opened) {
        return otter_complain(complaint, OTTER_NO_MEMORY, "out of memory");
    }
    OTF2_Error_RegisterCallback(ignore_error, NULL);
    otter_complain(complaint, OTTER_OK, "cannot open archive '%s': out of memory", path);
    enum otter_status status = otter_reader_set_paths(opened, path, complaint);
    status = status ? status : open_anchor(opened, complaint);
    status = status ? status : read_definitions(opened, complaint);
    status = status ? status : otter_reader_read_markers(opened);
    status = status ? status : prepare_locations(opened);
    if (status) {
        otter_archive_close(opened);
        return status;
    }
    *archive = opened;
    return OTTER_OK;
}

void otter_archive_close(struct otter_archive *archive)
{
    if (!archive) {
        return;
    }
    if (archive->events_are_open) {
        OTF2_Reader_CloseEvtFiles(archive->reader);
    }
    if (archive->reader) {
        OTF2_Reader_Close(archive->reader);
    }
    struct otter_property *properties = archive->properties.items;
    for (size_t i = 0; i < archive->properties.n; i++) {
        free((void *)(uintptr_t)properties[i].name);
        free((void *)(uintptr_t)properties[i].value);
    }
    free(properties);
    otter_reader_free_definitions(archive);
    otter_reader_free_markers(archive);
    free(archive->same_regions);
    free(archive->n_readable);
    free(archive->creator);
    free(archive->machine);
    free(archive->folder);
    free(archive->anchor);
    free(archive);
}

const struct otter_definitions *otter_archive_definitions(const struct otter_archive *archive)
{
    return &archive->definitions;
}

const char *otter_definitions_property(const struct otter_definitions *definitions,
                                       const char *name)
{
    for (size_t i = 0; i < definitions->n_properties; i++) {
        if (strcmp(definitions->properties[i].name, name) == 0) {
            return definitions->properties[i].value;
        }
    }
    return NULL;
}

const char *otter_archive_property(const struct otter_archive *archive, const char *name)
{
    return otter_definitions_property(&archive->definitions, name);
}

uint64_t otter_definitions_number(const struct otter_definitions *definitions, const char *name)
{
    const char *value = otter_definitions_property(definitions, name);
    return value ? strtoull(value, NULL, 10) : 0;
}

uint64_t otter_archive_number(const struct otter_archive *archive, const char *name)
{
    return otter_definitions_number(&archive->definitions, name);
}

void otter_archive_watch(struct otter_archive *archive, otter_watch_function *watch, void *user)
{
    archive->watch = watch;
    archive->watch_user = user;
    archive->n_watched = 0;
}

static enum otter_status complain_of_events(const struct otter_archive *archive, size_t location,
                                            uint64_t n_read, struct otter_complaint *complaint)
{
    const struct otter_location *damaged = &archive->definitions.locations[location];
    return otter_complain(complaint, OTTER_BAD_ARCHIVE,
                          "'%s': the events of location %" PRIu64
                          " (%s) are damaged after number %" PRIu64,
                          archive->anchor, damaged->id, damaged->name, n_read);
}

enum otter_status otter_archive_read(struct otter_archive *archive, size_t location,
                                     otter_event_function *function, void *user, uint64_t *n_others,
                                     struct otter_complaint *complaint)
{
    const struct otter_location *definition = &archive->definitions.locations[location];
    uint64_t n_readable = archive->n_readable[location];
    enum otter_status status = OTTER_OK;
    if (definition->damage) {
        status = otter_complain(complaint, OTTER_BAD_ARCHIVE, "%s", definition->damage);
    }
    if (n_readable == 0) {
        return status;
    }
    OTF2_EvtReader *reader = OTF2_Reader_GetEvtReader(archive->reader, definition->id);
    OTF2_EvtReaderCallbacks *callbacks = otter_reader_event_callbacks();
    if (!reader || !callbacks) {
        OTF2_EvtReaderCallbacks_Delete(callbacks);
        return complain_of_events(archive, location, 0, complaint);
    }
    archive->function = function;
    archive->user = user;
    archive->location = (uint32_t)location;
    archive->n_passed = 0;
    archive->is_stopped = false;
    OTF2_Reader_RegisterEvtCallbacks(archive->reader, reader, callbacks, archive);
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    uint64_t n_read = 0;
    OTF2_ErrorCode error =
        OTF2_Reader_ReadLocalEvents(archive->reader, reader, n_readable, &n_read);
    OTF2_Reader_CloseEvtReader(archive->reader, reader);
    if (n_others) {
        *n_others += n_read - archive->n_passed;
    }
    if (archive->is_stopped) {
        return OTTER_OK;
    }
    return error == OTF2_SUCCESS ? status
                                 : complain_of_events(archive, location, n_read, complaint);
}

void otter_archive_merge_regions(struct otter_archive *archive, uint32_t *same)
{
    free(archive->same_regions);
    archive->same_regions = same;
}

enum otter_status otter_archive_read_all(struct otter_archive *archive,
                                         otter_event_function *function, void *user,
                                         uint64_t *n_others, struct otter_complaint *complaint)
{
    enum otter_status status = OTTER_OK;
    for (size_t i = 0; i < archive->definitions.n_locations && !status; i++) {
        if (!archive->definitions.locations[i].damage) {
            status = otter_archive_read(archive, i, function, user, n_others, complaint);
        }
        if (archive->is_stopped) {
            break;
        }
    }
    return status;
}
