// Omits the tasks by which LLVM's runtime splits a taskloop with many more tasks than threads.
// These splitters only create tasks like themselves, and their number depends on the team. In the
// folded graph the taskloop creates the other tasks.
#include <stdlib.h>
#include <string.h>

#include "graph/fold/internal.h"
#include "graph/node.h"

static const struct otter_label *label_of(const struct otter_fold *fold, uint32_t task)
{
    uint32_t first = fold->graph->tasks[task].first_node;
    return otter_label_of(fold->labels,
                          first == OTTER_NONE ? OTTER_NONE : fold->graph->nodes[first].region);
}

static bool is_of_taskloop(const struct otter_fold *fold, uint32_t task)
{
    uint32_t anchor = fold->anchors[task];
    return anchor != OTTER_NONE && fold->graph->nodes[anchor].kind == OTTER_NODE_BEGIN &&
           otter_node_construct(fold->graph, anchor) == OTTER_CONSTRUCT_TASKLOOP;
}

// Returns whether a task only created tasks with its own label (quirk 'split taskloop').
static bool may_be_splitter(const struct otter_fold *fold, uint32_t task)
{
    const struct otter_graph_task *parent = &fold->graph->tasks[task];
    const struct otter_label *label = label_of(fold, task);
    if (parent->kind != OTTER_TASK_KIND_EXPLICIT || parent->first_node != parent->last_node ||
        fold->first_child[task] == fold->first_child[task + 1]) {
        return false;
    }
    for (uint32_t i = fold->first_child[task]; i < fold->first_child[task + 1]; i++) {
        const struct otter_label *other = label_of(fold, fold->children[i]);
        if (strcmp(label->what, other->what) != 0 || strcmp(label->where, other->where) != 0) {
            return false;
        }
    }
    return true;
}

// Omits splitter `task` of a taskloop, and the splitters among its descendants. `stack` has room
// for all tasks.
static bool omit(struct otter_fold *fold, uint32_t task, uint32_t *stack)
{
    const struct otter_graph *graph = fold->graph;
    uint32_t taskloop = fold->anchors[task];
    uint32_t creator = graph->tasks[task].creator;
    uint32_t n = 0;
    stack[n++] = task;
    while (n > 0) {
        task = stack[--n];
        fold->representatives[graph->tasks[task].first_node] = OTTER_NONE;
        fold->task_representatives[task] = creator;
        for (uint32_t i = fold->first_child[task]; i < fold->first_child[task + 1]; i++) {
            uint32_t child = fold->children[i];
            if (may_be_splitter(fold, child)) {
                stack[n++] = child;
            } else if (!otter_edges_add(&fold->edges, taskloop, graph->tasks[child].first_node,
                                        OTTER_EDGE_CREATION)) {
                return false;
            }
        }
    }
    return true;
}

bool otter_fold_omit_splitters(struct otter_fold *fold)
{
    uint32_t *stack = malloc((fold->graph->n_tasks + (size_t)1) * sizeof *stack);
    bool is_good = stack != NULL;
    for (uint32_t i = 0; is_good && i < fold->graph->n_tasks; i++) {
        if (is_of_taskloop(fold, i) && may_be_splitter(fold, i)) {
            is_good = omit(fold, i, stack);
        }
    }
    free(stack);
    return is_good;
}
