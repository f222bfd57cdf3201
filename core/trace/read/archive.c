// Opens an archive, and reads its events.
#include "trace/read/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/free.h"
#include "base/path.h"
#include "trace/read/checked/check.h"
#include "trace/read/checked/checked_file.h"
#include "trace/complaint.h"
#include "trace/read/definitions.h"
#include "trace/read/event_files.h"
#include "trace/read/events.h"
#include "trace/read/locate.h"
#include "trace/read/markers.h"
#include "trace/read/processes.h"
#include "trace/read/rank_view.h"
#include "trace/read/sources.h"

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
    otter_checked_begin_anchor();
    archive->reader = OTF2_Reader_Open(archive->anchor);
    otter_checked_end();
    if (!archive->reader) {
        return otter_complain(complaint, OTTER_BAD_ARCHIVE,
                              "'%s' is damaged, or of an OTF2 version that is not known here",
                              archive->anchor);
    }
    OTF2_Reader_SetSerialCollectiveCallbacks(archive->reader);
    OTF2_FileSubstrate substrate = OTF2_SUBSTRATE_UNDEFINED;
    OTF2_Reader_GetFileSubstrate(archive->reader, &substrate);
    if (substrate != OTF2_SUBSTRATE_POSIX) {
        return otter_complain(complaint, OTTER_UNSUPPORTED,
                              "'%s' stores its events in an unsupported form (SIONlib)",
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
        return OTTER_OK; // there are no properties
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
    if (!status) { // a failure means that a property lacks its text
        archive->definitions.n_unrecorded = otter_archive_number(archive, "OTTER::UNRECORDED");
    }
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
    char why[256];
    struct otter_chunks chunks = {.kind = OTTER_FILE_GLOBAL_DEFINITIONS,
                                  .chunk_size = archive->definition_chunk_size};
    char *path = otter_path("%.*s.def", otter_reader_stem_length(archive->anchor), archive->anchor);
    if (!path) {
        return OTTER_NO_MEMORY;
    }
    enum otter_status status = otter_check_chunked_file(path, &chunks, NULL, why, sizeof why);
    if (status) {
        otter_complain(complaint, status, "'%s' %s", path, why);
        free(path);
        return status;
    }
    free(path);
    status = read_properties(archive);
    OTTER_THEN(status, otter_reader_read_definitions(archive, complaint));
    if (!status && !otter_sources_separate(archive->regions.items, archive->regions.n,
                                           archive->properties.items, archive->properties.n,
                                           &archive->sources)) {
        return OTTER_NO_MEMORY;
    }
    return status || otter_reader_find_ranks(archive) ? status : OTTER_NO_MEMORY;
}

static enum otter_status open_definitions(struct otter_archive *archive, const char *path,
                                          struct otter_complaint *complaint)
{
    otter_complain(complaint, OTTER_OK, "cannot open archive '%s': out of memory", path);
    enum otter_status status = otter_reader_set_paths(archive, path, complaint);
    OTTER_THEN(status, open_anchor(archive, complaint));
    OTTER_THEN(status, read_definitions(archive, complaint));
    OTTER_THEN(status, otter_reader_read_markers(archive));
    archive->whole = archive->definitions;
    return status;
}

enum otter_status otter_archive_open_definitions(const char *path, struct otter_archive **archive,
                                                 struct otter_complaint *complaint)
{
    *archive = NULL;
    struct otter_archive *opened = calloc(1, sizeof *opened);
    if (!opened) {
        return otter_complain(complaint, OTTER_NO_MEMORY, "out of memory");
    }
    OTF2_Error_RegisterCallback(ignore_error, NULL);
    enum otter_status status = open_definitions(opened, path, complaint);
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
    otter_rank_view_close(archive);
    if (archive->is_shared) {
        free(archive);
        return;
    }
    otter_event_files_close(archive);
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
    otter_sources_free(&archive->sources);
    otter_reader_free_markers(archive);
    free(archive->same_regions);
    otter_reader_free_processes(archive);
    OTTER_FREE(archive->creator, archive->machine, archive->folder, archive->anchor, archive);
}

const struct otter_definitions *otter_archive_definitions(const struct otter_archive *archive)
{
    return &archive->definitions;
}

void otter_archive_watch(struct otter_archive *archive, otter_watch_function *watch, void *user)
{
    archive->watch = watch;
    archive->watch_user = user;
    archive->n_watched = 0;
}

void otter_archive_note_events(struct otter_archive *archive, uint64_t n_events)
{
    archive->n_watched += n_events;
    if (archive->watch) {
        archive->watch(archive->watch_user, archive->n_watched);
    }
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

// Begins to read the events of a location. Returns NULL and sets errno if OTF2 fails.
static OTF2_EvtReader *open_events(struct otter_archive *archive, size_t location,
                                   otter_event_function *function, void *user)
{
    OTF2_Reader *files = archive->files.reader;
    struct otter_chunks chunks = {.kind = OTTER_FILE_EVENTS,
                                  .chunk_size = archive->event_chunk_size,
                                  .ticks = &archive->files.ticks};
    otter_checked_begin(&chunks, archive->files.n_readable[location]);
    OTF2_EvtReader *reader =
        OTF2_Reader_GetEvtReader(files, archive->definitions.locations[location].file);
    otter_checked_end();
    OTF2_EvtReaderCallbacks *callbacks = reader ? otter_reader_event_callbacks() : NULL;
    if (!callbacks) {
        return NULL;
    }
    archive->function = function;
    archive->user = user;
    archive->location = (uint32_t)location;
    archive->n_passed = 0;
    archive->is_stopped = false;
    if (archive->definitions.rank != OTTER_NONE) { // numbers refer to the rank's own archive
        OTF2_EvtReader_ApplyMappingTables(reader, false);
    }
    OTF2_Reader_RegisterEvtCallbacks(files, reader, callbacks, archive);
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    return reader;
}

enum otter_status otter_archive_read(struct otter_archive *archive, size_t location,
                                     otter_event_function *function, void *user, uint64_t *n_others,
                                     struct otter_complaint *complaint)
{
    const struct otter_location *definition = &archive->definitions.locations[location];
    enum otter_status status = OTTER_OK;
    if (!archive->files.n_readable) {
        return otter_complain(complaint, OTTER_UNSUPPORTED,
                              "'%s' is the archive of %zu ranks: choose one with --rank",
                              archive->folder, archive->definitions.n_ranks);
    }
    uint64_t n_readable = archive->files.n_readable[location];
    if (definition->damage) {
        status = otter_complain(complaint, OTTER_BAD_ARCHIVE, "%s", definition->damage);
    }
    if (n_readable == 0) {
        return status;
    }
    errno = 0;
    OTF2_EvtReader *reader = open_events(archive, location, function, user);
    if (!reader && otter_status_from_errno(errno) == OTTER_NO_FILES) {
        return otter_complain(complaint, OTTER_NO_FILES, "cannot read '%s': %s", archive->folder,
                              otter_status_text(OTTER_NO_FILES));
    }
    if (!reader) {
        return complain_of_events(archive, location, 0, complaint);
    }
    uint64_t n_read = 0;
    OTF2_Reader *files = archive->files.reader;
    OTF2_ErrorCode error = OTF2_Reader_ReadLocalEvents(files, reader, n_readable, &n_read);
    OTF2_Reader_CloseEvtReader(files, reader);
    if (n_others) {
        *n_others += n_read - archive->n_passed;
    }
    if (archive->is_stopped) {
        return OTTER_OK;
    }
    return error == OTF2_SUCCESS && n_read == n_readable
               ? status
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
