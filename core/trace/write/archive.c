// Writes an OTF2 archive around existing event files.
#include "trace/write/archive.h"

#include <stdlib.h>

#include "base/path.h"
#include "trace/silent.h"
#include "trace/write/archive_definitions.h"
#include "trace/write/archive_properties.h"
#include "trace/write/findings.h"

enum {
    DEFINITION_BYTES_A_LOCATION = 64,
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

// Readers need an event file with an event for each location.
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

static size_t definition_chunk_size(const struct otter_archive_content *content)
{
    return otter_archive_definition_chunk(otter_content_n_locations(content) *
                                          DEFINITION_BYTES_A_LOCATION);
}

static enum otter_status write_all(struct otter_archive_writer *archive)
{
    otter_archive_set_properties(archive);
    enum otter_status status = otter_archive_write_definitions(archive);
    if (!status) {
        status = write_silent_files(archive);
    }
    return status ? status
                  : otter_findings_write(archive->handle, archive->content, archive->last_time);
}

enum otter_status otter_archive_write(const char *folder,
                                      const struct otter_archive_content *content,
                                      const uint64_t *n_events, uint64_t last_time)
{
    struct otter_archive_writer archive = {
        .folder = folder, .content = content, .n_events = n_events, .last_time = last_time};
    enum otter_status status =
        otter_archive_begin(&archive, content->chunk_size, definition_chunk_size(content));
    return otter_archive_end(&archive, status ? status : write_all(&archive));
}
