// Upper bounds of what causes of lost time cost, from other numbers than the ledger's.
//
// README.md has the bound of each cause. A cost above its bound is a defect of the analysis.
#pragma once

#include "analysis/findings/findings.h"

// Returns the most ticks in which threads can continue late: those asleep, and those after the end
// of what a wait joins.
double otter_bounds_wake_up(const struct otter_analysis *analysis);

// Returns the ticks that the creations and starts of the tasks of a construct cost, at most.
double otter_bounds_small_tasks(const struct otter_analysis *analysis, uint32_t label);

// Reduces each cost above its bound to the bound. Sets *excess to the first of them.
// Returns whether there is any.
bool otter_bounds_apply(const struct otter_analysis *analysis, struct otter_losses *losses,
                        struct otter_excess *excess);
