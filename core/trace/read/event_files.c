// Opens the files of locations for OTF2: checks them and reads local definitions.
#include "trace/read/event_files.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "trace/complaint.h"
#include "trace/read/checked/checked_file.h"
#include "trace/read/locate.h"
#include "trace/silent.h"

static void set_damage(struct otter_archive *archive, struct otter_location *location,
                       const char *path, const char *why)
{
    if (!location->damage) {
        location->damage = otter_path("'%s' %s", path, why);
        archive->is_short_of_memory |= !location->damage;
    }
}

// Returns whether Otter wrote the archive. Other tools may correct times by clock offsets, and may
// not count events.
static bool is_ours(const struct otter_archive *archive)
{
    return strncmp(archive->definitions.creator, "Otter", strlen("Otter")) == 0;
}

// Sets location->damage if its event file is incomplete. *Errors*: OTTER_NO_FILES.
static enum otter_status check_events(struct otter_archive *archive,
                                      struct otter_location *location, size_t i)
{
    char path[PATH_MAX], why[256];
    snprintf(path, sizeof path, "%.*s/%" PRIu64 ".evt", otter_reader_stem_length(archive->anchor),
             archive->anchor, location->file);
    uint64_t n_whole;
    struct otter_chunks chunks = {.kind = OTTER_FILE_EVENTS,
                                  .chunk_size = archive->event_chunk_size,
                                  .ticks = &archive->files.ticks};
    enum otter_status status = otter_check_chunked_file(path, &chunks, &n_whole, why, sizeof why);
    if (status == OTTER_NO_FILES) {
        return status;
    }
    bool is_silent = !status && location->n_events == OTTER_SILENT_EVENTS &&
                     otter_silent_is(path, archive->files.first_tick);
    if (is_silent) {
        location->n_events = n_whole = 0; // nothing was recorded
    }
    location->n_held = n_whole;
    if (!status && is_ours(archive) && n_whole != location->n_events) {
        snprintf(why, sizeof why,
                 "has %" PRIu64 " events, but its location has %" PRIu64
                 ": another file is in its place",
                 n_whole, location->n_events);
        set_damage(archive, location, path, why);
    }
    archive->files.n_readable[i] = n_whole;
    if (status && !(status == OTTER_NOT_FOUND && location->n_events == 0)) {
        set_damage(archive, location, path, why);
    }
    return OTTER_OK;
}

static void definitions_path(const struct otter_archive *archive,
                             const struct otter_location *location, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%.*s/%" PRIu64 ".def", otter_reader_stem_length(archive->anchor),
             archive->anchor, location->file);
}

// Notes that the local definitions are damaged; then no event of the location is readable.
static void damage_definitions(struct otter_archive *archive, struct otter_location *location,
                               size_t i, const char *why)
{
    char path[PATH_MAX];
    definitions_path(archive, location, path);
    set_damage(archive, location, path, why);
    archive->files.n_readable[i] = 0;
    location->n_held = 0;
}

static struct otter_chunks local_definitions(const struct otter_archive *archive)
{
    return (struct otter_chunks){.kind = OTTER_FILE_LOCAL_DEFINITIONS,
                                 .chunk_size = archive->definition_chunk_size};
}

// Returns whether the location's local definitions are complete. In a merged archive they contain
// the numbers of all definitions and the correction of the clock.
static bool check_definitions(struct otter_archive *archive, struct otter_location *location,
                              size_t i)
{
    char path[PATH_MAX], why[256];
    definitions_path(archive, location, path);
    struct otter_chunks chunks = local_definitions(archive);
    bool is_whole = otter_check_chunked_file(path, &chunks, NULL, why, sizeof why) == OTTER_OK;
    if (!is_whole && archive->definitions.n_ranks > 0) {
        damage_definitions(archive, location, i, why);
    }
    return is_whole;
}

static void read_local_definitions(struct otter_archive *archive, struct otter_location *location,
                                   size_t i, const struct otter_local_reading *local)
{
    OTF2_Reader *files = archive->files.reader;
    struct otter_chunks chunks = local_definitions(archive);
    otter_checked_begin(&chunks, UINT64_MAX);
    OTF2_DefReader *reader = OTF2_Reader_GetDefReader(files, location->file);
    otter_checked_end();
    if (reader && local) {
        OTF2_Reader_RegisterDefCallbacks(files, reader, local->callbacks, local->tables);
    }
    if (reader) {
        uint64_t n_read;
        OTF2_Reader_ReadAllLocalDefinitions(files, reader, &n_read);
        OTF2_Reader_CloseDefReader(files, reader);
    }
    const char *why = local ? local->end(local->user) : NULL;
    if (why) {
        damage_definitions(archive, location, i, why);
    }
}

static enum otter_status open_files(struct otter_archive *archive, struct otter_location *locations,
                                    size_t n, const struct otter_local_reading *local,
                                    bool *has_local)
{
    struct otter_event_files *files = &archive->files;
    for (size_t i = 0; i < n; i++) {
        enum otter_status status = check_events(archive, &locations[i], i);
        if (status) {
            return status;
        }
        has_local[i] = check_definitions(archive, &locations[i], i);
        if (files->n_readable[i] > 0 || local) {
            OTF2_Reader_SelectLocation(files->reader, locations[i].file);
        }
    }
    OTF2_Reader_OpenDefFiles(files->reader);
    for (size_t i = 0; i < n; i++) {
        if (has_local[i]) {
            read_local_definitions(archive, &locations[i], i, local);
        }
    }
    OTF2_Reader_CloseDefFiles(files->reader);
    files->are_open = OTF2_Reader_OpenEvtFiles(files->reader) == OTF2_SUCCESS;
    return OTTER_OK;
}

enum otter_status otter_event_files_open(struct otter_archive *archive,
                                         struct otter_location *locations, size_t n,
                                         const struct otter_local_reading *local,
                                         struct otter_complaint *complaint)
{
    struct otter_event_files *files = &archive->files;
    bool *has_local = calloc(n + 1, sizeof *has_local);
    files->n_readable = calloc(n + 1, sizeof *files->n_readable);
    enum otter_status status = has_local && files->n_readable ? OTTER_OK : OTTER_NO_MEMORY;
    OTTER_THEN(status, open_files(archive, locations, n, local, has_local));
    free(has_local);
    if (status == OTTER_NO_FILES) {
        return otter_complain(complaint, status, "cannot read '%s': %s", archive->folder,
                              otter_status_text(status));
    }
    return archive->is_short_of_memory ? OTTER_NO_MEMORY : status;
}

static struct otter_tick_range ticks_of(const struct otter_archive *archive)
{
    const struct otter_clock *clock = &archive->definitions.clock;
    return is_ours(archive) && clock->length > 0 && clock->length <= UINT64_MAX - clock->offset
               ? (struct otter_tick_range){clock->offset, clock->offset + clock->length}
               : (struct otter_tick_range){0, UINT64_MAX};
}

enum otter_status otter_event_files_open_all(struct otter_archive *archive,
                                             struct otter_complaint *complaint)
{
    archive->files.reader = archive->reader;
    archive->files.first_tick = archive->definitions.clock.offset;
    archive->files.ticks = ticks_of(archive);
    return otter_event_files_open(archive, archive->locations.items, archive->locations.n, NULL,
                                  complaint);
}

void otter_event_files_close(struct otter_archive *archive)
{
    if (archive->files.are_open) {
        OTF2_Reader_CloseEvtFiles(archive->files.reader);
    }
    free(archive->files.n_readable);
    archive->files = (struct otter_event_files){0};
}
