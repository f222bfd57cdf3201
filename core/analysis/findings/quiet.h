// What a run would lose without other processes.
#pragma once

#include "analysis/analysis.h"

// Attributes time lost to noise to other causes, as far as a replay without preemption loses time
// to them as well. Does nothing without noise, and for runs that the replay does not model: with
// more threads than processors, MPI calls, pauses, lost events, helper threads, or more than
// 4,000,000 nodes. *Errors*: OTTER_NO_MEMORY.
enum otter_status otter_conclude_noise(const struct otter_analysis *analysis,
                                       struct otter_losses *losses);
