// Computes upper bounds on the cost of each cause from states, executed time, tasks and calls.
#include "analysis/findings/bounds.h"
#include "analysis/findings/conclude.h"

static const double ROUNDING = 1 + 1e-9, TICK = 1;

// ---- of a label

// The kinds whose ticks come from threads that wait while the label executes.
static bool is_of_execution(enum otter_finding_kind kind)
{
    switch (kind) {
    case OTTER_FINDING_SERIAL:
    case OTTER_FINDING_IMBALANCE:
    case OTTER_FINDING_SERIAL_PART:
    case OTTER_FINDING_ORDER:
    case OTTER_FINDING_TAIL:
    case OTTER_FINDING_CHAIN:
    case OTTER_FINDING_UNDEFERRED: return true;
    default: return false;
    }
}

static double creations(const struct otter_analysis *analysis, const struct otter_task_use *use)
{
    return (double)use->n * (double)analysis->costs.creation;
}

// A piece of a task can be late by at most the time for which it was ready. The task's creation
// costs the time of its creator.
double otter_bounds_late_tasks(const struct otter_analysis *analysis, uint32_t label)
{
    const struct otter_task_use *use = otter_task_use_of(&analysis->tasks, label);
    const struct otter_graph *graph = analysis->graph;
    double late = 0;
    for (uint32_t i = 0; use && i < graph->n_nodes; i++) {
        const struct otter_node *node = &graph->nodes[i];
        bool is_late = node->kind == OTTER_NODE_FRAGMENT && node->region == label &&
                       analysis->ready.times[i] < node->start;
        late += is_late ? (double)(node->start - analysis->ready.times[i]) : 0;
    }
    return use ? late + creations(analysis, use) : 0;
}

// A slow creation takes a few times the usual cost. Each piece contains one event of the recorder.
// The last piece contains as much time again for the runtime, and on one thread also the cost of a
// creation.
static double most_of_small(const struct otter_analysis *analysis, uint32_t label)
{
    const struct otter_task_use *use = otter_task_use_of(&analysis->tasks, label);
    const struct otter_graph *graph = analysis->graph;
    uint64_t n = use ? use->n : 0;
    for (uint32_t i = 0; use && i < graph->n_nodes; i++) {
        n += graph->nodes[i].kind == OTTER_NODE_FRAGMENT && graph->nodes[i].region == label;
    }
    unsigned n_creations = OTTER_SLOW_CREATION - 1 + analysis->costs.is_alone;
    double slow = use ? n_creations * creations(analysis, use) : 0;
    return otter_bounds_late_tasks(analysis, label) + slow + (double)n * analysis->recording.event;
}

// Upper bound: all other threads wait from the first creation to the last.
static double most_of_creator(const struct otter_analysis *analysis, uint32_t label)
{
    const struct otter_task_use *use = otter_task_use_of(&analysis->tasks, label);
    const struct otter_graph *graph = analysis->graph;
    uint64_t first = UINT64_MAX, last = 0;
    for (uint32_t i = 0; use && i < graph->n_nodes; i++) {
        const struct otter_node *node = &graph->nodes[i];
        if (node->task == use->creator) {
            first = node->start < first ? node->start : first;
            last = node->end > last ? node->end : last;
        }
    }
    double span = last > first ? (double)(last - first) : 0;
    return use ? span * (analysis->timeline.n_lines - 1) + creations(analysis, use) : 0;
}

// Upper bound: all threads wait in every wait at this place.
static double most_of_waits(const struct otter_analysis *analysis, uint32_t label)
{
    const struct otter_graph *graph = analysis->graph;
    double ticks = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        const struct otter_node *node = &graph->nodes[i];
        bool is_here = otter_account_label(&analysis->account, node->region) == label;
        ticks += is_here && node->end > node->start ? (double)(node->end - node->start) : 0;
    }
    return ticks * analysis->timeline.n_lines;
}

// Upper bound: all threads wait from the end of each body until its event is fulfilled.
static double most_of_events(const struct otter_analysis *analysis, uint32_t label)
{
    const struct otter_graph *graph = analysis->graph;
    double ticks = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        const struct otter_node *node = &graph->nodes[i];
        bool is_here = node->kind == OTTER_NODE_FULFIL &&
                       otter_account_label(&analysis->account, node->region) == label;
        ticks += is_here ? (double)(node->start - analysis->ready.times[i]) : 0;
    }
    return ticks * analysis->timeline.n_lines;
}

