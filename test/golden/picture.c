// Prints a graph as a text that does not depend on the order of nodes in memory.
#include "picture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Arguments of qsort's comparison; the driver prints one picture at a time.
static const struct otter_graph *sorted_graph;
static const struct scene *sorted_scene;

struct picture {
    FILE *file;
    const struct scene *scene;
    const struct otter_graph *graph;
    uint32_t *order;      // node by number
    uint32_t *number;     // number by node, from 1
    uint32_t *task_order; // task by number
    uint32_t *task_number;
};

// Sorts nodes of the same time and location: ends first, then begins from outside to inside.
static int rank(const struct otter_node *node)
{
    switch (node->kind) {
    case OTTER_NODE_END: return 1;
    case OTTER_NODE_TASK: return 2;
    case OTTER_NODE_BEGIN: return 3;
    case OTTER_NODE_FRAGMENT: return 4;
    default: return 0;
    }
}

static int difference(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_nodes(const void *a, const void *b)
{
    const struct otter_node *x = &sorted_graph->nodes[*(const uint32_t *)a];
    const struct otter_node *y = &sorted_graph->nodes[*(const uint32_t *)b];
    int order = difference(x->start, y->start);
    order = order ? order : difference(x->location, y->location);
    order = order ? order : rank(x) - rank(y);
    order = order ? order : difference(x->end, y->end);
    order = order ? order
                  : strcmp(scene_region(sorted_scene, x->region),
                           scene_region(sorted_scene, y->region));
    const struct otter_graph_task *s = &sorted_graph->tasks[x->task];
    const struct otter_graph_task *t = &sorted_graph->tasks[y->task];
    order = order ? order : difference(s->location, t->location);
    order = order ? order : difference(s->number, t->number);
    return order ? order : difference(*(const uint32_t *)a, *(const uint32_t *)b);
}

static uint32_t *numbers_of(const uint32_t *order, uint32_t n)
{
    uint32_t *numbers = calloc(n + 1, sizeof *numbers);
    for (uint32_t i = 0; i < n; i++) {
        numbers[order[i]] = i + 1;
    }
    return numbers;
}

static const struct picture *sorted_picture;

static uint32_t first_number(const struct otter_graph_task *task)
{
    return task->first_node == OTTER_NONE ? UINT32_MAX : sorted_picture->number[task->first_node];
}

static int compare_tasks(const void *a, const void *b)
{
    const struct otter_graph_task *x = &sorted_graph->tasks[*(const uint32_t *)a];
    const struct otter_graph_task *y = &sorted_graph->tasks[*(const uint32_t *)b];
    int order = difference(first_number(x), first_number(y));
    order = order ? order : difference(x->location, y->location);
    return order ? order : difference(x->number, y->number);
}

static uint32_t *in_order(uint32_t n, int (*compare)(const void *, const void *))
{
    uint32_t *order = calloc(n + 1, sizeof *order);
    for (uint32_t i = 0; i < n; i++) {
        order[i] = i;
    }
    qsort(order, n, sizeof *order, compare);
    return order;
}

static char *node_name(const struct picture *picture, uint32_t node, char *text, size_t size)
{
    if (node == OTTER_NONE) {
        snprintf(text, size, "-");
    } else {
        snprintf(text, size, "n%u", picture->number[node]);
    }
    return text;
}

// Prints an explicit task as its id, and other tasks as their number.
static char *task_name(const struct picture *picture, uint32_t index, char *text, size_t size)
{
    if (index == OTTER_NONE) {
        snprintf(text, size, "-");
        return text;
    }
    const struct otter_graph_task *task = &picture->graph->tasks[index];
    if (task->number) {
        snprintf(text, size, "%u:%u", task->location, task->number);
    } else {
        snprintf(text, size, "t%u", picture->task_number[index]);
    }
    return text;
}

static void print_flags(FILE *file, unsigned flags)
{
    static const char *const words[] = {"never-ran", "cancelled", "unfinished",
                                        "implied",   "detached",  "undeferred"};
    for (unsigned i = 0; i < 8; i++) {
        if (flags & 1U << i) {
            fprintf(file, " %s", i < sizeof words / sizeof words[0] ? words[i] : "?");
        }
    }
}

static const char *kind_name(const struct otter_node *node)
{
    switch (node->kind) {
    case OTTER_NODE_SOURCE: return "source";
    case OTTER_NODE_SINK: return "sink";
    case OTTER_NODE_FULFIL: return "fulfil";
    default: return otter_node_kind_name((enum otter_node_kind)node->kind);
    }
}

static void print_node(const struct picture *picture, uint32_t index)
{
    const struct otter_node *node = &picture->graph->nodes[index];
    char name[16], task[32], scope[16];
    fprintf(picture->file, "%-4s %-8s %-24s of %-4s in %-4s",
            node_name(picture, index, name, sizeof name), kind_name(node),
            scene_region(picture->scene, node->region),
            task_name(picture, node->task, task, sizeof task),
            node_name(picture, node->scope, scope, sizeof scope));
    fprintf(picture->file, " on %u  %" PRIu64 "-%" PRIu64, node->location, node->start, node->end);
    print_flags(picture->file, node->flags);
    fputc('\n', picture->file);
}

static int compare_numbers(const void *a, const void *b)
{
    return difference(*(const uint32_t *)a, *(const uint32_t *)b);
}

// "n3 creation n4 n7": the edges of one kind from a node.
static void print_edges(const struct picture *picture, uint32_t node, uint8_t kind)
{
    const struct otter_graph *graph = picture->graph;
    uint32_t *to = calloc(graph->n_edges + 1, sizeof *to);
    uint32_t n = 0;
    for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
        if (graph->edge_kind[e] == kind) {
            to[n++] = picture->number[graph->edge_to[e]];
        }
    }
    qsort(to, n, sizeof *to, compare_numbers);
    if (n > 0) {
        fprintf(picture->file, "n%-3u %s", picture->number[node],
                otter_edge_kind_name((enum otter_edge_kind)kind));
    }
    for (uint32_t i = 0; i < n; i++) {
        fprintf(picture->file, " n%u%s", to[i], i + 1 == n ? "\n" : "");
    }
    free(to);
}

