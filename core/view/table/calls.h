// The functions of samples as a tree: each function below the one that called it.
#pragma once

#include "view/lane/samples.h"

struct otter_call {
    uint32_t parent;   // an earlier node; for the root, the root itself
    uint32_t function; // index of a text of the frames
    uint32_t where;    // likewise, of the line; 0 without lines
    uint32_t depth;    // 0: the root
};

// Node 0 is the root, without a function.
struct otter_calls {
    OTTER_VECTOR(struct otter_call);
    uint32_t *of_contexts; // of each calling context in a sample: its innermost function
    uint32_t n_contexts;
    uint32_t *path; // result of otter_calls_path()
};

// A function that calls itself directly has one node. With lines, a function has a node for each
// line. Samples of functions beyond `n_most` nodes are attributed to their callers.
void otter_calls_init(struct otter_calls *calls, const struct otter_view_samples *samples,
                      bool has_lines, uint32_t n_most);
void otter_calls_finish(struct otter_calls *calls);

// Returns the node of a sample.
static inline uint32_t otter_calls_node(const struct otter_calls *calls,
                                        const struct otter_sample *sample)
{
    uint32_t n = calls->n_contexts;
    return calls->of_contexts[sample->context < n ? sample->context : n];
}

// Returns the nodes from the outermost function to `node`, which are as many as its depth. They are
// valid until the next call. Thread: one at a time.
const uint32_t *otter_calls_path(const struct otter_calls *calls, uint32_t node);

// Returns the name of a function; never "".
const char *otter_calls_name(const struct otter_view_samples *samples, uint32_t function);
