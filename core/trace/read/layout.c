// Collects the facts about the layout of an archive that a merge needs.
#include "trace/read/layout.h"

#include "trace/read/callback.h"
#include "trace/read/state.h"

static OTF2_CallbackCode add(struct otter_archive *archive, struct otter_ids *ids, uint64_t id)
{
    return otter_ids_add(ids, id) ? OTF2_CALLBACK_SUCCESS : otter_reader_out_of_memory(archive);
}

static OTF2_CallbackCode on_attribute(void *user, OTF2_AttributeRef self, OTF2_StringRef name,
                                      OTF2_StringRef description, OTF2_Type type)
{
    struct otter_archive *archive = user;
    return add(archive, &archive->attribute_ids, self);
}

static OTF2_CallbackCode on_window(void *user, OTF2_RmaWinRef self, OTF2_StringRef name,
                                   OTF2_CommRef comm, OTF2_RmaWinFlag flags)
{
    struct otter_archive *archive = user;
    return add(archive, &archive->window_ids, self);
}

static OTF2_CallbackCode on_generator(void *user, OTF2_InterruptGeneratorRef self,
                                      OTF2_StringRef name, OTF2_InterruptGeneratorMode mode,
                                      OTF2_Base base, int64_t exponent, uint64_t period)
{
    struct otter_archive *archive = user;
    return add(archive, &archive->generator_ids, self);
}

void otter_layout_set_callbacks(OTF2_GlobalDefReaderCallbacks *callbacks)
{
    OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(callbacks, on_attribute);
    OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(callbacks, on_window);
    OTF2_GlobalDefReaderCallbacks_SetInterruptGeneratorCallback(callbacks, on_generator);
}

struct otter_archive_layout otter_archive_layout(const struct otter_archive *archive)
{
    const struct otter_ids *ids[] = {
        &archive->string_ids,    &archive->location_ids,      &archive->region_ids,
        &archive->comm_ids,      &archive->parameter_ids,     &archive->group_ids,
        &archive->metric_ids,    &archive->metric_member_ids, &archive->location_group_ids,
        &archive->attribute_ids, &archive->window_ids,        &archive->context_ids,
        &archive->generator_ids};
    struct otter_archive_layout layout = {.event_chunk = archive->event_chunk_size,
                                          .is_dense = true};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        layout.is_dense &= !ids[i]->table;
        layout.largest_table = ids[i]->n > layout.largest_table ? ids[i]->n : layout.largest_table;
    }
    return layout;
}
