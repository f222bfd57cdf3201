// Writes clock, machine, nodes, processes, devices and locations of a merged archive.
#pragma once

#include "trace/merge/merger.h"

// Writes these definitions for all ranks. Call this before the definitions of constructs, which
// refer to them.
enum otter_status otter_merge_write_places(struct otter_merger *merger,
                                           struct otter_complaint *complaint);
