#include "trace/write/archive.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/utf8.h"
#include "trace/write/archive_internal.h"
#include "trace/write/findings.h"
#include "trace/write/silent.h"

enum {
    MIN_DEFINITION_CHUNK = 256 * 1024,
    MAX_DEFINITION_CHUNK = 16 * 1024 * 1024,
    DEFINITION_BYTES_A_LOCATION = 64,
    MIN_FREE_MEMORY = 2 * 1024 * 1024,
};

void otter_archive_note_error(struct otter_archive_being_written *archive, enum otter_status error)
{
    archive->error = archive->error ? archive->error : error;
}

uint64_t otter_archive_n_events(const struct otter_archive_being_written *archive, size_t location)
{
    uint64_t n = archive->n_events[location];
    return n > 0 ? n : OTTER_SILENT_EVENTS;
}

// ---- locations without events

static enum otter_status write_silent_file(const struct otter_archive_being_written *archive,
                                           size_t location)
{
    char *path = otter_path("%s/traces/%zu.evt", archive->folder, location);
    enum otter_status status =
        path ? otter_silent_write(path, archive->definitions->start.ticks) : OTTER_NO_MEMORY;
    free(path);
    return status;
}

// A thread that ended before its first event was whole has no event file; readers want one for each location, with an event.
static enum otter_status write_silent_files(const struct otter_archive_being_written *archive)
{
    if (OTF2_Archive_OpenEvtFiles(archive->handle)) {
        return OTTER_IO;
    }
    enum otter_status status = OTTER_OK;
    size_t n = otter_definitions_n_locations(archive->definitions);
    for (size_t i = 0; i < n && !status; i++) {
        status = archive->n_events[i] == 0 ? write_silent_file(archive, i) : OTTER_OK;
    }
    return OTF2_Archive_CloseEvtFiles(archive->handle) && !status ? OTTER_IO : status;
}

// ---- properties

// OTF2 takes components of letters, digits and _ between "::", and fails of all else.
static bool is_property_name(const char *name)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    for (;;) {
        size_t n = strspn(name, letters);
        if (n == 0 || name[n] == '\0') {
            return n > 0;
        }
        if (strncmp(name + n, "::", 2) != 0) {
            return false;
        }
        name += n + 2;
    }
}

static void set_property(const struct otter_archive_being_written *archive, const char *name,
                         const char *value)
{
    char full[256];
    snprintf(full, sizeof(full), "OTTER::%s", name);
    OTF2_Archive_SetProperty(archive->handle, full, value, true);
}

// Text of others. Paths of modules stay as they are: they are opened.
static void set_text(struct otter_archive_being_written *archive, const char *name,
                     const char *value)
{
    char *text = otter_utf8_copy(value);
    if (text) {
        set_property(archive, name, text);
    } else {
        otter_archive_note_error(archive, OTTER_NO_MEMORY);
    }
    free(text);
}

static void set_description(struct otter_archive_being_written *archive, const char *value)
{
    char *text = otter_utf8_copy(value);
    if (text) {
        OTF2_Archive_SetDescription(archive->handle, text);
    } else {
        otter_archive_note_error(archive, OTTER_NO_MEMORY);
    }
    free(text);
}

static void set_number(const struct otter_archive_being_written *archive, const char *name,
                       uint64_t number)
{
    char value[32];
    snprintf(value, sizeof(value), "%" PRIu64, number);
    set_property(archive, name, value);
}

static void set_modules(struct otter_archive_being_written *archive)
{
    const struct otter_journal_definitions *definitions = archive->definitions;
    for (size_t i = 0; i < definitions->n_modules; i++) {
        const struct otter_module_definition *module = &definitions->modules[i];
        char name[48];
        snprintf(name, sizeof(name), "MODULE::%zu", i);
        char *value =
            otter_path("%" PRIx64 " %" PRIx64 " %" PRIx64 " %s %s", module->begin, module->end,
                       module->bias, *module->build_id ? module->build_id : "-", module->path);
        if (!value) {
            otter_archive_note_error(archive, OTTER_NO_MEMORY);
            return;
        }
        set_property(archive, name, value);
        free(value);
    }
}

