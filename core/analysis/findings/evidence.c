// Computes the counts and means that the text of a finding quotes.
#include <math.h>
#include <stdlib.h>

#include "analysis/findings/conclude.h"
#include "analysis/findings/findings.h"
#include "analysis/time/states.h"

// Returns the parallel region or kernel with this label, or the one that executed the label.
static const struct otter_region_use *region_of(const struct otter_analysis *analysis,
                                                uint32_t label)
{
    const struct otter_region_uses *uses = &analysis->regions;
    uint32_t around = label < analysis->definitions->n_regions ? uses->around[label] : OTTER_NONE;
    const struct otter_region_use *found = NULL;
    for (uint32_t i = 0; i < uses->n; i++) {
        if (uses->items[i].label == label) {
            return &uses->items[i];
        }
        found = uses->items[i].label == around ? &uses->items[i] : found;
    }
    return found;
}

static double ratio(double part, double all)
{
    return all > 0 ? part / all : 0;
}

static double parallelism(const struct otter_analysis *analysis)
{
    return ratio((double)analysis->span.work, (double)analysis->span.span);
}

static uint64_t n_intervals(const struct otter_losses *losses, enum otter_finding_kind kind)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < losses->n_labels; i++) {
        n += losses->n[(size_t)kind * losses->n_labels + i];
    }
    return n;
}

static void set_of_region(const struct otter_analysis *analysis, struct otter_finding *finding)
{
    const struct otter_region_use *use = region_of(analysis, finding->region);
    if (!use) {
        return;
    }
    double n = (double)use->n;
    finding->n = use->n;
    if (finding->kind == OTTER_FINDING_IMBALANCE) {
        const struct otter_balance *balance = &analysis->account.balances[finding->region];
        finding->n = use->label == finding->region ? use->n : balance->n;
        finding->value = ratio(balance->busiest, balance->executed);
    } else if (finding->kind == OTTER_FINDING_FORKING) {
        finding->value = (double)use->wall / n;
    } else if (finding->kind == OTTER_FINDING_ALONE) {
        finding->value = (double)use->n_members / n;
    } else {
        finding->n = use->n_members - use->n;
        finding->value = ratio((double)use->late_on, (double)finding->n);
    }
}

struct gaps {
    OTTER_VECTOR(struct otter_gap); // few regions have code between them
    bool is_short_of_memory;        // then there are no gaps
};

static void add_gap(struct gaps *gaps, struct otter_gap gap)
{
    if (gap.ticks == 0) {
        return;
    }
    for (uint32_t i = 0; i < gaps->n; i++) {
        struct otter_gap *other = &gaps->items[i];
        if (other->before == gap.before && other->after == gap.after) {
            other->ticks += gap.ticks;
            return;
        }
    }
    gaps->is_short_of_memory |= !OTTER_VECTOR_ADD(gaps, gap);
}

// Returns the ticks of [begin, end) in which the thread executes on a processor.
static uint64_t executed(const struct otter_timeline *timeline,
                         const struct otter_thread_line *line, uint64_t begin, uint64_t end)
{
    uint64_t ticks = 0;
    for (uint32_t i = otter_interval_at(line, begin); i < line->intervals.n && begin < end; i++) {
        uint64_t next = otter_interval_end(timeline, line, i);
        next = next < end ? next : end;
        if (line->intervals.items[i].state == OTTER_STATE_EXECUTING && next > begin) {
            ticks += next - begin - otter_ticks_preempted(line, begin, next);
        }
        begin = next > begin ? next : begin;
    }
    return ticks;
}

static void add_gaps(struct gaps *gaps, const struct otter_timeline *timeline,
                     const struct otter_thread_line *line)
{
    struct otter_gap gap = {.before = OTTER_NONE};
    uint64_t begin = timeline->begin;
    for (uint32_t i = 0; i <= line->memberships.n; i++) {
        bool is_last = i == line->memberships.n;
        const struct otter_membership *part = is_last ? NULL : &line->memberships.items[i];
        if (!is_last && part->outer != OTTER_NONE) {
            continue;
        }
        uint64_t end = is_last ? timeline->end : part->begin;
        gap.after = is_last ? OTTER_NONE : part->label;
        gap.ticks = executed(timeline, line, begin, end);
        add_gap(gaps, gap);
        begin = is_last ? begin : part->end;
        gap.before = gap.after;
    }
}

