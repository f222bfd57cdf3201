// Divides a member's share of worksharing constructs into pieces.
#include "graph/fold/pieces.h"

static bool add_piece(struct otter_fold *fold, struct otter_fold_piece piece)
{
    return OTTER_VECTOR_ADD(&fold->pieces, piece);
}

// ---- work shares of loops and sections

static void clear_iteration(struct otter_chain *chain)
{
    chain->iteration = OTTER_NONE;
    chain->iteration_piece = OTTER_NONE;
}

// Returns the unit of `iteration`: the last unit if it has the same known iteration, or a new one.
static uint32_t unit_of(struct otter_chain *chain, uint32_t iteration)
{
    if (iteration == OTTER_NONE || iteration != chain->iteration) {
        chain->iteration = iteration;
        chain->iteration_piece = OTTER_NONE;
        chain->iteration_unit = chain->fold->n_units++;
    }
    return chain->iteration_unit;
}

static struct otter_fold_piece new_piece(const struct otter_chain *chain, uint32_t from)
{
    return (struct otter_fold_piece){
        .from = from,
        .to = OTTER_NONE,
        .unit_kind = chain->iteration == OTTER_NONE ? OTTER_FOLD_PIECE : OTTER_FOLD_ITERATION,
        .unit = chain->iteration_unit,
        .barrier = chain->segment_end < chain->n ? chain->items[chain->segment_end] : OTTER_NONE};
}

static bool add_task_piece(struct otter_chain *chain, uint32_t task, uint32_t from)
{
    struct otter_fold *fold = chain->fold;
    const struct otter_graph_task *child = &fold->graph->tasks[task];
    fold->task_units[task] =
        unit_of(chain, otter_iteration_of_task(fold->iterations, child->location, child->number));
    if (chain->iteration_piece != OTTER_NONE) { // after a node of the same iteration
        return otter_edges_add(&fold->edges, fold->pieces.items[chain->iteration_piece].exit,
                               child->first_node, OTTER_EDGE_CREATION);
    }
    struct otter_fold_piece piece = new_piece(chain, from);
    piece.entry = child->first_node;
    piece.exit = child->last_node;
    piece.is_task = true;
    return add_piece(fold, piece);
}

static bool add_task_pieces(struct otter_chain *chain, size_t end, uint32_t from)
{
    bool is_good = true;
    uint32_t task;
    while (is_good && (task = otter_chain_pop_child(chain, end)) != OTTER_NONE) {
        is_good = add_task_piece(chain, task, from);
    }
    return is_good;
}

// Adds the nodes from position `i` to `last`, both included, between the nodes `from` and `to`.
static bool add_node_piece(struct otter_chain *chain, size_t i, size_t last, uint32_t from,
                           uint32_t to)
{
    struct otter_fold *fold = chain->fold;
    const struct otter_node *node = &fold->graph->nodes[chain->items[i]];
    otter_chain_cover(
        chain, i, last,
        unit_of(chain, otter_iteration_at(fold->iterations, node->location, node->start)));
    if (chain->iteration_piece != OTTER_NONE) {
        struct otter_fold_piece *before = &fold->pieces.items[chain->iteration_piece];
        uint32_t exit = before->exit;
        before->exit = chain->items[last];
        return otter_edges_add(&fold->edges, exit, chain->items[i], OTTER_EDGE_ORDER);
    }
    if (chain->iteration != OTTER_NONE) {
        chain->iteration_piece = (uint32_t)fold->pieces.n;
    }
    struct otter_fold_piece piece = new_piece(chain, from);
    piece.entry = chain->items[i];
    piece.exit = chain->items[last];
    piece.to = to;
    return add_piece(fold, piece);
}

// Returns whether a work share lost its order: it has several pieces, and one is a node of an
// unknown iteration.
static bool is_unordered(const struct otter_fold *fold, size_t first_piece)
{
    bool has_node = false;
    for (size_t i = first_piece; i < fold->pieces.n; i++) {
        const struct otter_fold_piece *piece = &fold->pieces.items[i];
        has_node = has_node || (!piece->is_task && piece->unit_kind == OTTER_FOLD_PIECE);
    }
    return has_node && fold->pieces.n - first_piece > 1;
}

bool otter_fold_read_work_share(struct otter_chain *chain, size_t begin, size_t end)
{
    uint32_t from = chain->items[begin];
    uint32_t to = chain->items[end];
    size_t first_piece = chain->fold->pieces.n;
    clear_iteration(chain);
    bool is_good = add_task_pieces(chain, begin + 1, from);
    for (size_t i = begin + 1; is_good && i < end; i++) {
        if (otter_chain_is_omitted(chain, i)) {
            otter_chain_omit(chain, i);
            is_good = add_task_pieces(chain, i + 1, from);
            continue;
        }
        size_t last = otter_chain_end_of(chain, i, end);
        is_good =
            add_node_piece(chain, i, last, from, to) && add_task_pieces(chain, last + 1, from);
        i = last;
    }
    clear_iteration(chain);
    chain->fold->findings->n_unordered += is_unordered(chain->fold, first_piece);
    return is_good;
}

bool otter_fold_read_single(struct otter_chain *chain, size_t begin, size_t end)
{
    struct otter_fold *fold = chain->fold;
    uint32_t scope = fold->graph->nodes[chain->items[begin]].scope;
    size_t from = otter_chain_position_of(chain, scope);
    if (from > begin || from < chain->segment_start) {
        from = chain->segment_start;
    }
    size_t to = scope == OTTER_NONE ? chain->n : otter_chain_position_of(chain, fold->ends[scope]);
    if (to > chain->segment_end) {
        to = chain->segment_end;
    }
    uint32_t unit = fold->n_units++;
    otter_chain_cover(chain, begin, end, unit);
    return add_piece(fold, (struct otter_fold_piece){
                               .entry = chain->items[begin],
                               .exit = chain->items[end],
                               .from = chain->items[from],
                               .to = to < chain->n ? chain->items[to] : OTTER_NONE,
                               .unit = unit,
                               .barrier = OTTER_NONE,
                           });
}