static void set_properties(struct otter_archive_being_written *archive)
{
    const struct otter_journal_definitions *definitions = archive->definitions;
    static const char *const complete[] = {"OTF2::THREAD_FORK_JOIN_EVENT_COMPLETE",
                                           "OTF2::THREAD_LOCK_EVENT_COMPLETE"};
    for (size_t i = 0; i < sizeof(complete) / sizeof(complete[0]); i++) {
        OTF2_Archive_SetProperty(archive->handle, complete[i],
                                 otter_definitions_are_complete(definitions) ? "true" : "false",
                                 true);
    }
    for (size_t i = 0; i < definitions->n_descriptions; i++) {
        const struct otter_description *description = &definitions->descriptions[i];
        if (is_property_name(description->name)) {
            set_text(archive, description->name, description->value);
        }
    }
    set_modules(archive);
    otter_archive_set_totals(archive);
    set_number(archive, "SCHEMA", definitions->schema);
    set_property(archive, "CUT_OFF", definitions->has_end ? "false" : "true");
    set_number(archive, "LOST", definitions->n_lost);
    if (definitions->n_unread) {
        set_number(archive, "UNREAD", definitions->n_unread);
    }
    if (definitions->n_beyond) {
        set_number(archive, "BEYOND_LIMIT", definitions->n_beyond);
    }
    set_number(archive, "REPAIRED", definitions->n_repaired);
    set_number(archive, "UNBEGUN", definitions->n_unbegun);
    set_number(archive, "UNFINISHED", definitions->n_unfinished);
    set_number(archive, "UNRECORDED", definitions->n_unrecorded);
    OTF2_Archive_SetCreator(archive->handle, "Otter " OTTER_VERSION);
    OTF2_Archive_SetMachineName(archive->handle, otter_definitions_described(definitions, "HOST"));
    set_description(archive, otter_definitions_described(definitions, "COMMAND_LINE"));
}

// ---- the archive

static OTF2_FlushType flush_definitions(void *user, OTF2_FileType type, OTF2_LocationRef id,
                                        void *caller, bool final)
{
    return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush_callbacks = {.otf2_pre_flush = flush_definitions};

static size_t definition_chunk_size(const struct otter_journal_definitions *definitions)
{
    size_t size = otter_definitions_n_locations(definitions) * DEFINITION_BYTES_A_LOCATION;
    if (size < MIN_DEFINITION_CHUNK) {
        return MIN_DEFINITION_CHUNK;
    }
    return size > MAX_DEFINITION_CHUNK ? MAX_DEFINITION_CHUNK : size;
}

static enum otter_status write_all(struct otter_archive_being_written *archive)
{
    if (OTF2_Archive_SetFlushCallbacks(archive->handle, &flush_callbacks, NULL) ||
        OTF2_Archive_SetSerialCollectiveCallbacks(archive->handle)) {
        return OTTER_IO;
    }
    set_properties(archive);
    enum otter_status status = otter_archive_write_definitions(archive);
    if (!status) {
        status = write_silent_files(archive);
    }
    return status ? status
                  : otter_findings_write(archive->handle, archive->definitions, archive->last_time);
}

// OTF2 says nothing on success, and does not return each of its failures: those of closing files are told here only.
static OTF2_ErrorCode note_error(void *user, const char *file, uint64_t line, const char *function,
                                 OTF2_ErrorCode code, const char *format, va_list arguments)
{
    struct otter_archive_being_written *archive = user;
    // errno is the system's, not OTF2's: it may be an older one, of a file that is not there or is there already.
    enum otter_status status = otter_status_from_errno(errno);
    bool is_told =
        status && status != OTTER_NOT_FOUND && status != OTTER_NOT_FOLDER && status != OTTER_EXISTS;
    otter_archive_note_error(archive, is_told ? status : OTTER_IO);
    return code;
}

// OTF2 3.0.2 crashes where it gets none, and takes us with it. (Volatile, or compilers leave the question out.)
static bool has_memory(const struct otter_journal_definitions *definitions)
{
    void *volatile memory = malloc(MIN_FREE_MEMORY + 2 * definition_chunk_size(definitions));
    bool has = memory != NULL;
    free(memory);
    return has;
}

enum otter_status otter_archive_write(const char *folder,
                                      const struct otter_journal_definitions *definitions,
                                      const uint64_t *n_events, uint64_t last_time)
{
    if (!has_memory(definitions)) {
        return OTTER_NO_MEMORY;
    }
    struct otter_archive_being_written archive = {
        .folder = folder, .definitions = definitions, .n_events = n_events, .last_time = last_time};
    OTF2_ErrorCallback before = OTF2_Error_RegisterCallback(note_error, &archive);
    errno = 0;
    archive.handle = OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE,
                                       definitions->chunk_size, definition_chunk_size(definitions),
                                       OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    enum otter_status status = archive.handle ? write_all(&archive) : OTTER_IO;
    otter_strings_destroy(archive.strings);
    if (archive.handle && OTF2_Archive_Close(archive.handle) && !status) {
        status = OTTER_IO;
    }
    OTF2_Error_RegisterCallback(before, NULL);
    return archive.error ? archive.error : status;
}
