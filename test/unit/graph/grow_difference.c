// Compares two graphs of one creator with N chained tasks: grow_difference N. In the second graph
// the last dependence is missing.
#include <stdlib.h>

#include "graph/hash/difference.h"
#include "small_graph.h"

static void build(struct small_graph *small, uint32_t n, uint32_t n_dependences)
{
    small_graph_init(small, n + 1, n + 1);
    uint32_t initial =
        small_graph_region(small, OTTER_CONSTRUCT_INITIAL_TASK, "initial", "initial");
    uint32_t region = small_graph_region(small, OTTER_CONSTRUCT_TASK, "task", "task");
    small_graph_task(small, OTTER_TASK_KIND_INITIAL, OTTER_NONE, 0);
    small_graph_node(small, OTTER_NODE_TASK, 0, initial);
    for (uint32_t i = 1; i <= n; i++) {
        small_graph_task(small, OTTER_TASK_KIND_EXPLICIT, 0, i);
        small_graph_node(small, OTTER_NODE_TASK, i, region);
        small_graph_edge(small, 0, i, OTTER_EDGE_CREATION);
        if (i > 1 && i <= n_dependences + 1) {
            small_graph_edge(small, i - 1, i, OTTER_EDGE_DEPENDENCE);
        }
    }
    small_graph_seal(small);
}

int main(int argc, char **argv)
{
    uint32_t n = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 4;
    struct small_graph small[2];
    struct otter_labels labels[2];
    struct otter_difference difference;
    bool is_found = true;
    for (uint32_t i = 0; i < 2; i++) {
        build(&small[i], n, n - 1 - i);
        is_found &= !otter_labels_init(&labels[i], &small[i].definitions);
    }
    is_found =
        is_found &&
        otter_graph_differ((const struct otter_graph *[]){&small[0].graph, &small[1].graph},
                           (const struct otter_labels *[]){&labels[0], &labels[1]}, &difference) &&
        difference.kind == OTTER_DIFFERENCE_EDGE && difference.targets[0] == n;
    for (uint32_t i = 0; i < 2; i++) {
        otter_labels_finish(&labels[i]);
        small_graph_finish(&small[i]);
    }
    return is_found ? 0 : 1;
}
