// The hashes of a merged archive's ranks.
#pragma once

#include "graph/hash/hash.h"
#include "trace/read/reader.h"

// Prints a line per rank, then which ranks have the same graph. `hashes`: one per rank; for
// unreadable ranks is_known is false.
struct otter_rank_hash {
    bool is_known;
    struct otter_hash hash;
};
void otter_rank_hashes_print(const struct otter_definitions *definitions,
                             const struct otter_rank_hash *hashes);
