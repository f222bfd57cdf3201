// The list of causes. Private to core/analysis.
#pragma once

#include "analysis/cause/sweep.h"

// Adds the losses of a completed segment to the account's ledger.
void otter_causes_add(struct sweep *sweep, uint32_t thread);
