#include "graph/fold/fold.h"

#include <stdlib.h>
#include <string.h>

#include "graph/fold/internal.h"
#include "graph/node.h"

// ---- one level

static uint32_t *numbers(size_t n)
{
    uint32_t *array = malloc((n + 2) * sizeof *array);
    if (array) {
        memset(array, 0xff, (n + 2) * sizeof *array);
    }
    return array;
}

// What each level is told.
struct request {
    const struct otter_labels *labels;
    const struct otter_iterations *iterations;
    struct otter_fold_findings *findings;
};

static bool init(struct otter_fold *fold, const struct otter_graph *graph,
                 const struct request *request)
{
    *fold = (struct otter_fold){.graph = graph,
                                .labels = request->labels,
                                .iterations = request->iterations,
                                .findings = request->findings};
    fold->team_of = numbers(graph->n_tasks);
    fold->depths = numbers(graph->n_tasks);
    fold->anchors = numbers(graph->n_tasks);
    fold->children = numbers(graph->n_tasks);
    fold->task_units = numbers(graph->n_tasks);
    fold->task_stand_ins = numbers(graph->n_tasks);
    fold->first_child = calloc(graph->n_tasks + (size_t)2, sizeof *fold->first_child);
    fold->first_head = calloc(graph->n_tasks + (size_t)2, sizeof *fold->first_head);
    fold->next = numbers(graph->n_nodes);
    fold->position = numbers(graph->n_nodes);
    fold->units = numbers(graph->n_nodes);
    fold->stand_ins = numbers(graph->n_nodes);
    fold->marks = calloc(graph->n_nodes + (size_t)1, sizeof *fold->marks);
    fold->ends = otter_graph_scope_ends(graph);
    return fold->team_of && fold->depths && fold->anchors && fold->children && fold->task_units &&
           fold->task_stand_ins && fold->first_child && fold->first_head && fold->next &&
           fold->position && fold->units && fold->stand_ins && fold->marks && fold->ends;
}

static void finish(struct otter_fold *fold)
{
    free(fold->team_of);
    free(fold->depths);
    free(fold->anchors);
    free(fold->children);
    free(fold->task_units);
    free(fold->task_stand_ins);
    free(fold->first_child);
    free(fold->first_head);
    free(fold->heads);
    free(fold->next);
    free(fold->position);
    free(fold->units);
    free(fold->stand_ins);
    free(fold->marks);
    free(fold->ends);
    free(fold->items.items);
    free(fold->segments.items);
    free(fold->shares.items);
    free(fold->is_unit_dropped);
    free(fold->unit_kinds);
    free(fold->unit_barriers);
    otter_edges_finish(&fold->edges);
}

static uint32_t team_level(const struct otter_fold *fold, const struct otter_graph_team *team)
{
    return team->n_members > 0 ? fold->depths[fold->graph->members[team->first_member]] : 0;
}

static bool read_teams(struct otter_fold *fold)
{
    for (uint32_t i = 0; fold->level > 0 && i < fold->graph->n_teams; i++) {
        const struct otter_graph_team *team = &fold->graph->teams[i];
        if (team_level(fold, team) == fold->level && !otter_fold_read_team(fold, team)) {
            return false;
        }
    }
    return true;
}

static bool is_member(const struct otter_fold *fold, uint32_t task)
{
    return fold->team_of[task] != OTTER_NONE && fold->depths[task] == fold->level;
}

// While units are spread: of this task it is known that it has none.
static const uint32_t no_unit = OTTER_NONE - 1;

// What is below a task belongs to its unit. Walks up to a task of which that is known, and down
// again.
static void spread_unit(struct otter_fold *fold, uint32_t task, uint32_t *path)
{
    uint32_t n = 0;
    while (task != OTTER_NONE && fold->task_units[task] == OTTER_NONE && !is_member(fold, task) &&
           fold->depths[task] >= fold->level && n < fold->graph->n_tasks) {
        path[n++] = task;
        task = otter_fold_parent(fold, task);
    }
    uint32_t unit = task == OTTER_NONE ? OTTER_NONE : fold->task_units[task];
    while (n > 0) {
        fold->task_units[path[--n]] = unit == OTTER_NONE ? no_unit : unit;
    }
}

