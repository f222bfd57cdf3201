// Untied tasks that left their thread with constructs open (in a taskwait, say), by task. Rare, so behind locks.
#pragma once

#include <stdint.h>

#include "otter/record.h"

struct otter_open;

enum { OTTER_MAX_SUSPENDED_OPEN = 30 };

// Remembers what `task` had open but for its own region, which is the first of the `n`. Nothing is kept when there is nothing else.
void otter_suspended_keep(otter_task task, const struct otter_open *open, uint32_t n);

// Hands out what was kept for `task`, at most OTTER_MAX_SUSPENDED_OPEN, and forgets it. Returns how many.
uint32_t otter_suspended_take(otter_task task, struct otter_open *open);
