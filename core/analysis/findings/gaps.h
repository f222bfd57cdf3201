// The code between two regions that belongs to the fork of the second. Private to core/analysis.
#pragma once

#include "analysis/analysis.h"

// Attributes serial code between regions to forking, before small kernels to these: as much as each
// fork of the region takes at least, and each gap before it. Adds the execution that vanishes with
// small kernels. *Errors*: OTTER_NO_MEMORY.
enum otter_status otter_gaps_conclude(const struct otter_analysis *analysis,
                                      struct otter_losses *losses, uint64_t *avoidable);
