// Ranges of code addresses. Only the owner knows the meaning of a range's number.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <elfutils/libdw.h>

#include "base/vector.h"

struct otter_range {
    uint64_t begin, end;
    uint32_t index;
};

struct otter_ranges {
    OTTER_VECTOR(struct otter_range);
};

// Adds a range, or at most `most` ranges of `die`. If memory has run out, a range is left out.
void otter_ranges_add(struct otter_ranges *ranges, struct otter_range range);
void otter_ranges_add_die(struct otter_ranges *ranges, Dwarf_Die *die, unsigned most,
                          uint32_t index);
// Must be called after the last addition and before the first search.
void otter_ranges_sort(struct otter_ranges *ranges);
void otter_ranges_finish(struct otter_ranges *ranges);

// Returns the last range that begins at or before `address` if it contains `address`, otherwise
// NULL.
const struct otter_range *otter_ranges_find(const struct otter_ranges *ranges, uint64_t address);
