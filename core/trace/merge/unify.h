// Writes the definitions of constructs, parameters, metrics and teams of each rank, each content
// once.
#pragma once

#include "trace/merge/merger.h"

// Reads the definitions of the current rank. Then the maps have the merged archive's numbers.
enum otter_status otter_merge_unify(struct otter_merger *merger, struct otter_complaint *complaint);
