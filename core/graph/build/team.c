// Resolves teams after the last location: the fork of each member, and barriers common to all
// members.
#include "graph/build/internal.h"

// ---- members of forks

struct member_key {
    uint32_t fork, is_other, location, member;
};

// Sorts by fork. In a team the forking thread is first, then the order is by location.
static int compare_keys(const void *a, const void *b)
{
    const uint32_t *left = a, *right = b;
    for (size_t i = 0; i < sizeof(struct member_key) / sizeof *left; i++) {
        if (left[i] != right[i]) {
            return left[i] < right[i] ? -1 : 1;
        }
    }
    return 0;
}

static bool sort_members(struct otter_builder *builder)
{
    uint32_t n = 0;
    struct member_key *keys = malloc((builder->members.n + 1) * sizeof *keys);
    builder->sorted_members = malloc((builder->members.n + 1) * sizeof *builder->sorted_members);
    if (!keys || !builder->sorted_members) {
        free(keys);
        return false;
    }
    for (uint32_t i = 0; i < builder->members.n; i++) {
        const struct otter_member *member = &builder->members.items[i];
        if (member->fork != OTTER_NONE) {
            const struct otter_fork *fork = &builder->forks.items[member->fork];
            keys[n++] = (struct member_key){member->fork, member->location != fork->location,
                                            member->location, i};
        }
    }
    qsort(keys, n, sizeof *keys, compare_keys);
    for (uint32_t i = 0; i < n; i++) {
        struct otter_fork *fork = &builder->forks.items[keys[i].fork];
        if (fork->n_members++ == 0) {
            fork->first_member = i;
        }
        builder->sorted_members[i] = keys[i].member;
    }
    builder->n_sorted_members = n;
    free(keys);
    return true;
}

static struct otter_member *member_of(const struct otter_builder *builder,
                                      const struct otter_fork *fork, uint32_t i)
{
    return &builder->members.items[builder->sorted_members[fork->first_member + i]];
}

static struct otter_graph_task *task_of(const struct otter_builder *builder,
                                        const struct otter_fork *fork, uint32_t i)
{
    return &builder->tasks.items[member_of(builder, fork, i)->task];
}

// ---- barriers

// Merges `other` into `node`: the node starts with the first arrival and ends with the first
// departure. A member that never left does not count.
static void merge(struct otter_builder *builder, uint32_t *alias, uint32_t node, uint32_t other)
{
    struct otter_node *one = &builder->nodes.items[node];
    const struct otter_node *two = &builder->nodes.items[other];
    bool first_left = !(one->flags & OTTER_NODE_UNFINISHED);
    bool second_left = !(two->flags & OTTER_NODE_UNFINISHED);
    bool is_first = first_left == second_left ? one->end < two->end : first_left;
    one->start = one->start < two->start ? one->start : two->start;
    one->end = is_first ? one->end : two->end;
    one->end = one->end > one->start ? one->end : one->start;
    one->flags &= two->flags;
    alias[other] = node;
}

// *Returns* the least number of the members' next barriers of this kind (`is_join`). A member may
// be ahead of others after a pause.
static uint32_t next_ordinal(const struct otter_builder *builder, const struct otter_fork *fork,
                             const uint32_t *cursors, bool is_join)
{
    uint32_t least = OTTER_NONE;
    for (uint32_t i = 0; i < fork->n_members; i++) {
        const struct otter_barrier *barrier =
            cursors[i] == OTTER_NONE ? NULL : &builder->barriers.items[cursors[i]];
        if (barrier && barrier->is_join == is_join && barrier->ordinal < least) {
            least = barrier->ordinal;
        }
    }
    return least;
}

// Merges the next barrier of each member if it is of the kind `is_join`. cursors[i] is the next
// barrier of member i. *Returns* the merged node, or OTTER_NONE.
static uint32_t merge_next(struct otter_builder *builder, uint32_t *alias,
                           const struct otter_fork *fork, uint32_t *cursors, bool is_join)
{
    uint32_t node = OTTER_NONE;
    uint32_t n = 0;
    uint32_t ordinal = next_ordinal(builder, fork, cursors, is_join);
    for (uint32_t i = 0; i < fork->n_members; i++) {
        if (cursors[i] == OTTER_NONE || builder->barriers.items[cursors[i]].is_join != is_join) {
            continue;
        }
        const struct otter_barrier *barrier = &builder->barriers.items[cursors[i]];
        if (!is_join && barrier->ordinal != ordinal) {
            continue;
        }
        cursors[i] = barrier->next;
        n++;
        if (node == OTTER_NONE) {
            node = barrier->node;
        } else {
            merge(builder, alias, node, barrier->node);
        }
    }
    builder->findings.n_uneven_barriers += n > 0 && n < fork->n_members;
    return node;
}

// *Returns* NULL if the member has no barrier.
static struct otter_barrier *last_barrier(const struct otter_builder *builder,
                                          const struct otter_member *member)
{
    return member->last_barrier == OTTER_NONE ? NULL
                                              : &builder->barriers.items[member->last_barrier];
}

