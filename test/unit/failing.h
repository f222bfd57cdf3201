// Memory that runs out when a test wants it. Link with the arguments of meson's `failing_link_args`: they lead the allocating
// calls of everything that is linked here.
#pragma once

#include <stddef.h>

// From now on the `n`-th allocation (from 1) of this thread and all after it fail; 0: none does.
void fail_allocations_from(size_t n);

// Only the `n`-th fails.
void fail_allocation(size_t n);

// Allocations since one of the above, failed ones too.
size_t n_allocations(void);