static void print_task(const struct picture *picture, uint32_t index)
{
    const struct otter_graph_task *task = &picture->graph->tasks[index];
    char name[32], creator[32], first[16], last[16];
    fprintf(picture->file, "%-4s %s on %u by %s: %s to %s",
            task_name(picture, index, name, sizeof name),
            otter_task_kind_name((enum otter_task_kind)task->kind), task->location,
            task_name(picture, task->creator, creator, sizeof creator),
            node_name(picture, task->first_node, first, sizeof first),
            node_name(picture, task->last_node, last, sizeof last));
    print_flags(picture->file, task->flags);
    fputc('\n', picture->file);
}

static uint32_t first_member(const struct otter_graph_team *team)
{
    return team->n_members ? sorted_picture->task_number[sorted_graph->members[team->first_member]]
                           : 0;
}

static int compare_teams(const void *a, const void *b)
{
    return difference(first_member(&sorted_graph->teams[*(const uint32_t *)a]),
                      first_member(&sorted_graph->teams[*(const uint32_t *)b]));
}

static void print_teams(const struct picture *picture)
{
    const struct otter_graph *graph = picture->graph;
    uint32_t *order = in_order(graph->n_teams, compare_teams);
    for (uint32_t i = 0; i < graph->n_teams; i++) {
        const struct otter_graph_team *team = &graph->teams[order[i]];
        char begin[16], end[16], name[32];
        fprintf(picture->file,
                "team %s to %s:", node_name(picture, team->begin_node, begin, sizeof begin),
                node_name(picture, team->end_node, end, sizeof end));
        for (uint32_t m = 0; m < team->n_members; m++) {
            fprintf(picture->file, " %s",
                    task_name(picture, graph->members[team->first_member + m], name, sizeof name));
        }
        fputc('\n', picture->file);
    }
    free(order);
}

static void print_findings(FILE *file, const struct otter_build_findings *findings)
{
    const struct {
        const char *name;
        uint64_t n;
    } all[] = {
        {"unfinished tasks", findings->n_unfinished_tasks},
        {"unknown tasks", findings->n_unknown_tasks},
        {"unknown forks", findings->n_unknown_forks},
        {"unknown fulfillers", findings->n_unknown_fulfillers},
        {"unknown operations", findings->n_unknown_operations},
        {"late operations", findings->n_late_operations},
        {"unmatched leaves", findings->n_unmatched_leaves},
        {"uneven barriers", findings->n_uneven_barriers},
        {"damaged locations", findings->n_damaged_locations},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i].n) {
            fprintf(file, "finding: %" PRIu64 " %s\n", all[i].n, all[i].name);
        }
    }
}

static void print_all(const struct picture *picture, const struct otter_build_findings *findings)
{
    const struct otter_graph *graph = picture->graph;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        print_node(picture, picture->order[i]);
    }
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        for (uint8_t kind = 0; kind < OTTER_N_EDGE_KINDS; kind++) {
            print_edges(picture, picture->order[i], kind);
        }
    }
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        print_task(picture, picture->task_order[i]);
    }
    print_teams(picture);
    print_findings(picture->file, findings);
}

void picture_print(FILE *file, const struct scene *scene, const struct otter_graph *graph,
                   const struct otter_build_findings *findings)
{
    struct picture picture = {.file = file, .scene = scene, .graph = graph};
    sorted_graph = graph;
    sorted_scene = scene;
    sorted_picture = &picture;
    picture.order = in_order(graph->n_nodes, compare_nodes);
    picture.number = numbers_of(picture.order, graph->n_nodes);
    picture.task_order = in_order(graph->n_tasks, compare_tasks);
    picture.task_number = numbers_of(picture.task_order, graph->n_tasks);
    print_all(&picture, findings);
    free(picture.order);
    free(picture.number);
    free(picture.task_order);
    free(picture.task_number);
}