static double most_of_barrier(const struct otter_analysis *analysis, uint32_t label)
{
    double gain = 0;
    for (uint32_t i = 0; i < analysis->barriers.n; i++) {
        const struct otter_barrier_use *use = &analysis->barriers.items[i];
        gain += use->label == label ? (double)use->gain : 0;
    }
    return gain;
}

static double most_of_late(const struct otter_analysis *analysis, uint32_t label)
{
    for (uint32_t i = 0; i < analysis->regions.n; i++) {
        if (analysis->regions.items[i].label == label) {
            return (double)analysis->regions.items[i].late * analysis->timeline.n_lines;
        }
    }
    return 0;
}

// Threads add up a reduction in a wait, in a lock of the runtime, or in the code after a loop.
static double most_of_reduction(const struct otter_analysis *analysis, uint32_t label)
{
    enum otter_construct construct = otter_definitions_construct(analysis->definitions, label);
    double ticks = (double)analysis->account.places[label].ticks;
    ticks = ticks > 0                          ? ticks
            : otter_construct_locks(construct) ? (double)analysis->account.lock
                                               : (double)analysis->account.executed[label];
    return ticks * analysis->timeline.n_lines;
}

// A label that never ended has no known bound.
static double most_of_kokkos(const struct otter_analysis *analysis, uint32_t label)
{
    if (!analysis->has_kokkos || label >= analysis->definitions->n_regions) {
        return -1;
    }
    const struct otter_kokkos_cost *cost = &analysis->kokkos.costs[label];
    return cost->n == cost->n_ended ? (double)cost->total * analysis->timeline.n_lines : -1;
}

// A small kernel costs at most one launch more than its own time.
static double most_of_small_kernels(const struct otter_analysis *analysis, uint32_t label)
{
    double most = most_of_kokkos(analysis, label);
    const struct otter_kernel_use *use = otter_kernel_use_of(&analysis->kernels, label);
    double launches = use ? (double)use->cost->n_forked * (double)use->launch : 0;
    return most < 0 ? most : most + launches * analysis->timeline.n_lines;
}

// Returns the bound of a kind at a place, or a negative number if there is none.
static double most_at(const struct otter_analysis *analysis, enum otter_finding_kind kind,
                      uint32_t label)
{
    switch (kind) {
    case OTTER_FINDING_SMALL_TASKS: return most_of_small(analysis, label);
    case OTTER_FINDING_CREATOR: return most_of_creator(analysis, label);
    case OTTER_FINDING_PHASES: return most_of_waits(analysis, label);
    case OTTER_FINDING_EVENT: return most_of_events(analysis, label);
    case OTTER_FINDING_BARRIER: return most_of_barrier(analysis, label);
    case OTTER_FINDING_LATE: return most_of_late(analysis, label);
    case OTTER_FINDING_FENCE:
    case OTTER_FINDING_COPY: return most_of_kokkos(analysis, label);
    case OTTER_FINDING_SMALL_KERNELS: return most_of_small_kernels(analysis, label);
    case OTTER_FINDING_REDUCTION: return most_of_reduction(analysis, label);
    case OTTER_FINDING_SMALL_CHUNKS: return (double)analysis->account.executed[label];
    default: return -1;
    }
}

// ---- of a kind

static uint64_t overlap(const struct otter_membership *part, uint64_t begin, uint64_t end)
{
    uint64_t from = part->begin > begin ? part->begin : begin;
    uint64_t to = part->end < end ? part->end : end;
    return to > from ? to - from : 0;
}

// Returns whether the region is nested, or the thread has left it at `time`.
static bool is_over(const struct otter_membership *part, uint64_t time)
{
    return part->outer != OTTER_NONE || part->end <= time;
}

// Returns the ticks in which the thread executes outside of parallel regions. A region may contain
// as many nested ones as there are intervals, so each of these is visited once.
static uint64_t executed_outside(const struct otter_timeline *timeline,
                                 const struct otter_thread_line *line)
{
    uint64_t ticks = 0;
    uint32_t part = 0;
    for (uint32_t i = 0; i < line->intervals.n; i++) {
        uint64_t begin = line->intervals.items[i].begin;
        uint64_t end = otter_interval_end(timeline, line, i), inside = 0;
        while (part < line->memberships.n && is_over(&line->memberships.items[part], begin)) {
            part++;
        }
        bool is_inside = false;
        for (uint32_t p = part;
             p < line->memberships.n && !is_inside && line->memberships.items[p].begin < end; p++) {
            const struct otter_membership *region = &line->memberships.items[p];
            bool is_outermost = region->outer == OTTER_NONE;
            inside += is_outermost ? overlap(region, begin, end) : 0;
            is_inside = is_outermost && region->end >= end;
        }
        bool is_executing = line->intervals.items[i].state == OTTER_STATE_EXECUTING;
        ticks += is_executing ? end - begin - inside : 0;
    }
    return ticks;
}

