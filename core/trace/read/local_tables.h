// The local definitions of a location of a merged archive: mapping tables and clock offsets.
#pragma once

#include <otf2/otf2.h>

#include "trace/lists.h"

enum otter_local_table {
    OTTER_LOCAL_REGIONS = 0,
    OTTER_LOCAL_COMMS,
    OTTER_LOCAL_PARAMETERS,
    OTTER_LOCAL_METRICS,
    OTTER_LOCAL_CONTEXTS,
    OTTER_N_LOCAL_TABLES
};

// Each table contains, for each definition of the rank in order, its number in the merged archive.
struct otter_local_tables {
    struct otter_list numbers[OTTER_N_LOCAL_TABLES]; // uint64_t
    struct otter_list offsets; // list of a struct that only local_tables.c knows
    bool is_sparse;            // a table lacks definitions of the rank
    bool is_short_of_memory;   // set by a callback, which then stops the reading
};

// Sets the callbacks that add what OTF2 reads to a struct otter_local_tables, which is their user
// data.
void otter_local_tables_set_callbacks(OTF2_DefReaderCallbacks *callbacks);

// Returns whether the tables and clocks of two locations are equal, as they must be in one rank.
bool otter_local_tables_are_equal(const struct otter_local_tables *a,
                                  const struct otter_local_tables *b);

void otter_local_tables_finish(struct otter_local_tables *tables);