static void set_of_serial(const struct otter_analysis *analysis, struct otter_finding *finding)
{
    struct gaps gaps = {0};
    finding->value = ratio((double)finding->cost, analysis->account.n_threads - 1.0);
    for (uint32_t i = 0; i < analysis->timeline.n_lines; i++) {
        add_gaps(&gaps, &analysis->timeline, &analysis->timeline.lines[i]);
    }
    for (uint32_t i = 0; i < gaps.n && !gaps.is_short_of_memory; i++) {
        finding->gap = gaps.items[i].ticks > finding->gap.ticks ? gaps.items[i] : finding->gap;
    }
    free(gaps.items);
}

// The creator's time per task, relative to the work of a task.
static double slowness(const struct otter_analysis *analysis, const struct otter_task_use *use)
{
    const struct otter_graph *graph = analysis->graph;
    uint64_t ticks = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        if (graph->nodes[i].task == use->creator && otter_node_creates(graph, i)) {
            ticks += otter_slim_get(&analysis->pieces.work, i);
        }
    }
    return ratio((double)ticks, (double)use->work);
}

static void set_of_tasks(const struct otter_analysis *analysis, struct otter_finding *finding)
{
    const struct otter_task_use *use = otter_task_use_of(&analysis->tasks, finding->region);
    if (!use) {
        return;
    }
    finding->n = use->n_deferred;
    if (finding->kind == OTTER_FINDING_SMALL_TASKS) {
        const struct otter_task_grain *grain = &analysis->grains.items[finding->region];
        finding->value =
            ratio((double)grain->work / (double)finding->n, (double)otter_task_cost(analysis, use));
    } else if (finding->kind == OTTER_FINDING_UNDEFERRED) {
        finding->n = analysis->grains.items[finding->region].n_lone;
    } else if (finding->kind == OTTER_FINDING_CREATOR) {
        finding->value = slowness(analysis, use);
    } else {
        finding->value = parallelism(analysis);
    }
}

// Finds the exclusion for which tasks with this label wait longest, if most of them have one.
static void set_exclusion(const struct otter_analysis *analysis, struct otter_finding *finding)
{
    const struct otter_exclusions *exclusions = &analysis->exclusions;
    const struct otter_node *nodes = analysis->graph->nodes;
    uint64_t n = 0;
    for (uint32_t i = 0; i < analysis->graph->n_tasks && exclusions->n > 0; i++) {
        uint32_t first = analysis->graph->tasks[i].first_node, n_own;
        bool is_here = first != OTTER_NONE && nodes[first].region == finding->region;
        n += is_here && otter_exclusions_of(exclusions, i, &n_own);
    }
    for (uint32_t i = 0; i < exclusions->n && 2 * n > finding->n; i++) {
        const struct otter_exclusion *own = &exclusions->items[i];
        bool is_longer = own->waited > (finding->exclusion ? finding->exclusion->waited : 0);
        if (is_longer && nodes[exclusions->nodes[own->first_node]].region == finding->region) {
            finding->exclusion = own;
        }
    }
}

// If memory runs out, the text omits the depth of the recursion.
static void set_grain(const struct otter_analysis *analysis, struct otter_finding *finding)
{
    uint64_t cost = otter_task_cost_of(analysis, finding->region);
    if (otter_grain_advise(analysis, finding->region, cost, &finding->grain)) {
        finding->grain = (struct otter_grain){.depth = OTTER_NONE, .batch = finding->n};
    }
}

