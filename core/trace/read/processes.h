// Reads machines, nodes and processes, and the ranks of a merged archive.
#pragma once

#include "trace/read/state.h"

void otter_reader_set_process_callbacks(OTF2_GlobalDefReaderCallbacks *callbacks);

// Returns the name of a process (an index of location_groups); "" for OTTER_NONE.
const char *otter_reader_process_name(const struct otter_archive *archive, uint32_t group);

// Makes the list of ranks, when all definitions have been read. *Returns* false if out of memory.
bool otter_reader_find_ranks(struct otter_archive *archive);

// Returns the rank of a process or device (an index of location_groups), or OTTER_NONE.
uint32_t otter_reader_rank_of_group(const struct otter_archive *archive, uint32_t group);

// Returns the value of a property that the merge added for a rank (core/trace/schema.h); "" if
// there is none.
const char *otter_reader_merge_property(const struct otter_archive *archive, uint32_t rank,
                                        const char *name);

void otter_reader_free_processes(struct otter_archive *archive);
