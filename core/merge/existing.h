// The archive that a repeated merge would replace.
#pragma once

#include "merge/sources.h"

// Checks that the folder of a job has no archive, or a merged one whose ranks are all sources.
// *Errors*: OTTER_EXISTS: the archive has events that no source has, or cannot be read.
enum otter_status otter_merge_check_existing(const char *folder,
                                             const struct otter_merge_sources *sources,
                                             struct otter_complaint *complaint);
