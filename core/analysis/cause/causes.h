// The list of causes. Private to core/analysis.
#pragma once

#include "analysis/cause/sweep.h"

// Adds the losses of a segment that has ended to the ledger of the account.
void otter_causes_add(struct sweep *sweep, uint32_t thread);
