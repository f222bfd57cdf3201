// Sorts the nodes of each thread by a time, and merges the threads.
#include "analysis/path/node_queue.h"

#include <stdlib.h>

#include "graph/numbers.h"

static uint64_t time_of(const struct otter_node_queue *queue, uint32_t node)
{
    return *(const uint64_t *)((const char *)queue->times + node * queue->stride);
}

static void sift_down(struct otter_node_queue *queue, uint32_t at)
{
    struct otter_node_list *lists = queue->lists, moved = lists[at];
    for (uint32_t child = 2 * at + 1; child < queue->n_lists; child = 2 * at + 1) {
        child += child + 1 < queue->n_lists && lists[child + 1].time < lists[child].time;
        if (lists[child].time >= moved.time) {
            break;
        }
        lists[at] = lists[child];
        at = child;
    }
    lists[at] = moved;
}

// Nodes that no thread executes have their own list.
static uint32_t list_of(const struct otter_timeline *timeline, const struct otter_node *node)
{
    uint32_t line = timeline->line_of[node->location];
    return line == OTTER_NONE ? timeline->n_lines : line;
}

// Fills the lists in order of the nodes.
static bool gather(struct otter_node_queue *queue, const struct otter_graph *graph,
                   const struct otter_timeline *timeline, otter_node_function *is_in,
                   const void *user)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        queue->lists[list_of(timeline, &graph->nodes[i])].end += is_in(user, i);
    }
    for (uint32_t i = 0; i < queue->n_lists; i++) {
        uint32_t n_own = queue->lists[i].end;
        queue->lists[i].next = queue->lists[i].end = n;
        n += n_own;
    }
    queue->nodes = malloc((n + (size_t)1) * sizeof *queue->nodes);
    for (uint32_t i = 0; i < graph->n_nodes && queue->nodes; i++) {
        if (is_in(user, i)) {
            queue->nodes[queue->lists[list_of(timeline, &graph->nodes[i])].end++] = i;
        }
    }
    return queue->nodes;
}

// Drops empty lists.
static bool sort(struct otter_node_queue *queue)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < queue->n_lists; i++) {
        struct otter_node_list list = queue->lists[i];
        uint32_t *nodes = queue->nodes + list.next;
        if (!otter_indexes_sort(nodes, list.end - list.next, queue->times, queue->stride)) {
            return false;
        }
        if (list.next < list.end) {
            list.time = time_of(queue, *nodes);
            queue->lists[n++] = list;
        }
    }
    queue->n_lists = n;
    for (uint32_t i = n; i-- > 0;) {
        sift_down(queue, i);
    }
    return true;
}

enum otter_status otter_node_queue_init(struct otter_node_queue *queue,
                                        const struct otter_graph *graph,
                                        const struct otter_timeline *timeline,
                                        const uint64_t *times, size_t stride,
                                        otter_node_function *is_in, const void *user)
{
    *queue = (struct otter_node_queue){
        .n_lists = timeline->n_lines + 1,
        .lists = calloc(timeline->n_lines + (size_t)1, sizeof *queue->lists),
        .times = times,
        .stride = stride,
    };
    bool is_good = queue->lists && gather(queue, graph, timeline, is_in, user) && sort(queue);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

void otter_node_queue_finish(struct otter_node_queue *queue)
{
    free(queue->nodes);
    free(queue->lists);
    *queue = (struct otter_node_queue){0};
}

uint32_t otter_node_queue_take(struct otter_node_queue *queue)
{
    struct otter_node_list *first = &queue->lists[0];
    uint32_t node = queue->nodes[first->next++];
    if (first->next < first->end) {
        first->time = time_of(queue, queue->nodes[first->next]);
    } else {
        *first = queue->lists[--queue->n_lists];
    }
    if (queue->n_lists > 1) {
        sift_down(queue, 0);
    }
    return node;
}
