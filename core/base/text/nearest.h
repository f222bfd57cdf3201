// Suggests a name for a misspelt word.
#pragma once

#include <stddef.h>

// Initialised as {0}. `name` is the nearest name so far, or NULL.
struct otter_nearest {
    const char *name;
    size_t distance;
};

// Returns the distance: the number of letters to insert, remove, replace or swap with the next
// letter, to make `name` of `word`. It is 80 if one of them is longer.
size_t otter_nearest_distance(const char *word, const char *name);
// The same for the part of `name` that is most similar to `word`.
size_t otter_nearest_distance_of_part(const char *word, const char *name);

// Stores `name` if its distance to `word` is smaller than that of all earlier names, and at most 1
// + a quarter of its length.
void otter_nearest_offer(struct otter_nearest *nearest, const char *word, const char *name);
