// Labels of regions and sections that no entry of the settings `only` and `skip` names, as a help for who has misspelt one. Any thread
// may call these, a forked child too: nothing here waits.
#pragma once

#include <stdint.h>

// Keeps it, unless it is there or there is no more room.
void seen_add(const char *label);

// A warning if an entry of `list`, the value of `setting`, has named nothing: those of which the bit is not in `matched`, the first
// entry's being 1. It says which labels there were, the nearest one first.
void seen_warn(const char *setting, const char *list, uint64_t matched);
