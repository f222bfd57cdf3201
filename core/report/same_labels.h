// Regions that a user cannot distinguish: copies of one construct in the code.
#pragma once

#include "graph/label.h"

// Returns for each region the first region with the same construct, description and place in the
// source, perhaps the region itself. A region without a line is its own first.
// A compiler copies constructs: it inlines functions, instantiates templates and unrolls loops.
// The caller frees the array. NULL: memory is short.
uint32_t *otter_same_labels(const struct otter_definitions *definitions,
                            const struct otter_labels *labels);
