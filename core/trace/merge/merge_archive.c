// Writes the definitions of several archives as one archive.
#include "trace/merge/merge.h"

#include <stdlib.h>

#include "trace/merge/local.h"
#include "trace/merge/markers.h"
#include "trace/merge/merger.h"
#include "trace/merge/places.h"
#include "trace/merge/unify.h"

static void set_properties(struct otter_merger *merger)
{
    const struct otter_merge_plan *plan = merger->plan;
    OTF2_Archive *archive = merger->archive.handle;
    for (size_t i = 0; i < plan->n_properties; i++) {
        OTF2_Archive_SetProperty(archive, plan->properties[i].name, plan->properties[i].value,
                                 true);
    }
    OTF2_Archive_SetCreator(archive, "Otter " OTTER_VERSION);
    OTF2_Archive_SetMachineName(archive, plan->machine);
    OTF2_Archive_SetDescription(archive, plan->description);
}

static enum otter_status write_ranks(struct otter_merger *merger, struct otter_complaint *complaint)
{
    const struct otter_merge_plan *plan = merger->plan;
    enum otter_status status = OTTER_OK;
    for (size_t i = 0; i < plan->n_ranks && !status; i++) {
        merger->rank = &plan->ranks[i];
        status = otter_merge_unify(merger, complaint);
        OTTER_THEN(status, otter_merge_write_local(merger));
        OTTER_THEN(status, otter_merge_write_markers(merger, complaint));
    }
    return status;
}

static enum otter_status write_all(struct otter_merger *merger, struct otter_complaint *complaint)
{
    set_properties(merger);
    merger->archive.writer = OTF2_Archive_GetGlobalDefWriter(merger->archive.handle);
    if (!merger->archive.writer) {
        return OTTER_IO;
    }
    enum otter_status status = otter_merge_write_places(merger, complaint);
    if (!status && OTF2_Archive_OpenDefFiles(merger->archive.handle)) {
        status = OTTER_IO;
    }
    if (status) {
        return status;
    }
    status = write_ranks(merger, complaint);
    enum otter_status end = otter_merge_close_markers(merger);
    bool is_closed = !OTF2_Archive_CloseDefFiles(merger->archive.handle);
    OTTER_THEN(status, end);
    return status || is_closed ? status : OTTER_IO;
}

size_t otter_merge_definition_chunk(size_t n_bytes)
{
    return otter_archive_definition_chunk(n_bytes);
}

enum otter_status otter_merge_write(const char *folder, const struct otter_merge_plan *plan,
                                    struct otter_complaint *complaint)
{
    struct otter_merger merger = {.plan = plan, .archive = {.folder = folder}};
    complaint->text[0] = '\0';
    enum otter_status status =
        otter_archive_begin(&merger.archive, plan->event_chunk, plan->definition_chunk);
    OTTER_THEN(status, write_all(&merger, complaint));
    status = otter_archive_end(&merger.archive, status);
    for (int i = 0; i < OTTER_MERGE_KINDS; i++) {
        otter_strings_destroy(merger.known[i]);
        free(merger.maps[i].items);
    }
    free(merger.region_ranks.items);
    return status;
}
