// Builds the teams after the last location: the members of each fork, and their common barriers.
#include "graph/build/edges/team.h"

#include "base/order.h"

void otter_teams_add_barrier(struct otter_teams *teams, struct otter_store *store, uint32_t index,
                             uint32_t node, bool is_join)
{
    if (!OTTER_VECTOR_RESERVE(&teams->barriers)) {
        store->has_failed = true;
        return;
    }
    uint32_t barrier = teams->barriers.n++;
    struct otter_member *member = &teams->members.items[index];
    teams->barriers.items[barrier] = (struct otter_barrier){
        .node = node, .next = OTTER_NONE, .ordinal = member->n_barriers++, .is_join = is_join};
    if (member->first_barrier == OTTER_NONE) {
        member->first_barrier = barrier;
    } else {
        teams->barriers.items[member->last_barrier].next = barrier;
    }
    member->last_barrier = barrier;
}

// ---- members of forks

struct member_key {
    uint32_t fork, is_other, location, member;
};

// Sorts by fork. Within a team, the forking thread is first; the others follow by location.
static int compare_keys(const void *a, const void *b)
{
    const struct member_key *left = a, *right = b;
    return OTTER_BY_4(left, right, fork, is_other, location, member);
}

static bool sort_members(struct otter_teams *teams)
{
    uint32_t n = 0;
    struct member_key *keys = malloc((teams->members.n + 1) * sizeof *keys);
    teams->sorted_members = malloc((teams->members.n + 1) * sizeof *teams->sorted_members);
    if (!keys || !teams->sorted_members) {
        free(keys);
        return false;
    }
    for (uint32_t i = 0; i < teams->members.n; i++) {
        const struct otter_member *member = &teams->members.items[i];
        if (member->fork != OTTER_NONE) {
            const struct otter_fork *fork = &teams->forks.items[member->fork];
            keys[n++] = (struct member_key){member->fork, member->location != fork->location,
                                            member->location, i};
        }
    }
    qsort(keys, n, sizeof *keys, compare_keys);
    for (uint32_t i = 0; i < n; i++) {
        struct otter_fork *fork = &teams->forks.items[keys[i].fork];
        if (fork->n_members++ == 0) {
            fork->first_member = i;
        }
        teams->sorted_members[i] = keys[i].member;
    }
    teams->n_sorted_members = n;
    free(keys);
    return true;
}

static struct otter_member *member_of(const struct otter_teams *teams,
                                      const struct otter_fork *fork, uint32_t i)
{
    return &teams->members.items[teams->sorted_members[fork->first_member + i]];
}

static struct otter_graph_task *task_of(const struct otter_teams *teams,
                                        const struct otter_store *store,
                                        const struct otter_fork *fork, uint32_t i)
{
    return &store->tasks.items[member_of(teams, fork, i)->task];
}

// ---- barriers

// Merges `other` into `node`: the node starts with the first arrival and ends with the first
// departure. A member that never left does not count.
static void merge(struct otter_store *store, uint32_t *alias, uint32_t node, uint32_t other)
{
    struct otter_node *one = &store->nodes.items[node];
    const struct otter_node *two = &store->nodes.items[other];
    bool first_left = !(one->flags & OTTER_NODE_UNFINISHED);
    bool second_left = !(two->flags & OTTER_NODE_UNFINISHED);
    bool is_first = first_left == second_left ? one->end < two->end : first_left;
    one->start = one->start < two->start ? one->start : two->start;
    one->end = is_first ? one->end : two->end;
    one->end = one->end > one->start ? one->end : one->start;
    one->flags &= two->flags;
    alias[other] = node;
}

// *Returns* the smallest number among the members' next barriers of this kind (`is_join`). A member
// may be ahead of others after a pause.
static uint32_t next_ordinal(const struct otter_teams *teams, const struct otter_fork *fork,
                             const uint32_t *cursors, bool is_join)
{
    uint32_t least = OTTER_NONE;
    for (uint32_t i = 0; i < fork->n_members; i++) {
        const struct otter_barrier *barrier =
            cursors[i] == OTTER_NONE ? NULL : &teams->barriers.items[cursors[i]];
        if (barrier && barrier->is_join == is_join && barrier->ordinal < least) {
            least = barrier->ordinal;
        }
    }
    return least;
}