// Without recording, a run saves only what the finding costs without the recorder. The recorder's
// share of the cost is the same in all constructs of a recursion.
static void set_small_gain(const struct otter_analysis *analysis, const struct otter_losses *losses,
                           struct otter_finding *finding)
{
    double cost = otter_losses_at(losses, OTTER_FINDING_SMALL_TASKS, finding->region);
    double recorder = otter_small_tasks_recording(analysis, finding->region);
    double gain = ratio((double)finding->cost, cost) * (cost - recorder);
    finding->has_gain = analysis->recording.event > 0;
    finding->gain = gain > 0 ? (uint64_t)(gain / analysis->account.n_threads) : 0;
}

static uint64_t n_waits(const struct otter_graph *graph, uint32_t region)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        n += graph->nodes[i].kind == OTTER_NODE_SYNC && graph->nodes[i].region == region;
    }
    return n;
}

static void set_of_kokkos(const struct otter_analysis *analysis, struct otter_finding *finding)
{
    const struct otter_kokkos_cost *cost =
        finding->region != OTTER_NONE ? &analysis->kokkos.costs[finding->region] : NULL;
    if (!cost) {
        return;
    }
    finding->n = cost->n;
    finding->value = (double)cost->total;
    const struct otter_kernel_use *kernel =
        otter_kernel_use_of(&analysis->kernels, finding->region);
    if (finding->kind == OTTER_FINDING_SMALL_KERNELS && kernel) {
        finding->n = cost->n_forked;
        finding->value = (double)kernel->launch;
    }
    for (uint32_t i = 0; i < analysis->memory.n; i++) {
        const struct otter_memory_use *use = &analysis->memory.items[i];
        if (finding->kind == OTTER_FINDING_ALLOCATION && use->region == finding->region) {
            finding->n = use->n_allocated;
            finding->value = (double)use->bytes_allocated;
        }
    }
}

double otter_team_size(const struct otter_analysis *analysis, uint32_t label)
{
    const struct otter_region_use *use = region_of(analysis, label);
    return use && use->n > 0 ? (double)use->n_members / (double)use->n
                             : analysis->account.n_threads;
}

double otter_between_tests(const struct otter_analysis *analysis, uint32_t label)
{
    const struct otter_timeline *timeline = &analysis->timeline;
    double ticks = 0;
    for (uint32_t i = 0; analysis->marks.locations && i < timeline->n_lines; i++) {
        const struct otter_thread_line *line = &timeline->lines[i];
        const struct otter_location_marks *marks = &analysis->marks.locations[line->location];
        for (uint32_t k = 0; k < marks->tests.n; k++) {
            uint64_t begin = marks->tests.items[k].begin, end = marks->tests.items[k].end;
            uint32_t at = otter_interval_at(line, begin);
            bool is_here = begin < end && line->intervals.items[at].label == label;
            ticks += is_here ? (double)executed(timeline, line, begin, end) : 0;
        }
    }
    return ticks;
}

// Larger chunks cost less, but at the end of the loop a thread waits for half a chunk on average.
// Returns the size at which both cost the same, rounded to two digits.
double otter_enough_iterations(const struct otter_analysis *analysis,
                               const struct otter_finding *finding)
{
    enum { EACH = 8 }; // fewest chunks per thread
    double n_members = otter_team_size(analysis, finding->region);
    double chunk = otter_marks_chunk(&analysis->marks, finding->region, n_members);
    double part = otter_marks_iterations(&analysis->marks, finding->region) / n_members;
    double cost = chunk / fmax(finding->value, 0.1); // in iterations
    double enough = fmin(sqrt(2 * cost * part), part / EACH);
    double digit = enough >= 100 ? pow(10, floor(log10(enough)) - 1) : 1;
    return floor(enough / digit + 0.5) * digit;
}

static void set_of_chunks(const struct otter_analysis *analysis, struct otter_finding *finding)
{
    double executed = (double)analysis->account.executed[finding->region];
    finding->n = analysis->marks.chunks[finding->region].n;
    finding->value = ratio(executed - (double)finding->cost, (double)finding->cost);
}

