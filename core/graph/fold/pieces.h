// The pieces of worksharing constructs (internal.h). Functions return false if out of memory.
#pragma once

#include "graph/fold/chain.h"

// Reads the work share between positions `begin` and `end` of a worksharing construct.
bool otter_fold_read_work_share(struct otter_chain *chain, size_t begin, size_t end);

// Reads the `single` from position `begin` to `end`. Its piece is attached to nodes that every
// member passes: begin and end of the scope around it, or barriers.
bool otter_fold_read_single(struct otter_chain *chain, size_t begin, size_t end);
