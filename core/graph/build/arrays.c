// Makes the arrays of struct otter_graph from the nodes, edges and tasks of the builder.
#include "graph/build/arrays.h"

#include "base/free.h"
#include "graph/numbers.h"

// Removes the initial tasks of threads that only execute tasks, such as LLVM's helper threads. The
// number of such threads varies from run to run.
static void drop_idle_threads(struct otter_store *store, uint32_t *alias)
{
    for (uint32_t i = 0; i < store->tasks.n; i++) {
        struct otter_graph_task *task = &store->tasks.items[i];
        const struct otter_node *node = &store->nodes.items[task->first_node];
        bool does_nothing = task->first_node == task->last_node &&
                            (otter_is_structure(store) || node->start == node->end) &&
                            !(node->flags & (OTTER_BUILD_CREATED | OTTER_BUILD_LEFT));
        if (task->kind == OTTER_TASK_KIND_INITIAL && node->region == OTTER_NONE && does_nothing) {
            alias[task->first_node] = OTTER_NONE;
            task->first_node = task->last_node = OTTER_NONE;
        }
    }
}

// alias[i] is the node that replaces node i: i itself, another node, or OTTER_NONE. Changes it to
// that node's new index. Replaced nodes become OTTER_NODE_UNKNOWN, so that they are removed.
static void number_nodes(struct otter_store *store, uint32_t *alias)
{
    struct otter_node *nodes = store->nodes.items;
    for (uint32_t i = 0, n = 0; i < store->nodes.n; i++) {
        if (alias[i] == i) {
            alias[i] = n++;
        } else {
            nodes[i].kind = OTTER_NODE_UNKNOWN;
        }
    }
    for (uint32_t i = 0; i < store->nodes.n; i++) {
        if (nodes[i].kind == OTTER_NODE_UNKNOWN && alias[i] != OTTER_NONE) {
            alias[i] = alias[alias[i]];
        }
    }
}

static void remove_unknown_nodes(struct otter_store *store)
{
    uint32_t n = 0;
    struct otter_node *nodes = store->nodes.items;
    for (uint32_t i = 0; i < store->nodes.n; i++) {
        if (nodes[i].kind != OTTER_NODE_UNKNOWN) {
            nodes[n] = nodes[i];
            nodes[n++].flags &= (uint8_t)~OTTER_BUILD_OF_NODE;
        }
    }
    store->nodes.n = n;
}

static uint32_t renumber(const uint32_t *alias, uint32_t node)
{
    return node == OTTER_NONE ? OTTER_NONE : alias[node];
}

static void renumber_nodes(struct otter_store *store, const uint32_t *alias)
{
    for (uint32_t i = 0; i < store->tasks.n; i++) {
        struct otter_graph_task *task = &store->tasks.items[i];
        task->flags &= (uint8_t)~OTTER_BUILD_OF_TASK;
        if (task->first_node == OTTER_NONE) {
            continue;
        }
        task->first_node = alias[task->first_node];
        task->last_node = alias[task->last_node];
        uint32_t marked = otter_is_structure(store) ? task->first_node : task->last_node;
        store->nodes.items[marked].flags |= task->flags;
    }
    for (uint32_t i = 0; i < store->nodes.n; i++) {
        store->nodes.items[i].scope = renumber(alias, store->nodes.items[i].scope);
    }
}

// The ends of edges are old node indexes, which are replaced by new ones.
static bool sort_edges(struct otter_store *store, struct otter_graph *graph, const uint32_t *alias)
{
    uint32_t n_nodes = store->nodes.n, n_edges = store->edge_kind.n;
    graph->first_edge = calloc((size_t)n_nodes + 2, sizeof *graph->first_edge);
    graph->edge_to = malloc(((size_t)n_edges + 1) * sizeof *graph->edge_to);
    graph->edge_kind = malloc((size_t)n_edges + 1);
    if (!graph->first_edge || !graph->edge_to || !graph->edge_kind) {
        return false;
    }
    uint32_t *next = graph->first_edge + 1; // next[i]: place of the next edge of node i
    for (uint32_t e = 0; e < n_edges; e++) {
        next[alias[store->edge_from.items[e]] + 1]++;
    }
    for (uint32_t i = 0; i < n_nodes; i++) {
        next[i + 1] += next[i];
    }
    for (uint32_t e = 0; e < n_edges; e++) {
        uint32_t place = next[alias[store->edge_from.items[e]]]++;
        graph->edge_to[place] = alias[store->edge_to.items[e]];
        graph->edge_kind[place] = store->edge_kind.items[e];
    }
    return true;
}

// Sorts the edges of `from` by target, removes duplicates, and moves them to `place`. *Returns* how
// many edges remain.
static uint32_t unite(struct otter_graph *graph, uint32_t from, uint32_t first, uint32_t end,
                      uint32_t place, uint64_t *room)
{
    uint32_t n = end - first;
    for (uint32_t i = 0; i < n; i++) {
        room[i] = (uint64_t)graph->edge_to[first + i] << 8 | graph->edge_kind[first + i];
    }
    otter_numbers_sort(room, n);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t to = (uint32_t)(room[i] >> 8);
        if (to == from || (kept > 0 && graph->edge_to[place + kept - 1] == to)) {
            continue;
        }
        graph->edge_to[place + kept] = to;
        graph->edge_kind[place + kept++] = (uint8_t)room[i];
    }
    return kept;
}

