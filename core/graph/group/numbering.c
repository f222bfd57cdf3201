// Numbers triples in order of first occurrence, using a hash table with open addressing.
#include "graph/group/numbering.h"

#include <stdlib.h>

#include "graph/numbers.h"
#include "trace/read/reader.h"

// Returns the slot of a triple, or the free slot for a new triple.
static uint32_t *find_slot(const struct otter_numbering *numbering, struct otter_triple triple)
{
    uint64_t hash = ((uint64_t)triple.a << 32 | triple.b) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 29 ^ triple.c) * UINT64_C(0x9e3779b97f4a7c15);
    for (uint32_t i = (uint32_t)(hash >> 32);; i++) {
        uint32_t *slot = &numbering->slots[i & (numbering->n_slots - 1)];
        if (*slot == OTTER_NONE) {
            return slot;
        }
        const struct otter_triple *found = &numbering->items[*slot];
        if (found->a == triple.a && found->b == triple.b && found->c == triple.c) {
            return slot;
        }
    }
}

// Doubles the slots, of which at most half are in use.
static bool grow(struct otter_numbering *numbering)
{
    uint32_t n_slots = numbering->n_slots ? 2 * numbering->n_slots : 64;
    uint32_t *slots = otter_numbers_create(n_slots);
    if (!slots) {
        return false;
    }
    free(numbering->slots);
    numbering->slots = slots;
    numbering->n_slots = n_slots;
    for (uint32_t i = 0; i < numbering->n; i++) {
        *find_slot(numbering, numbering->items[i]) = i;
    }
    return true;
}

bool otter_numbering_find(struct otter_numbering *numbering, struct otter_triple triple,
                          uint32_t *number)
{
    if (numbering->n >= numbering->n_slots / 2 && !grow(numbering)) {
        return false;
    }
    uint32_t *slot = find_slot(numbering, triple);
    if (*slot == OTTER_NONE) {
        if (!OTTER_VECTOR_RESERVE(numbering)) {
            return false;
        }
        numbering->items[numbering->n] = triple;
        *slot = numbering->n++;
    }
    *number = *slot;
    return true;
}

void otter_numbering_finish(struct otter_numbering *numbering)
{
    free(numbering->items);
    free(numbering->slots);
    *numbering = (struct otter_numbering){0};
}
