// Computes the account of an analysis.
#pragma once

#include "analysis/cause/account.h"

// Call after otter_region_uses_init. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_account_init(struct otter_account *account,
                                     const struct otter_account_input *input);
void otter_account_finish(struct otter_account *account);