// Merges the members' next barriers: if `is_join`, those that are joins; otherwise the other ones
// with the smallest ordinal. cursors[i] is the next barrier of member i. *Returns* the merged node,
// or OTTER_NONE.
static uint32_t merge_next(struct otter_teams *teams, struct otter_store *store, uint32_t *alias,
                           const struct otter_fork *fork, uint32_t *cursors, bool is_join)
{
    uint32_t node = OTTER_NONE;
    uint32_t n = 0;
    uint32_t ordinal = next_ordinal(teams, fork, cursors, is_join);
    for (uint32_t i = 0; i < fork->n_members; i++) {
        if (cursors[i] == OTTER_NONE || teams->barriers.items[cursors[i]].is_join != is_join) {
            continue;
        }
        const struct otter_barrier *barrier = &teams->barriers.items[cursors[i]];
        if (!is_join && barrier->ordinal != ordinal) {
            continue;
        }
        cursors[i] = barrier->next;
        n++;
        if (node == OTTER_NONE) {
            node = barrier->node;
        } else {
            merge(store, alias, node, barrier->node);
        }
    }
    store->findings.n_uneven_barriers += n > 0 && n < fork->n_members;
    return node;
}

// *Returns* NULL if the member has no barrier.
static struct otter_barrier *last_barrier(const struct otter_teams *teams,
                                          const struct otter_member *member)
{
    return member->last_barrier == OTTER_NONE ? NULL : &teams->barriers.items[member->last_barrier];
}

// Older runtimes do not report which barrier ends a region. If the last barrier of every member may
// end a region, it does. Members that ended during a pause do not count (quirk 'one barrier kind').
static void find_joins(struct otter_teams *teams, const struct otter_fork *fork)
{
    uint32_t ordinal = OTTER_NONE;
    for (uint32_t i = 0; i < fork->n_members; i++) {
        const struct otter_member *member = member_of(teams, fork, i);
        const struct otter_barrier *last = last_barrier(teams, member);
        if (member->is_cut) {
            continue;
        }
        if (!last || !last->may_be_join) {
            return;
        }
        ordinal = last->ordinal;
    }
    for (uint32_t i = 0; i < fork->n_members; i++) {
        const struct otter_member *member = member_of(teams, fork, i);
        struct otter_barrier *last = last_barrier(teams, member);
        if (last && (!member->is_cut || last->ordinal == ordinal)) {
            last->is_join = true;
        }
    }
}

static uint32_t merge_barriers(struct otter_teams *teams, struct otter_store *store,
                               uint32_t *alias, const struct otter_fork *fork, uint32_t *cursors)
{
    for (uint32_t i = 0; i < fork->n_members; i++) {
        cursors[i] = member_of(teams, fork, i)->first_barrier;
    }
    find_joins(teams, fork);
    uint32_t join = OTTER_NONE;
    for (;;) {
        if (merge_next(teams, store, alias, fork, cursors, false) != OTTER_NONE) {
            continue;
        }
        uint32_t node = merge_next(teams, store, alias, fork, cursors, true);
        if (node == OTTER_NONE) {
            return join;
        }
        join = node;
    }
}

static bool has_detached(const struct otter_teams *teams, const struct otter_fork *fork)
{
    bool has_any = false;
    for (uint32_t i = 0; i < fork->n_members; i++) {
        has_any |= member_of(teams, fork, i)->has_detached;
    }
    return has_any;
}

