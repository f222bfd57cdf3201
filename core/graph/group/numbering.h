// Numbers triples of numbers from 0, in the order of their first occurrence.
#pragma once

#include "base/vector.h"

struct otter_triple {
    uint32_t a, b, c;
};

// If all bytes are zero, the numbering is empty.
struct otter_numbering {
    OTTER_VECTOR(struct otter_triple); // indexed by their numbers
    uint32_t *slots;                   // a hash table of numbers
    uint32_t n_slots;
};

// Sets *number to the number of `triple`. A new triple gets the previous value of `n` as its
// number.
// Returns false if out of memory; then nothing has changed.
bool otter_numbering_find(struct otter_numbering *numbering, struct otter_triple triple,
                          uint32_t *number);
void otter_numbering_finish(struct otter_numbering *numbering);
