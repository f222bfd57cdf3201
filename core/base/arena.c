// Cuts pieces of memory from blocks.
#include "base/arena.h"

#include <stdalign.h>
#include <stdlib.h>

struct otter_arena_block {
    struct otter_arena_block *before;
    size_t used, size;
    alignas(max_align_t) char bytes[];
};

// Each block is twice as large as the previous one, so a few blocks suffice for any number of
// pieces.
static struct otter_arena_block *add_block(struct otter_arena *arena, size_t size)
{
    enum { MIN_SIZE = 1 << 14, MAX_SIZE = 1 << 28 };
    size_t wanted = arena->total < MIN_SIZE ? MIN_SIZE : arena->total;
    wanted = wanted > MAX_SIZE ? MAX_SIZE : wanted;
    wanted = wanted < size ? size : wanted;
    struct otter_arena_block *block = calloc(1, sizeof *block + wanted);
    if (block) {
        block->before = arena->last;
        block->size = wanted;
        arena->last = block;
        arena->total += wanted;
    }
    return block;
}

void *otter_arena_get(struct otter_arena *arena, size_t size)
{
    struct otter_arena_block *block = arena->last;
    size = (size + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    if (!block || block->size - block->used < size) {
        block = add_block(arena, size);
    }
    if (!block) {
        return NULL;
    }
    block->used += size;
    return &block->bytes[block->used - size];
}

void otter_arena_finish(struct otter_arena *arena)
{
    while (arena->last) {
        struct otter_arena_block *before = arena->last->before;
        free(arena->last);
        arena->last = before;
    }
    arena->total = 0;
}
