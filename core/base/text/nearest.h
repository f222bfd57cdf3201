// Suggests a name for a misspelt word.
#pragma once

#include <stddef.h>

// Initialised as {0}. `name` is the nearest name so far, or NULL.
struct otter_nearest {
    const char *name;
    size_t distance;
};

// Returns the distance: how many letters to insert, remove, replace or swap with the next to turn
// `word` into `name`; 80 if either has more than 80 letters.
size_t otter_nearest_distance(const char *word, const char *name);
// Returns the smallest distance from `word` to any part of `name`.
size_t otter_nearest_distance_of_part(const char *word, const char *name);

// Stores `name` if it is nearer to `word` than all earlier names, and its distance is at most 1 + a
// quarter of its length. A name that begins with `word` has distance 1.
void otter_nearest_offer(struct otter_nearest *nearest, const char *word, const char *name);