static void set_of_mpi(const struct otter_analysis *analysis, struct otter_finding *finding)
{
    bool is_job = finding->kind == OTTER_FINDING_MPI_JOB;
    for (uint32_t i = 0; analysis->mpi.uses && i < analysis->definitions->n_regions; i++) {
        if (otter_mpi_is_of_job(analysis->definitions->regions[i].name) == is_job) {
            finding->n += analysis->mpi.uses[i].n;
        }
    }
    finding->value = finding->region != OTTER_NONE && analysis->mpi.uses
                         ? (double)analysis->mpi.uses[finding->region].ticks
                         : 0;
}

static uint64_t n_barriers(const struct otter_analysis *analysis, uint32_t label)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < analysis->barriers.n; i++) {
        n += analysis->barriers.items[i].label == label ? analysis->barriers.items[i].n : 0;
    }
    return n;
}

uint32_t otter_enough_threads(const struct otter_account *account)
{
    uint64_t blocked = account->blocked < account->executing ? account->blocked : 0;
    double on = (double)(account->executing - blocked), n = account->n_processors;
    n *= on > 0 ? (double)account->executing / on : 1;
    return n < account->n_threads ? (uint32_t)(n + 0.5) : account->n_threads;
}

// With fewer threads, the same work takes the same processor time.
static void set_of_crowd(const struct otter_analysis *analysis, const struct otter_losses *losses,
                         struct otter_finding *finding)
{
    const struct otter_account *account = &analysis->account;
    double n = otter_enough_threads(account);
    finding->n = account->most_running;
    finding->value = account->n_processors;
    finding->has_gain = account->has_switches && n > 0;
    if (finding->has_gain) {
        double most = (double)finding->cost / account->n_threads;
        double noise = otter_losses_of(losses, OTTER_FINDING_NOISE) / account->n_threads;
        double gain = (double)account->wall - noise - (double)account->executing / n;
        gain = gain < most ? gain : most;
        finding->gain = gain > 0 ? (uint64_t)gain : 0;
    }
}

void otter_evidence_set(const struct otter_analysis *analysis, const struct otter_losses *losses,
                        struct otter_finding *finding)
{
    switch (finding->kind) {
    case OTTER_FINDING_SERIAL: set_of_serial(analysis, finding); break;
    case OTTER_FINDING_IMBALANCE:
    case OTTER_FINDING_FORKING:
    case OTTER_FINDING_ALONE:
    case OTTER_FINDING_LATE: set_of_region(analysis, finding); break;
    case OTTER_FINDING_SMALL_TASKS:
        set_of_tasks(analysis, finding);
        set_grain(analysis, finding);
        set_small_gain(analysis, losses, finding);
        break;
    case OTTER_FINDING_ORDER:
        set_of_tasks(analysis, finding);
        set_exclusion(analysis, finding);
        break;
    case OTTER_FINDING_CREATOR:
    case OTTER_FINDING_TAIL:
    case OTTER_FINDING_CHAIN:
    case OTTER_FINDING_UNDEFERRED: set_of_tasks(analysis, finding); break;
    case OTTER_FINDING_PHASES: finding->n = n_waits(analysis->graph, finding->region); break;
    case OTTER_FINDING_BARRIER: finding->n = n_barriers(analysis, finding->region); break;
    case OTTER_FINDING_FENCE:
    case OTTER_FINDING_COPY:
    case OTTER_FINDING_SMALL_KERNELS:
    case OTTER_FINDING_ALLOCATION: set_of_kokkos(analysis, finding); break;
    case OTTER_FINDING_SMALL_CHUNKS: set_of_chunks(analysis, finding); break;
    case OTTER_FINDING_MPI:
    case OTTER_FINDING_MPI_JOB: set_of_mpi(analysis, finding); break;
    case OTTER_FINDING_CROWDED: set_of_crowd(analysis, losses, finding); break;
    default:
        finding->n = n_intervals(losses, finding->kind);
        finding->value = ratio((double)finding->cost, (double)finding->n);
        break;
    }
}
