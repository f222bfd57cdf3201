// The hashes of a merged archive's ranks.
#pragma once

#include "graph/hash/hash.h"
#include "trace/read/reader.h"

// Prints a line for each rank, then which ranks did the same. `hashes`: of each rank; those of
// unreadable ranks have is_known = false.
struct otter_rank_hash {
    bool is_known;
    struct otter_hash hash;
};
void otter_rank_hashes_print(const struct otter_definitions *definitions,
                             const struct otter_rank_hash *hashes);
