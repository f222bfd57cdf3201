// The name that a person may have meant.
#pragma once

#include <stddef.h>

// Begins as {0}. `name` is the nearest name so far, NULL when no name is near.
struct otter_nearest {
    const char *name;
    size_t distance;
};

// Takes `name` where `word` is nearer to `name` than to all names before. The distance is the
// number of letters to insert, remove, replace or swap with the next one; a name is near up to a
// quarter of its letters and one more.
void otter_nearest_offer(struct otter_nearest *nearest, const char *word, const char *name);
