// Executed time by the path of creation.
#pragma once

#include "view/lane/samples.h"

// A label that recurs in its own path has one node, the outer one. Node 0 is the root, without a
// label.
struct otter_flame_node {
    uint32_t parent;      // an earlier node; for the root, the root itself
    uint32_t label;       // index in the page's labels
    uint32_t depth;       // 0: the root
    uint64_t self, total; // ticks that threads executed
    uint64_t count;       // tasks
};

struct otter_flame {
    struct otter_flame_node *items;
    uint32_t n;
    // nodes of the samples; OTTER_NONE: the thread does not execute. NULL: no samples were given.
    uint32_t *of_samples;
};

// `samples` may be NULL.
void otter_flame_init(struct otter_flame *flame, const struct otter_view *view,
                      const struct otter_samples *samples);
void otter_flame_finish(struct otter_flame *flame);

// Returns the node of the path to `node` at this depth, which is at most the node's.
static inline uint32_t otter_flame_above(const struct otter_flame *flame, uint32_t node,
                                         uint32_t depth)
{
    while (flame->items[node].depth > depth) {
        node = flame->items[node].parent;
    }
    return node;
}
