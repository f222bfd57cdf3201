// Groups the structure view of an archive by label.
#include "view/lane/groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/free.h"
#include "base/order.h"
#include "base/path.h"
#include "graph/node.h"
#include "graph/numbers.h"
#include "view/lane/scopes.h"

struct copy {
    struct otter_drawn_graph *drawn;
    const struct otter_view *view;
    const struct otter_graph *graph;
    const struct otter_groups *groups;
    const struct otter_labels *labels;
    uint32_t *node_of;  // of each group; OTTER_NONE: left out
    uint32_t *frame_of; // of each place; OTTER_NONE: none
    struct otter_scopes scopes;
    uint32_t first_scope; // the frame of the first scope
};

// ---- names

static enum otter_task_kind kind_of_task(const struct copy *copy, const struct otter_node *node)
{
    bool has_task = otter_node_has_body(node) && node->task < copy->graph->n_tasks;
    return has_task ? (enum otter_task_kind)copy->graph->tasks[node->task].kind
                    : OTTER_TASK_KIND_UNKNOWN;
}

static const char *kind_of(const struct otter_group *group, const struct otter_node *node)
{
    if (group->is_whole) {
        return "kernel";
    }
    return otter_node_kind_name((enum otter_node_kind)node->kind);
}

static char *text_of(const struct copy *copy, const struct otter_group *group,
                     const struct otter_node *node)
{
    const struct otter_label *label = otter_label_of(copy->labels, node->region);
    const char *place = otter_label_place(label), *gap = *place ? " " : "";
    enum otter_task_kind kind = kind_of_task(copy, node);
    if (kind == OTTER_TASK_KIND_INITIAL || kind == OTTER_TASK_KIND_IMPLICIT) {
        return otter_path("%s task%s%s", otter_task_kind_name(kind), gap, place);
    }
    if (node->kind == OTTER_NODE_SYNC && node->flags & OTTER_NODE_IMPLIED) {
        return otter_path("%s%s%s", OTTER_IMPLIED_BARRIER, gap, place);
    }
    bool is_end = node->kind == OTTER_NODE_END && !group->is_whole;
    return otter_path("%s%s%s%s", is_end ? "end " : "", label->what, gap, place);
}

// ---- the largest groups

static int compare(const void *a, const void *b, void *groups)
{
    const struct otter_group *all = groups;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return otter_order(OTTER_COMPARE(all[y].total, all[x].total), OTTER_COMPARE(x, y));
}

// Numbers the groups that are drawn, in their order.
static void choose(struct copy *copy)
{
    uint32_t n = copy->groups->n_groups, *sorted = otter_numbers_create(n);
    for (uint32_t i = 0; i < n; i++) {
        sorted[i] = i;
    }
    if (n > OTTER_MAX_DRAWN_GROUPS) {
        qsort_r(sorted, n, sizeof *sorted, compare, copy->groups->groups);
        copy->drawn->n_left_out = n - OTTER_MAX_DRAWN_GROUPS;
        n = OTTER_MAX_DRAWN_GROUPS;
    }
    for (uint32_t i = 0; i < n; i++) {
        copy->node_of[sorted[i]] = 0;
    }
    free(sorted);
    for (uint32_t i = 0; i < copy->groups->n_groups; i++) {
        uint32_t begin = copy->scopes.begin_of[i];
        bool is_joined = begin != OTTER_NONE && copy->node_of[begin] != OTTER_NONE;
        if (copy->node_of[i] != OTTER_NONE) {
            copy->node_of[i] = is_joined ? copy->node_of[begin] : copy->drawn->n_nodes++;
        }
    }
}

// ---- copies

// A plain kernel is one group, without a frame.
static bool has_frame(const struct copy *copy, uint32_t place)
{
    uint32_t begin = copy->groups->places[place].begin;
    return place > 0 && begin != OTTER_NONE && !copy->groups->groups[begin].is_whole;
}

// Adds a frame with the text of the group that begins it.
static void add_frame(struct copy *copy, uint32_t begin, uint32_t parent)
{
    const struct otter_group *group = &copy->groups->groups[begin];
    const struct otter_node *node = &copy->graph->nodes[group->first_node];
    struct otter_drawn_frame *frame = &copy->drawn->frames[copy->drawn->n_frames++];
    frame->region = node->region;
    frame->parent = parent;
    frame->begin = copy->node_of[begin];
    frame->text = text_of(copy, group, node);
}

// Returns the frame around a group; OTTER_NONE: none.
static uint32_t frame_around(const struct copy *copy, uint32_t scope, uint32_t place)
{
    return scope != OTTER_NONE ? copy->first_scope + scope : copy->frame_of[place];
}

