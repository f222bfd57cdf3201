// Numbers for triples of numbers: the first triple is 0, the next one that was not seen before is 1.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct otter_triple {
    uint32_t a, b, c;
};

struct otter_numbering {
    struct otter_triple *triples; // by their numbers
    uint32_t n_triples;
    uint32_t *slots; // a hash table of numbers
    uint32_t n_slots;
};

// The number of `triple`, in *number; before this call there were n_triples, so a larger number is a new one. `numbering` begins as
// all zeros. False when memory is short; then nothing has changed.
bool otter_numbering_find(struct otter_numbering *numbering, struct otter_triple triple,
                          uint32_t *number);
void otter_numbering_finish(struct otter_numbering *numbering);
