// Writes the folded graph of a level.
#include "graph/fold/internal.h"

#include <stdlib.h>
#include <string.h>

#include "graph/node.h"
#include "graph/numbers.h"

static uint32_t representative_of(const struct otter_fold *fold, uint32_t node)
{
    if (node == OTTER_NONE) {
        return OTTER_NONE;
    }
    bool is_dropped = fold->units[node] != OTTER_NONE && fold->is_unit_dropped[fold->units[node]];
    return is_dropped && fold->representatives[node] == node ? OTTER_NONE
                                                             : fold->representatives[node];
}

static bool add_edge(struct otter_fold *fold, uint32_t from, uint32_t to, enum otter_edge_kind kind)
{
    from = representative_of(fold, from);
    to = representative_of(fold, to);
    return from == OTTER_NONE || to == OTTER_NONE || from == to ||
           otter_edges_add(&fold->edges, from, to, kind);
}

static bool fill_unit_tables(struct otter_fold *fold)
{
    fold->unit_kinds = calloc(fold->n_units + (size_t)1, sizeof *fold->unit_kinds);
    fold->unit_barriers = otter_numbers_create(fold->n_units);
    for (size_t i = 0; fold->unit_kinds && fold->unit_barriers && i < fold->pieces.n; i++) {
        const struct otter_fold_piece *piece = &fold->pieces.items[i];
        fold->unit_kinds[piece->unit] = piece->unit_kind;
        fold->unit_barriers[piece->unit] = piece->barrier;
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
// edge would not exist. The next barrier then joins the task instead. *is_done: the edge is
// handled.
static bool read_split_edge(struct otter_fold *fold, uint32_t from, uint32_t to,
                            enum otter_edge_kind kind, bool *is_done)
{
    *is_done = false;
    if (kind != OTTER_EDGE_DEPENDENCE && kind != OTTER_EDGE_JOIN) {
        return true;
    }
    fold->findings->n_split += is_between(fold, from, to, OTTER_FOLD_PIECE);
    *is_done = is_between(fold, from, to, OTTER_FOLD_ITERATION);
    uint32_t barrier = *is_done ? fold->unit_barriers[fold->units[from]] : OTTER_NONE;
    return kind != OTTER_EDGE_JOIN || barrier == OTTER_NONE ||
           add_edge(fold, from, barrier, OTTER_EDGE_JOIN);
}

static bool is_omitted(const struct otter_fold *fold, uint32_t from, uint32_t to,
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

// Returns the kind of an edge in the folded graph. If one member executed two consecutive
// iterations, their ordered regions get the doacross edge that two members would have. A node
// without a unit retains `order`, from which a later level reads its chain.
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

static bool copy_edges(struct otter_fold *fold)
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
            if (is_good && !is_done && !is_omitted(fold, from, to, kind)) {
                is_good = add_edge(fold, from, to, kind);
            }
        }
    }
    return is_good;
}

// Adds the edges to and from pieces. For the node before a piece, sets after_piece[node] to the
// node after the piece: the chain needs no edge between these two.
static bool lead_through_pieces(struct otter_fold *fold, uint32_t *after_piece)
{
    bool is_good = true;
    for (size_t i = 0; is_good && i < fold->pieces.n; i++) {
        const struct otter_fold_piece *piece = &fold->pieces.items[i];
        if (piece->is_task) {
            is_good = add_edge(fold, piece->from, piece->entry, OTTER_EDGE_CREATION);
            continue;
        }
        uint32_t from = representative_of(fold, piece->from);
        if (from != OTTER_NONE) {
            after_piece[from] = representative_of(fold, piece->to);
        }
        is_good = add_edge(fold, piece->from, piece->entry, OTTER_EDGE_ORDER) &&
                  add_edge(fold, piece->exit, piece->to, OTTER_EDGE_ORDER);
    }
    return is_good;
}

static bool lead_on(struct otter_fold *fold, const uint32_t *after_piece, uint32_t from,
                    uint32_t to)
{
    return to == OTTER_NONE || after_piece[from] == to ||
           add_edge(fold, from, to, OTTER_EDGE_ORDER);
}

static bool lead_through_segment(struct otter_fold *fold, const struct otter_fold_segment *segment,
                                 const uint32_t *after_piece)
{
    uint32_t node = segment->start;
    bool is_good = true;
    for (size_t i = 0; is_good && i < segment->n_items; i++) {
        const struct otter_fold_item *item = &fold->items.items[segment->first_item + i];
        if (item->is_task) {
            is_good = add_edge(fold, node, item->entry, OTTER_EDGE_CREATION);
        } else {
            is_good = lead_on(fold, after_piece, node, item->entry);
            node = item->exit;
        }
    }
    return is_good && lead_on(fold, after_piece, node, segment->end);
}

static bool lead_through_segments(struct otter_fold *fold)
{
    uint32_t *after_piece = otter_numbers_create(fold->graph->n_nodes);
    bool is_good = after_piece && lead_through_pieces(fold, after_piece);
    for (size_t i = 0; is_good && i < fold->segments.n; i++) {
        if (fold->segments.items[i].is_kept) {
            is_good = lead_through_segment(fold, &fold->segments.items[i], after_piece);
        }
    }
    free(after_piece);
    return is_good;
}

// A node that represents others lasts from the earliest start to the latest end.
static void widen(struct otter_node *node, const struct otter_node *other)
{
    node->start = other->start < node->start ? other->start : node->start;
    node->end = other->end > node->end ? other->end : node->end;
}

static void rename_nodes(const struct otter_fold *fold, struct otter_graph *copy, bool *keep)
{
    for (uint32_t i = 0; i < copy->n_nodes; i++) {
        struct otter_node *node = &copy->nodes[i];
        uint32_t other = representative_of(fold, i);
        keep[i] = other == i;
        if (!keep[i] && other != OTTER_NONE && !(fold->marks[i] & OTTER_FOLD_SKIPPED)) {
            widen(&copy->nodes[other], node);
        }
        uint32_t scope = node->scope;
        while (scope != OTTER_NONE && representative_of(fold, scope) == OTTER_NONE) {
            scope = fold->graph->nodes[scope].scope;
        }
        node->scope = representative_of(fold, scope);
        node->task = node->task == OTTER_NONE ? OTTER_NONE : fold->task_representatives[node->task];
    }
}

static void rename_tasks(const struct otter_fold *fold, struct otter_graph *copy)
{
    for (uint32_t i = 0; i < copy->n_tasks; i++) {
        struct otter_graph_task *task = &copy->tasks[i];
        if (fold->task_representatives[i] != i) {
            task->first_node = OTTER_NONE;
            task->last_node = OTTER_NONE;
        } else if (task->last_node != OTTER_NONE &&
                   fold->marks[task->last_node] & OTTER_FOLD_SKIPPED) {
            task->last_node = representative_of(fold, task->last_node);
        }
        if (task->creator != OTTER_NONE) {
            task->creator = fold->task_representatives[task->creator];
        }
    }
    for (uint32_t i = 0; i < copy->n_teams; i++) {
        struct otter_graph_team *team = &copy->teams[i];
        if (fold->level > 0 && otter_fold_team_level(fold, team) == fold->level) {
            uint32_t *members = copy->members + team->first_member;
            members[0] = fold->task_representatives[members[0]];
            team->n_members = 1;
        }
    }
}

struct otter_graph *otter_fold_rewrite(struct otter_fold *fold)
{
    if (!fill_unit_tables(fold) || !copy_edges(fold) || !lead_through_segments(fold)) {
        return NULL;
    }
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
