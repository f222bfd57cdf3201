// Executed time by the path of creation.
#pragma once

#include "view/lane/lanes.h"

// A label that recurs in its own path has one node, the outer one. Node 0 is the root, without a
// label.
struct otter_flame_node {
    uint32_t parent;      // an earlier node; for the root, the root itself
    uint32_t label;       // of the page
    uint32_t depth;       // 0: the root
    uint64_t self, total; // ticks that threads executed
    uint64_t count;       // tasks
};

struct otter_flame {
    struct otter_flame_node *items;
    uint32_t n;
};

// Returns OTTER_NO_MEMORY or OTTER_OK. The caller frees flame->items in both cases.
enum otter_status otter_flame_init(struct otter_flame *flame, const struct otter_view *view);
