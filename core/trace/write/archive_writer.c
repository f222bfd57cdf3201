// Functions that all parts of the archive writer share: opening and closing, strings, groups,
// failures.
#include "trace/write/archive_writer.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/text/utf8.h"
#include "trace/silent.h"

enum {
    MIN_DEFINITION_CHUNK = 256 * 1024,
    MAX_DEFINITION_CHUNK = 16 * 1024 * 1024,
    MIN_FREE_MEMORY = 2 * 1024 * 1024,
};

static OTF2_FlushType flush_definitions(void *user, OTF2_FileType type, OTF2_LocationRef id,
                                        void *caller, bool final)
{
    return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush_callbacks = {.otf2_pre_flush = flush_definitions};

// Called by OTF2 for each of its failures. OTF2 does not return all of them; it reports a failure
// to close a file only here.
static OTF2_ErrorCode note_error(void *user, const char *file, uint64_t line, const char *function,
                                 OTF2_ErrorCode code, const char *format, va_list arguments)
{
    struct otter_archive_writer *archive = user;
    // errno may be left from an earlier call, for a file that is missing or already exists.
    enum otter_status status = otter_status_from_errno(errno);
    bool is_cause =
        status && status != OTTER_NOT_FOUND && status != OTTER_NOT_FOLDER && status != OTTER_EXISTS;
    otter_archive_note_error(archive, is_cause ? status : OTTER_IO);
    return code;
}

// OTF2 3.0.2 crashes when an allocation fails. (Volatile, or compilers remove the allocation.)
static bool has_memory(size_t definition_chunk)
{
    void *volatile memory = malloc(MIN_FREE_MEMORY + 2 * definition_chunk);
    bool has = memory != NULL;
    free(memory);
    return has;
}

size_t otter_archive_definition_chunk(size_t n_bytes)
{
    if (n_bytes < MIN_DEFINITION_CHUNK) {
        return MIN_DEFINITION_CHUNK;
    }
    return n_bytes > MAX_DEFINITION_CHUNK ? MAX_DEFINITION_CHUNK : n_bytes;
}

enum otter_status otter_archive_begin(struct otter_archive_writer *archive, size_t event_chunk,
                                      size_t definition_chunk)
{
    archive->error_callback_before = OTF2_Error_RegisterCallback(note_error, archive);
    if (!has_memory(definition_chunk)) {
        return OTTER_NO_MEMORY;
    }
    errno = 0;
    archive->handle =
        OTF2_Archive_Open(archive->folder, "traces", OTF2_FILEMODE_WRITE, event_chunk,
                          definition_chunk, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    bool is_open = archive->handle &&
                   !OTF2_Archive_SetFlushCallbacks(archive->handle, &flush_callbacks, NULL) &&
                   !OTF2_Archive_SetSerialCollectiveCallbacks(archive->handle);
    return is_open ? OTTER_OK : OTTER_IO;
}

void otter_archive_watch_errors(struct otter_archive_writer *archive)
{
    OTF2_Error_RegisterCallback(note_error, archive);
}

enum otter_status otter_archive_end(struct otter_archive_writer *archive, enum otter_status status)
{
    otter_strings_destroy(archive->strings);
    if (archive->handle && OTF2_Archive_Close(archive->handle) && !status) {
        status = OTTER_IO;
    }
    OTF2_Error_RegisterCallback(archive->error_callback_before, NULL);
    return archive->error ? archive->error : status;
}

void otter_archive_note_error(struct otter_archive_writer *archive, enum otter_status error)
{
    archive->error = archive->error ? archive->error : error;
}

uint64_t otter_archive_n_events(const struct otter_archive_writer *archive, size_t location)
{
    uint64_t n = archive->n_events[location];
    return n > 0 ? n : OTTER_SILENT_EVENTS;
}

OTF2_StringRef otter_archive_text(struct otter_archive_writer *archive, const char *string)
{
    bool is_new;
    uint32_t ref = otter_strings_intern(archive->strings, string, &is_new);
    if (ref == 0 && *string != '\0') {
        otter_archive_note_error(archive, OTTER_NO_MEMORY);
    }
    char *text = is_new ? otter_utf8_copy(string) : NULL;
    if (text) {
        OTF2_GlobalDefWriter_WriteString(archive->writer, ref, text);
        free(text);
    } else if (is_new) {
        otter_archive_note_error(archive, OTTER_NO_MEMORY);
    }
    return ref;
}

void otter_archive_write_group(struct otter_archive_writer *archive, uint32_t id, const char *name,
                               OTF2_GroupType type, OTF2_Paradigm paradigm, size_t n,
                               const uint64_t *members)
{
    OTF2_GlobalDefWriter_WriteGroup(archive->writer, id, otter_archive_text(archive, name), type,
                                    paradigm, OTF2_GROUP_FLAG_NONE, (uint32_t)n, members);
}
