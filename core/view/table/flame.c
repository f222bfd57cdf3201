// Adds up executed time by the path of creation.
#include "view/table/flame.h"

#include <stdlib.h>

#include "base/free.h"
#include "graph/group/numbering.h"
#include "graph/numbers.h"
#include "view/table/tables.h"

enum { MAX_DEPTH = 64, MAX_NODES = 20000, ROOT = 0 };

static const struct otter_chunk_column columns[] = {
    {"parent", true}, {"label", false}, {"self", false}, {"total", false}, {"count", false},
};
static const struct otter_chunk_table table = {.name = "flame", OTTER_COLUMNS(columns)};

struct flame {
    const struct otter_view *view;
    struct otter_numbering names; // of each node: parent, label
    struct {
        OTTER_VECTOR(struct otter_flame_node);
    } nodes;
    uint32_t *of_tasks; // of each task: its node; OTTER_NONE: not known yet
    struct {
        OTTER_VECTOR(uint32_t);
    } unknown; // tasks whose nodes are not known yet, each before its creator
    const struct otter_samples *samples;
    uint32_t *of_samples;
};

// Returns the child of `parent` with this label. A label that recurs in its own path has one node,
// the outer one. Returns `parent` if the tree is deep or large.
static uint32_t child_of(struct flame *flame, uint32_t parent, uint32_t label)
{
    uint32_t number, depth = flame->nodes.n > 0 ? flame->nodes.items[parent].depth + 1 : 0;
    for (uint32_t i = parent; depth > 0 && i != ROOT; i = flame->names.items[i].a) {
        if (flame->names.items[i].b == label) {
            return i;
        }
    }
    if (depth > MAX_DEPTH || flame->nodes.n >= MAX_NODES) {
        return parent;
    }
    otter_numbering_find(&flame->names, (struct otter_triple){.a = parent, .b = label}, &number);
    if (number == flame->nodes.n) {
        OTTER_VECTOR_APPEND(&flame->nodes, (struct otter_flame_node){
                                               .parent = parent, .label = label, .depth = depth});
    }
    return number;
}

static uint32_t label_of(const struct flame *flame, uint32_t task)
{
    const struct otter_graph *graph = flame->view->analysis.graph;
    uint32_t first = graph->tasks[task].first_node;
    return otter_view_label(flame->view,
                            first != OTTER_NONE ? graph->nodes[first].region : OTTER_NONE);
}

// Finds the nodes of a task and of its creators, from the oldest to the task.
static uint32_t node_of_task(struct flame *flame, uint32_t task)
{
    const struct otter_graph *graph = flame->view->analysis.graph;
    uint32_t node = ROOT, next = task;
    while (next < graph->n_tasks && flame->unknown.n <= graph->n_tasks) {
        if (flame->of_tasks[next] != OTTER_NONE) {
            node = flame->of_tasks[next];
            break;
        }
        OTTER_VECTOR_APPEND(&flame->unknown, next);
        next = graph->tasks[next].creator;
    }
    while (flame->unknown.n > 0) {
        next = flame->unknown.items[--flame->unknown.n];
        node = child_of(flame, node, label_of(flame, next));
        flame->of_tasks[next] = node;
    }
    return node;
}

static uint32_t node_of_slice(struct flame *flame, const struct otter_slice *slice)
{
    bool has_task = slice->task < flame->view->analysis.graph->n_tasks;
    uint32_t node = has_task ? node_of_task(flame, slice->task) : ROOT;
    bool is_own = has_task && label_of(flame, slice->task) == slice->label;
    return is_own ? node : child_of(flame, node, slice->label);
}

static void add_slice(void *user, const struct otter_slice *slice)
{
    struct flame *flame = user;
    if (slice->row == 0 && slice->state == OTTER_STATE_EXECUTING &&
        flame->view->lanes.items[slice->lane].kind == OTTER_LANE_THREAD) {
        uint32_t node = node_of_slice(flame, slice); // may move the nodes
        flame->nodes.items[node].self += slice->end - slice->begin;
    }
}

static void add_sample(void *user, uint32_t index, const struct otter_slice *slice)
{
    struct flame *flame = user;
    if (slice && slice->state == OTTER_STATE_EXECUTING) {
        flame->of_samples[index] = node_of_slice(flame, slice);
    }
}

static void place_samples(struct flame *flame)
{
    flame->of_samples = otter_numbers_create(flame->samples->n);
    otter_samples_each(flame->view, flame->samples, add_sample, flame);
}

static void count_tasks(struct flame *flame)
{
    for (uint32_t i = 0; i < flame->view->analysis.graph->n_tasks; i++) {
        if (otter_view_has_task(flame->view, i)) {
            uint32_t node = node_of_task(flame, i); // may move the nodes
            flame->nodes.items[node].count++;
        }
    }
}

static void add_up(struct otter_flame *flame)
{
    for (uint32_t i = flame->n; i-- > 0;) {
        struct otter_flame_node *node = &flame->items[i];
        node->total += node->self;
        if (i != ROOT) {
            flame->items[node->parent].total += node->total;
        }
    }
}

void otter_flame_init(struct otter_flame *result, const struct otter_view *view,
                      const struct otter_samples *samples)
{
    struct flame flame = {.view = view,
                          .samples = samples,
                          .of_tasks = otter_numbers_create(view->analysis.graph->n_tasks)};
    child_of(&flame, ROOT, otter_view_n_labels(view));
    otter_slices_each(view, add_slice, &flame);
    count_tasks(&flame);
    if (samples) {
        place_samples(&flame);
    }
    *result = (struct otter_flame){flame.nodes.items, flame.nodes.n, flame.of_samples};
    add_up(result);
    otter_numbering_finish(&flame.names);
    free(flame.unknown.items);
    free(flame.of_tasks);
}

void otter_flame_finish(struct otter_flame *flame)
{
    OTTER_FREE(flame->items, flame->of_samples);
    *flame = (struct otter_flame){0};
}

void otter_view_write_flame(const struct otter_view *view, struct otter_chunks *chunks)
{
    struct otter_flame flame;
    struct otter_chunk_writer writer = {.chunks = chunks, .table = &table};
    otter_flame_init(&flame, view, NULL);
    for (uint32_t i = 0; i < flame.n; i++) {
        const struct otter_flame_node *node = &flame.items[i];
        uint64_t values[] = {node->parent, node->label, node->self, node->total, node->count};
        otter_chunk_add(&writer, values);
    }
    otter_chunk_end(&writer);
    otter_flame_finish(&flame);
}
