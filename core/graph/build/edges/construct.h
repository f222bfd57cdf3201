// The constructs that a task enters and leaves.
#pragma once

#include "graph/build/edges/parts.h"

void otter_construct_enter(struct otter_parts *parts, struct otter_context *context,
                           uint32_t region, uint64_t time);
void otter_construct_leave(struct otter_parts *parts, struct otter_context *context,
                           uint32_t region, uint64_t time);
// Leaves all open constructs; the new nodes are marked unfinished.
void otter_construct_leave_all(struct otter_parts *parts, struct otter_context *context,
                               uint64_t time);
// Makes a node of the last `taskwait depend`, unless it turned out to be a depend clause.
void otter_construct_flush_wait(struct otter_parts *parts, struct otter_context *context);
