// Reads the chain of each member of a team and divides it into segments, items and pieces.
#include "graph/fold/internal.h"

#include <stdlib.h>

#include "graph/node.h"

struct child {
    uint32_t position; // in the chain, of the node that created the task
    uint32_t number;   // task number
    uint32_t task;
};

struct chain {
    struct otter_fold *fold;
    uint32_t member;
    uint32_t representative; // the member that represents the team
    OTTER_VECTOR(uint32_t);  // nodes
    struct {
        OTTER_VECTOR(struct child);
    } children; // in the order of creation
    uint32_t next_child;
    size_t segment_start;     // position of the barrier before the segment
    size_t segment_end;       // position of the barrier behind it, or `n`
    uint32_t iteration;       // read last; OTTER_NONE: not known
    uint32_t iteration_unit;  // the unit of `iteration`
    uint32_t iteration_piece; // index in `pieces` of its nodes, OTTER_NONE: no node so far
};

// ---- from node to node

static uint32_t after_barrier(const struct otter_fold *fold, uint32_t member, uint32_t barrier)
{
    size_t low = fold->first_head[member];
    size_t high = fold->first_head[member + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (fold->heads[middle] >> 32 < barrier) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool is_found =
        low < fold->first_head[member + 1] && fold->heads[low] >> 32 == (uint64_t)barrier;
    return is_found ? (uint32_t)fold->heads[low] : fold->next[barrier];
}

// Returns the node behind `node` in the chain of a member, or OTTER_NONE.
static uint32_t after(const struct otter_fold *fold, uint32_t member, uint32_t node)
{
    if (fold->marks[node] & OTTER_FOLD_BARRIER) {
        return after_barrier(fold, member, node);
    }
    return fold->next[node] == OTTER_NONE ? fold->ends[node] : fold->next[node];
}

static bool walk(struct chain *chain, uint32_t member)
{
    const struct otter_fold *fold = chain->fold;
    chain->member = member;
    chain->n = 0;
    uint32_t node = fold->graph->tasks[member].first_node;
    while (node != OTTER_NONE && chain->n < fold->graph->n_nodes) {
        if (!OTTER_VECTOR_RESERVE(chain)) {
            return false;
        }
        fold->position[node] = chain->n;
        chain->items[chain->n++] = node;
        node = after(fold, member, node);
    }
    return true;
}

// Returns the position of `node` in the chain, or `n`.
static size_t position_of(const struct chain *chain, uint32_t node)
{
    size_t position = node == OTTER_NONE ? chain->n : chain->fold->position[node];
    return position < chain->n && chain->items[position] == node ? position : chain->n;
}

// ---- barriers of the runtime

static bool is_construct(const struct chain *chain, size_t i, enum otter_construct construct)
{
    return otter_node_construct(chain->fold->graph, chain->items[i]) == construct;
}

static bool is_barrier(const struct chain *chain, size_t i)
{
    return chain->fold->marks[chain->items[i]] & OTTER_FOLD_BARRIER;
}

static void mark_barriers(const struct chain *chain)
{
    for (size_t i = 0; i < chain->n; i++) {
        uint8_t *marks = &chain->fold->marks[chain->items[i]];
        if (!is_barrier(chain, i) ||
            !is_construct(chain, i, OTTER_CONSTRUCT_BARRIER_IMPLEMENTATION)) {
            continue;
        }
        if (i > 0 && is_construct(chain, i - 1, OTTER_CONSTRUCT_REDUCTION)) {
            *marks |= OTTER_FOLD_FOLLOWS_REDUCTION;
        }
        size_t next = i + 1;
        while (next < chain->n && is_construct(chain, next, OTTER_CONSTRUCT_REDUCTION)) {
            next++;
        }
        if (next == chain->n) {
            *marks |= OTTER_FOLD_IS_LAST;
        } else if (!is_barrier(chain, next)) {
            *marks |= OTTER_FOLD_STAYS;
        }
    }
}

// Marks barriers of the runtime that depend on the size of the team. LLVM's runtime puts its own
// barrier behind a reduction, before the program's barrier, and another one in large teams. GCC's
// code has no other kind of barrier, so that a barrier that separates work is not skipped.
static void skip_barriers(const struct chain *chain)
{
    for (size_t i = 0; i < chain->n; i++) {
        uint8_t *marks = &chain->fold->marks[chain->items[i]];
        bool is_of_runtime =
            is_barrier(chain, i) && is_construct(chain, i, OTTER_CONSTRUCT_BARRIER_IMPLEMENTATION);
        bool is_idle = !(*marks & (OTTER_FOLD_STAYS | OTTER_FOLD_HAS_CHILDREN));
        if (is_of_runtime && !(*marks & OTTER_FOLD_IS_LAST) &&
            (is_idle || (*marks & OTTER_FOLD_FOLLOWS_REDUCTION))) {
            *marks |= OTTER_FOLD_SKIPPED;
        }
    }
}

static bool is_cut(const struct chain *chain, size_t i)
{
    return i == 0 ||
           (is_barrier(chain, i) && !(chain->fold->marks[chain->items[i]] & OTTER_FOLD_SKIPPED));
}

// Returns whether the folded graph omits a node. A runtime's nodes for reductions and doacross
// loops depend on the team, because a team of one thread does not wait.
static bool is_omitted(const struct chain *chain, size_t i)
{
    uint32_t node = chain->items[i];
    enum otter_node_kind kind = chain->fold->graph->nodes[node].kind;
    return (chain->fold->marks[node] & OTTER_FOLD_SKIPPED) || kind == OTTER_NODE_SOURCE ||
           kind == OTTER_NODE_SINK || is_construct(chain, i, OTTER_CONSTRUCT_REDUCTION);
}

// Gives a node a new unit, unless it has one because another member passed it.
static void ensure_unit(struct otter_fold *fold, uint32_t node)
{
    if (fold->units[node] == OTTER_NONE) {
        fold->units[node] = fold->n_units++;
    }
}

// Omits a node. The next barrier joins the tasks that an omitted barrier joins.
static void omit(const struct chain *chain, size_t i)
{
    struct otter_fold *fold = chain->fold;
    uint32_t node = chain->items[i];
    bool is_followed = is_barrier(chain, i) && chain->segment_end < chain->n;
    fold->representatives[node] = is_followed ? chain->items[chain->segment_end] : OTTER_NONE;
    ensure_unit(fold, node);
}

// ---- tasks created by the member

static int compare_children(const void *a, const void *b)
{
    const struct child *left = a;
    const struct child *right = b;
    if (left->position != right->position) {
        return left->position < right->position ? -1 : 1;
    }
    if (left->number != right->number) {
        return left->number < right->number ? -1 : 1;
    }
    return (left->task > right->task) - (left->task < right->task);
}

static bool read_children(struct chain *chain)
{
    struct otter_fold *fold = chain->fold;
    chain->children.n = 0;
    chain->next_child = 0;
    for (uint32_t i = fold->first_child[chain->member]; i < fold->first_child[chain->member + 1];
         i++) {
        uint32_t task = fold->children[i];
        size_t position = position_of(chain, fold->anchors[task]);
        if (position == chain->n) { // the creating node is not in this chain: not folded
            fold->task_units[task] = fold->n_units++;
            continue;
        }
        if (!OTTER_VECTOR_RESERVE(&chain->children)) {
            return false;
        }
        chain->children.items[chain->children.n++] =
            (struct child){(uint32_t)position, fold->graph->tasks[task].number, task};
    }
    if (chain->children.n > 0) {
        qsort(chain->children.items, chain->children.n, sizeof *chain->children.items,
              compare_children);
    }
    return true;
}

// Returns the next task that was created before position `end`, or OTTER_NONE.
static uint32_t pop_child(struct chain *chain, size_t end)
{
    if (chain->next_child < chain->children.n &&
        chain->children.items[chain->next_child].position < end) {
        return chain->children.items[chain->next_child++].task;
    }
    return OTTER_NONE;
}

// ---- items and pieces

static bool add_item(struct otter_fold *fold, uint32_t unit, uint32_t entry, uint32_t exit,
                     bool is_task)
{
    if (!OTTER_VECTOR_RESERVE(&fold->items)) {
        return false;
    }
    fold->items.items[fold->items.n++] = (struct otter_fold_item){unit, entry, exit, is_task};
    fold->segments.items[fold->segments.n - 1].n_items++;
    return true;
}

static bool add_piece(struct otter_fold *fold, struct otter_fold_piece piece)
{
    if (!OTTER_VECTOR_RESERVE(&fold->pieces)) {
        return false;
    }
    fold->pieces.items[fold->pieces.n++] = piece;
    return true;
}

// Adds to a unit the nodes from position `begin` to `end`, both included, and the tasks that nodes
// before the last created.
static void cover(struct chain *chain, size_t begin, size_t end, uint32_t unit)
{
    struct otter_fold *fold = chain->fold;
    for (size_t i = begin; i <= end; i++) {
        fold->units[chain->items[i]] = unit;
    }
    uint32_t task;
    while ((task = pop_child(chain, end)) != OTTER_NONE) {
        fold->task_units[task] = unit;
    }
}

static bool add_task_items(struct chain *chain, size_t end)
{
    struct otter_fold *fold = chain->fold;
    uint32_t task;
    while ((task = pop_child(chain, end)) != OTTER_NONE) {
        const struct otter_graph_task *child = &fold->graph->tasks[task];
        fold->task_units[task] = fold->n_units++;
        if (!add_item(fold, fold->task_units[task], child->first_node, child->last_node, true)) {
            return false;
        }
    }
    return true;
}

// Returns the position of the end of the scope that begins at position `i`; `i` when the scope does
// not end before `limit`.
static size_t end_of(const struct chain *chain, size_t i, size_t limit)
{
    size_t end = position_of(chain, chain->fold->ends[chain->items[i]]);
    return end > i && end < limit ? end : i;
}

static bool is_begin(const struct chain *chain, size_t i)
{
    return chain->fold->graph->nodes[chain->items[i]].kind == OTTER_NODE_BEGIN;
}

// ---- work shares of loops and sections

static void clear_iteration(struct chain *chain)
{
    chain->iteration = OTTER_NONE;
    chain->iteration_piece = OTTER_NONE;
}

// Returns the unit of `iteration`: the last unit if it has the same known iteration, or a new one.
static uint32_t unit_of(struct chain *chain, uint32_t iteration)
{
    if (iteration == OTTER_NONE || iteration != chain->iteration) {
        chain->iteration = iteration;
        chain->iteration_piece = OTTER_NONE;
        chain->iteration_unit = chain->fold->n_units++;
    }
    return chain->iteration_unit;
}

static struct otter_fold_piece new_piece(const struct chain *chain, uint32_t from)
{
    return (struct otter_fold_piece){
        .from = from,
        .to = OTTER_NONE,
        .unit_kind = chain->iteration == OTTER_NONE ? OTTER_FOLD_PIECE : OTTER_FOLD_ITERATION,
        .unit = chain->iteration_unit,
        .barrier = chain->segment_end < chain->n ? chain->items[chain->segment_end] : OTTER_NONE};
}

static bool add_task_piece(struct chain *chain, uint32_t task, uint32_t from)
{
    struct otter_fold *fold = chain->fold;
    const struct otter_graph_task *child = &fold->graph->tasks[task];
    fold->task_units[task] =
        unit_of(chain, otter_iteration_of_task(fold->iterations, child->location, child->number));
    if (chain->iteration_piece != OTTER_NONE) { // behind a node of the same iteration
        return otter_edges_add(&fold->edges, fold->pieces.items[chain->iteration_piece].exit,
                               child->first_node, OTTER_EDGE_CREATION);
    }
    struct otter_fold_piece piece = new_piece(chain, from);
    piece.entry = child->first_node;
    piece.exit = child->last_node;
    piece.is_task = true;
    return add_piece(fold, piece);
}

static bool add_task_pieces(struct chain *chain, size_t end, uint32_t from)
{
    bool is_good = true;
    uint32_t task;
    while (is_good && (task = pop_child(chain, end)) != OTTER_NONE) {
        is_good = add_task_piece(chain, task, from);
    }
    return is_good;
}

// Adds the nodes from position `i` to `last`, both included, between the nodes `from` and `to`.
static bool add_node_piece(struct chain *chain, size_t i, size_t last, uint32_t from, uint32_t to)
{
    struct otter_fold *fold = chain->fold;
    const struct otter_node *node = &fold->graph->nodes[chain->items[i]];
    cover(chain, i, last,
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

// Returns whether a work share lost an order: it has several pieces, and one is a node of an
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

// Reads the work share between positions `begin` and `end` of a worksharing construct.
static bool read_work_share(struct chain *chain, size_t begin, size_t end)
{
    uint32_t from = chain->items[begin];
    uint32_t to = chain->items[end];
    size_t first_piece = chain->fold->pieces.n;
    clear_iteration(chain);
    bool is_good = add_task_pieces(chain, begin + 1, from);
    for (size_t i = begin + 1; is_good && i < end; i++) {
        if (is_omitted(chain, i)) {
            omit(chain, i);
            is_good = add_task_pieces(chain, i + 1, from);
            continue;
        }
        size_t last = is_begin(chain, i) ? end_of(chain, i, end) : i;
        is_good =
            add_node_piece(chain, i, last, from, to) && add_task_pieces(chain, last + 1, from);
        i = last;
    }
    clear_iteration(chain);
    chain->fold->findings->n_unordered += is_unordered(chain->fold, first_piece);
    return is_good;
}

// Reads a `single`. It hangs between nodes that every member passes: begin and end of the scope
// around it, or barriers.
static bool read_single(struct chain *chain, size_t begin, size_t end)
{
    struct otter_fold *fold = chain->fold;
    uint32_t scope = fold->graph->nodes[chain->items[begin]].scope;
    size_t from = position_of(chain, scope);
    if (from > begin || from < chain->segment_start) {
        from = chain->segment_start;
    }
    size_t to = scope == OTTER_NONE ? chain->n : position_of(chain, fold->ends[scope]);
    if (to > chain->segment_end) {
        to = chain->segment_end;
    }
    uint32_t unit = fold->n_units++;
    cover(chain, begin, end, unit);
    return add_piece(fold, (struct otter_fold_piece){
                               .entry = chain->items[begin],
                               .exit = chain->items[end],
                               .from = chain->items[from],
                               .to = to < chain->n ? chain->items[to] : OTTER_NONE,
                               .unit = unit,
                               .barrier = OTTER_NONE,
                           });
}

// ---- members

static bool open_segment(struct chain *chain, size_t i)
{
    struct otter_fold *fold = chain->fold;
    if (!OTTER_VECTOR_RESERVE(&fold->segments)) {
        return false;
    }
    chain->segment_start = i;
    chain->segment_end = i + 1;
    while (chain->segment_end < chain->n && !is_cut(chain, chain->segment_end)) {
        chain->segment_end++;
    }
    ensure_unit(fold, chain->items[i]);
    fold->segments.items[fold->segments.n] = (struct otter_fold_segment){
        .start = i > 0 ? chain->items[i] : fold->graph->tasks[chain->representative].first_node,
        .end = chain->segment_end < chain->n ? chain->items[chain->segment_end] : OTTER_NONE,
        .first_item = fold->items.n,
        .number = fold->segments.n};
    fold->segments.n++;
    return true;
}

// Returns whether a construct distributes its work to the members of the team.
static bool is_worksharing(const struct chain *chain, size_t i)
{
    return is_construct(chain, i, OTTER_CONSTRUCT_LOOP) ||
           is_construct(chain, i, OTTER_CONSTRUCT_SECTIONS) ||
           is_construct(chain, i, OTTER_CONSTRUCT_WORKSHARE) ||
           is_construct(chain, i, OTTER_CONSTRUCT_DISTRIBUTE);
}

static bool is_fork(const struct chain *chain, size_t i)
{
    return chain->fold->next[chain->items[i]] == OTTER_NONE ||
           is_construct(chain, i, OTTER_CONSTRUCT_PARALLEL) ||
           is_construct(chain, i, OTTER_CONSTRUCT_TEAMS);
}

// Reads the item or the `single` at position `*i`, and moves `*i` to its last position.
static bool read_work(struct chain *chain, size_t *i)
{
    size_t begin = *i;
    size_t end = is_begin(chain, begin) ? end_of(chain, begin, chain->segment_end) : begin;
    if (end > begin && is_construct(chain, begin, OTTER_CONSTRUCT_SINGLE)) {
        *i = end;
        return read_single(chain, begin, end);
    }
    bool is_whole = end > begin && is_fork(chain, begin);
    size_t last = is_whole ? end : begin;
    uint32_t unit = chain->fold->n_units++;
    cover(chain, begin, last, unit);
    if (!add_item(chain->fold, unit, chain->items[begin], chain->items[last], false)) {
        return false;
    }
    *i = last;
    if (end > begin && !is_whole && is_worksharing(chain, begin)) {
        *i = end - 1;
        return read_work_share(chain, begin, end);
    }
    return true;
}

static bool read_chain(struct chain *chain)
{
    bool is_good = true;
    for (size_t i = 0; is_good && i < chain->n; i++) {
        if (is_cut(chain, i)) {
            is_good = open_segment(chain, i);
        } else if (is_omitted(chain, i)) {
            omit(chain, i);
        } else {
            is_good = read_work(chain, &i);
        }
        is_good = is_good && add_task_items(chain, i + 1);
    }
    return is_good;
}

static bool read_members(struct chain *chain, const uint32_t *members, uint32_t n)
{
    bool is_good = true;
    for (uint32_t i = 0; is_good && i < n; i++) {
        is_good = walk(chain, members[i]);
        mark_barriers(chain);
    }
    for (uint32_t i = 0; is_good && i < n; i++) {
        is_good = walk(chain, members[i]);
        skip_barriers(chain);
    }
    struct otter_fold *fold = chain->fold;
    for (uint32_t i = 0; is_good && i < n; i++) {
        if (fold->graph->tasks[members[i]].first_node != OTTER_NONE) {
            fold->task_representatives[members[i]] = chain->representative;
            fold->representatives[fold->graph->tasks[members[i]].first_node] =
                fold->graph->tasks[chain->representative].first_node;
            is_good = walk(chain, members[i]) && read_children(chain) && read_chain(chain);
        }
    }
    return is_good;
}

bool otter_fold_read_team(struct otter_fold *fold, const struct otter_graph_team *team)
{
    const uint32_t *members = fold->graph->members + team->first_member;
    uint32_t first = 0;
    while (first < team->n_members && fold->graph->tasks[members[first]].first_node == OTTER_NONE) {
        first++;
    }
    if (first == team->n_members) {
        return true;
    }
    struct chain chain = {.fold = fold, .representative = members[first]};
    bool is_good = read_members(&chain, members, team->n_members);
    free(chain.items);
    free(chain.children.items);
    return is_good;
}
