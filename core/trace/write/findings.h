// Markers: what a person should know about an archive before believing it, and what he marked himself.
#pragma once

#include <stdint.h>

#include "base/status.h"
#include "recording/definitions.h"

struct OTF2_Archive_struct;

// Writes the archive's markers: findings in the group "Otter", at the time of its last event; events that the program marked in the
// group "Kokkos", each at its own. No file when there is nothing to say.
enum otter_status otter_findings_write(struct OTF2_Archive_struct *archive,
                                       const struct otter_journal_definitions *definitions,
                                       uint64_t last_time);