// Older runtimes do not report which barrier ends a region. The last barrier does if it is the last
// of every member without a cut end.
static void find_joins(struct otter_builder *builder, const struct otter_fork *fork)
{
    uint32_t ordinal = OTTER_NONE;
    for (uint32_t i = 0; i < fork->n_members; i++) {
        const struct otter_member *member = member_of(builder, fork, i);
        const struct otter_barrier *last = last_barrier(builder, member);
        if (member->is_cut) {
            continue;
        }
        if (!last || !last->may_be_join) {
            return;
        }
        ordinal = last->ordinal;
    }
    for (uint32_t i = 0; i < fork->n_members; i++) {
        const struct otter_member *member = member_of(builder, fork, i);
        struct otter_barrier *last = last_barrier(builder, member);
        if (last && (!member->is_cut || last->ordinal == ordinal)) {
            last->is_join = true;
        }
    }
}

static uint32_t merge_barriers(struct otter_builder *builder, uint32_t *alias,
                               const struct otter_fork *fork, uint32_t *cursors)
{
    for (uint32_t i = 0; i < fork->n_members; i++) {
        cursors[i] = member_of(builder, fork, i)->first_barrier;
    }
    find_joins(builder, fork);
    uint32_t join = OTTER_NONE;
    for (;;) {
        if (merge_next(builder, alias, fork, cursors, false) != OTTER_NONE) {
            continue;
        }
        uint32_t node = merge_next(builder, alias, fork, cursors, true);
        if (node == OTTER_NONE) {
            return join;
        }
        join = node;
    }
}

// Every region ends with a barrier. Runtimes omit the barrier of a team of one thread.
static uint32_t imply_barrier(struct otter_builder *builder, uint32_t *alias,
                              const struct otter_fork *fork)
{
    const struct otter_node *end = &builder->nodes.items[fork->end];
    uint32_t node =
        otter_build_node(builder, &(struct otter_node){.start = end->start,
                                                       .end = end->start,
                                                       .task = member_of(builder, fork, 0)->task,
                                                       .scope = OTTER_OF_TASK,
                                                       .region = end->region,
                                                       .location = end->location,
                                                       .kind = OTTER_NODE_SYNC,
                                                       .flags = OTTER_NODE_IMPLIED});
    if (builder->has_failed) {
        return OTTER_NONE;
    }
    alias[node] = node;
    for (uint32_t i = 0; i < fork->n_members; i++) {
        struct otter_graph_task *task = task_of(builder, fork, i);
        otter_build_edge(builder, task->last_node, node, OTTER_EDGE_ORDER);
        task->last_node = node;
    }
    return node;
}

// ---- teams

static void name_region(struct otter_builder *builder, const struct otter_fork *fork)
{
    uint32_t region = OTTER_NONE;
    for (uint32_t i = 0; i < fork->n_members && region == OTTER_NONE; i++) {
        region = builder->nodes.items[task_of(builder, fork, i)->first_node].region;
    }
    builder->nodes.items[fork->begin].region = region;
    if (fork->end != OTTER_NONE) {
        builder->nodes.items[fork->end].region = region;
    }
}

// A worker reports the end of its part when it is used again, after the region has ended.
static void clip(struct otter_builder *builder, uint32_t node, uint32_t end)
{
    struct otter_node *part = &builder->nodes.items[node];
    uint64_t latest = builder->nodes.items[end].end;
    if (otter_is_structure(builder) && part->end > latest && part->start <= latest) {
        part->end = latest;
    }
}

static void link_members(struct otter_builder *builder, const struct otter_fork *fork)
{
    for (uint32_t i = 0; i < fork->n_members; i++) {
        struct otter_graph_task *task = task_of(builder, fork, i);
        task->creator = fork->task;
        builder->task_scope.items[member_of(builder, fork, i)->task] = fork->begin;
        otter_build_edge(builder, fork->begin, task->first_node, OTTER_EDGE_CREATION);
        if (fork->end != OTTER_NONE) {
            otter_build_edge(builder, member_of(builder, fork, i)->task, fork->end,
                             OTTER_EDGE_JOIN | OTTER_FROM_TASK);
            clip(builder, task->first_node, fork->end);
        }
    }
    if (fork->n_members == 0 && fork->end != OTTER_NONE) {
        otter_build_edge(builder, fork->begin, fork->end, OTTER_EDGE_ORDER);
    }
}

static void build_team(struct otter_builder *builder, uint32_t *alias, struct otter_fork *fork,
                       uint32_t *cursors)
{
    if (fork->begin == OTTER_NONE) {
        return;
    }
    name_region(builder, fork);
    fork->join = merge_barriers(builder, alias, fork, cursors);
    if (fork->join == OTTER_NONE && fork->n_members > 0 && fork->end != OTTER_NONE &&
        otter_is_structure(builder)) {
        fork->join = imply_barrier(builder, alias, fork);
    }
    if (fork->join == OTTER_NONE) {
        fork->join = fork->end;
    }
    link_members(builder, fork);
}

void otter_build_teams(struct otter_builder *builder, uint32_t *alias)
{
    for (uint32_t i = 0; i < builder->nodes.n; i++) {
        alias[i] = i;
    }
    uint32_t *cursors = malloc((builder->members.n + 1) * sizeof *cursors);
    if (!cursors || !otter_build_find_forks(builder) || !sort_members(builder)) {
        builder->has_failed = true;
        free(cursors);
        return;
    }
    for (uint32_t i = 0; i < builder->forks.n && !builder->has_failed; i++) {
        build_team(builder, alias, &builder->forks.items[i], cursors);
    }
    free(cursors);
}
