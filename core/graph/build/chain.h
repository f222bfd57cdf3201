// What the parts share that turn the steps of one task into its chain: `context` is of that task.
#pragma once

#include "graph/build/internal.h"

// ---- build_chain.c

// A node of the task, and the same as the next of its chain.
uint32_t otter_chain_make(struct otter_builder *builder, const struct otter_context *context,
                          enum otter_node_kind kind, uint32_t region, uint64_t start, uint64_t end);
uint32_t otter_chain_add(struct otter_builder *builder, struct otter_context *context,
                         enum otter_node_kind kind, uint32_t region, uint64_t start, uint64_t end);
// `node` is the next of the chain, without an edge: the chain goes through other tasks.
void otter_chain_append(struct otter_builder *builder, struct otter_context *context,
                        uint32_t node);
// The undeferred child has ended before its creator goes on with `node`.
void otter_chain_undeferred(struct otter_builder *builder, const struct otter_context *context,
                            uint32_t node);
// Each scope of an explicit task also hangs on the task itself; `before` came before the scope's node in the chain.
void otter_chain_nest(struct otter_builder *builder, const struct otter_context *context,
                      uint32_t node, uint32_t before);

// A fragment begins or goes on.
void otter_chain_run(struct otter_builder *builder, struct otter_context *context, uint64_t time);
// The fragment ends. An empty one is kept for when the task goes on.
void otter_chain_pause(struct otter_builder *builder, struct otter_context *context, uint64_t time);
// The fragment ends, and something leaves from it.
void otter_chain_cut(struct otter_builder *builder, struct otter_context *context, uint64_t time);
// In a wait there are no fragments.
void otter_chain_begin_wait(struct otter_builder *builder, struct otter_context *context,
                            uint64_t time);
void otter_chain_end_wait(struct otter_builder *builder, struct otter_context *context,
                          uint64_t time);

// ---- build_join.c

// The join scope of what the task creates now.
uint32_t otter_join_scope_of(struct otter_builder *builder, struct otter_context *context);
// That of a taskgroup; `begin`: its node, or OTTER_NONE.
uint32_t otter_join_begin_group(struct otter_builder *builder, struct otter_context *context,
                                uint32_t begin);
// A taskwait or a barrier, which `node` is: it joins what was created so far.
void otter_join_children(struct otter_builder *builder, struct otter_context *context,
                         uint32_t node);
void otter_join_barrier(struct otter_builder *builder, struct otter_context *context, uint32_t node,
                        enum otter_construct construct);

// ---- build_step.c

// Iterations of a loop wait for each other at the node that was just reached: it is a source, or a
// sink.
void otter_chain_order_iteration(struct otter_builder *builder, const struct otter_context *context,
                                 uint64_t iteration, bool is_source);
void otter_chain_pass_iteration(struct otter_builder *builder, struct otter_context *context,
                                const struct otter_step *step);

// ---- build_construct.c

static inline bool otter_is_wait(uint8_t class)
{
    return class >= OTTER_CLASS_TASKGROUP_WAIT;
}

// `step` enters or leaves a construct.
void otter_chain_enter(struct otter_builder *builder, struct otter_context *context,
                       const struct otter_step *step);
void otter_chain_leave(struct otter_builder *builder, struct otter_context *context,
                       const struct otter_step *step);
// The task does something else within the operation on data that is innermost, or goes on with that: in the fragments view an operation
// has a node for each part of it.
void otter_chain_interrupt(struct otter_builder *builder, struct otter_context *context,
                           uint64_t time);
void otter_chain_go_on(struct otter_builder *builder, const struct otter_context *context,
                       uint64_t time);
// Ends what is still open; what is made for that is marked.
void otter_chain_leave_all(struct otter_builder *builder, struct otter_context *context,
                           uint64_t time);
// The `taskwait depend` that was left last, and kept, is one of its own.
void otter_chain_settle_wait(struct otter_builder *builder, struct otter_context *context);