static bool unite_edges(struct otter_graph *graph)
{
    uint32_t largest = 1;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        uint32_t n = graph->first_edge[i + 1] - graph->first_edge[i];
        largest = n > largest ? n : largest;
    }
    uint64_t *room = malloc(largest * sizeof *room);
    if (!room) {
        return false;
    }
    uint32_t place = 0, first = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        uint32_t end = graph->first_edge[i + 1];
        graph->first_edge[i] = place;
        place += unite(graph, i, first, end, place, room);
        first = end;
    }
    graph->first_edge[graph->n_nodes] = place;
    graph->n_edges = place;
    free(room);
    return true;
}

static bool is_closed_by_reader(const struct otter_node *node)
{
    return (node->flags & OTTER_NODE_UNFINISHED) &&
           (node->kind == OTTER_NODE_END || node->kind == OTTER_NODE_SYNC);
}

// A wait that never ended gets the time of its thread's last event as its end. If a predecessor
// ends later, the wait ends then.
static bool extend_closed(struct otter_graph *graph)
{
    uint32_t first = 0;
    while (first < graph->n_nodes && !is_closed_by_reader(&graph->nodes[first])) {
        first++;
    }
    if (first == graph->n_nodes) {
        return true;
    }
    uint32_t n;
    uint32_t *order = otter_graph_sort(graph, &n);
    for (uint32_t i = 0; order && i < n; i++) {
        const struct otter_node *from = &graph->nodes[order[i]];
        for (uint32_t e = graph->first_edge[order[i]]; e < graph->first_edge[order[i] + 1]; e++) {
            struct otter_node *to = &graph->nodes[graph->edge_to[e]];
            uint64_t time = otter_edge_leaves(from, graph->edge_kind[e]);
            if (is_closed_by_reader(to) && time > to->end) {
                to->end = time;
            }
        }
    }
    bool is_good = order != NULL;
    free(order);
    return is_good;
}

static bool take_teams(const struct otter_teams *teams, struct otter_graph *graph,
                       const uint32_t *alias)
{
    graph->teams = malloc((teams->forks.n + 1) * sizeof *graph->teams);
    graph->members = malloc((teams->n_sorted_members + 1) * sizeof *graph->members);
    if (!graph->teams || !graph->members) {
        return false;
    }
    for (uint32_t i = 0; i < teams->n_sorted_members; i++) {
        graph->members[i] = teams->members.items[teams->sorted_members[i]].task;
    }
    for (uint32_t i = 0; i < teams->forks.n; i++) {
        const struct otter_fork *fork = &teams->forks.items[i];
        graph->teams[i] = (struct otter_graph_team){.begin_node = renumber(alias, fork->begin),
                                                    .end_node = renumber(alias, fork->end),
                                                    .first_member = fork->first_member,
                                                    .n_members = fork->n_members};
    }
    graph->n_members = teams->n_sorted_members;
    graph->n_teams = teams->forks.n;
    return true;
}

static void free_edges(struct otter_store *store)
{
    OTTER_FREE(store->edge_from.items, store->edge_to.items, store->edge_kind.items);
    store->edge_from.items = store->edge_to.items = NULL;
    store->edge_kind.items = NULL;
}

static void *shrink(void *items, size_t n, size_t size)
{
    void *smaller = realloc(items, (n + 1) * size);
    if (!smaller) {
        return items;
    }
    return smaller;
}

static void take_arrays(struct otter_store *store, struct otter_graph *graph)
{
    graph->n_nodes = store->nodes.n;
    OTTER_VECTOR_SHRINK(&store->nodes);
    graph->nodes = store->nodes.items;
    graph->n_tasks = store->tasks.n;
    OTTER_VECTOR_SHRINK(&store->tasks);
    graph->tasks = store->tasks.items;
    store->nodes.items = NULL;
    store->tasks.items = NULL;
}

// Frees lists that the arrays do not need; they are large for large archives.
static void free_lists(struct otter_store *store)
{
    free(store->task_scope.items);
    free(store->task_next.items);
    store->task_scope.items = store->task_next.items = NULL;
}

static struct otter_graph *make_graph(struct otter_store *store, const struct otter_teams *teams,
                                      uint32_t *alias)
{
    struct otter_graph *graph = calloc(1, sizeof *graph);
    if (!graph) {
        free(alias);
        return NULL;
    }
    graph->view = store->view;
    graph->definitions = store->definitions;
    free_lists(store);
    bool is_good = take_teams(teams, graph, alias) && sort_edges(store, graph, alias);
    free(alias);
    free_edges(store);
    take_arrays(store, graph);
    if (!is_good || !unite_edges(graph) || !extend_closed(graph)) {
        otter_graph_destroy(graph);
        return NULL;
    }
    graph->edge_to = shrink(graph->edge_to, graph->n_edges, sizeof *graph->edge_to);
    graph->edge_kind = shrink(graph->edge_kind, graph->n_edges, 1);
    return graph;
}

struct otter_graph *otter_arrays_build(struct otter_store *store, const struct otter_teams *teams,
                                       uint32_t *alias)
{
    drop_idle_threads(store, alias);
    number_nodes(store, alias);
    remove_unknown_nodes(store);
    renumber_nodes(store, alias);
    return make_graph(store, teams, alias);
}
