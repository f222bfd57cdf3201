// Reads the chain of a member of a team: its nodes, its barriers and the tasks that it created.
#include "graph/fold/chain.h"

#include <stdlib.h>

#include "base/order.h"

// ---- from node to node

static uint32_t after_barrier(const struct otter_fold *fold, uint32_t member, uint32_t barrier)
{
    size_t low = fold->first_head[member];
    size_t high = fold->first_head[member + 1];
    OTTER_SEARCH(low, high, middle, fold->heads[middle] >> 32 < barrier)
    bool is_found =
        low < fold->first_head[member + 1] && fold->heads[low] >> 32 == (uint64_t)barrier;
    return is_found ? (uint32_t)fold->heads[low] : fold->next[barrier];
}

// Returns the node after `node` in the chain of a member, or OTTER_NONE.
static uint32_t after(const struct otter_fold *fold, uint32_t member, uint32_t node)
{
    if (fold->marks[node] & OTTER_FOLD_BARRIER) {
        return after_barrier(fold, member, node);
    }
    return fold->next[node] == OTTER_NONE ? fold->ends[node] : fold->next[node];
}

bool otter_chain_walk(struct otter_chain *chain, uint32_t member)
{
    const struct otter_fold *fold = chain->fold;
    chain->member = member;
    chain->n = 0;
    uint32_t node = fold->graph->tasks[member].first_node;
    while (node != OTTER_NONE && chain->n < fold->graph->n_nodes) {
        if (!OTTER_VECTOR_RESERVE(chain)) {
            return false;
        }
        fold->position[node] = chain->n;
        chain->items[chain->n++] = node;
        node = after(fold, member, node);
    }
    return true;
}

size_t otter_chain_position_of(const struct otter_chain *chain, uint32_t node)
{
    size_t position = node == OTTER_NONE ? chain->n : chain->fold->position[node];
    return position < chain->n && chain->items[position] == node ? position : chain->n;
}

// ---- barriers of the runtime

void otter_chain_mark_barriers(const struct otter_chain *chain)
{
    for (size_t i = 0; i < chain->n; i++) {
        uint8_t *marks = &chain->fold->marks[chain->items[i]];
        if (!otter_chain_is_barrier(chain, i) ||
            !otter_chain_is_construct(chain, i, OTTER_CONSTRUCT_BARRIER_IMPLEMENTATION)) {
            continue;
        }
        if (i > 0 && otter_chain_is_construct(chain, i - 1, OTTER_CONSTRUCT_REDUCTION)) {
            *marks |= OTTER_FOLD_FOLLOWS_REDUCTION;
        }
        size_t next = i + 1;
        while (next < chain->n &&
               otter_chain_is_construct(chain, next, OTTER_CONSTRUCT_REDUCTION)) {
            next++;
        }
        if (next == chain->n) {
            *marks |= OTTER_FOLD_IS_LAST;
        } else if (!otter_chain_is_barrier(chain, next)) {
            *marks |= OTTER_FOLD_STAYS;
        }
    }
}

// Marks barriers of the runtime that depend on the size of the team. LLVM's runtime puts its own
// barrier after a reduction, before the program's barrier, and another one in large teams. GCC's
// code has only this kind of barrier, so a barrier that separates work is not skipped (quirk 'extra
// barrier').
void otter_chain_skip_barriers(const struct otter_chain *chain)
{
    for (size_t i = 0; i < chain->n; i++) {
        uint8_t *marks = &chain->fold->marks[chain->items[i]];
        bool is_of_runtime =
            otter_chain_is_barrier(chain, i) &&
            otter_chain_is_construct(chain, i, OTTER_CONSTRUCT_BARRIER_IMPLEMENTATION);
        bool is_idle = !(*marks & (OTTER_FOLD_STAYS | OTTER_FOLD_HAS_CHILDREN));
        if (is_of_runtime && !(*marks & OTTER_FOLD_IS_LAST) &&
            (is_idle || (*marks & OTTER_FOLD_FOLLOWS_REDUCTION))) {
            *marks |= OTTER_FOLD_SKIPPED;
        }
    }
}

bool otter_chain_is_cut(const struct otter_chain *chain, size_t i)
{
    return i == 0 || (otter_chain_is_barrier(chain, i) &&
                      !(chain->fold->marks[chain->items[i]] & OTTER_FOLD_SKIPPED));
}

bool otter_chain_is_omitted(const struct otter_chain *chain, size_t i)
{
    uint32_t node = chain->items[i];
    enum otter_node_kind kind = chain->fold->graph->nodes[node].kind;
    return (chain->fold->marks[node] & OTTER_FOLD_SKIPPED) || kind == OTTER_NODE_SOURCE ||
           kind == OTTER_NODE_SINK || otter_chain_is_construct(chain, i, OTTER_CONSTRUCT_REDUCTION);
}

void otter_chain_ensure_unit(struct otter_fold *fold, uint32_t node)
{
    if (fold->units[node] == OTTER_NONE) {
        fold->units[node] = fold->n_units++;
    }
}

void otter_chain_omit(const struct otter_chain *chain, size_t i)
{
    struct otter_fold *fold = chain->fold;
    uint32_t node = chain->items[i];
    bool is_followed = otter_chain_is_barrier(chain, i) && chain->segment_end < chain->n;
    fold->representatives[node] = is_followed ? chain->items[chain->segment_end] : OTTER_NONE;
    otter_chain_ensure_unit(fold, node);
}

// ---- tasks created by the member

static int compare_children(const void *a, const void *b)
{
    const struct otter_chain_child *left = a;
    const struct otter_chain_child *right = b;
    return OTTER_BY_3(left, right, position, number, task);
}

bool otter_chain_read_children(struct otter_chain *chain)
{
    struct otter_fold *fold = chain->fold;
    chain->children.n = 0;
    chain->next_child = 0;
    for (uint32_t i = fold->first_child[chain->member]; i < fold->first_child[chain->member + 1];
         i++) {
        uint32_t task = fold->children[i];
        size_t position = otter_chain_position_of(chain, fold->anchors[task]);
        // the creating node is in another chain, so the task is not folded
        if (position == chain->n) {
            fold->task_units[task] = fold->n_units++;
            continue;
        }
        if (!OTTER_VECTOR_ADD(&chain->children,
                              (struct otter_chain_child){(uint32_t)position,
                                                         fold->graph->tasks[task].number, task})) {
            return false;
        }
    }
    if (chain->children.n > 0) {
        qsort(chain->children.items, chain->children.n, sizeof *chain->children.items,
              compare_children);
    }
    return true;
}

uint32_t otter_chain_pop_child(struct otter_chain *chain, size_t end)
{
    if (chain->next_child < chain->children.n &&
        chain->children.items[chain->next_child].position < end) {
        return chain->children.items[chain->next_child++].task;
    }
    return OTTER_NONE;
}

void otter_chain_cover(struct otter_chain *chain, size_t begin, size_t end, uint32_t unit)
{
    struct otter_fold *fold = chain->fold;
    for (size_t i = begin; i <= end; i++) {
        fold->units[chain->items[i]] = unit;
    }
    uint32_t task;
    while ((task = otter_chain_pop_child(chain, end)) != OTTER_NONE) {
        fold->task_units[task] = unit;
    }
}

size_t otter_chain_end_of(const struct otter_chain *chain, size_t i, size_t limit)
{
    size_t end = otter_chain_position_of(chain, chain->fold->ends[chain->items[i]]);
    return end > i && end < limit ? end : i;
}
