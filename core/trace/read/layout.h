// The facts about the layout of an archive that a merge needs.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <otf2/otf2.h>

#include "trace/read/reader.h"

struct otter_archive_layout {
    size_t event_chunk;   // bytes
    size_t largest_table; // the largest number of definitions of one kind
    bool is_dense;        // the definitions of each kind are numbered from 0 in file order
};

// Sets the callbacks of definitions that need only be counted.
void otter_layout_set_callbacks(OTF2_GlobalDefReaderCallbacks *callbacks);

struct otter_archive_layout otter_archive_layout(const struct otter_archive *archive);
