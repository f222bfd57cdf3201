// Numbers triples in the order of their first occurrence, by a hash table with open addressing.
#include "graph/group/numbering.h"

#include <stdlib.h>
#include <string.h>

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
        const struct otter_triple *found = &numbering->triples[*slot];
        if (found->a == triple.a && found->b == triple.b && found->c == triple.c) {
            return slot;
        }
    }
}

// Makes room for twice as many triples. At most half of the slots are in use.
static bool grow(struct otter_numbering *numbering)
{
    uint32_t n_slots = numbering->n_slots ? 2 * numbering->n_slots : 64;
    struct otter_triple *triples =
        realloc(numbering->triples, n_slots / 2 * sizeof *numbering->triples);
    if (!triples) {
        return false;
    }
    numbering->triples = triples;
    uint32_t *slots = malloc(n_slots * sizeof *slots);
    if (!slots) {
        return false;
    }
    free(numbering->slots);
    memset(slots, 0xff, n_slots * sizeof *slots);
    numbering->slots = slots;
    numbering->n_slots = n_slots;
    for (uint32_t i = 0; i < numbering->n_triples; i++) {
        *find_slot(numbering, numbering->triples[i]) = i;
    }
    return true;
}

bool otter_numbering_find(struct otter_numbering *numbering, struct otter_triple triple,
                          uint32_t *number)
{
    if (numbering->n_triples >= numbering->n_slots / 2 && !grow(numbering)) {
        return false;
    }
    uint32_t *slot = find_slot(numbering, triple);
    if (*slot == OTTER_NONE) {
        numbering->triples[numbering->n_triples] = triple;
        *slot = numbering->n_triples++;
    }
    *number = *slot;
    return true;
}

void otter_numbering_finish(struct otter_numbering *numbering)
{
    free(numbering->triples);
    free(numbering->slots);
    *numbering = (struct otter_numbering){0};
}
