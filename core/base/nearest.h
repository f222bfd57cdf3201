// Suggests a name for a misspelt word.
#pragma once

#include <stddef.h>

// Initialised as {0}. `name` is the nearest name so far, or NULL.
struct otter_nearest {
    const char *name;
    size_t distance;
};

// Stores `name` if its distance to `word` is smaller than that of all earlier names, and at most 1
// + a quarter of its length. The distance is the number of letters to insert, remove, replace or
// swap with the next letter.
void otter_nearest_offer(struct otter_nearest *nearest, const char *word, const char *name);
