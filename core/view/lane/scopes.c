// Finds the constructs of a grouped graph, and the groups between the begin and end of each.
#include "view/lane/scopes.h"

#include <stdlib.h>
#include <string.h>

#include "base/free.h"
#include "base/order.h"
#include "graph/numbers.h"

// The edges of each group in one direction, without those that close a cycle.
struct links {
    uint32_t *first; // n_groups + 2
    uint32_t *other;
};

struct search {
    const struct otter_graph *graph;
    const struct otter_groups *groups;
    struct links after, before;
    uint8_t *mark;
    uint32_t *stack;
    uint32_t *begin_at; // of each END group: the BEGIN group of the same construct
};

enum { FROM_BEGIN = 1, TO_END = 2, INSIDE = FROM_BEGIN | TO_END };

static void make_links(struct links *links, const struct otter_groups *groups, bool is_after)
{
    uint32_t n = groups->n_groups;
    links->first = calloc((size_t)n + 2, sizeof *links->first);
    links->other = calloc((size_t)groups->n_edges + 1, sizeof *links->other);
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < groups->n_edges; i++) {
            const struct otter_group_edge *edge = &groups->edges[i];
            uint32_t from = is_after ? edge->from : edge->to;
            uint32_t to = is_after ? edge->to : edge->from;
            if (edge->is_back) {
                continue;
            }
            if (pass == 0) {
                links->first[from + 2]++;
            } else {
                links->other[links->first[from + 1]++] = to;
            }
        }
        for (uint32_t i = 0; i < n && pass == 0; i++) {
            links->first[i + 2] += links->first[i + 1];
        }
    }
}

static void reach(struct search *search, const struct links *links, uint32_t group, uint8_t bit)
{
    uint32_t depth = 0;
    search->mark[group] |= bit;
    search->stack[depth++] = group;
    while (depth > 0) {
        uint32_t at = search->stack[--depth];
        for (uint32_t k = links->first[at]; k < links->first[at + 1]; k++) {
            uint32_t other = links->other[k];
            if (!(search->mark[other] & bit)) {
                search->mark[other] |= bit;
                search->stack[depth++] = other;
            }
        }
    }
}

// Marks the groups on the paths from start to end. Returns their number.
static uint32_t mark_inside(struct search *search, uint32_t begin, uint32_t end)
{
    uint32_t n = 0;
    memset(search->mark, 0, search->groups->n_groups);
    reach(search, &search->after, begin, FROM_BEGIN);
    reach(search, &search->before, end, TO_END);
    for (uint32_t i = 0; i < search->groups->n_groups; i++) {
        n += search->mark[i] == INSIDE;
    }
    return n;
}

static bool is_pair(const struct search *search, uint32_t begin, uint32_t end)
{
    const struct otter_group *first = &search->groups->groups[begin];
    const struct otter_group *last = &search->groups->groups[end];
    const struct otter_node *a = &search->graph->nodes[first->first_node];
    const struct otter_node *b = &search->graph->nodes[last->first_node];
    return a->kind == OTTER_NODE_BEGIN && b->kind == OTTER_NODE_END && a->region == b->region &&
           first->place == last->place && !first->is_whole && !last->is_whole;
}

// Finds the BEGIN group of each END group, unless several fit.
static void find_begins(struct search *search)
{
    uint32_t n = search->groups->n_groups;
    for (uint32_t end = 0; end < n; end++) {
        uint32_t n_found = 0;
        for (uint32_t begin = 0; begin < end; begin++) {
            if (is_pair(search, begin, end)) {
                search->begin_at[end] = begin;
                n_found++;
            }
        }
        search->begin_at[end] = n_found == 1 ? search->begin_at[end] : OTTER_NONE;
    }
}

// Joins start and end of each construct that has no contents or has a place; lists the others.
static void sort_out(struct search *search, struct otter_scopes *scopes)
{
    const struct otter_groups *groups = search->groups;
    for (uint32_t end = 0; end < groups->n_groups; end++) {
        uint32_t begin = search->begin_at[end];
        if (begin == OTTER_NONE) {
            continue;
        }
        uint32_t n_inside = mark_inside(search, begin, end);
        bool has_way = n_inside > 0 && search->mark[begin] == INSIDE;
        if (has_way &&
            (n_inside == 2 || groups->places[groups->groups[begin].place].begin == begin)) {
            scopes->begin_of[end] = begin;
        } else if (has_way) {
            scopes->scopes[scopes->n_scopes++] =
                (struct otter_scope){begin, end, n_inside, OTTER_NONE};
        }
    }
}

static int compare(const void *a, const void *b)
{
    const struct otter_scope *x = a, *y = b;
    return otter_order(OTTER_BY_1(y, x, n_inside), OTTER_BY_1(x, y, begin));
}

// Returns whether all marked groups are in one place and in one of the scopes so far.
static bool is_nested(const struct search *search, const struct otter_scopes *scopes,
                      const struct otter_scope *scope)
{
    const struct otter_group *groups = search->groups->groups;
    for (uint32_t i = 0; i < search->groups->n_groups; i++) {
        if (search->mark[i] == INSIDE && (groups[i].place != groups[scope->begin].place ||
                                          scopes->scope_of[i] != scopes->scope_of[scope->begin])) {
            return false;
        }
    }
    return true;
}

// Accepts nested scopes, from large to small.
static void nest(struct search *search, struct otter_scopes *scopes)
{
    uint32_t n = scopes->n_scopes;
    qsort(scopes->scopes, n, sizeof *scopes->scopes, compare);
    scopes->n_scopes = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct otter_scope scope = scopes->scopes[i];
        mark_inside(search, scope.begin, scope.end);
        if (!is_nested(search, scopes, &scope)) {
            continue;
        }
        scope.around = scopes->scope_of[scope.begin];
        scopes->begin_of[scope.end] = scope.begin;
        for (uint32_t k = 0; k < search->groups->n_groups; k++) {
            scopes->scope_of[k] =
                search->mark[k] == INSIDE ? scopes->n_scopes : scopes->scope_of[k];
        }
        scopes->scopes[scopes->n_scopes++] = scope;
    }
}

void otter_scopes_init(struct otter_scopes *scopes, const struct otter_graph *graph,
                       const struct otter_groups *groups, uint32_t most)
{
    uint32_t n = groups->n_groups;
    *scopes = (struct otter_scopes){.begin_of = otter_numbers_create(n),
                                    .scope_of = otter_numbers_create(n),
                                    .scopes = calloc((size_t)n + 1, sizeof *scopes->scopes)};
    if (n == 0 || n > most) {
        return;
    }
    struct search search = {.graph = graph,
                            .groups = groups,
                            .mark = calloc(n, sizeof *search.mark),
                            .stack = otter_numbers_create(n),
                            .begin_at = otter_numbers_create(n)};
    make_links(&search.after, groups, true);
    make_links(&search.before, groups, false);
    find_begins(&search);
    sort_out(&search, scopes);
    nest(&search, scopes);
    OTTER_FREE(search.mark, search.stack, search.begin_at, search.after.first, search.after.other,
               search.before.first, search.before.other);
}

void otter_scopes_finish(struct otter_scopes *scopes)
{
    OTTER_FREE(scopes->begin_of, scopes->scope_of, scopes->scopes);
}
