// Tasks that exclude each other: siblings with the same address in `depend(mutexinoutset)`.
#pragma once

#include "analysis/path/ready.h"
#include "analysis/path/addresses.h"

// All tasks of one creator that name an address. They have no order, but two of them never execute
// at the same time.
struct otter_exclusion {
    uint64_t address;
    uint32_t n_tasks;
    uint32_t first_node, n_nodes; // in `nodes`
    uint64_t waited; // ticks by which tasks could begin later, because another one executed
};

struct otter_exclusions {
    struct otter_exclusion *items; // NULL: no tasks exclude each other; then so is `first_of`
    uint32_t n;
    uint32_t *nodes;    // of each exclusion: the nodes of its tasks, sorted by start
    uint32_t *first_of; // of each task and one more: index in `of`
    uint32_t *of;       // indexes of exclusions
};

// Raises the ready time of each task that had to wait until another one ended. Returns
// OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_exclusions_init(struct otter_exclusions *exclusions,
                                        const struct otter_graph *graph,
                                        const struct otter_addresses *addresses,
                                        struct otter_ready *ready);
void otter_exclusions_finish(struct otter_exclusions *exclusions);

// Returns the sum of the weights of all nodes: no schedule is shorter.
uint64_t otter_exclusion_sum(const struct otter_exclusions *exclusions, uint32_t index,
                             const uint64_t *weights);

// Returns the exclusions of a task, and sets *n to their number.
static inline const uint32_t *otter_exclusions_of(const struct otter_exclusions *exclusions,
                                                  uint32_t task, uint32_t *n)
{
    *n = exclusions->first_of ? exclusions->first_of[task + 1] - exclusions->first_of[task] : 0;
    return *n > 0 ? &exclusions->of[exclusions->first_of[task]] : NULL;
}