static bool spread_units(struct otter_fold *fold)
{
    uint32_t *path = numbers(fold->graph->n_tasks);
    if (!path) {
        return false;
    }
    for (uint32_t i = 0; i < fold->graph->n_tasks; i++) {
        spread_unit(fold, i, path);
    }
    for (uint32_t i = 0; i < fold->graph->n_tasks; i++) {
        if (fold->task_units[i] == no_unit) {
            fold->task_units[i] = OTTER_NONE;
        }
    }
    for (uint32_t i = 0; i < fold->graph->n_nodes; i++) {
        uint32_t task = fold->graph->nodes[i].task;
        if (fold->units[i] == OTTER_NONE && task != OTTER_NONE) {
            fold->units[i] = fold->task_units[task];
        }
    }
    free(path);
    return true;
}

// ---- from a level to a graph

static uint32_t stand_in(const struct otter_fold *fold, uint32_t node)
{
    if (node == OTTER_NONE) {
        return OTTER_NONE;
    }
    bool is_dropped = fold->units[node] != OTTER_NONE && fold->is_unit_dropped[fold->units[node]];
    return is_dropped && fold->stand_ins[node] == node ? OTTER_NONE : fold->stand_ins[node];
}

static bool add_edge(struct otter_fold *fold, uint32_t from, uint32_t to, enum otter_edge_kind kind)
{
    from = stand_in(fold, from);
    to = stand_in(fold, to);
    return from == OTTER_NONE || to == OTTER_NONE || from == to ||
           otter_edges_add(&fold->edges, from, to, kind);
}

static bool note_units(struct otter_fold *fold)
{
    fold->unit_kinds = calloc(fold->n_units + (size_t)1, sizeof *fold->unit_kinds);
    fold->unit_barriers = numbers(fold->n_units);
    for (size_t i = 0; fold->unit_kinds && fold->unit_barriers && i < fold->shares.n; i++) {
        const struct otter_fold_share *share = &fold->shares.items[i];
        fold->unit_kinds[share->unit] = share->unit_kind;
        fold->unit_barriers[share->unit] = share->barrier;
    }
    return fold->unit_kinds && fold->unit_barriers;
}

static bool is_between(const struct otter_fold *fold, uint32_t from, uint32_t to,
                       enum otter_fold_unit_kind kind)
{
    uint32_t a = fold->units[from], b = fold->units[to];
    return a != OTTER_NONE && b != OTTER_NONE && a != b && fold->unit_kinds[a] == kind &&
           fold->unit_kinds[b] == kind;
}

// Drops edges between two iterations of one member: if two members had executed the iterations, the
// edge would not exist. The next barrier then joins the task. *is_done: the edge needs nothing
// more.
static bool read_split_edge(struct otter_fold *fold, uint32_t from, uint32_t to,
                            enum otter_edge_kind kind, bool *is_done)
{
    *is_done = false;
    if (kind != OTTER_EDGE_DEPENDENCE && kind != OTTER_EDGE_JOIN) {
        return true;
    }
    fold->findings->n_split += is_between(fold, from, to, OTTER_FOLD_SHARE);
    *is_done = is_between(fold, from, to, OTTER_FOLD_ITERATION);
    uint32_t barrier = *is_done ? fold->unit_barriers[fold->units[from]] : OTTER_NONE;
    return kind != OTTER_EDGE_JOIN || barrier == OTTER_NONE ||
           add_edge(fold, from, barrier, OTTER_EDGE_JOIN);
}

static bool is_left_out(const struct otter_fold *fold, uint32_t from, uint32_t to,
                        enum otter_edge_kind kind)
{
    uint32_t unit = fold->units[from];
    if (kind == OTTER_EDGE_UNDEFERRED) {
        return true;
    }
    if (unit == OTTER_NONE || fold->units[to] == OTTER_NONE) {
        return false;
    }
    return unit == fold->units[to] ? fold->is_unit_dropped[unit]
                                   : kind == OTTER_EDGE_ORDER || kind == OTTER_EDGE_CREATION;
}

static bool is_ordered(const struct otter_graph *graph, uint32_t node, enum otter_node_kind kind)
{
    return graph->nodes[node].kind == kind &&
           otter_node_construct(graph, node) == OTTER_CONSTRUCT_ORDERED;
}

static bool has_doacross(const struct otter_graph *graph, uint32_t node)
{
    uint32_t e = graph->first_edge[node];
    while (e < graph->first_edge[node + 1] && graph->edge_kind[e] != OTTER_EDGE_DOACROSS) {
        e++;
    }
    return e < graph->first_edge[node + 1];
}

