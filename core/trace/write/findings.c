#include "trace/write/findings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <otf2/OTF2_MarkerWriter.h>
#include <otf2/otf2.h>

#include "base/path.h"
#include "base/utf8.h"

enum { MARKER_LOST = 0, MARKER_CUT_OFF = 1, MARKER_STOPPED = 2, MARKER_EVENT = 3 };

static bool write_finding(OTF2_MarkerWriter *writer, uint32_t marker, const char *category,
                          uint64_t time, const char *text)
{
    return text &&
           !OTF2_MarkerWriter_WriteDefMarker(writer, marker, "Otter", category,
                                             OTF2_SEVERITY_HIGH) &&
           !OTF2_MarkerWriter_WriteMarker(writer, time, 0, marker, OTF2_MARKER_SCOPE_GLOBAL, 0,
                                          text);
}

static bool write_findings(OTF2_MarkerWriter *writer,
                           const struct otter_journal_definitions *definitions, uint64_t time)
{
    bool is_written = true;
    if (definitions->n_lost) {
        bool is_full = strcmp(otter_definitions_described(definitions, "STOPPED"), "max-size") == 0;
        char *text = otter_path("%s%" PRIu64 " event%s could not be kept%s",
                                definitions->has_end ? "" : "at least ", definitions->n_lost,
                                definitions->n_lost == 1 ? "" : "s",
                                is_full ? ": recording stopped when max-size was reached" : "");
        is_written = write_finding(writer, MARKER_LOST, "lost events", time, text);
        free(text);
    }
    if (definitions->totals) {
        const char *since = otter_definitions_described(definitions, "STOPPED_AT");
        is_written &=
            write_finding(writer, MARKER_STOPPED, "stopped", strtoull(since, NULL, 10),
                          "max-size was reached: from here on there are no events, only the "
                          "totals of regions, as properties of the archive");
    }
    if (!definitions->has_end) {
        is_written &= write_finding(writer, MARKER_CUT_OFF, "cut off", time,
                                    "the program ended before its recording was closed");
    }
    return is_written;
}

static const struct {
    enum otter_construct construct;
    const char *group, *category;
} mark_kinds[] = {
    {OTTER_CONSTRUCT_KOKKOS_EVENT, "Kokkos", "event"},
    {OTTER_CONSTRUCT_MARK, "Otter", "mark"},
    {OTTER_CONSTRUCT_CONTROL_TOOL, "Otter", "control"},
};

enum { N_MARK_KINDS = sizeof(mark_kinds) / sizeof(mark_kinds[0]) };

static uint32_t marker_of(enum otter_construct construct)
{
    uint32_t i = N_MARK_KINDS - 1;
    while (i > 0 && mark_kinds[i].construct != construct) {
        i--;
    }
    return MARKER_EVENT + i;
}

static bool has_mark(const struct otter_journal_definitions *definitions, uint32_t marker)
{
    for (size_t i = 0; i < definitions->n_marks; i++) {
        if (marker_of(definitions->marks[i].construct) == marker) {
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

// What a person marked, on the thread that did.
static bool write_marks(OTF2_MarkerWriter *writer,
                        const struct otter_journal_definitions *definitions)
{
    bool is_written = true;
    for (uint32_t i = 0; is_written && i < N_MARK_KINDS; i++) {
        is_written =
            !has_mark(definitions, MARKER_EVENT + i) ||
            !OTF2_MarkerWriter_WriteDefMarker(writer, MARKER_EVENT + i, mark_kinds[i].group,
                                              mark_kinds[i].category, OTF2_SEVERITY_NONE);
    }
    for (size_t i = 0; is_written && i < definitions->n_marks; i++) {
        const struct otter_mark_definition *mark = &definitions->marks[i];
        is_written = mark->location >= definitions->n_locations || write_mark(writer, mark);
    }
    return is_written;
}

enum otter_status otter_findings_write(struct OTF2_Archive_struct *archive,
                                       const struct otter_journal_definitions *definitions,
                                       uint64_t last_time)
{
    if (definitions->n_lost == 0 && definitions->has_end && definitions->n_marks == 0 &&
        !definitions->totals) {
        return OTTER_OK;
    }
    OTF2_MarkerWriter *writer = OTF2_Archive_GetMarkerWriter(archive);
    if (!writer) {
        return OTTER_IO;
    }
    bool is_written = write_findings(writer, definitions, last_time) &&
                      (definitions->n_marks == 0 || write_marks(writer, definitions));
    return OTF2_Archive_CloseMarkerWriter(archive, writer) || !is_written ? OTTER_IO : OTTER_OK;
}
