// Finds tasks that exclude each other, and how long they wait for one another.
#include "analysis/path/exclusions.h"

#include <stdlib.h>

#include "base/free.h"
#include "base/order.h"
#include "analysis/path/pieces.h"
#include "graph/numbers.h"

struct entry {
    uint64_t address;
    uint32_t creator, task;
};

struct entries {
    OTTER_VECTOR(struct entry);
};

static int by_address(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    return OTTER_BY_3(x, y, creator, address, task);
}

// An address that the task also names in another way orders the task.
static bool is_exclusive(const struct otter_address_use *uses, uint32_t n, uint32_t use)
{
    bool is_only = uses[use].is_exclusive;
    for (uint32_t i = 0; i < n && is_only; i++) {
        bool is_same = uses[i].address == uses[use].address;
        is_only = !is_same || (uses[i].is_exclusive && i >= use);
    }
    return is_only;
}

static bool list_entries(struct entries *entries, const struct otter_graph *graph,
                         const struct otter_addresses *addresses)
{
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        const struct otter_graph_task *task = &graph->tasks[i];
        uint32_t n = 0;
        const struct otter_address_use *uses =
            task->creator != OTTER_NONE && task->first_node != OTTER_NONE
                ? otter_addresses_of(addresses, task, &n)
                : NULL;
        for (uint32_t k = 0; k < n; k++) {
            if (is_exclusive(uses, n, k) &&
                !OTTER_VECTOR_ADD(entries, ((struct entry){uses[k].address, task->creator, i}))) {
                return false;
            }
        }
    }
    OTTER_SORT(entries, by_address);
    return true;
}

// Makes an exclusion of adjacent entries. The exclusions of each task are in `of`, up to
// first_of[task + 1].
static void number(struct otter_exclusions *exclusions, const struct entries *entries,
                   uint32_t n_tasks)
{
    for (uint32_t i = 0; i < entries->n; i++) {
        exclusions->first_of[entries->items[i].task + 1]++;
    }
    for (uint32_t i = 0; i < n_tasks; i++) {
        exclusions->first_of[i + 1] += exclusions->first_of[i];
    }
    for (uint32_t i = entries->n; i-- > 0;) {
        const struct entry *entry = &entries->items[i], *next = entry + 1;
        if (i + 1 == entries->n || entry->creator != next->creator ||
            entry->address != next->address) {
            exclusions->items[exclusions->n++] =
                (struct otter_exclusion){.address = entry->address};
        }
        exclusions->items[exclusions->n - 1].n_tasks++;
        exclusions->of[--exclusions->first_of[entry->task + 1]] = exclusions->n - 1;
    }
    // first_of[task + 1] is now where the task's own exclusions begin
    for (uint32_t i = 0; i < n_tasks; i++) {
        exclusions->first_of[i] = exclusions->first_of[i + 1];
    }
    exclusions->first_of[n_tasks] = entries->n;
}

static void count_node(struct otter_exclusions *exclusions, const struct otter_graph *graph,
                       uint32_t node)
{
    uint32_t n;
    const uint32_t *own = otter_exclusions_of(exclusions, graph->nodes[node].task, &n);
    for (uint32_t i = 0; i < n && otter_node_is_piece(&graph->nodes[node]); i++) {
        struct otter_exclusion *exclusion = &exclusions->items[own[i]];
        if (exclusions->nodes) {
            exclusions->nodes[exclusion->first_node + exclusion->n_nodes] = node;
        }
        exclusion->n_nodes++;
    }
}

// Counts the nodes, and then lists them.
static bool list_nodes(struct otter_exclusions *exclusions, const struct otter_graph *graph)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        count_node(exclusions, graph, i);
    }
    for (uint32_t i = 0; i < exclusions->n; i++) {
        exclusions->items[i].first_node = n;
        n += exclusions->items[i].n_nodes;
        exclusions->items[i].n_nodes = 0;
    }
    exclusions->nodes = malloc((n + (size_t)1) * sizeof *exclusions->nodes);
    for (uint32_t i = 0; i < graph->n_nodes && exclusions->nodes; i++) {
        count_node(exclusions, graph, i);
    }
    bool is_good = exclusions->nodes;
    for (uint32_t i = 0; i < exclusions->n && is_good; i++) {
        is_good = otter_indexes_sort(&exclusions->nodes[exclusions->items[i].first_node],
                                     exclusions->items[i].n_nodes, &graph->nodes->start,
                                     sizeof *graph->nodes);
    }
    return is_good;
}

// A task could begin only after the previous one had ended.
static void delay(struct otter_exclusion *exclusion, const uint32_t *nodes,
                  const struct otter_graph *graph, struct otter_ready *ready)
{
    for (uint32_t i = 1; i < exclusion->n_nodes; i++) {
        const struct otter_node *node = &graph->nodes[nodes[i]];
        const struct otter_node *before = &graph->nodes[nodes[i - 1]];
        uint64_t *time = &ready->times[nodes[i]];
        if (graph->tasks[node->task].first_node == nodes[i] && before->end > *time &&
            before->end <= node->start) {
            exclusion->waited += before->end - *time;
            *time = before->end;
            ready->last[nodes[i]] = nodes[i - 1];
        }
    }
}

enum otter_status otter_exclusions_init(struct otter_exclusions *exclusions,
                                        const struct otter_graph *graph,
                                        const struct otter_addresses *addresses,
                                        struct otter_ready *ready)
{
    *exclusions = (struct otter_exclusions){0};
    struct entries entries = {0};
    if (!addresses->has_exclusive) {
        return OTTER_OK;
    }
    bool is_good = list_entries(&entries, graph, addresses);
    if (is_good && entries.n > 0) {
        exclusions->items = calloc(entries.n, sizeof *exclusions->items);
        exclusions->of = calloc(entries.n, sizeof *exclusions->of);
        exclusions->first_of = calloc(graph->n_tasks + (size_t)1, sizeof *exclusions->first_of);
        is_good = exclusions->items && exclusions->of && exclusions->first_of;
        if (is_good) {
            number(exclusions, &entries, graph->n_tasks);
            is_good = list_nodes(exclusions, graph);
        }
    }
    for (uint32_t i = 0; i < exclusions->n && is_good; i++) {
        struct otter_exclusion *exclusion = &exclusions->items[i];
        delay(exclusion, &exclusions->nodes[exclusion->first_node], graph, ready);
    }
    free(entries.items);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

void otter_exclusions_finish(struct otter_exclusions *exclusions)
{
    OTTER_FREE(exclusions->items, exclusions->nodes, exclusions->first_of, exclusions->of);
    *exclusions = (struct otter_exclusions){0};
}

uint64_t otter_exclusion_sum(const struct otter_exclusions *exclusions, uint32_t index,
                             const uint64_t *weights)
{
    const struct otter_exclusion *exclusion = &exclusions->items[index];
    uint64_t sum = 0;
    for (uint32_t i = 0; i < exclusion->n_nodes; i++) {
        sum += weights[exclusions->nodes[exclusion->first_node + i]];
    }
    return sum;
}
