// Nodes sorted by a time, merged from one list per thread.
#pragma once

#include "analysis/path/pieces.h"

// Selects nodes of a graph.
typedef bool otter_node_function(const void *user, uint32_t node);

// The remaining nodes of a thread.
struct otter_node_list {
    uint64_t time; // of the next node
    const uint32_t *next, *end;
};

struct otter_node_queue {
    uint32_t *nodes;               // the lists, one after the other; NULL: they are in the pieces
    struct otter_node_list *lists; // a heap by time, earliest first; exhausted lists are removed
    uint32_t n_lists;
    const uint64_t *times; // of each node of the graph
    size_t stride;         // bytes between two of them
    otter_node_function *is_in;
    const void *user;
};

// Queues the nodes for which `is_in` returns true. The time of node i is at `times` + i * `stride`
// bytes; `times` must outlive the queue. Memory: 4 bytes per node, and more while the nodes of a
// thread are sorted (otter_indexes_sort).
// Returns OTTER_NO_MEMORY or OTTER_OK. The caller finishes the queue even after a failure.
enum otter_status otter_node_queue_init(struct otter_node_queue *queue,
                                        const struct otter_graph *graph,
                                        const struct otter_timeline *timeline,
                                        const uint64_t *times, size_t stride,
                                        otter_node_function *is_in, const void *user);
// Queues the pieces for which `is_in` returns true, by their start. `pieces` must outlive the
// queue, and `is_in` must not change its answers while the queue is in use.
enum otter_status otter_node_queue_of_pieces(struct otter_node_queue *queue,
                                             const struct otter_graph *graph,
                                             const struct otter_pieces *pieces,
                                             otter_node_function *is_in, const void *user);
void otter_node_queue_finish(struct otter_node_queue *queue);

// Returns the time of the next node, or UINT64_MAX if there is none.
static inline uint64_t otter_node_queue_time(const struct otter_node_queue *queue)
{
    return queue->n_lists > 0 ? queue->lists[0].time : UINT64_MAX;
}

// Removes and returns the next node, which must exist.
uint32_t otter_node_queue_take(struct otter_node_queue *queue);
