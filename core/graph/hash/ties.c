// Ranks siblings. Siblings of equal code are ties; edges join ties to components.
#include <stdlib.h>
#include <string.h>

#include "graph/hash/naming.h"

#include "base/order.h"
#include "graph/numbers.h"

struct tie {
    uint32_t node;
    uint32_t run;   // index in `siblings` of the first sibling with the same code
    uint32_t outer; // the nearest enclosing tie in the naming tree, or OTTER_NONE
    uint32_t depth; // number of ties on the path from the root, including this one
    // another tie of the same component; the first tie of a component has itself
    uint32_t component;
    bool is_rival; // the component contains another tie of the same run
};

struct ties {
    struct otter_naming *naming;
    struct tie *items;
    uint32_t n;
    uint32_t *nearest; // the tie of each node, or the nearest tie above it, or OTTER_NONE
    bool has_edges;    // edges join ties or their subtrees
};

// ---- which siblings are ties

static int compare_codes(const void *a, const void *b)
{
    const struct otter_sibling *left = a, *right = b;
    return OTTER_BY_4(left, right, parent, code.high, code.low, node);
}

static void sort_siblings(struct otter_naming *naming, const struct otter_hash *codes)
{
    for (uint32_t i = 0; i < naming->n_siblings; i++) {
        naming->siblings[i].code = codes[naming->siblings[i].node];
    }
    qsort(naming->siblings, naming->n_siblings, sizeof *naming->siblings, compare_codes);
}

static bool is_same(const struct otter_sibling *a, const struct otter_sibling *b)
{
    return a->parent == b->parent && otter_hash_is_equal(a->code, b->code);
}

static uint32_t end_of_run(const struct otter_naming *naming, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < naming->n_siblings && is_same(&naming->siblings[first], &naming->siblings[end])) {
        end++;
    }
    return end;
}

// Gives siblings of equal code the same rank. Returns the number of ranks.
static uint32_t rank_by_code(struct otter_naming *naming)
{
    uint32_t n_ranks = 0, rank = 0;
    memset(naming->ranks, 0, naming->graph->n_nodes * sizeof *naming->ranks);
    for (uint32_t first = 0, end; first < naming->n_siblings; first = end) {
        const struct otter_sibling *sibling = &naming->siblings[first];
        end = end_of_run(naming, first);
        rank = first > 0 && sibling[-1].parent == sibling->parent ? rank : 0;
        for (uint32_t i = first; i < end; i++) {
            naming->ranks[naming->siblings[i].node] = rank + 1;
        }
        // two ranks for each, since choose() later moves one of several equals before the others
        rank += 2 * (end - first);
        n_ranks++;
    }
    return n_ranks;
}

// Gives each sibling its own rank.
static void rank_by_place(struct otter_naming *naming)
{
    for (uint32_t i = 0, rank = 0; i < naming->n_siblings; i++) {
        bool is_next = i > 0 && naming->siblings[i].parent == naming->siblings[i - 1].parent;
        rank = is_next ? rank + 1 : 1;
        naming->ranks[naming->siblings[i].node] = rank;
    }
}

static void list_ties(struct ties *ties)
{
    const struct otter_naming *naming = ties->naming;
    for (uint32_t first = 0, end; first < naming->n_siblings; first = end) {
        end = end_of_run(naming, first);
        for (uint32_t i = first; end - first > 1 && i < end; i++) {
            ties->nearest[naming->siblings[i].node] = ties->n;
            ties->items[ties->n] =
                (struct tie){.node = naming->siblings[i].node, .run = first, .component = ties->n};
            ties->n++;
        }
    }
}

static void find_nearest(struct ties *ties)
{
    const struct otter_naming *naming = ties->naming;
    uint32_t n_nodes = naming->graph->n_nodes;
    for (uint32_t i = 0; i < n_nodes; i++) {
        uint32_t node = naming->order[i], parent = naming->parents[node];
        uint32_t outer = parent < n_nodes ? ties->nearest[parent] : OTTER_NONE;
        if (ties->nearest[node] == OTTER_NONE) {
            ties->nearest[node] = outer;
            continue;
        }
        struct tie *tie = &ties->items[ties->nearest[node]];
        tie->outer = outer;
        tie->depth = outer == OTTER_NONE ? 1 : ties->items[outer].depth + 1;
    }
}

// ---- components

static uint32_t component_of(struct ties *ties, uint32_t i)
{
    while (ties->items[i].component != i) {
        ties->items[i].component = ties->items[ties->items[i].component].component;
        i = ties->items[i].component;
    }
    return i;
}

static void unite(struct ties *ties, uint32_t a, uint32_t b)
{
    a = component_of(ties, a);
    b = component_of(ties, b);
    ties->items[a > b ? a : b].component = a > b ? b : a;
}

static uint32_t depth_of(const struct ties *ties, uint32_t tie)
{
    return tie == OTTER_NONE ? 0 : ties->items[tie].depth;
}

// Unites the two ties that an edge joins. Below the nearest tie that contains both ends of the
// edge, these are the outermost ties that contain one end. An edge between a tie and its own
// subtree joins no ties.
static void read_edge(struct ties *ties, uint32_t a, uint32_t b)
{
    uint32_t below_a = OTTER_NONE, below_b = OTTER_NONE;
    while (a != b) {
        if (depth_of(ties, a) >= depth_of(ties, b)) {
            below_a = a;
            a = ties->items[a].outer;
        } else {
            below_b = b;
            b = ties->items[b].outer;
        }
    }
    if (below_a != OTTER_NONE && below_b != OTTER_NONE) {
        unite(ties, below_a, below_b);
        ties->has_edges = true;
    }
}

