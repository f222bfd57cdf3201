// Gives the threads of a team the label of the kernel that forked it.
#include "analysis/time/timeline.h"

#include "base/order.h"

// Returns the last membership in the list that begins at `time`, or NULL. Nested regions begin at
// different times.
static struct otter_membership *at_time(struct otter_membership *list, uint32_t n, uint64_t time)
{
    uint32_t low = 0, high = n;
    OTTER_SEARCH(low, high, middle, list[middle].begin <= time)
    return low > 0 && list[low - 1].begin == time ? &list[low - 1] : NULL;
}

struct otter_membership *otter_membership_of(const struct otter_timeline *timeline,
                                             const struct otter_graph *graph, uint32_t task,
                                             struct otter_thread_line **line)
{
    const struct otter_graph_task *member = &graph->tasks[task];
    uint32_t index = timeline->line_of[member->location];
    if (member->first_node == OTTER_NONE || index == OTTER_NONE) {
        return NULL;
    }
    *line = &timeline->lines[index];
    return at_time((*line)->memberships.items, (*line)->memberships.n,
                   graph->nodes[member->first_node].start);
}

static bool is_kernel_label(const struct otter_timeline *timeline, uint32_t label)
{
    return otter_construct_is_kernel(otter_definitions_construct(timeline->definitions, label));
}

static void relabel(struct otter_timeline *timeline, struct otter_thread_line *line,
                    const struct otter_membership *membership, uint32_t kernel)
{
    for (uint32_t i = membership->first_interval; i < membership->end_interval; i++) {
        struct otter_interval *interval = &line->intervals.items[i];
        bool is_task = otter_definitions_construct(timeline->definitions, interval->label) ==
                       OTTER_CONSTRUCT_TASK;
        if (!is_task) {
            interval->label = kernel;
        }
    }
}

static void inherit_team(struct otter_timeline *timeline, const struct otter_graph *graph,
                         const struct otter_graph_team *team)
{
    if (team->begin_node == OTTER_NONE) {
        return;
    }
    const struct otter_node *begin = &graph->nodes[team->begin_node];
    uint32_t forker = timeline->line_of[begin->location];
    if (forker == OTTER_NONE) {
        return;
    }
    struct otter_thread_line *line = &timeline->lines[forker];
    const struct otter_membership *fork = at_time(line->forks.items, line->forks.n, begin->start);
    if (!fork || !is_kernel_label(timeline, fork->label)) {
        return;
    }
    for (uint32_t i = 0; i < team->n_members; i++) {
        struct otter_thread_line *member;
        const struct otter_membership *membership =
            otter_membership_of(timeline, graph, graph->members[team->first_member + i], &member);
        if (membership) {
            relabel(timeline, member, membership, fork->label);
        }
    }
}

void otter_timeline_inherit(struct otter_timeline *timeline, const struct otter_graph *graph)
{
    for (uint32_t i = 0; i < graph->n_teams; i++) {
        inherit_team(timeline, graph, &graph->teams[i]);
    }
}
