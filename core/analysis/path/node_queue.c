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

// Moves to the list's first node that is in the queue. Returns false if there is none.
static bool find_next(const struct otter_node_queue *queue, struct otter_node_list *list)
{
    while (list->next < list->end && !queue->is_in(queue->user, *list->next)) {
        list->next++;
    }
    if (list->next == list->end) {
        return false;
    }
    list->time = time_of(queue, *list->next);
    return true;
}

// Makes a heap of the lists. Drops empty lists.
static void make_heap(struct otter_node_queue *queue)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < queue->n_lists; i++) {
        if (find_next(queue, &queue->lists[i])) {
            queue->lists[n++] = queue->lists[i];
        }
    }
    queue->n_lists = n;
    for (uint32_t i = n; i-- > 0;) {
        sift_down(queue, i);
    }
}

// Fills and sorts the lists. ends[i]: the number of nodes of list i.
static bool gather(struct otter_node_queue *queue, const struct otter_graph *graph,
                   const struct otter_timeline *timeline, size_t *ends)
{
    size_t n = 0;
    for (uint32_t i = 0; i < queue->n_lists; i++) {
        size_t n_own = ends[i];
        ends[i] = n;
        n += n_own;
    }
    queue->nodes = malloc((n + 1) * sizeof *queue->nodes);
    for (uint32_t i = 0; i < graph->n_nodes && queue->nodes; i++) {
        if (queue->is_in(queue->user, i)) {
            queue->nodes[ends[list_of(timeline, &graph->nodes[i])]++] = i;
        }
    }
    bool is_good = queue->nodes;
    for (uint32_t i = 0; i < queue->n_lists && is_good; i++) {
        size_t first = i > 0 ? ends[i - 1] : 0;
        queue->lists[i].next = queue->nodes + first;
        queue->lists[i].end = queue->nodes + ends[i];
        is_good =
            otter_indexes_sort(queue->nodes + first, ends[i] - first, queue->times, queue->stride);
    }
    return is_good;
}

enum otter_status otter_node_queue_init(struct otter_node_queue *queue,
                                        const struct otter_graph *graph,
                                        const struct otter_timeline *timeline,
                                        const uint64_t *times, size_t stride,
                                        otter_node_function *is_in, const void *user)
{
    size_t n_lists = timeline->n_lines + (size_t)1, *ends = calloc(n_lists, sizeof *ends);
    *queue = (struct otter_node_queue){
        .n_lists = (uint32_t)n_lists,
        .lists = calloc(n_lists, sizeof *queue->lists),
        .times = times,
        .stride = stride,
        .is_in = is_in,
        .user = user,
    };
    for (uint32_t i = 0; i < graph->n_nodes && ends; i++) {
        ends[list_of(timeline, &graph->nodes[i])] += is_in(user, i);
    }
    bool is_good = ends && queue->lists && gather(queue, graph, timeline, ends);
    free(ends);
    if (is_good) {
        make_heap(queue);
    }
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

enum otter_status otter_node_queue_of_pieces(struct otter_node_queue *queue,
                                             const struct otter_graph *graph,
                                             const struct otter_pieces *pieces,
                                             otter_node_function *is_in, const void *user)
{
    *queue = (struct otter_node_queue){
        .n_lists = pieces->n_lines,
        .lists = calloc(pieces->n_lines + (size_t)1, sizeof *queue->lists),
        .times = &graph->nodes->start,
        .stride = sizeof *graph->nodes,
        .is_in = is_in,
        .user = user,
    };
    for (uint32_t i = 0; i < pieces->n_lines && queue->lists; i++) {
        const struct otter_thread_pieces *line = &pieces->lines[i];
        queue->lists[i] =
            (struct otter_node_list){.next = line->nodes, .end = line->nodes + line->n};
    }
    if (queue->lists) {
        make_heap(queue);
    }
    return queue->lists ? OTTER_OK : OTTER_NO_MEMORY;
}

void otter_node_queue_finish(struct otter_node_queue *queue)
{
    free(queue->nodes);
    free(queue->lists);
    *queue = (struct otter_node_queue){0};
}

uint32_t otter_node_queue_take(struct otter_node_queue *queue)
{
    uint32_t node = *queue->lists[0].next++;
    if (!find_next(queue, &queue->lists[0])) {
        queue->lists[0] = queue->lists[--queue->n_lists];
    }
    if (queue->n_lists > 1) {
        sift_down(queue, 0);
    }
    return node;
}