static void copy_frames(struct copy *copy)
{
    struct otter_drawn_graph *drawn = copy->drawn;
    const struct otter_groups *groups = copy->groups;
    const struct otter_scopes *scopes = &copy->scopes;
    drawn->frames = calloc((size_t)groups->n_places + scopes->n_scopes + 1, sizeof *drawn->frames);
    for (uint32_t i = 1; i < groups->n_places; i++) {
        uint32_t parent = copy->frame_of[groups->places[i].parent];
        copy->frame_of[i] = parent;
        if (has_frame(copy, i)) {
            copy->frame_of[i] = drawn->n_frames;
            add_frame(copy, groups->places[i].begin, parent);
        }
    }
    copy->first_scope = drawn->n_frames;
    for (uint32_t i = 0; i < scopes->n_scopes; i++) {
        const struct otter_scope *scope = &scopes->scopes[i];
        uint32_t place = groups->groups[scope->begin].place;
        add_frame(copy, scope->begin, frame_around(copy, scope->around, place));
    }
}

static void copy_nodes(struct copy *copy)
{
    struct otter_drawn_graph *drawn = copy->drawn;
    drawn->nodes = calloc((size_t)drawn->n_nodes + 1, sizeof *drawn->nodes);
    for (uint32_t i = 0; i < copy->groups->n_groups; i++) {
        const struct otter_group *group = &copy->groups->groups[i];
        const struct otter_node *node = &copy->graph->nodes[group->first_node];
        if (copy->node_of[i] == OTTER_NONE) {
            continue;
        }
        struct otter_drawn_node *drawn_node = &drawn->nodes[copy->node_of[i]];
        if (copy->scopes.begin_of[i] != OTTER_NONE &&
            drawn_node->text) { // no duration has been added to the node so far
            drawn_node->kind = "scope";
            drawn_node->total = group->total;
            drawn_node->longest = group->longest;
            continue;
        }
        *drawn_node = (struct otter_drawn_node){
            .region = node->region,
            .text = text_of(copy, group, node),
            .kind = kind_of(group, node),
            .count = group->n_nodes,
            .total = group->total,
            .longest = group->longest,
            .frame = frame_around(copy, copy->scopes.scope_of[i], group->place)};
    }
}

// Returns whether an edge leads from the contents of a construct to its end, which is drawn with
// its start.
static bool is_to_own_end(const struct copy *copy, const struct otter_group_edge *edge)
{
    const struct otter_drawn_graph *drawn = copy->drawn;
    uint32_t from = copy->node_of[edge->from], to = copy->node_of[edge->to];
    if (copy->scopes.begin_of[edge->to] == OTTER_NONE) {
        return false;
    }
    for (uint32_t at = drawn->nodes[from].frame; at != OTTER_NONE; at = drawn->frames[at].parent) {
        if (drawn->frames[at].begin == to) {
            return true;
        }
    }
    return from == to;
}

static void copy_edges(struct copy *copy)
{
    struct otter_drawn_graph *drawn = copy->drawn;
    drawn->edges = calloc((size_t)copy->groups->n_edges + 1, sizeof *drawn->edges);
    for (uint32_t i = 0; i < copy->groups->n_edges; i++) {
        const struct otter_group_edge *edge = &copy->groups->edges[i];
        uint32_t from = copy->node_of[edge->from], to = copy->node_of[edge->to];
        bool is_drawn = from != OTTER_NONE && to != OTTER_NONE;
        bool is_inside = is_drawn && from == to && edge->from != edge->to;
        if (is_drawn && !is_inside && !is_to_own_end(copy, edge)) {
            drawn->edges[drawn->n_edges++] =
                (struct otter_drawn_edge){from, to, edge->n_edges, edge->kind, edge->is_back};
        }
    }
}

// ---- the heaviest path

struct label_time {
    const struct otter_label *label;
    uint64_t ticks;
    unsigned rank;    // the highest rank (rank_of) of its nodes
    uint32_t n_nodes; // number of nodes with that rank
};

static int compare_labels(const void *a, const void *b)
{
    const struct otter_label *x = ((const struct label_time *)a)->label;
    const struct otter_label *y = ((const struct label_time *)b)->label;
    int order = strcmp(x->what, y->what);
    return order ? order : strcmp(x->where, y->where);
}

// Returns the labels that have a time, sorted by text. The caller frees the array. Regions
// whose labels have the same text share an entry.
static struct label_time *times_of(const struct copy *copy, const uint64_t *sums, uint32_t *n)
{
    uint32_t n_labels = (uint32_t)copy->labels->n_regions, n_sorted = 0;
    struct label_time *times = calloc(n_labels + 1, sizeof *times);
    for (uint32_t i = 0; i < n_labels; i++) {
        if (sums[i] > 0) {
            times[n_sorted++] =
                (struct label_time){.label = otter_label_of(copy->labels, i), .ticks = sums[i]};
        }
    }
    qsort(times, n_sorted, sizeof *times, compare_labels);
    *n = 0;
    for (uint32_t i = 0; i < n_sorted; i++) {
        if (*n > 0 && compare_labels(&times[*n - 1], &times[i]) == 0) {
            times[*n - 1].ticks += times[i].ticks;
        } else {
            times[(*n)++] = times[i];
        }
    }
    return times;
}

