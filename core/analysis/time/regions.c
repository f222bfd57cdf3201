// Sums up what the members of each team did.
#include "analysis/time/regions.h"

#include <stdlib.h>

#include "analysis/time/states.h"
#include "base/free.h"
#include "base/order.h"
#include "graph/numbers.h"

struct member {
    const struct otter_thread_line *line;
    struct otter_membership *membership;
    uint64_t executing, waiting, own_waiting, lock;
    uint64_t executed; // the part of executing in which it was not preempted
    uint32_t kernel;   // the label of a kernel that forked the region, or OTTER_INTERVAL_NO_LABEL
    bool has_tasks, has_nested;
};

struct sums {
    struct otter_region_uses *uses;
    const struct otter_timeline *timeline;
    uint32_t n_labels;
    struct member *members; // the members of one team
    uint32_t n_members;
};

// Returns the first region of the thread inside `membership` that ends after interval `i`.
static const struct otter_membership *next_inside(const struct otter_thread_line *line,
                                                  const struct otter_membership *inside, uint32_t i)
{
    const struct otter_membership *end = line->memberships.items + line->memberships.n;
    while (inside < end && inside->end_interval <= i) {
        inside++;
    }
    return inside < end ? inside : NULL;
}

static void add_interval(struct member *member, const struct otter_interval *interval,
                         enum otter_construct label, uint64_t ticks, bool is_own)
{
    if (interval->state == OTTER_STATE_EXECUTING) {
        uint64_t begin = interval->begin;
        member->executing += ticks;
        member->executed += ticks - otter_ticks_preempted(member->line, begin, begin + ticks);
    }
    member->waiting += interval->state == OTTER_STATE_WAITING ? ticks : 0;
    member->own_waiting += interval->state == OTTER_STATE_WAITING && is_own ? ticks : 0;
    member->lock += interval->state == OTTER_STATE_LOCK ? ticks : 0;
    member->has_tasks |= label == OTTER_CONSTRUCT_TASK;
    if (otter_construct_is_kernel(label)) {
        member->kernel = interval->label;
    }
}

static void add_up(const struct otter_timeline *timeline, struct member *member)
{
    const struct otter_membership *membership = member->membership, *inside = membership + 1;
    member->has_nested = next_inside(member->line, inside, membership->first_interval) &&
                         inside->first_interval < membership->end_interval;
    for (uint32_t i = membership->first_interval; i < membership->end_interval; i++) {
        const struct otter_interval *interval = &member->line->intervals.items[i];
        uint64_t end = otter_interval_end(timeline, member->line, i);
        end = end < membership->end ? end : membership->end;
        inside = inside ? next_inside(member->line, inside, i) : NULL;
        add_interval(member, interval,
                     otter_definitions_construct(timeline->definitions, interval->label),
                     end > interval->begin ? end - interval->begin : 0,
                     !inside || inside->first_interval > i);
    }
}

// Returns the ticks without a processor between `time` and the members' starts, summed over the
// members.
static uint64_t preempted_since(const struct member *members, uint32_t n, uint64_t time)
{
    uint64_t ticks = 0;
    for (uint32_t i = 0; i < n; i++) {
        ticks += otter_ticks_preempted(members[i].line, time, members[i].membership->begin);
    }
    return ticks;
}

static void add_execution(struct otter_region_use *use, const struct member *members, uint32_t n)
{
    uint64_t begin = UINT64_MAX, end = 0, least = UINT64_MAX, most = 0, own = 0, begins = 0;
    uint64_t executing = 0, executed = 0, most_executed = 0;
    bool has_tasks = false, has_nested = false, are_all_nested = true;
    for (uint32_t i = 0; i < n; i++) {
        const struct member *member = &members[i];
        begin = member->membership->begin < begin ? member->membership->begin : begin;
        end = member->membership->end > end ? member->membership->end : end;
        least = member->own_waiting < least ? member->own_waiting : least;
        most = member->executing > most ? member->executing : most;
        most_executed = member->executed > most_executed ? member->executed : most_executed;
        own += member->own_waiting;
        begins += member->membership->begin;
        use->waiting += member->waiting;
        executing += member->executing;
        executed += member->executed;
        use->lock += member->lock;
        has_tasks |= member->has_tasks;
        has_nested |= member->has_nested;
        are_all_nested &= member->has_nested;
    }
    use->n++;
    use->n_nested += has_nested;
    use->n_all_nested += are_all_nested;
    use->executing += executing;
    use->executed += executed;
    use->unequal += n * most_executed - executed;
    use->n_members += n;
    use->n_with_tasks += has_tasks;
    use->wall += end - begin;
    use->thread_time += n * (end - begin);
    use->late += begins - n * begin;
    use->late_on += begins - n * begin - preempted_since(members, n, begin);
    use->imbalance += own - n * least;
    use->max_executing += most;
    use->mean_executing += (double)executing / n;
}

static void find_members(struct sums *sums, const struct otter_graph *graph,
                         const struct otter_graph_team *team)
{
    sums->n_members = 0;
    for (uint32_t i = 0; i < team->n_members; i++) {
        struct otter_thread_line *line;
        struct otter_membership *membership = otter_membership_of(
            sums->timeline, graph, graph->members[team->first_member + i], &line);
        if (membership && membership->end >= membership->begin) {
            struct member *member = &sums->members[sums->n_members++];
            *member = (struct member){line, membership, .kernel = OTTER_INTERVAL_NO_LABEL};
            add_up(sums->timeline, member);
        }
    }
}

