// The ready tasks of a replay by position; finds the best one in a range of positions.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct otter_pool {
    uint64_t *keys;    // of each position; UINT64_MAX: none
    uint64_t *least;   // a tree: the smallest key below each place; place n_leaves + i is block i
    uint32_t n_leaves; // a power of two
    uint32_t n;        // tasks in the pool
};

// Returns OTTER_NO_MEMORY or OTTER_OK. After OTTER_OK, the caller finishes the pool.
enum otter_status otter_pool_init(struct otter_pool *pool, uint32_t n_positions);
void otter_pool_finish(struct otter_pool *pool);

// Adds a task. The position must be empty, and `key` below UINT64_MAX. Time: log n, like the
// functions below.
void otter_pool_put(struct otter_pool *pool, uint32_t position, uint64_t key);
// Removes the task with the smallest key in [`first`, `end`), the first one if keys are equal.
// Returns its position, or OTTER_NONE if the range is empty.
uint32_t otter_pool_take(struct otter_pool *pool, uint32_t first, uint32_t end);
bool otter_pool_has(const struct otter_pool *pool, uint32_t position);