// Every region ends with a barrier. Runtimes omit the barrier of a team of one thread (quirk
// 'serial barrier'). In the fragments view only detached tasks need the barrier, because every
// other task of such a team ends before its creator continues.
static uint32_t imply_barrier(struct otter_teams *teams, struct otter_store *store, uint32_t *alias,
                              const struct otter_fork *fork)
{
    const struct otter_node *end = &store->nodes.items[fork->end];
    uint32_t node =
        otter_store_node(store, &(struct otter_node){.start = end->start,
                                                     .end = end->start,
                                                     .task = member_of(teams, fork, 0)->task,
                                                     .scope = OTTER_OF_TASK,
                                                     .region = end->region,
                                                     .location = end->location,
                                                     .kind = OTTER_NODE_SYNC,
                                                     .flags = OTTER_NODE_IMPLIED});
    if (store->has_failed) {
        return OTTER_NONE;
    }
    alias[node] = node;
    for (uint32_t i = 0; i < fork->n_members; i++) {
        struct otter_graph_task *task = task_of(teams, store, fork, i);
        otter_store_edge(store, task->last_node, node, OTTER_EDGE_ORDER);
        task->last_node = node;
    }
    return node;
}

// ---- teams

static void name_region(struct otter_teams *teams, struct otter_store *store,
                        const struct otter_fork *fork)
{
    uint32_t region = OTTER_NONE;
    for (uint32_t i = 0; i < fork->n_members && region == OTTER_NONE; i++) {
        region = store->nodes.items[task_of(teams, store, fork, i)->first_node].region;
    }
    store->nodes.items[fork->begin].region = region;
    if (fork->end != OTTER_NONE) {
        store->nodes.items[fork->end].region = region;
    }
}

// A worker reports the end of its part when it is used again, after the region has ended (quirk
// 'late end').
static void clip(struct otter_store *store, uint32_t node, uint32_t end)
{
    struct otter_node *part = &store->nodes.items[node];
    uint64_t latest = store->nodes.items[end].end;
    if (otter_is_structure(store) && part->end > latest && part->start <= latest) {
        part->end = latest;
    }
}

static void link_members(struct otter_teams *teams, struct otter_store *store,
                         const struct otter_fork *fork)
{
    for (uint32_t i = 0; i < fork->n_members; i++) {
        struct otter_graph_task *task = task_of(teams, store, fork, i);
        task->creator = fork->task;
        store->task_scope.items[member_of(teams, fork, i)->task] = fork->begin;
        otter_store_edge(store, fork->begin, task->first_node, OTTER_EDGE_CREATION);
        if (fork->end != OTTER_NONE) {
            otter_store_edge(store, member_of(teams, fork, i)->task, fork->end,
                             OTTER_EDGE_JOIN | OTTER_FROM_TASK);
            clip(store, task->first_node, fork->end);
        }
    }
    if (fork->n_members == 0 && fork->end != OTTER_NONE) {
        otter_store_edge(store, fork->begin, fork->end, OTTER_EDGE_ORDER);
    }
}

static void build_team(struct otter_teams *teams, struct otter_store *store, uint32_t *alias,
                       struct otter_fork *fork, uint32_t *cursors)
{
    if (fork->begin == OTTER_NONE) {
        return;
    }
    name_region(teams, store, fork);
    fork->join = merge_barriers(teams, store, alias, fork, cursors);
    if (fork->join == OTTER_NONE && fork->n_members > 0 && fork->end != OTTER_NONE &&
        (otter_is_structure(store) || has_detached(teams, fork))) {
        fork->join = imply_barrier(teams, store, alias, fork);
    }
    if (fork->join == OTTER_NONE) {
        fork->join = fork->end;
    }
    link_members(teams, store, fork);
}

void otter_teams_build(struct otter_teams *teams, struct otter_store *store, uint32_t *alias)
{
    for (uint32_t i = 0; i < store->nodes.n; i++) {
        alias[i] = i;
    }
    uint32_t *cursors = malloc((teams->members.n + 1) * sizeof *cursors);
    if (!cursors || !sort_members(teams)) {
        store->has_failed = true;
        free(cursors);
        return;
    }
    for (uint32_t i = 0; i < teams->forks.n && !store->has_failed; i++) {
        build_team(teams, store, alias, &teams->forks.items[i], cursors);
    }
    free(cursors);
}