// Returns by how much members begin late if there are more threads than processors, otherwise 0.
static uint64_t late_in_crowds(const struct otter_analysis *analysis)
{
    return analysis->account.is_crowded ? analysis->regions.late : 0;
}

static double most_of_noise(const struct otter_analysis *analysis)
{
    const struct otter_account *account = &analysis->account;
    uint64_t by_own = otter_timeline_off(&analysis->timeline, true, true);
    uint64_t ticks = otter_timeline_off(&analysis->timeline, true, false) + by_own -
                     (account->is_crowded ? account->turns : 0) + late_in_crowds(analysis);
    return (double)ticks * analysis->timeline.n_lines;
}

// A thread that executes leaves no processor to the threads in excess of the processors.
static double most_of_crowding(const struct otter_analysis *analysis)
{
    const struct otter_account *account = &analysis->account;
    double turns = (double)(account->turns + late_in_crowds(analysis));
    double busy = (double)(account->executing + account->creating + account->preempted);
    double each = account->n_processors > 0 && account->n_threads > account->n_processors
                      ? (double)account->n_threads / account->n_processors - 1
                      : 0;
    turns *= analysis->timeline.n_lines;
    return (account->has_switches ? turns : (double)account->crowded) + busy * each;
}

// Returns the ticks from the end of the last task that a wait joins until the last thread
// continues. The node of a barrier ends when the first of its members leaves.
static uint64_t lateness(const struct otter_analysis *analysis, uint32_t wait)
{
    const struct otter_graph *graph = analysis->graph;
    const struct otter_node *node = &graph->nodes[wait];
    uint64_t over = analysis->ready.times[wait], last = node->end;
    over = over > node->start ? over : node->start;
    over = over < node->end ? over : node->end;
    for (uint32_t e = graph->first_edge[wait]; e < graph->first_edge[wait + 1]; e++) {
        uint64_t begin = graph->nodes[graph->edge_to[e]].start;
        last = graph->edge_kind[e] == OTTER_EDGE_ORDER && begin > last ? begin : last;
    }
    return last > over ? last - over : 0;
}

static double ticks_in(const struct otter_timeline *timeline, enum otter_state state)
{
    double ticks = 0;
    for (uint32_t i = 0; i < timeline->n_lines; i++) {
        const struct otter_thread_line *line = &timeline->lines[i];
        for (uint32_t k = 0; k < line->intervals.n; k++) {
            const struct otter_interval *interval = &line->intervals.items[k];
            bool is_counted = interval->state == state;
            ticks +=
                is_counted ? (double)(otter_interval_end(timeline, line, k) - interval->begin) : 0;
        }
    }
    return ticks;
}

// Upper bound: all threads outside wait as well.
static double with_outside(const struct otter_analysis *analysis, double ticks)
{
    double outside = ticks_in(&analysis->timeline, OTTER_STATE_OUTSIDE);
    double others = ticks * (analysis->timeline.n_lines - 1);
    return ticks + (others < outside ? others : outside);
}

// Upper bound: all threads wait while one thread continues late.
double otter_bounds_wake_up(const struct otter_analysis *analysis)
{
    double ticks = 0;
    for (uint32_t i = 0; i < analysis->graph->n_nodes; i++) {
        ticks += otter_node_joins(analysis->graph, i) ? (double)lateness(analysis, i) : 0;
    }
    double asleep = (double)otter_timeline_off(&analysis->timeline, false, false);
    return with_outside(analysis, asleep) + ticks * analysis->timeline.n_lines;
}

static double most_of_serial(const struct otter_analysis *analysis)
{
    double ticks = 0;
    for (uint32_t i = 0; i < analysis->timeline.n_lines; i++) {
        ticks += (double)executed_outside(&analysis->timeline, &analysis->timeline.lines[i]);
    }
    return ticks * (analysis->timeline.n_lines - 1);
}

