// Gathers the mapping tables and the clock offsets of a location, and compares the tables of two
// locations.
#include "trace/read/local_tables.h"

#include <stdlib.h>
#include <string.h>

struct offset { // offset of a clock from `time` on
    uint64_t time;
    int64_t offset;
    double deviation;
};

static enum otter_local_table table_of(OTF2_MappingType type)
{
    switch (type) {
    case OTF2_MAPPING_REGION: return OTTER_LOCAL_REGIONS;
    case OTF2_MAPPING_COMM: return OTTER_LOCAL_COMMS;
    case OTF2_MAPPING_PARAMETER: return OTTER_LOCAL_PARAMETERS;
    case OTF2_MAPPING_METRIC: return OTTER_LOCAL_METRICS;
    case OTF2_MAPPING_CALLING_CONTEXT: return OTTER_LOCAL_CONTEXTS;
    default: return OTTER_N_LOCAL_TABLES;
    }
}

struct addition {
    struct otter_local_tables *tables;
    struct otter_list *numbers;
};

static void on_pair(uint64_t local, uint64_t global, void *user)
{
    const struct addition *addition = user;
    addition->tables->is_sparse |= local != addition->numbers->n;
    uint64_t *number = otter_list_add(addition->numbers, sizeof *number);
    if (number) {
        *number = global;
    }
    addition->tables->is_short_of_memory |= !number;
}

static OTF2_CallbackCode on_table(void *user, OTF2_MappingType type, const OTF2_IdMap *map)
{
    struct otter_local_tables *tables = user;
    enum otter_local_table table = table_of(type);
    if (table == OTTER_N_LOCAL_TABLES) {
        return OTF2_CALLBACK_SUCCESS;
    }
    struct addition addition = {tables, &tables->numbers[table]};
    OTF2_IdMap_Traverse(map, on_pair, &addition);
    return tables->is_short_of_memory ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_offset(void *user, OTF2_TimeStamp time, int64_t offset,
                                   double deviation)
{
    struct otter_local_tables *tables = user;
    struct offset *item = otter_list_add(&tables->offsets, sizeof *item);
    if (!item) {
        tables->is_short_of_memory = true;
        return OTF2_CALLBACK_INTERRUPT;
    }
    *item = (struct offset){time, offset, deviation};
    return OTF2_CALLBACK_SUCCESS;
}

void otter_local_tables_set_callbacks(OTF2_DefReaderCallbacks *callbacks)
{
    OTF2_DefReaderCallbacks_SetMappingTableCallback(callbacks, on_table);
    OTF2_DefReaderCallbacks_SetClockOffsetCallback(callbacks, on_offset);
}

static bool is_same_list(const struct otter_list *a, const struct otter_list *b, size_t size)
{
    return a->n == b->n && (a->n == 0 || memcmp(a->items, b->items, a->n * size) == 0);
}

bool otter_local_tables_are_equal(const struct otter_local_tables *a,
                                  const struct otter_local_tables *b)
{
    bool are_equal = is_same_list(&a->offsets, &b->offsets, sizeof(struct offset));
    for (unsigned i = 0; i < OTTER_N_LOCAL_TABLES; i++) {
        are_equal &= is_same_list(&a->numbers[i], &b->numbers[i], sizeof(uint64_t));
    }
    return are_equal;
}

void otter_local_tables_finish(struct otter_local_tables *tables)
{
    for (unsigned i = 0; i < OTTER_N_LOCAL_TABLES; i++) {
        free(tables->numbers[i].items);
    }
    free(tables->offsets.items);
    *tables = (struct otter_local_tables){.is_sparse = false};
}