// One member executed two consecutive iterations: their ordered regions get the edge that two
// members would have. A node without a unit is folded at a later level, which reads its chain by
// `order`.
static enum otter_edge_kind kind_of(const struct otter_fold *fold, uint32_t from, uint32_t edge)
{
    const struct otter_graph *graph = fold->graph;
    uint32_t to = graph->edge_to[edge];
    enum otter_edge_kind kind = graph->edge_kind[edge];
    bool is_between_units = kind == OTTER_EDGE_ORDER && fold->units[from] != OTTER_NONE &&
                            fold->units[to] != OTTER_NONE && fold->units[from] != fold->units[to];
    bool is_next = is_between_units && is_ordered(graph, from, OTTER_NODE_END) &&
                   is_ordered(graph, to, OTTER_NODE_BEGIN) && !has_doacross(graph, from);
    return is_next ? OTTER_EDGE_DOACROSS : kind;
}

static bool keep_edges(struct otter_fold *fold)
{
    const struct otter_graph *graph = fold->graph;
    bool is_good = true;
    for (uint32_t from = 0; is_good && from < graph->n_nodes; from++) {
        for (uint32_t e = graph->first_edge[from]; is_good && e < graph->first_edge[from + 1];
             e++) {
            uint32_t to = graph->edge_to[e];
            enum otter_edge_kind kind = kind_of(fold, from, e);
            bool is_done;
            is_good = read_split_edge(fold, from, to, kind, &is_done);
            if (is_good && !is_done && !is_left_out(fold, from, to, kind)) {
                is_good = add_edge(fold, from, to, kind);
            }
        }
    }
    return is_good;
}

// `shared_to` gets for each node before a share the node behind it: the chain needs no edge of its
// own between them.
static bool lead_through_shares(struct otter_fold *fold, uint32_t *shared_to)
{
    bool is_good = true;
    for (size_t i = 0; is_good && i < fold->shares.n; i++) {
        const struct otter_fold_share *share = &fold->shares.items[i];
        if (share->is_task) {
            is_good = add_edge(fold, share->from, share->entry, OTTER_EDGE_CREATION);
            continue;
        }
        uint32_t from = stand_in(fold, share->from);
        if (from != OTTER_NONE) {
            shared_to[from] = stand_in(fold, share->to);
        }
        is_good = add_edge(fold, share->from, share->entry, OTTER_EDGE_ORDER) &&
                  add_edge(fold, share->exit, share->to, OTTER_EDGE_ORDER);
    }
    return is_good;
}

static bool lead_on(struct otter_fold *fold, const uint32_t *shared_to, uint32_t from, uint32_t to)
{
    return to == OTTER_NONE || shared_to[from] == to || add_edge(fold, from, to, OTTER_EDGE_ORDER);
}

static bool lead_through_segment(struct otter_fold *fold, const struct otter_fold_segment *segment,
                                 const uint32_t *shared_to)
{
    uint32_t node = segment->start;
    bool is_good = true;
    for (size_t i = 0; is_good && i < segment->n_items; i++) {
        const struct otter_fold_item *item = &fold->items.items[segment->first_item + i];
        if (item->is_task) {
            is_good = add_edge(fold, node, item->entry, OTTER_EDGE_CREATION);
        } else {
            is_good = lead_on(fold, shared_to, node, item->entry);
            node = item->exit;
        }
    }
    return is_good && lead_on(fold, shared_to, node, segment->end);
}

static bool lead_through_segments(struct otter_fold *fold)
{
    uint32_t *shared_to = numbers(fold->graph->n_nodes);
    bool is_good = shared_to && lead_through_shares(fold, shared_to);
    for (size_t i = 0; is_good && i < fold->segments.n; i++) {
        if (fold->segments.items[i].is_kept) {
            is_good = lead_through_segment(fold, &fold->segments.items[i], shared_to);
        }
    }
    free(shared_to);
    return is_good;
}

// A node that stands for others lasts from the first to the last of them.
static void widen(struct otter_node *node, const struct otter_node *other)
{
    node->start = other->start < node->start ? other->start : node->start;
    node->end = other->end > node->end ? other->end : node->end;
}

static void rename_nodes(const struct otter_fold *fold, struct otter_graph *copy, bool *keep)
{
    for (uint32_t i = 0; i < copy->n_nodes; i++) {
        struct otter_node *node = &copy->nodes[i];
        uint32_t other = stand_in(fold, i);
        keep[i] = other == i;
        if (!keep[i] && other != OTTER_NONE && !(fold->marks[i] & OTTER_FOLD_SKIPPED)) {
            widen(&copy->nodes[other], node);
        }
        uint32_t scope = node->scope;
        while (scope != OTTER_NONE && stand_in(fold, scope) == OTTER_NONE) {
            scope = fold->graph->nodes[scope].scope;
        }
        node->scope = stand_in(fold, scope);
        node->task = node->task == OTTER_NONE ? OTTER_NONE : fold->task_stand_ins[node->task];
    }
}

