// Zeroed memory in pieces that are freed together. Small pieces share blocks, which are large
// enough to be treated as large arrays (base/large/large.h).
#pragma once

#include <stddef.h>

struct otter_arena_block;

// If all bytes are zero, the arena is empty.
struct otter_arena {
    struct otter_arena_block *last;
    size_t total; // bytes of all blocks
};

// Returns zeroed memory, aligned for any type, that belongs to the arena. NULL if out of memory.
void *otter_arena_get(struct otter_arena *arena, size_t size);

// Frees all pieces; the arena is then empty.
void otter_arena_finish(struct otter_arena *arena);
