// The markers of an archive: findings about its recording, and marks of the program.
#pragma once

#include <stdint.h>

#include "base/status.h"
#include "trace/write/archive_content.h"

struct OTF2_Archive_struct;

// Writes findings and marks. Creates no file if there are neither. `last_time`: the time of the
// last event of all, in ticks; findings get this time.
enum otter_status otter_findings_write(struct OTF2_Archive_struct *archive,
                                       const struct otter_archive_content *content,
                                       uint64_t last_time);
