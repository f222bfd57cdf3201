// Zeroed memory in pieces that are freed together. Small pieces share a block, so that they count
// as a large array (base/large/large.h).
#pragma once

#include <stddef.h>

struct otter_arena_block;

// All zero: an empty arena.
struct otter_arena {
    struct otter_arena_block *last;
    size_t total; // bytes of all blocks
};

// Returns zeros, aligned for any type, that belong to the arena. NULL if out of memory.
void *otter_arena_get(struct otter_arena *arena, size_t size);

// Frees all pieces; the arena is then empty.
void otter_arena_finish(struct otter_arena *arena);
