// The explicit tasks, by the location that created them and their number there.
#pragma once

#include "base/arena.h"
#include "graph/build/edges/store.h"

struct otter_number_pages;

struct otter_numbers {
    struct otter_number_pages *locations;
    size_t n_locations;
    struct otter_arena pages;
};

// *Returns* false if out of memory.
bool otter_numbers_init(struct otter_numbers *numbers, size_t n_locations);
void otter_numbers_finish(struct otter_numbers *numbers);

// Finds a task by its number. For a new number, stores a task of unknown kind.
// *Returns* OTTER_NONE for an implausible number, or when memory runs out.
uint32_t otter_numbers_find(struct otter_numbers *numbers, struct otter_store *store,
                            uint32_t location, uint32_t number);
