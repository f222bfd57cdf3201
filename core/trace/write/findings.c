// Writes the markers of an archive: findings of the recorder, and marks of the program.
#include "trace/write/findings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <otf2/OTF2_MarkerWriter.h>
#include <otf2/otf2.h>

#include "base/path.h"
#include "base/text/utf8.h"

enum {
    MARKER_LOST = 0,
    MARKER_CUT_OFF = 1,
    MARKER_STOPPED = 2,
    MARKER_EVENT = 3,
    N_MARK_KINDS = 3
};
enum { MARKER_MISSING = MARKER_EVENT + N_MARK_KINDS };

static bool write_finding(OTF2_MarkerWriter *writer, uint32_t marker, const char *category,
                          uint64_t time, const char *text)
{
    return text &&
           !OTF2_MarkerWriter_WriteDefMarker(writer, marker, "Otter", category,
                                             OTF2_SEVERITY_HIGH) &&
           !OTF2_MarkerWriter_WriteMarker(writer, time, 0, marker, OTF2_MARKER_SCOPE_GLOBAL, 0,
                                          text);
}

static bool write_missing_of(OTF2_MarkerWriter *writer, uint64_t time,
                             const struct otter_missing_events *missing)
{
    char text[160];
    snprintf(text, sizeof(text),
             "at least %" PRIu64 " and at most %" PRIu64
             " events are missing: their file was removed or damaged",
             missing->least, missing->most);
    return !OTF2_MarkerWriter_WriteMarker(writer, time, 0, MARKER_MISSING,
                                          OTF2_MARKER_SCOPE_LOCATION, missing->location, text);
}

static bool write_missing(OTF2_MarkerWriter *writer, const struct otter_archive_content *content,
                          uint64_t time)
{
    bool is_written = content->n_missing == 0 ||
                      !OTF2_MarkerWriter_WriteDefMarker(writer, MARKER_MISSING, "Otter",
                                                        "missing events", OTF2_SEVERITY_HIGH);
    for (size_t i = 0; is_written && i < content->n_missing; i++) {
        is_written = write_missing_of(writer, time, &content->missing[i]);
    }
    return is_written;
}

static bool write_findings(OTF2_MarkerWriter *writer, const struct otter_archive_content *content,
                           uint64_t time)
{
    bool is_written = write_missing(writer, content, time);
    if (content->n_lost) {
        bool is_full = strcmp(otter_content_description(content, "STOPPED"), "max-size") == 0;
        char *text = otter_path("%s%" PRIu64 " event%s could not be kept%s",
                                content->has_end ? "" : "at least ", content->n_lost,
                                content->n_lost == 1 ? "" : "s",
                                is_full ? ": recording stopped when max-size was reached" : "");
        is_written &= write_finding(writer, MARKER_LOST, "lost events", time, text);
        free(text);
    }
    if (content->totals) {
        const char *since = otter_content_description(content, "STOPPED_AT");
        is_written &=
            write_finding(writer, MARKER_STOPPED, "stopped", strtoull(since, NULL, 10),
                          "max-size was reached: from here on there are no events, only the "
                          "totals of regions, as properties of the archive");
    }
    if (!content->has_end) {
        is_written &= write_finding(writer, MARKER_CUT_OFF, "cut off", time,
                                    "the program ended before its recording was closed");
    }
    return is_written;
}

static const struct {
    enum otter_construct construct;
    const char *group, *category;
} mark_kinds[N_MARK_KINDS] = {
    {OTTER_CONSTRUCT_KOKKOS_EVENT, "Kokkos", "event"},
    {OTTER_CONSTRUCT_MARK, "Otter", "mark"},
    {OTTER_CONSTRUCT_CONTROL_TOOL, "Otter", "control"},
};

static uint32_t marker_of(enum otter_construct construct)
{
    uint32_t i = N_MARK_KINDS - 1;
    while (i > 0 && mark_kinds[i].construct != construct) {
        i--;
    }
    return MARKER_EVENT + i;
}

static bool has_mark(const struct otter_archive_content *content, uint32_t marker)
{
    for (size_t i = 0; i < content->n_marks; i++) {
        if (marker_of(content->marks[i].construct) == marker) {
            return true;
        }
    }
    return false;
}

static bool write_mark(OTF2_MarkerWriter *writer, const struct otter_mark_definition *mark)
{
    char *text = otter_utf8_copy(mark->text);
    bool is_written =
        text && !OTF2_MarkerWriter_WriteMarker(writer, mark->time, 0, marker_of(mark->construct),
                                               OTF2_MARKER_SCOPE_LOCATION, mark->location, text);
    free(text);
    return is_written;
}

// Writes the marks of the program, each on its thread.
static bool write_marks(OTF2_MarkerWriter *writer, const struct otter_archive_content *content)
{
    bool is_written = true;
    for (uint32_t i = 0; is_written && i < N_MARK_KINDS; i++) {
        is_written =
            !has_mark(content, MARKER_EVENT + i) ||
            !OTF2_MarkerWriter_WriteDefMarker(writer, MARKER_EVENT + i, mark_kinds[i].group,
                                              mark_kinds[i].category, OTF2_SEVERITY_NONE);
    }
    for (size_t i = 0; is_written && i < content->n_marks; i++) {
        const struct otter_mark_definition *mark = &content->marks[i];
        is_written = mark->location >= content->n_locations || write_mark(writer, mark);
    }
    return is_written;
}

enum otter_status otter_findings_write(struct OTF2_Archive_struct *archive,
                                       const struct otter_archive_content *content,
                                       uint64_t last_time)
{
    if (content->n_lost == 0 && content->has_end && content->n_marks == 0 && !content->totals) {
        return OTTER_OK;
    }
    OTF2_MarkerWriter *writer = OTF2_Archive_GetMarkerWriter(archive);
    if (!writer) {
        return OTTER_IO;
    }
    bool is_written = write_findings(writer, content, last_time) &&
                      (content->n_marks == 0 || write_marks(writer, content));
    return OTF2_Archive_CloseMarkerWriter(archive, writer) || !is_written ? OTTER_IO : OTTER_OK;
}
