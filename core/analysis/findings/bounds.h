// Upper bounds on the cost of each cause of lost time, computed without the ledger.
//
// README.md has the bound of each cause. A cost above its bound reveals a defect of the analysis.
#pragma once

#include "analysis/findings/findings.h"

// Returns the most ticks by which threads can continue late after the end of the last task that
// their wait joins. This includes the time in which they sleep.
double otter_bounds_wake_up(const struct otter_analysis *analysis);

// Returns the most ticks that the tasks of a construct can cost: for their creation, and because
// they start and continue late.
double otter_bounds_late_tasks(const struct otter_analysis *analysis, uint32_t label);

// Reduces each cost above its bound to the bound, and sets *excess to the first such cost. If only
// the sum of all causes exceeds `lost`, *excess is this sum, of kind OTTER_FINDING_UNEXPLAINED.
// Returns whether there is any excess.
bool otter_bounds_apply(const struct otter_analysis *analysis, uint64_t lost,
                        struct otter_losses *losses, struct otter_excess *excess);
