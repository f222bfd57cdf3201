// The part of the code between two regions that belongs to the fork of the second. Private to
// core/analysis.
#pragma once

#include "analysis/analysis.h"

// Moves serial code between two regions to forking, or to small kernels if the second region is the
// team of a small kernel. From each gap, moves at most the low quantile of the region's forks, and
// at most the low quantile of the gaps before the region. Adds the execution of the code that
// it moves to the same cause, and to *avoidable. *Errors*: OTTER_NO_MEMORY.
enum otter_status otter_gaps_conclude(const struct otter_analysis *analysis,
                                      struct otter_losses *losses, uint64_t *avoidable);