static void read_edges(struct ties *ties)
{
    const struct otter_graph *graph = ties->naming->graph;
    for (uint32_t from = 0; from < graph->n_nodes; from++) {
        uint32_t tie = ties->nearest[from];
        for (uint32_t e = graph->first_edge[from];
             tie != OTTER_NONE && e < graph->first_edge[from + 1]; e++) {
            uint32_t to = graph->edge_to[e];
            if (ties->nearest[to] != OTTER_NONE && otter_naming_is_inside(ties->naming, from, to)) {
                read_edge(ties, tie, ties->nearest[to]);
            }
        }
    }
}

// ---- rivals

struct place {
    uint32_t major, minor, tie;
};

static int compare_places(const void *a, const void *b)
{
    const uint32_t *left = a, *right = b;
    for (size_t i = 0; i < sizeof(struct place) / sizeof *left; i++) {
        if (left[i] != right[i]) {
            return left[i] < right[i] ? -1 : 1;
        }
    }
    return 0;
}

static bool find_rivals(struct ties *ties, bool *has_rivals)
{
    struct place *places = malloc((ties->n + (size_t)1) * sizeof *places);
    if (!places) {
        return false;
    }
    for (uint32_t i = 0; i < ties->n; i++) {
        places[i] = (struct place){component_of(ties, i), ties->items[i].run, i};
    }
    qsort(places, ties->n, sizeof *places, compare_places);
    for (uint32_t i = 1; i < ties->n; i++) {
        if (places[i].major == places[i - 1].major && places[i].minor == places[i - 1].minor) {
            ties->items[places[i].tie].is_rival = ties->items[places[i - 1].tie].is_rival = true;
            *has_rivals = true;
        }
    }
    free(places);
    return true;
}

static bool is_before(const struct ties *ties, uint32_t a, uint32_t b)
{
    struct otter_hash one = ties->naming->siblings[ties->items[a].run].code;
    struct otter_hash other = ties->naming->siblings[ties->items[b].run].code;
    return one.high != other.high ? one.high < other.high : one.low < other.low;
}

// Chooses in each component the rival with the smallest code, so that the choice does not depend on
// the numbers of nodes.
static bool choose(struct ties *ties)
{
    uint32_t *best = otter_numbers_create(ties->n);
    if (!best) {
        return false;
    }
    for (uint32_t i = 0; i < ties->n; i++) {
        uint32_t *chosen = &best[component_of(ties, i)];
        if (ties->items[i].is_rival && (*chosen == OTTER_NONE || is_before(ties, i, *chosen))) {
            *chosen = i;
        }
    }
    for (uint32_t i = 0; i < ties->n; i++) {
        if (best[i] != OTTER_NONE) {
            ties->naming->ranks[ties->items[best[i]].node]--;
        }
    }
    free(best);
    return true;
}

// Ranks the ties of a run by their components, whose order is the same in each run.
static bool rank_by_component(struct ties *ties)
{
    struct place *places = malloc((ties->n + (size_t)1) * sizeof *places);
    if (!places) {
        return false;
    }
    for (uint32_t i = 0; i < ties->n; i++) {
        places[i] = (struct place){ties->items[i].run, component_of(ties, i), i};
    }
    qsort(places, ties->n, sizeof *places, compare_places);
    for (uint32_t i = 1, n = 0; i < ties->n; i++) {
        n = places[i].major == places[i - 1].major ? n + 1 : 0;
        ties->naming->ranks[ties->items[places[i].tie].node] += 2 * n;
    }
    free(places);
    return true;
}

// ---- all

static bool init(struct ties *ties, struct otter_naming *naming)
{
    *ties = (struct ties){.naming = naming,
                          .items = malloc((naming->n_siblings + (size_t)1) * sizeof *ties->items),
                          .nearest = otter_numbers_create(naming->graph->n_nodes)};
    if (!ties->items || !ties->nearest) {
        return false;
    }
    list_ties(ties);
    find_nearest(ties);
    read_edges(ties);
    return true;
}

static void finish(struct ties *ties)
{
    free(ties->items);
    free(ties->nearest);
}

// Removes siblings that need no rank, because their names are unique.
static void drop_unique(struct otter_naming *naming)
{
    uint32_t n = 0;
    for (uint32_t first = 0, end; first < naming->n_siblings; first = end) {
        end = end_of_run(naming, first);
        for (uint32_t i = first; end - first > 1 && i < end; i++) {
            naming->siblings[n++] = naming->siblings[i];
        }
    }
    naming->n_siblings = n;
}

bool otter_naming_compare_siblings(struct otter_naming *naming)
{
    struct ties ties = {0};
    sort_siblings(naming, naming->names);
    drop_unique(naming);
    bool is_good = naming->n_siblings == 0 || init(&ties, naming);
    naming->has_edges = ties.has_edges;
    finish(&ties);
    return is_good;
}

static bool break_or_rank(struct otter_naming *naming, bool is_last, bool *is_final)
{
    struct ties ties;
    bool has_rivals = false;
    bool is_good = init(&ties, naming) && find_rivals(&ties, &has_rivals);
    *is_final = !has_rivals || is_last;
    is_good = is_good && (*is_final ? rank_by_component(&ties) : choose(&ties));
    finish(&ties);
    return is_good;
}

bool otter_naming_rank(struct otter_naming *naming, bool is_last, bool *is_final)
{
    sort_siblings(naming, naming->codes);
    uint32_t n_ranks = rank_by_code(naming);
    bool is_refined = n_ranks > naming->n_ranks;
    naming->n_ranks = n_ranks;
    *is_final = n_ranks == naming->n_siblings;
    if (!naming->has_edges) {
        *is_final = true;
        rank_by_place(naming);
    }
    // No tie is broken by choice as long as refinement breaks ties.
    return *is_final || (is_refined && !is_last) || break_or_rank(naming, is_last, is_final);
}
