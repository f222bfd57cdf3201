// The steps from the ledger of lost time to findings. Private to core/analysis.
#pragma once

#include "analysis/findings/finding.h"

// Even a slow creation takes less than this many times the usual cost of a creation.
enum { OTTER_SLOW_CREATION = 4 };

// Attributes losses to causes that only all executions of a label together reveal: small tasks,
// barriers, short delays, ... Adds the execution time that vanishes with small tasks to
// `*avoidable`.
void otter_conclude_tasks(const struct otter_analysis *analysis, struct otter_losses *losses,
                          uint64_t *avoidable);
// Returns the ticks that it took to record the tasks of a construct.
double otter_small_tasks_recording(const struct otter_analysis *analysis, uint32_t region);
// Charges the wait for a lock to the place where its holder acquired it, unless the thread that has
// to continue has no processor. Sets `waits` of each label. *Errors*: OTTER_NO_MEMORY.
enum otter_status otter_conclude_locks(const struct otter_analysis *analysis,
                                       struct otter_losses *losses, struct otter_lock_wait *waits);
// Call after otter_conclude_locks.
void otter_conclude_regions(const struct otter_analysis *analysis, struct otter_losses *losses);
// Call after otter_conclude_regions. Adds the time in which threads set up and add up their copies
// to `*avoidable`. *Errors*: OTTER_NO_MEMORY.
enum otter_status otter_conclude_reductions(const struct otter_analysis *analysis,
                                            struct otter_losses *losses, uint64_t *avoidable);
// Finds loops whose chunks cost much of their execution time. Adds that time to `*avoidable`.
void otter_conclude_chunks(const struct otter_analysis *analysis, struct otter_losses *losses,
                           uint64_t *avoidable);
// Attributes losses to small Kokkos kernels, copies and allocations. Adds the execution time that
// copies and allocations cost to `*avoidable`. *Errors*: OTTER_NO_MEMORY.
enum otter_status otter_conclude_kokkos(const struct otter_analysis *analysis,
                                        struct otter_losses *losses, uint64_t *avoidable);
// Sets the number and the ratio that the text of a finding quotes (n, value).
void otter_evidence_set(const struct otter_analysis *analysis, const struct otter_losses *losses,
                        struct otter_finding *finding);
// Finds the high-water mark of a memory space, given its index in the definitions' metrics.
// Returns false if it is not far above the mean.
bool otter_high_water_find(const struct otter_analysis *analysis, size_t metric,
                           struct otter_finding *finding);
