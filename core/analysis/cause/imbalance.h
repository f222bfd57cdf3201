// Charges the waiting for late members of a team to what made them late. Private to core/analysis.
#pragma once

#include "analysis/cause/sweep.h"

// Call after the sweep, which has filled `waited`. *Errors*: OTTER_NO_MEMORY.
enum otter_status otter_imbalance_charge(const struct sweep *sweep);