// Returns the time of the node's label; NULL: none.
static struct label_time *find_time(const struct copy *copy, const struct otter_drawn_node *node,
                                    struct label_time *times, uint32_t n)
{
    if (node->region >= copy->labels->n_regions) {
        return NULL;
    }
    struct label_time key = {.label = otter_label_of(copy->labels, node->region)};
    return bsearch(&key, times, n, sizeof key, compare_labels);
}

static void add_path(struct copy *copy)
{
    const struct otter_analysis *analysis = &copy->view->analysis;
    uint64_t *sums = calloc(analysis->account.n_labels, sizeof *sums);
    otter_span_labels(analysis, sums);
    uint32_t n;
    struct label_time *times = times_of(copy, sums, &n);
    free(sums);
    for (uint32_t i = 0; i < copy->drawn->n_nodes; i++) {
        const struct label_time *found = find_time(copy, &copy->drawn->nodes[i], times, n);
        copy->drawn->nodes[i].path = found ? found->ticks : 0;
    }
    free(times);
}

// ---- execution

// Returns how likely a node executes: 2 for tasks, 1 for constructs, 0 for all others.
static unsigned rank_of(const struct otter_drawn_node *node)
{
    bool is_task = strcmp(node->kind, otter_node_kind_name(OTTER_NODE_TASK)) == 0;
    bool is_scope = strcmp(node->kind, otter_node_kind_name(OTTER_NODE_BEGIN)) == 0 ||
                    strcmp(node->kind, "scope") == 0 || strcmp(node->kind, "kernel") == 0 ||
                    strcmp(node->kind, otter_node_kind_name(OTTER_NODE_DEVICE)) == 0;
    return is_task ? 2 : is_scope ? 1 : 0;
}

// Attributes the execution of a label to its nodes of the highest rank.
static void add_execution(struct copy *copy)
{
    uint32_t n;
    struct otter_drawn_graph *drawn = copy->drawn;
    struct label_time *times = times_of(copy, copy->view->analysis.account.executed, &n);
    for (unsigned pass = 0; pass < 3; pass++) {
        for (uint32_t i = 0; i < drawn->n_nodes; i++) {
            struct otter_drawn_node *node = &drawn->nodes[i];
            struct label_time *found = find_time(copy, node, times, n);
            unsigned rank = rank_of(node);
            if (!found || rank == 0) {
                continue;
            }
            if (pass == 0) {
                found->rank = rank > found->rank ? rank : found->rank;
            } else if (rank == found->rank && pass == 1) {
                found->n_nodes++;
            } else if (rank == found->rank) {
                node->executed = found->ticks;
                node->n_executing = found->n_nodes;
            }
        }
    }
    free(times);
}

// ---- all

static void copy_all(struct copy *copy)
{
    copy->node_of = otter_numbers_create(copy->groups->n_groups);
    copy->frame_of = otter_numbers_create(copy->groups->n_places);
    otter_scopes_init(&copy->scopes, copy->graph, copy->groups, OTTER_MAX_DRAWN_GROUPS);
    choose(copy);
    copy_frames(copy);
    copy_nodes(copy);
    copy_edges(copy);
    add_path(copy);
    add_execution(copy);
    free(copy->node_of);
    otter_scopes_finish(&copy->scopes);
    free(copy->frame_of);
}

// Copies the labels of the view, since grouping may merge some of them.
static void copy_labels(struct otter_labels *labels, const struct otter_view *view)
{
    otter_labels_init(labels, view->definitions);
    memcpy(labels->regions, view->labels.regions, labels->n_regions * sizeof *labels->regions);
}

void otter_drawn_graph_init(struct otter_drawn_graph *drawn, struct otter_view *view)
{
    struct otter_graph *graph;
    struct otter_labels labels;
    bool has_merged;
    *drawn = (struct otter_drawn_graph){0};
    otter_builder_finish(view->drawing, &graph, NULL);
    view->drawing = NULL;
    copy_labels(&labels, view);
    struct otter_groups *groups =
        otter_groups_create_few(graph, &labels, OTTER_MAX_DRAWN_GROUPS, &has_merged);
    struct copy copy = {
        .drawn = drawn, .view = view, .graph = graph, .groups = groups, .labels = &labels};
    copy_all(&copy);
    otter_groups_destroy(groups);
    otter_labels_finish(&labels);
    otter_graph_destroy(graph);
}

void otter_drawn_graph_finish(struct otter_drawn_graph *drawn)
{
    for (uint32_t i = 0; i < drawn->n_nodes; i++) {
        free(drawn->nodes[i].text);
    }
    for (uint32_t i = 0; i < drawn->n_frames; i++) {
        free(drawn->frames[i].text);
    }
    OTTER_FREE(drawn->nodes, drawn->edges, drawn->frames);
    *drawn = (struct otter_drawn_graph){0};
}
