// Sums up what the members of each team did.
#include "analysis/regions.h"

#include <stdlib.h>

struct member {
    uint64_t begin, end, executing, waiting, lock;
    uint32_t label;
    bool has_tasks;
};

static void add_up(const struct otter_timeline *timeline, const struct otter_thread_line *line,
                   const struct otter_membership *membership, struct member *member)
{
    member->begin = membership->begin;
    member->end = membership->end;
    for (uint32_t i = membership->first_interval; i < membership->end_interval; i++) {
        const struct otter_interval *interval = &line->intervals.items[i];
        uint64_t end = otter_interval_end(timeline, line, i);
        end = end < membership->end ? end : membership->end;
        uint64_t ticks = end > interval->begin ? end - interval->begin : 0;
        member->executing += interval->state == OTTER_STATE_EXECUTING ? ticks : 0;
        member->waiting += interval->state == OTTER_STATE_WAITING ? ticks : 0;
        member->lock += interval->state == OTTER_STATE_LOCK ? ticks : 0;
        bool is_task = otter_definitions_construct(timeline->definitions, interval->label) ==
                       OTTER_CONSTRUCT_TASK;
        member->has_tasks |= is_task;
        if (otter_construct_is_kernel(
                otter_definitions_construct(timeline->definitions, interval->label))) {
            member->label = interval->label;
        }
    }
}

static void add_execution(struct otter_region_use *use, const struct member *members, uint32_t n)
{
    uint64_t begin = UINT64_MAX, end = 0, least = UINT64_MAX, most = 0, waiting = 0;
    bool has_tasks = false;
    for (uint32_t i = 0; i < n; i++) {
        const struct member *member = &members[i];
        begin = member->begin < begin ? member->begin : begin;
        end = member->end > end ? member->end : end;
        least = member->waiting < least ? member->waiting : least;
        most = member->executing > most ? member->executing : most;
        waiting += member->waiting;
        use->executing += member->executing;
        use->lock += member->lock;
        has_tasks |= member->has_tasks;
    }
    use->n++;
    use->n_members += n;
    use->n_with_tasks += has_tasks;
    use->wall += end > begin ? end - begin : 0;
    use->waiting += waiting;
    use->imbalance += waiting - n * least;
    use->max_executing += most;
}

static uint32_t find_members(const struct otter_timeline *timeline, const struct otter_graph *graph,
                             const struct otter_graph_team *team, struct member *members)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < team->n_members; i++) {
        struct otter_thread_line *line;
        const struct otter_membership *membership =
            otter_membership_of(timeline, graph, graph->members[team->first_member + i], &line);
        if (membership) {
            members[n] = (struct member){.label = OTTER_INTERVAL_NO_LABEL};
            add_up(timeline, line, membership, &members[n++]);
        }
    }
    return n;
}

static int by_wall(const void *a, const void *b)
{
    const struct otter_region_use *x = a, *y = b;
    if (x->wall != y->wall) {
        return x->wall > y->wall ? -1 : 1;
    }
    return x->label < y->label ? -1 : x->label > y->label;
}

// Drops the labels that do not occur.
static void compress(struct otter_region_uses *uses, uint32_t n_labels)
{
    for (uint32_t i = 0; i < n_labels; i++) {
        if (uses->items[i].n > 0) {
            uses->items[uses->n++] = uses->items[i];
        }
    }
    qsort(uses->items, uses->n, sizeof *uses->items, by_wall);
}

enum otter_status otter_region_uses_init(struct otter_region_uses *uses,
                                         const struct otter_timeline *timeline,
                                         const struct otter_graph *graph)
{
    *uses = (struct otter_region_uses){0};
    uint32_t n_labels = (uint32_t)timeline->definitions->n_regions;
    uses->items = calloc(n_labels + 1, sizeof *uses->items);
    struct member *members = calloc(graph->n_members + 1, sizeof *members);
    if (!uses->items || !members) {
        free(members);
        otter_region_uses_finish(uses);
        return OTTER_NO_MEMORY;
    }
    for (uint32_t i = 0; i < graph->n_teams; i++) {
        const struct otter_graph_team *team = &graph->teams[i];
        uint32_t n = find_members(timeline, graph, team, members);
        uint32_t label = n && members[0].label != OTTER_INTERVAL_NO_LABEL ? members[0].label
                         : team->begin_node != OTTER_NONE ? graph->nodes[team->begin_node].region
                                                          : OTTER_NONE;
        if (n == 0 || label >= n_labels) {
            continue;
        }
        uint64_t before = uses->items[label].imbalance;
        uses->items[label].label = label;
        add_execution(&uses->items[label], members, n);
        bool is_outermost =
            team->begin_node == OTTER_NONE || graph->nodes[team->begin_node].scope == OTTER_NONE;
        uses->imbalance += is_outermost ? uses->items[label].imbalance - before : 0;
    }
    compress(uses, n_labels);
    free(members);
    return OTTER_OK;
}

void otter_region_uses_finish(struct otter_region_uses *uses)
{
    free(uses->items);
    *uses = (struct otter_region_uses){0};
}
