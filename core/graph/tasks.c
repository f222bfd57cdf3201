// Removes the tasks of a graph to which no node belongs.
#include "graph/tasks.h"

#include <stdlib.h>

#include "graph/numbers.h"

// Returns the new index of each task that remains, OTTER_NONE for the others. NULL if out of
// memory.
static uint32_t *number_tasks(const struct otter_graph *graph)
{
    uint32_t *numbers = otter_numbers_create(graph->n_tasks);
    if (!numbers) {
        return NULL;
    }
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        if (graph->nodes[i].task < graph->n_tasks) {
            numbers[graph->nodes[i].task] = 0;
        }
    }
    for (uint32_t i = 0, n = 0; i < graph->n_tasks; i++) {
        bool stays = numbers[i] == 0 || graph->tasks[i].first_node != OTTER_NONE;
        numbers[i] = stays ? n++ : OTTER_NONE;
    }
    return numbers;
}

static uint32_t number_of(const uint32_t *numbers, uint32_t task)
{
    return task == OTTER_NONE ? OTTER_NONE : numbers[task];
}

static void move_tasks(struct otter_graph *graph, const uint32_t *numbers)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        if (numbers[i] != OTTER_NONE) {
            graph->tasks[n] = graph->tasks[i];
            graph->tasks[n].creator = number_of(numbers, graph->tasks[n].creator);
            n++;
        }
    }
    graph->n_tasks = n;
}

static void move_members(struct otter_graph *graph, const uint32_t *numbers)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < graph->n_teams; i++) {
        struct otter_graph_team *team = &graph->teams[i];
        uint32_t first = team->first_member, end = first + team->n_members;
        team->first_member = n;
        for (uint32_t k = first; k < end; k++) {
            if (number_of(numbers, graph->members[k]) != OTTER_NONE) {
                graph->members[n++] = numbers[graph->members[k]];
            }
        }
        team->n_members = n - team->first_member;
    }
    graph->n_members = n;
}

bool otter_graph_drop_tasks(struct otter_graph *graph)
{
    uint32_t *numbers = number_tasks(graph);
    if (!numbers) {
        return false;
    }
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        graph->nodes[i].task = number_of(numbers, graph->nodes[i].task);
    }
    move_tasks(graph, numbers);
    move_members(graph, numbers);
    free(numbers);
    return true;
}
