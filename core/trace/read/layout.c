// The form of an archive that a merge needs to know.
#include "trace/read/layout.h"

#include "trace/read/state.h"

struct otter_archive_layout otter_archive_layout(const struct otter_archive *archive)
{
    const struct otter_ids *ids[] = {
        &archive->string_ids, &archive->location_ids,      &archive->region_ids,
        &archive->comm_ids,   &archive->parameter_ids,     &archive->group_ids,
        &archive->metric_ids, &archive->metric_member_ids, &archive->location_group_ids};
    struct otter_archive_layout layout = {.event_chunk = archive->event_chunk_size,
                                          .is_dense = true};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        layout.is_dense &= !ids[i]->table;
        layout.largest_table = ids[i]->n > layout.largest_table ? ids[i]->n : layout.largest_table;
    }
    return layout;
}
