// Ranges of code, each with a number that its owner gives a meaning, found by an address in them.
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

// Adds a range, or those that `die` covers, at most so many. What needs more memory than there is is left out.
void otter_ranges_add(struct otter_ranges *ranges, struct otter_range range);
void otter_ranges_add_die(struct otter_ranges *ranges, Dwarf_Die *die, unsigned most,
                          uint32_t index);
// When all are added.
void otter_ranges_sort(struct otter_ranges *ranges);
void otter_ranges_finish(struct otter_ranges *ranges);

// The range that begins last before `address`, if that is in it; else NULL.
const struct otter_range *otter_ranges_find(const struct otter_ranges *ranges, uint64_t address);
