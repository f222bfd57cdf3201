// Copies the global definitions of an archive into another.
#pragma once

#include "trace/read/state.h"
#include "trace/revise/revise.h"
#include "trace/write/archive_writer.h"

struct otter_copier {
    const struct otter_archive *source;
    const struct otter_revised_region *regions;
    struct otter_archive_writer archive;
    uint64_t n_copied; // definitions, including strings
};

// Reads all definitions of the source and writes them. Strings get new numbers. *Errors*:
// OTTER_UNSUPPORTED: a definition of a kind that Otter does not write.
enum otter_status otter_definitions_copy(struct otter_copier *copier);
