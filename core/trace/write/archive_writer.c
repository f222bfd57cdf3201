// Functions that all parts of an archive need: strings, groups, failures.
#include "trace/write/archive_writer.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "trace/silent.h"

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
                               OTF2_GroupType type, size_t n, const uint64_t *members)
{
    OTF2_GlobalDefWriter_WriteGroup(archive->writer, id, otter_archive_text(archive, name), type,
                                    OTF2_PARADIGM_OPENMP, OTF2_GROUP_FLAG_NONE, (uint32_t)n,
                                    members);
}
