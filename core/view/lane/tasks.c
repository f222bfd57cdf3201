// Computes the rows of the tables `tasks` and `edges`.
#include "view/lane/tasks.h"

#include <stdlib.h>
#include <string.h>

#include "base/free.h"

static void lower_to(uint64_t *least, uint64_t value)
{
    *least = value < *least ? value : *least;
}

// The slack of a task is the slack of its worst piece.
void otter_view_tasks_find_slack(struct otter_view_tasks *tasks)
{
    const struct otter_graph *graph = tasks->view->analysis.graph;
    struct otter_node_slack *nodes = &tasks->nodes;
    size_t n = (size_t)graph->n_tasks + 1;
    tasks->slack = malloc(n * sizeof *tasks->slack);
    tasks->realised_slack = malloc(n * sizeof *tasks->realised_slack);
    otter_node_slack_init(nodes, &tasks->view->analysis);
    memset(tasks->slack, 0xff, graph->n_tasks * sizeof *tasks->slack);
    memset(tasks->realised_slack, 0xff, graph->n_tasks * sizeof *tasks->realised_slack);
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        const struct otter_node *node = &graph->nodes[i];
        bool is_executed = otter_node_is_piece(node) || node->kind == OTTER_NODE_DEVICE;
        if (is_executed && node->end > node->start && node->task < graph->n_tasks) {
            lower_to(&tasks->slack[node->task], nodes->span[i]);
            lower_to(&tasks->realised_slack[node->task], nodes->realised[i]);
        }
    }
}

// Finds when each task was created, and its work.
static void find_creation(struct otter_view_tasks *tasks)
{
    const struct otter_analysis *analysis = &tasks->view->analysis;
    const struct otter_graph *graph = analysis->graph;
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        uint32_t first = graph->tasks[i].first_node;
        tasks->created[i] = first != OTTER_NONE ? graph->nodes[first].start : tasks->view->first;
    }
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        const struct otter_node *node = &graph->nodes[i];
        if (otter_node_is_piece(node) && node->task < graph->n_tasks) {
            tasks->work[node->task] +=
                otter_node_work(graph, &analysis->pieces, &analysis->costs, i);
        }
        for (uint32_t e = graph->first_edge[i]; e < graph->first_edge[i + 1]; e++) {
            uint32_t to = graph->nodes[graph->edge_to[e]].task;
            if (graph->edge_kind[e] == OTTER_EDGE_CREATION && to < graph->n_tasks) {
                tasks->created[to] = otter_edge_leaves(node, OTTER_EDGE_CREATION);
            }
        }
    }
}

void otter_view_tasks_init(struct otter_view_tasks *tasks, const struct otter_view *view)
{
    size_t n = view->analysis.graph->n_tasks + 1;
    *tasks = (struct otter_view_tasks){.view = view,
                                       .created = malloc(n * sizeof *tasks->created),
                                       .work = calloc(n, sizeof *tasks->work)};
    find_creation(tasks);
}

void otter_view_tasks_finish(struct otter_view_tasks *tasks)
{
    otter_node_slack_finish(&tasks->nodes);
    OTTER_FREE(tasks->created, tasks->work, tasks->slack, tasks->realised_slack);
    *tasks = (struct otter_view_tasks){0};
}

bool otter_view_has_task(const struct otter_view *view, uint32_t task)
{
    const struct otter_graph *graph = view->analysis.graph;
    return task < graph->n_tasks && graph->tasks[task].first_node != OTTER_NONE &&
           graph->tasks[task].last_node != OTTER_NONE;
}

bool otter_view_has_edge(const struct otter_view *view, uint32_t from, uint32_t e)
{
    const struct otter_graph *graph = view->analysis.graph;
    uint32_t task = graph->nodes[from].task, to = graph->nodes[graph->edge_to[e]].task;
    if (task == to || !otter_view_has_task(view, task) || !otter_view_has_task(view, to)) {
        return false;
    }
    return graph->edge_kind[e] != OTTER_EDGE_CREATION || graph->tasks[to].creator != task ||
           graph->tasks[to].kind != OTTER_TASK_KIND_EXPLICIT;
}

// ---- tables

static const struct otter_chunk_column task_columns[] = {
    {"task", true},         {"label", false}, {"kind", false},   {"flags", false},
    {"location", false},    {"number", true}, {"creator", true}, {"lane", false},
    {"begin", true},        {"span", false},  {"work", false},   {"since_created", false},
    {"since_ready", false}, {"last", true},   {"slack", false},  {"realised_slack", false},
};
const struct otter_chunk_table otter_task_chunks = {.name = "tasks", OTTER_COLUMNS(task_columns)};

static const struct otter_chunk_column edge_columns[] = {
    {"from", true},    {"to", true},         {"kind", false},    {"leaves", true},
    {"arrives", true}, {"from_lane", false}, {"to_lane", false},
};
const struct otter_chunk_table otter_edge_chunks = {.name = "edges", OTTER_COLUMNS(edge_columns)};

static uint64_t number_or_none(uint32_t task)
{
    return task == OTTER_NONE ? 0 : (uint64_t)task + 1;
}

static uint64_t lane_of(const struct otter_view *view, const struct otter_node *node)
{
    uint32_t lane = view->lanes.of_locations[node->location];
    return lane == OTTER_NONE ? 0 : lane;
}

static uint64_t since(uint64_t from, uint64_t to)
{
    return to > from ? to - from : 0;
}

void otter_view_add_task(const struct otter_view_tasks *tasks, uint32_t index,
                         struct otter_chunk_writer *writer)
{
    const struct otter_view *view = tasks->view;
    const struct otter_graph *graph = view->analysis.graph;
    const struct otter_graph_task *task = &graph->tasks[index];
    const struct otter_node *first = &graph->nodes[task->first_node];
    uint64_t begin = otter_view_ticks(view, first->start);
    uint64_t end = otter_view_ticks(view, graph->nodes[task->last_node].end);
    uint64_t ready = otter_view_ticks(view, view->analysis.ready.times[task->first_node]);
    uint32_t last = view->analysis.ready.last[task->first_node];
    uint64_t values[] = {number_or_none(index),
                         otter_view_label(view, first->region),
                         task->kind,
                         task->flags,
                         task->location,
                         task->number,
                         number_or_none(task->creator),
                         lane_of(view, first),
                         begin,
                         since(begin, end),
                         tasks->work[index],
                         since(otter_view_ticks(view, tasks->created[index]), begin),
                         since(ready, begin),
                         number_or_none(last == OTTER_NONE ? last : graph->nodes[last].task),
                         tasks->slack[index] + 1, // 0: unknown
                         tasks->realised_slack[index] + 1};
    otter_chunk_add(writer, values);
}

void otter_view_add_edge(const struct otter_view *view, uint32_t index, uint32_t e,
                         struct otter_chunk_writer *writer)
{
    const struct otter_graph *graph = view->analysis.graph;
    const struct otter_node *from = &graph->nodes[index], *to = &graph->nodes[graph->edge_to[e]];
    enum otter_edge_kind kind = (enum otter_edge_kind)graph->edge_kind[e];
    uint64_t values[] = {number_or_none(from->task),
                         number_or_none(to->task),
                         kind,
                         otter_view_ticks(view, otter_edge_leaves(from, kind)),
                         otter_view_ticks(view, otter_edge_arrives(to)),
                         lane_of(view, from),
                         lane_of(view, to)};
    otter_chunk_add(writer, values);
}