static void rename_tasks(const struct otter_fold *fold, struct otter_graph *copy)
{
    for (uint32_t i = 0; i < copy->n_tasks; i++) {
        struct otter_graph_task *task = &copy->tasks[i];
        if (fold->task_stand_ins[i] != i) {
            task->first_node = OTTER_NONE;
            task->last_node = OTTER_NONE;
        } else if (task->last_node != OTTER_NONE &&
                   fold->marks[task->last_node] & OTTER_FOLD_SKIPPED) {
            task->last_node = stand_in(fold, task->last_node);
        }
        if (task->creator != OTTER_NONE) {
            task->creator = fold->task_stand_ins[task->creator];
        }
    }
    for (uint32_t i = 0; i < copy->n_teams; i++) {
        struct otter_graph_team *team = &copy->teams[i];
        if (fold->level > 0 && team_level(fold, team) == fold->level) {
            uint32_t *members = copy->members + team->first_member;
            members[0] = fold->task_stand_ins[members[0]];
            team->n_members = 1;
        }
    }
}

static struct otter_graph *rewrite(struct otter_fold *fold)
{
    bool *keep = malloc((fold->graph->n_nodes + (size_t)1) * sizeof *keep);
    if (!keep) {
        return NULL;
    }
    memset(keep, true, fold->graph->n_nodes);
    struct otter_graph *copy = otter_graph_filter(fold->graph, keep);
    struct otter_graph *folded = NULL;
    if (copy && otter_edges_replace(&fold->edges, copy)) {
        rename_nodes(fold, copy, keep);
        rename_tasks(fold, copy);
        folded = otter_graph_filter(copy, keep);
    }
    if (folded) {
        folded->is_folded = true;
    }
    otter_graph_destroy(copy);
    free(keep);
    return folded;
}

static bool fold_teams(struct otter_fold *fold)
{
    return read_teams(fold) && spread_units(fold) && otter_fold_match(fold) && note_units(fold) &&
           keep_edges(fold) && lead_through_segments(fold);
}

// The graph with the teams of one level folded, or with `level` 0 only without what the runtime
// added.
static struct otter_graph *fold_level(const struct otter_graph *graph,
                                      const struct request *request, uint32_t level)
{
    struct otter_fold fold;
    struct otter_graph *folded = NULL;
    bool is_good = init(&fold, graph, request) && otter_fold_fill_tables(&fold);
    fold.level = level;
    if (is_good && (level > 0 || otter_fold_leave_out_splitters(&fold)) && fold_teams(&fold)) {
        folded = rewrite(&fold);
    }
    finish(&fold);
    return folded;
}

// ---- all levels

// One more than the deepest level; 0 when memory is short.
static uint32_t count_levels(const struct otter_graph *graph)
{
    struct otter_fold fold;
    uint32_t n = 0;
    if (init(&fold, graph, &(struct request){0}) && otter_fold_fill_tables(&fold)) {
        n = 1;
        for (uint32_t i = 0; i < graph->n_teams; i++) {
            uint32_t level = team_level(&fold, &graph->teams[i]);
            n = level >= n ? level + 1 : n;
        }
    }
    finish(&fold);
    return n;
}

// The members that were folded away leave gaps.
static void close_gaps(struct otter_graph *graph)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < graph->n_teams; i++) {
        struct otter_graph_team *team = &graph->teams[i];
        uint32_t first = team->first_member;
        team->first_member = n;
        for (uint32_t k = 0; k < team->n_members; k++) {
            graph->members[n++] = graph->members[first + k];
        }
    }
    graph->n_members = n;
}

struct otter_graph *otter_graph_fold(const struct otter_graph *graph,
                                     const struct otter_labels *labels,
                                     const struct otter_iterations *iterations,
                                     struct otter_fold_findings *findings)
{
    struct otter_fold_findings unread;
    findings = findings ? findings : &unread;
    *findings = (struct otter_fold_findings){0};
    const struct request request = {labels, iterations, findings};
    uint32_t n_levels = count_levels(graph);
    if (n_levels == 0) {
        return NULL;
    }
    struct otter_graph *folded = fold_level(graph, &request, 0);
    while (folded && --n_levels > 0) {
        struct otter_graph *outer = fold_level(folded, &request, n_levels);
        otter_graph_destroy(folded);
        folded = outer;
    }
    if (folded) {
        close_gaps(folded);
    }
    return folded;
}
