// The hashes of a merged archive's ranks.
#pragma once

#include "graph/hash/hash.h"
#include "trace/read/reader.h"

struct otter_rank_hash {
    bool is_known; // false: the rank cannot be read
    struct otter_hash hash;
};

// Prints a line per rank, then which ranks have the same graph. `hashes`: one per rank.
void otter_rank_hashes_print(const struct otter_definitions *definitions,
                             const struct otter_rank_hash *hashes);