// Returns the bound of a kind over all places, or a negative number.
static double most_of(const struct otter_analysis *analysis, enum otter_finding_kind kind)
{
    const struct otter_account *account = &analysis->account;
    switch (kind) {
    case OTTER_FINDING_SERIAL: return most_of_serial(analysis);
    case OTTER_FINDING_TIED: return (double)account->tied;
    case OTTER_FINDING_MIGRATION: return with_outside(analysis, (double)account->delay);
    case OTTER_FINDING_DELAY:
        return with_outside(analysis, (double)account->delay) + (double)account->creating;
    case OTTER_FINDING_LOCK:
        return ticks_in(&analysis->timeline, OTTER_STATE_LOCK) * analysis->timeline.n_lines;
    case OTTER_FINDING_WAKE_UP: return otter_bounds_wake_up(analysis);
    case OTTER_FINDING_MPI:
    case OTTER_FINDING_MPI_JOB:
        return ticks_in(&analysis->timeline, OTTER_STATE_MPI) * analysis->timeline.n_lines;
    case OTTER_FINDING_NOISE: return most_of_noise(analysis);
    case OTTER_FINDING_CROWDED: return most_of_crowding(analysis);
    default: return -1;
    }
}

// ---- all

struct bounds {
    const struct otter_analysis *analysis;
    struct otter_losses *losses;
    struct otter_excess *excess;
    bool has_excess;
};

// Returns whether the cost exceeds `most`; a negative `most` means no bound. Stores the first
// excess.
static bool is_above(struct bounds *bounds, enum otter_finding_kind kind, uint32_t label,
                     double cost, double most)
{
    bool is_excess = most >= 0 && cost > most * ROUNDING + TICK;
    if (is_excess && !bounds->has_excess) {
        *bounds->excess = (struct otter_excess){kind, label, cost, most};
        bounds->has_excess = true;
    }
    return is_excess;
}

static void reduce(const struct bounds *bounds, enum otter_finding_kind kind, uint32_t label,
                   double ticks)
{
    otter_losses_move(bounds->losses, kind, label, OTTER_FINDING_UNEXPLAINED, OTTER_NONE, ticks);
}

static void limit_kind(struct bounds *bounds, enum otter_finding_kind kind)
{
    double cost = otter_losses_of(bounds->losses, kind);
    double most = cost > 0 ? most_of(bounds->analysis, kind) : -1;
    if (!is_above(bounds, kind, OTTER_NONE, cost, most)) {
        return;
    }
    for (uint32_t i = 0; i < bounds->losses->n_labels; i++) {
        reduce(bounds, kind, i, otter_losses_at(bounds->losses, kind, i) * (1 - most / cost));
    }
}

// Threads that wait for a label can wait only as long as the label executes.
static void limit_label(struct bounds *bounds, uint32_t label)
{
    const struct otter_account *account = &bounds->analysis->account;
    uint64_t busy = account->executed[label] + account->created[label];
    double rest = (double)busy * (bounds->analysis->timeline.n_lines - 1);
    for (unsigned i = 0; i < OTTER_FINDING_UNEXPLAINED; i++) {
        enum otter_finding_kind kind = (enum otter_finding_kind)i;
        double ticks = otter_losses_at(bounds->losses, kind, label);
        if (ticks <= 0) {
            continue;
        }
        double most = is_of_execution(kind) ? rest : most_at(bounds->analysis, kind, label);
        if (is_above(bounds, kind, label, ticks, most)) {
            reduce(bounds, kind, label, ticks - most);
            ticks = most;
        }
        rest -= is_of_execution(kind) ? ticks : 0;
        rest = rest > 0 ? rest : 0;
    }
}

// A tick with two causes would make the sum too large.
static void check_sum(struct bounds *bounds, double lost)
{
    double sum = 0;
    for (unsigned i = 0; i < OTTER_FINDING_BLOCKED; i++) {
        sum += otter_losses_of(bounds->losses, (enum otter_finding_kind)i);
    }
    is_above(bounds, OTTER_FINDING_UNEXPLAINED, OTTER_NONE, sum, lost);
}

bool otter_bounds_apply(const struct otter_analysis *analysis, uint64_t lost,
                        struct otter_losses *losses, struct otter_excess *excess)
{
    struct bounds bounds = {.analysis = analysis, .losses = losses, .excess = excess};
    for (uint32_t i = 0; i < losses->n_labels; i++) {
        limit_label(&bounds, i);
    }
    for (unsigned i = 0; i < OTTER_FINDING_UNEXPLAINED; i++) {
        limit_kind(&bounds, (enum otter_finding_kind)i);
    }
    check_sum(&bounds, (double)lost);
    return bounds.has_excess;
}
