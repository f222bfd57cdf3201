// Makes a tree of the functions in the call chains of samples.
#include "view/table/calls.h"

#include <stdlib.h>

#include "base/free.h"
#include "graph/group/numbering.h"
#include "graph/numbers.h"

enum { ROOT = 0 };

struct growth {
    struct otter_calls *calls;
    struct otter_numbering names; // of each node: parent, function, line
    struct otter_frame_chain chain;
    uint32_t n_most;
    bool has_lines;
};

static uint32_t child_of(struct growth *growth, uint32_t parent, struct otter_frame frame)
{
    struct otter_calls *calls = growth->calls;
    const struct otter_call *caller = &calls->items[parent];
    uint32_t number, where = growth->has_lines ? frame.where : 0;
    bool is_same = parent != ROOT && caller->function == frame.function && caller->where == where;
    if (is_same || calls->n >= growth->n_most) {
        return parent;
    }
    struct otter_call child = {parent, frame.function, where, caller->depth + 1};
    otter_numbering_find(&growth->names, (struct otter_triple){parent, frame.function, where},
                         &number);
    if (number + 1 == calls->n) {
        OTTER_VECTOR_APPEND(calls, child);
    }
    return number + 1;
}

static uint32_t node_of(struct growth *growth, const struct otter_frames *frames, uint32_t context)
{
    uint32_t node = ROOT;
    otter_frames_chain(frames, context, &growth->chain);
    for (uint32_t i = growth->chain.n; i-- > 0;) {
        node = child_of(growth, node, growth->chain.items[i]);
    }
    return node;
}

static uint32_t deepest(const struct otter_calls *calls)
{
    uint32_t depth = 0;
    for (uint32_t i = 0; i < calls->n; i++) {
        depth = calls->items[i].depth > depth ? calls->items[i].depth : depth;
    }
    return depth;
}

void otter_calls_init(struct otter_calls *calls, const struct otter_view_samples *samples,
                      bool has_lines, uint32_t n_most)
{
    size_t n = samples->all.n > 0 ? samples->frames.definitions->n_contexts : 0;
    struct growth growth = {.calls = calls, .n_most = n_most, .has_lines = has_lines};
    *calls =
        (struct otter_calls){.of_contexts = otter_numbers_create(n + 1), .n_contexts = (uint32_t)n};
    OTTER_VECTOR_APPEND(calls, (struct otter_call){0});
    for (uint32_t i = 0; i < samples->all.n; i++) {
        uint32_t context = samples->all.items[i].context;
        uint32_t *node = &calls->of_contexts[context < n ? context : n];
        *node = *node == OTTER_NONE ? node_of(&growth, &samples->frames, context) : *node;
    }
    otter_numbering_finish(&growth.names);
    free(growth.chain.items);
    calls->path = otter_numbers_create(deepest(calls));
}

void otter_calls_finish(struct otter_calls *calls)
{
    OTTER_FREE(calls->items, calls->of_contexts, calls->path);
    *calls = (struct otter_calls){0};
}

const uint32_t *otter_calls_path(const struct otter_calls *calls, uint32_t node)
{
    for (uint32_t depth = calls->items[node].depth; depth > 0; depth--) {
        calls->path[depth - 1] = node;
        node = calls->items[node].parent;
    }
    return calls->path;
}

const char *otter_calls_name(const struct otter_view_samples *samples, uint32_t function)
{
    const char *text = otter_frames_text(&samples->frames, function);
    return *text ? text : "(unknown code)";
}
