// Divides the chains of a team's members into segments and items.
#include "graph/fold/chain.h"
#include "graph/fold/pieces.h"

#include <stdlib.h>

static bool add_item(struct otter_fold *fold, uint32_t unit, uint32_t entry, uint32_t exit,
                     bool is_task)
{
    if (!OTTER_VECTOR_ADD(&fold->items, (struct otter_fold_item){unit, entry, exit, is_task})) {
        return false;
    }
    fold->segments.items[fold->segments.n - 1].n_items++;
    return true;
}

static bool add_task_items(struct otter_chain *chain, size_t end)
{
    struct otter_fold *fold = chain->fold;
    uint32_t task;
    while ((task = otter_chain_pop_child(chain, end)) != OTTER_NONE) {
        const struct otter_graph_task *child = &fold->graph->tasks[task];
        fold->task_units[task] = fold->n_units++;
        if (!add_item(fold, fold->task_units[task], child->first_node, child->last_node, true)) {
            return false;
        }
    }
    return true;
}

static bool open_segment(struct otter_chain *chain, size_t i)
{
    struct otter_fold *fold = chain->fold;
    if (!OTTER_VECTOR_RESERVE(&fold->segments)) {
        return false;
    }
    chain->segment_start = i;
    chain->segment_end = i + 1;
    while (chain->segment_end < chain->n && !otter_chain_is_cut(chain, chain->segment_end)) {
        chain->segment_end++;
    }
    otter_chain_ensure_unit(fold, chain->items[i]);
    fold->segments.items[fold->segments.n] = (struct otter_fold_segment){
        .start = i > 0 ? chain->items[i] : fold->graph->tasks[chain->representative].first_node,
        .end = chain->segment_end < chain->n ? chain->items[chain->segment_end] : OTTER_NONE,
        .first_item = fold->items.n,
        .number = fold->segments.n};
    fold->segments.n++;
    return true;
}

// Returns whether a construct distributes its work to the members of the team.
static bool is_worksharing(const struct otter_chain *chain, size_t i)
{
    return otter_chain_is_construct(chain, i, OTTER_CONSTRUCT_LOOP) ||
           otter_chain_is_construct(chain, i, OTTER_CONSTRUCT_SECTIONS) ||
           otter_chain_is_construct(chain, i, OTTER_CONSTRUCT_WORKSHARE) ||
           otter_chain_is_construct(chain, i, OTTER_CONSTRUCT_DISTRIBUTE);
}

static bool is_fork(const struct otter_chain *chain, size_t i)
{
    return chain->fold->next[chain->items[i]] == OTTER_NONE ||
           otter_chain_is_construct(chain, i, OTTER_CONSTRUCT_PARALLEL) ||
           otter_chain_is_construct(chain, i, OTTER_CONSTRUCT_TEAMS);
}

// Reads the item or the `single` at position `*i`, and moves `*i` to its last position.
static bool read_work(struct otter_chain *chain, size_t *i)
{
    size_t begin = *i;
    size_t end = otter_chain_end_of(chain, begin, chain->segment_end);
    if (end > begin && otter_chain_is_construct(chain, begin, OTTER_CONSTRUCT_SINGLE)) {
        *i = end;
        return otter_fold_read_single(chain, begin, end);
    }
    bool is_whole = end > begin && is_fork(chain, begin);
    size_t last = is_whole ? end : begin;
    uint32_t unit = chain->fold->n_units++;
    otter_chain_cover(chain, begin, last, unit);
    if (!add_item(chain->fold, unit, chain->items[begin], chain->items[last], false)) {
        return false;
    }
    *i = last;
    if (end > begin && !is_whole && is_worksharing(chain, begin)) {
        *i = end - 1;
        return otter_fold_read_work_share(chain, begin, end);
    }
    return true;
}

static bool read_chain(struct otter_chain *chain)
{
    bool is_good = true;
    for (size_t i = 0; is_good && i < chain->n; i++) {
        if (otter_chain_is_cut(chain, i)) {
            is_good = open_segment(chain, i);
        } else if (otter_chain_is_omitted(chain, i)) {
            otter_chain_omit(chain, i);
        } else {
            is_good = read_work(chain, &i);
        }
        is_good = is_good && add_task_items(chain, i + 1);
    }
    return is_good;
}

static bool read_members(struct otter_chain *chain, const uint32_t *members, uint32_t n)
{
    bool is_good = true;
    for (uint32_t i = 0; is_good && i < n; i++) {
        is_good = otter_chain_walk(chain, members[i]);
        otter_chain_mark_barriers(chain);
    }
    for (uint32_t i = 0; is_good && i < n; i++) {
        is_good = otter_chain_walk(chain, members[i]);
        otter_chain_skip_barriers(chain);
    }
    struct otter_fold *fold = chain->fold;
    for (uint32_t i = 0; is_good && i < n; i++) {
        if (fold->graph->tasks[members[i]].first_node != OTTER_NONE) {
            fold->task_representatives[members[i]] = chain->representative;
            fold->representatives[fold->graph->tasks[members[i]].first_node] =
                fold->graph->tasks[chain->representative].first_node;
            is_good = otter_chain_walk(chain, members[i]) && otter_chain_read_children(chain) &&
                      read_chain(chain);
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
    struct otter_chain chain = {.fold = fold, .representative = members[first]};
    bool is_good = read_members(&chain, members, team->n_members);
    free(chain.items);
    free(chain.children.items);
    return is_good;
}
