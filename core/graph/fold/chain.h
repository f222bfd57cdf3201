// The chain of a member of a team. Positions are indexes in the chain.
#pragma once

#include "graph/fold/internal.h"
#include "graph/node.h"

struct otter_chain_child {
    uint32_t position; // position of the node that created the task
    uint32_t number;   // task number
    uint32_t task;
};

struct otter_chain {
    struct otter_fold *fold;
    uint32_t member;
    uint32_t representative; // the member that represents the team
    OTTER_VECTOR(uint32_t);  // nodes
    struct {
        OTTER_VECTOR(struct otter_chain_child);
    } children; // sorted by creation
    uint32_t next_child;
    size_t segment_start;    // position of the barrier before the segment
    size_t segment_end;      // position of the barrier after the segment, or `n`
    uint32_t iteration;      // the iteration read last; OTTER_NONE: not known
    uint32_t iteration_unit; // the unit of `iteration`
    // index of the iteration's piece in `pieces`; OTTER_NONE: it has no node so far
    uint32_t iteration_piece;
};

static inline bool otter_chain_is_construct(const struct otter_chain *chain, size_t i,
                                            enum otter_construct construct)
{
    return otter_node_construct(chain->fold->graph, chain->items[i]) == construct;
}

static inline bool otter_chain_is_barrier(const struct otter_chain *chain, size_t i)
{
    return chain->fold->marks[chain->items[i]] & OTTER_FOLD_BARRIER;
}

// Reads the nodes of a member's chain. Returns false if out of memory.
bool otter_chain_walk(struct otter_chain *chain, uint32_t member);

// Reads the tasks that the member created. Returns false if out of memory.
bool otter_chain_read_children(struct otter_chain *chain);

// Returns the next task that was created before position `end`, or OTTER_NONE.
uint32_t otter_chain_pop_child(struct otter_chain *chain, size_t end);

// Returns the position of `node`, or `n`.
size_t otter_chain_position_of(const struct otter_chain *chain, uint32_t node);

// Returns the position of the end of the scope that begins at position `i`; `i` if no scope begins
// there, or it does not end before `limit`.
size_t otter_chain_end_of(const struct otter_chain *chain, size_t i, size_t limit);

// Marks the runtime's own barriers in a chain. When all members' chains are marked, call
// otter_chain_skip_barriers for each.
void otter_chain_mark_barriers(const struct otter_chain *chain);
void otter_chain_skip_barriers(const struct otter_chain *chain);

// Returns whether a segment begins at position `i`.
bool otter_chain_is_cut(const struct otter_chain *chain, size_t i);

// Returns whether the folded graph omits a node. A runtime's nodes for reductions and doacross
// loops depend on the team, because a team of one thread does not wait.
bool otter_chain_is_omitted(const struct otter_chain *chain, size_t i);

// Omits a node. The next barrier joins the tasks that an omitted barrier joins.
void otter_chain_omit(const struct otter_chain *chain, size_t i);

// Assigns to `unit` the nodes at positions `begin` to `end`, inclusive, and the tasks created by
// the nodes before `end`.
void otter_chain_cover(struct otter_chain *chain, size_t begin, size_t end, uint32_t unit);

// Gives a node a new unit, unless it already has a unit from another member's chain.
void otter_chain_ensure_unit(struct otter_fold *fold, uint32_t node);
