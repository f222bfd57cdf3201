// Writes the definitions of constructs, parameters, metrics and teams of all ranks, without
// duplicates.
#pragma once

#include "trace/merge/merger.h"

// Reads the definitions of the current rank and fills the maps with their numbers in the merged
// archive.
enum otter_status otter_merge_unify(struct otter_merger *merger, struct otter_complaint *complaint);
