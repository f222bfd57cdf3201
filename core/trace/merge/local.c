// Writes the local definitions of a rank's locations: mapping tables, and the offsets of its clock.
#include "trace/merge/local.h"

static const struct {
    enum otter_merge_kind kind;
    OTF2_MappingType type;
} tables[] = {
    {OTTER_MERGE_TEXTS, OTF2_MAPPING_STRING},
    {OTTER_MERGE_ATTRIBUTES, OTF2_MAPPING_ATTRIBUTE},
    {OTTER_MERGE_REGIONS, OTF2_MAPPING_REGION},
    {OTTER_MERGE_GROUPS, OTF2_MAPPING_GROUP},
    {OTTER_MERGE_METRICS, OTF2_MAPPING_METRIC},
    {OTTER_MERGE_COMMS, OTF2_MAPPING_COMM},
    {OTTER_MERGE_PARAMETERS, OTF2_MAPPING_PARAMETER},
    {OTTER_MERGE_WINDOWS, OTF2_MAPPING_RMA_WIN},
    {OTTER_MERGE_CONTEXTS, OTF2_MAPPING_CALLING_CONTEXT},
    {OTTER_MERGE_GENERATORS, OTF2_MAPPING_INTERRUPT_GENERATOR},
};

enum { N_TABLES = sizeof tables / sizeof *tables };

// All tables are dense, even if they map each number to itself, since the reader uses them to list
// a rank's definitions.
static void make_tables(struct otter_merger *merger, OTF2_IdMap *maps[N_TABLES])
{
    for (unsigned i = 0; i < N_TABLES; i++) {
        const struct otter_list *map = &merger->maps[tables[i].kind];
        maps[i] = map->n == 0 ? NULL : OTF2_IdMap_CreateFromUint64Array(map->n, map->items, false);
        if (map->n > 0 && !maps[i]) {
            otter_archive_note_error(&merger->archive, OTTER_NO_MEMORY);
        }
    }
}

// OTF2 ignores a clock offset without a second one.
static bool write_location(struct otter_merger *merger, uint64_t location,
                           OTF2_IdMap *const maps[N_TABLES])
{
    OTF2_Archive *archive = merger->archive.handle;
    const struct otter_clock_map *clock = &merger->rank->map;
    OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(archive, location);
    bool is_written = writer != NULL;
    for (unsigned i = 0; is_written && i < N_TABLES; i++) {
        is_written = !maps[i] || !OTF2_DefWriter_WriteMappingTable(writer, tables[i].type, maps[i]);
    }
    is_written =
        is_written &&
        !OTF2_DefWriter_WriteClockOffset(writer, clock->begin, clock->begin_offset,
                                         clock->deviation) &&
        !OTF2_DefWriter_WriteClockOffset(writer, clock->end, clock->end_offset, clock->deviation);
    return writer && !OTF2_Archive_CloseDefWriter(archive, writer) && is_written;
}

enum otter_status otter_merge_write_local(struct otter_merger *merger)
{
    OTF2_IdMap *maps[N_TABLES];
    make_tables(merger, maps);
    bool is_written = !merger->archive.error;
    for (size_t i = 0; is_written && i < merger->rank->n_locations; i++) {
        is_written = write_location(merger, merger->rank->first_location + i, maps);
    }
    for (unsigned i = 0; i < N_TABLES; i++) {
        OTF2_IdMap_Free(maps[i]);
    }
    return is_written ? OTTER_OK : OTTER_IO;
}