// Stores for each label which region executed it, and for how long without other members.
static void add_labels(const struct sums *sums, const struct member *member, uint32_t label,
                       bool is_alone)
{
    const struct otter_membership *membership = member->membership, *inside = membership + 1;
    for (uint32_t i = membership->first_interval; i < membership->end_interval; i++) {
        const struct otter_interval *interval = &member->line->intervals.items[i];
        inside = inside ? next_inside(member->line, inside, i) : NULL;
        bool is_own = !inside || inside->first_interval > i;
        if (interval->state == OTTER_STATE_EXECUTING && interval->label < sums->n_labels &&
            is_own) {
            uint64_t end = otter_interval_end(sums->timeline, member->line, i);
            sums->uses->around[interval->label] = label;
            sums->uses->in_alone[interval->label] += is_alone ? end - interval->begin : 0;
        }
    }
}

// Stores in each member's part when the region was forked and when its first member began.
static void mark_parts(const struct sums *sums, const struct otter_graph *graph, uint32_t index,
                       uint32_t label)
{
    uint32_t fork = graph->teams[index].begin_node;
    uint64_t first = UINT64_MAX;
    for (uint32_t i = 0; i < sums->n_members; i++) {
        uint64_t begin = sums->members[i].membership->begin;
        first = begin < first ? begin : first;
    }
    for (uint32_t i = 0; i < sums->n_members; i++) {
        struct otter_membership *part = sums->members[i].membership;
        part->label = label;
        part->team = index;
        part->n_members = sums->n_members;
        part->first = first;
        part->forked = fork != OTTER_NONE && graph->nodes[fork].start < first
                           ? graph->nodes[fork].start
                           : first;
    }
}

enum { NOT_YET = OTTER_NONE - 1 };

// Finds the region around all executions of each region. All parts must have their labels.
static void find_outer(struct otter_region_uses *uses, const struct otter_timeline *timeline,
                       uint32_t n_labels)
{
    for (uint32_t i = 0; i < n_labels; i++) {
        uses->items[i].outer = NOT_YET;
    }
    for (uint32_t i = 0; i < timeline->n_lines; i++) {
        const struct otter_membership *parts = timeline->lines[i].memberships.items;
        for (uint32_t k = 0; k < timeline->lines[i].memberships.n; k++) {
            if (parts[k].outer == OTTER_NONE || parts[k].label >= n_labels) {
                continue; // only one member of a team is in the region around
            }
            uint32_t *outer = &uses->items[parts[k].label].outer;
            uint32_t around = parts[parts[k].outer].label;
            *outer = *outer == NOT_YET || *outer == around ? around : OTTER_NONE;
        }
    }
    for (uint32_t i = 0; i < n_labels; i++) {
        uint32_t *outer = &uses->items[i].outer;
        *outer = *outer == NOT_YET ? OTTER_NONE : *outer;
    }
}

static void add_team(struct sums *sums, const struct otter_graph *graph, uint32_t index)
{
    const struct otter_graph_team *team = &graph->teams[index];
    find_members(sums, graph, team);
    uint32_t n = sums->n_members, kernel = n ? sums->members[0].kernel : OTTER_INTERVAL_NO_LABEL;
    uint32_t label = kernel != OTTER_INTERVAL_NO_LABEL ? kernel
                     : team->begin_node != OTTER_NONE  ? graph->nodes[team->begin_node].region
                                                       : OTTER_NONE;
    if (n == 0 || label >= sums->n_labels) {
        return;
    }
    bool is_alone = n == 1 && team->begin_node != OTTER_NONE &&
                    graph->nodes[team->begin_node].scope != OTTER_NONE;
    struct otter_region_use *use = &sums->uses->items[label];
    uint64_t imbalance = use->imbalance, late = use->late;
    use->label = label;
    use->n_alone += is_alone;
    add_execution(use, sums->members, n);
    mark_parts(sums, graph, index, label);
    for (uint32_t i = 0; i < n; i++) {
        add_labels(sums, &sums->members[i], label, is_alone);
    }
    sums->uses->imbalance += use->imbalance - imbalance;
    sums->uses->late += use->late - late;
}

static int by_wall(const void *a, const void *b)
{
    const struct otter_region_use *x = a, *y = b;
    return otter_order(OTTER_BY_1(y, x, wall), OTTER_BY_1(x, y, label));
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
    struct sums sums = {.uses = uses, .timeline = timeline, .n_labels = n_labels};
    uses->items = calloc(n_labels + 1, sizeof *uses->items);
    uses->around = otter_numbers_create(n_labels);
    uses->in_alone = calloc(n_labels + 1, sizeof *uses->in_alone);
    sums.members = calloc(graph->n_members + 1, sizeof *sums.members);
    if (!uses->items || !uses->around || !uses->in_alone || !sums.members) {
        free(sums.members);
        otter_region_uses_finish(uses);
        return OTTER_NO_MEMORY;
    }
    for (uint32_t i = 0; i < graph->n_teams; i++) {
        add_team(&sums, graph, i);
    }
    find_outer(uses, timeline, n_labels);
    compress(uses, n_labels);
    free(sums.members);
    return OTTER_OK;
}

void otter_region_uses_finish(struct otter_region_uses *uses)
{
    OTTER_FREE(uses->items, uses->around, uses->in_alone);
    *uses = (struct otter_region_uses){0};
}
