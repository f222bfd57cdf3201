// The addresses in the depend clauses of tasks.
#pragma once

#include "base/status.h"
#include "base/vector.h"
#include "graph/graph.h"

// The address that LLVM's runtime uses for `omp_all_memory`.
#define OTTER_ALL_MEMORY UINT64_MAX

struct otter_address_use {
    uint64_t address;  // OTTER_ALL_MEMORY: all memory
    bool is_read;      // accessed only by `in`
    bool is_exclusive; // `mutexinoutset`
};

struct otter_address_task {
    uint32_t location, number; // the id of the task
    uint32_t first;            // index in `uses`
};

struct otter_addresses {
    const struct otter_definitions *definitions;
    struct {
        OTTER_VECTOR(struct otter_address_use);
    } uses;
    struct {
        OTTER_VECTOR(struct otter_address_task);
        // tasks with dependences; the tasks of a location are adjacent, sorted by number
    } tasks;
    uint32_t *first; // of each location and one more: index in `tasks`
    uint32_t last;   // task to which the next dependences belong, or OTTER_NONE
    uint32_t last_location;
    bool has_exclusive; // some use is exclusive
};

// Memory: 16 bytes for each dependence, 12 for its task.
// Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_addresses_begin(struct otter_addresses *addresses,
                                        const struct otter_definitions *definitions);
// Returns false if out of memory.
bool otter_addresses_add(struct otter_addresses *addresses, const struct otter_event *event);
void otter_addresses_finish(struct otter_addresses *addresses);

// Returns the uses of a task, and sets *n to their number.
const struct otter_address_use *otter_addresses_of(const struct otter_addresses *addresses,
                                                   const struct otter_graph_task *task,
                                                   uint32_t *n);

// Returns how many common addresses order the two tasks, because one of the tasks writes them. If a
// task writes all memory, OTTER_ALL_MEMORY is the only common address. *one: one of these
// addresses, `preferred` if it is among them.
uint32_t otter_addresses_common(const struct otter_addresses *addresses,
                                const struct otter_graph_task *a, const struct otter_graph_task *b,
                                uint64_t preferred, uint64_t *one);
