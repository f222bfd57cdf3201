// Copies the markers of a rank: scope "all" becomes the rank's process, and times are converted to
// the merged archive's clock.
#include "trace/merge/markers.h"

#include <otf2/OTF2_MarkerWriter.h>

#include "base/path.h"
#include "trace/read/state.h"

// A marker's kind is written when the first marker needs it.
static uint32_t number_of(struct otter_merger *merger, const struct otter_marker *marker)
{
    static const OTF2_MarkerSeverity severities[] = {
        [OTTER_SEVERITY_NONE] = OTF2_SEVERITY_NONE,
        [OTTER_SEVERITY_LOW] = OTF2_SEVERITY_LOW,
        [OTTER_SEVERITY_MEDIUM] = OTF2_SEVERITY_MEDIUM,
        [OTTER_SEVERITY_HIGH] = OTF2_SEVERITY_HIGH,
    };
    bool is_new;
    uint32_t id = otter_merge_number(
        merger, OTTER_MERGE_MARKERS,
        otter_path("%d \"%s\" %s", (int)marker->severity, marker->group, marker->category),
        &is_new);
    if (is_new) {
        OTF2_MarkerWriter_WriteDefMarker(merger->markers, id, marker->group, marker->category,
                                         severities[marker->severity]);
    }
    return id;
}

static void write_marker(struct otter_merger *merger, const struct otter_marker *marker,
                         const struct otter_marker_place *place)
{
    const struct otter_merge_rank *rank = merger->rank;
    bool is_location = place->scope == OTF2_MARKER_SCOPE_LOCATION && place->id < rank->n_locations;
    uint64_t id =
        is_location ? rank->first_location + place->id : (uint64_t)(rank - merger->plan->ranks);
    OTF2_MarkerWriter_WriteMarker(merger->markers, otter_clock_map_apply(&rank->map, marker->time),
                                  0, number_of(merger, marker),
                                  is_location ? OTF2_MARKER_SCOPE_LOCATION
                                              : OTF2_MARKER_SCOPE_LOCATION_GROUP,
                                  id, marker->text);
}

enum otter_status otter_merge_write_markers(struct otter_merger *merger,
                                            struct otter_complaint *complaint)
{
    struct otter_archive *source = NULL;
    enum otter_status status = otter_merge_open(merger->rank, &source, complaint);
    otter_archive_watch_errors(&merger->archive);
    size_t n = status ? 0 : source->markers.n;
    if (n > 0 && !merger->markers) {
        merger->markers = OTF2_Archive_GetMarkerWriter(merger->archive.handle);
        status = merger->markers ? OTTER_OK : OTTER_IO;
    }
    for (size_t i = 0; i < n && !status; i++) {
        write_marker(merger, (struct otter_marker *)source->markers.items + i,
                     (struct otter_marker_place *)source->marker_places.items + i);
    }
    otter_archive_close(source);
    return status;
}

enum otter_status otter_merge_close_markers(struct otter_merger *merger)
{
    bool failed =
        merger->markers && OTF2_Archive_CloseMarkerWriter(merger->archive.handle, merger->markers);
    return failed ? OTTER_IO : OTTER_OK;
}
