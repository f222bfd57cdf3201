// The open constructs of untied tasks that left their thread (in a taskwait, say). They are rare,
// so locks protect them.
#pragma once

#include <stdint.h>

#include "otter/record.h"

struct otter_open;

enum { OTTER_MAX_SUSPENDED_OPEN = 30 };

// Stores the `n` open constructs of `task` except the first, which is its own region. Stores
// nothing if `n` is 1.
void otter_suspended_store(otter_task task, const struct otter_open *open, uint32_t n);

// Moves the stored constructs of `task`, at most OTTER_MAX_SUSPENDED_OPEN, to `open`. *Returns*
// their number.
uint32_t otter_suspended_remove(otter_task task, struct otter_open *open);
