// Writes an OTF2 archive around existing event files.
#include "trace/write/archive.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/path.h"
#include "trace/silent.h"
#include "trace/write/archive_definitions.h"
#include "trace/write/archive_properties.h"
#include "trace/write/findings.h"

enum {
    MIN_DEFINITION_CHUNK = 256 * 1024,
    MAX_DEFINITION_CHUNK = 16 * 1024 * 1024,
    DEFINITION_BYTES_A_LOCATION = 64,
    MIN_FREE_MEMORY = 2 * 1024 * 1024,
};

static enum otter_status write_silent_file(const struct otter_archive_writer *archive,
                                           size_t location)
{
    char *path = otter_path("%s/traces/%zu.evt", archive->folder, location);
    enum otter_status status =
        path ? otter_silent_write(path, archive->content->start.ticks) : OTTER_NO_MEMORY;
    free(path);
    return status;
}

// Readers need an event file with an event of each location.
static enum otter_status write_silent_files(const struct otter_archive_writer *archive)
{
    if (OTF2_Archive_OpenEvtFiles(archive->handle)) {
        return OTTER_IO;
    }
    enum otter_status status = OTTER_OK;
    size_t n = otter_content_n_locations(archive->content);
    for (size_t i = 0; i < n && !status; i++) {
        status = archive->n_events[i] == 0 ? write_silent_file(archive, i) : OTTER_OK;
    }
    return OTF2_Archive_CloseEvtFiles(archive->handle) && !status ? OTTER_IO : status;
}

static OTF2_FlushType flush_definitions(void *user, OTF2_FileType type, OTF2_LocationRef id,
                                        void *caller, bool final)
{
    return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush_callbacks = {.otf2_pre_flush = flush_definitions};

static size_t definition_chunk_size(const struct otter_archive_content *content)
{
    size_t size = otter_content_n_locations(content) * DEFINITION_BYTES_A_LOCATION;
    if (size < MIN_DEFINITION_CHUNK) {
        return MIN_DEFINITION_CHUNK;
    }
    return size > MAX_DEFINITION_CHUNK ? MAX_DEFINITION_CHUNK : size;
}

static enum otter_status write_all(struct otter_archive_writer *archive)
{
    if (OTF2_Archive_SetFlushCallbacks(archive->handle, &flush_callbacks, NULL) ||
        OTF2_Archive_SetSerialCollectiveCallbacks(archive->handle)) {
        return OTTER_IO;
    }
    otter_archive_set_properties(archive);
    enum otter_status status = otter_archive_write_definitions(archive);
    if (!status) {
        status = write_silent_files(archive);
    }
    return status ? status
                  : otter_findings_write(archive->handle, archive->content, archive->last_time);
}

// OTF2 does not return each of its failures: failures to close files are reported here only.
static OTF2_ErrorCode note_error(void *user, const char *file, uint64_t line, const char *function,
                                 OTF2_ErrorCode code, const char *format, va_list arguments)
{
    struct otter_archive_writer *archive = user;
    // errno may be that of an earlier call, for a file that is absent or exists already.
    enum otter_status status = otter_status_from_errno(errno);
    bool is_cause =
        status && status != OTTER_NOT_FOUND && status != OTTER_NOT_FOLDER && status != OTTER_EXISTS;
    otter_archive_note_error(archive, is_cause ? status : OTTER_IO);
    return code;
}

// OTF2 3.0.2 crashes when an allocation fails. (Volatile, or compilers remove the allocation.)
static bool has_memory(const struct otter_archive_content *content)
{
    void *volatile memory = malloc(MIN_FREE_MEMORY + 2 * definition_chunk_size(content));
    bool has = memory != NULL;
    free(memory);
    return has;
}

enum otter_status otter_archive_write(const char *folder,
                                      const struct otter_archive_content *content,
                                      const uint64_t *n_events, uint64_t last_time)
{
    if (!has_memory(content)) {
        return OTTER_NO_MEMORY;
    }
    struct otter_archive_writer archive = {
        .folder = folder, .content = content, .n_events = n_events, .last_time = last_time};
    OTF2_ErrorCallback before = OTF2_Error_RegisterCallback(note_error, &archive);
    errno = 0;
    archive.handle = OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, content->chunk_size,
                                       definition_chunk_size(content), OTF2_SUBSTRATE_POSIX,
                                       OTF2_COMPRESSION_NONE);
    enum otter_status status = archive.handle ? write_all(&archive) : OTTER_IO;
    otter_strings_destroy(archive.strings);
    if (archive.handle && OTF2_Archive_Close(archive.handle) && !status) {
        status = OTTER_IO;
    }
    OTF2_Error_RegisterCallback(before, NULL);
    return archive.error ? archive.error : status;
}
