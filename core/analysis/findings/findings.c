// Makes findings from the ledger of lost time: sums by cause and place.
#include "analysis/findings/findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/detail/grain.h"
#include "analysis/findings/bounds.h"
#include "analysis/findings/conclude.h"
#include "analysis/findings/gaps.h"
#include "analysis/findings/quiet.h"
#include "analysis/time/states.h"
#include "base/free.h"

enum {
    MIN_STARTS = 20, // a run shorter than this many starts of its threads is too short
    // In fractions of a second. A start takes at most 1 ms unless the machine is busy.
    MAX_START = 1000,
    MIN_RUN = 200,
    MAX_TINY = 5,
};

// ---- the list

static bool append(struct otter_findings *findings, struct otter_finding finding)
{
    return OTTER_VECTOR_ADD(findings, finding);
}

// The total excludes time lost to noise, so that noise does not hide other findings.
static bool is_worth(const struct otter_findings *findings, const struct otter_analysis *analysis,
                     double cost)
{
    double total =
        (double)analysis->account.total - otter_losses_of(&findings->losses, OTTER_FINDING_NOISE);
    return cost * 100 >= total * OTTER_FINDING_PERCENT && cost >= 1;
}

// Rounds down, but first adds a little more than the sum of rounding errors, so that exact costs
// stay exact. Threads of a damaged archive may lose more ticks than an integer can hold.
static uint64_t whole(double ticks)
{
    const double most = 0x1p63;
    return ticks > 0 ? (uint64_t)(ticks < most ? ticks + 1e-3 : most) : 0;
}

static uint32_t region_at(const struct otter_losses *losses, uint32_t label)
{
    return label + 1 < losses->n_labels ? label : OTTER_NONE;
}

// Keeps the most costly places in descending order.
static void add_place(struct otter_finding *finding, uint32_t region, double ticks)
{
    struct otter_finding_place place = {region, whole(ticks)};
    for (uint32_t i = 0; i < OTTER_FINDING_PLACES; i++) {
        if (i >= finding->n_places || place.cost > finding->places[i].cost) {
            struct otter_finding_place next = finding->places[i];
            finding->places[i] = place;
            place = next;
        }
    }
    finding->n_places++;
}

static bool add_finding(struct otter_findings *findings, const struct otter_analysis *analysis,
                        struct otter_finding finding, double cost)
{
    if (!is_worth(findings, analysis, cost)) {
        return true;
    }
    finding.cost = whole(cost);
    finding.region = finding.places[0].region;
    otter_evidence_set(analysis, &findings->losses, &finding);
    return append(findings, finding);
}

// Groups of labels that share one finding.
struct groups {
    uint32_t *of;   // of each label: the first label of its group
    uint32_t *next; // of each label: the next one of its group, or OTTER_NONE
};

// Adds the places of one group to a finding. Returns the ticks of the places.
static double add_group(struct otter_finding *finding, const struct otter_losses *losses,
                        const struct groups *groups, uint32_t group)
{
    double sum = 0;
    for (uint32_t i = group; i != OTTER_NONE; i = groups->next[i]) {
        double ticks = otter_losses_at(losses, finding->kind, i);
        if (ticks > 0) {
            add_place(finding, region_at(losses, i), ticks);
            sum += ticks;
        }
    }
    return sum;
}

static double ticks_of_group(const struct otter_losses *losses, enum otter_finding_kind kind,
                             const struct groups *groups, uint32_t group)
{
    struct otter_finding all = {.kind = kind};
    return groups->of[group] == group ? add_group(&all, losses, groups, group) : 0;
}

// Adds a finding for each costly group of places, and one for all other places.
static bool add_groups(struct otter_findings *findings, const struct otter_analysis *analysis,
                       enum otter_finding_kind kind, const struct groups *groups)
{
    const struct otter_losses *losses = &findings->losses;
    struct otter_finding rest = {.kind = kind, .region = OTTER_NONE};
    double sum = 0;
    bool is_good = true;
    for (uint32_t i = 0; i < losses->n_labels && is_good; i++) {
        double ticks = ticks_of_group(losses, kind, groups, i);
        if (ticks > 0 && otter_finding_facts_of(kind)->has_own_places &&
            is_worth(findings, analysis, ticks)) {
            struct otter_finding one = {.kind = kind};
            add_group(&one, losses, groups, i);
            is_good = add_finding(findings, analysis, one, ticks);
        } else if (ticks > 0) {
            sum += add_group(&rest, losses, groups, i);
        }
    }
    return is_good && (rest.n_places == 0 || add_finding(findings, analysis, rest, sum));
}

// The constructs of a recursion share one cut-off, so their small tasks are one group.
static bool find_recursions(const struct otter_findings *findings,
                            const struct otter_analysis *analysis, uint32_t *of)
{
    const struct otter_losses *losses = &findings->losses;
    unsigned char *are_mutual = otter_grain_mutual(analysis);
    bool is_good = are_mutual != NULL;
    for (uint32_t i = 0; i < analysis->definitions->n_regions && is_good; i++) {
        if (are_mutual[i] && of[i] == i &&
            otter_losses_at(losses, OTTER_FINDING_SMALL_TASKS, i) > 0) {
            is_good = otter_grain_group(analysis, i, of) == OTTER_OK;
        }
    }
    free(are_mutual);
    return is_good;
}

// Links the labels of each group in ascending order.
static void link_groups(const struct groups *groups, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        groups->next[i] = OTTER_NONE;
    }
    for (uint32_t i = n; i-- > 0;) {
        uint32_t first = groups->of[i];
        if (first != i) {
            groups->next[i] = groups->next[first];
            groups->next[first] = i;
        }
    }
}

// All dependences on the address of the longest chain have one text, so their tasks are one group.
// Tasks that exclude each other have texts of their own.
static bool find_groups(const struct otter_findings *findings,
                        const struct otter_analysis *analysis, enum otter_finding_kind kind,
                        uint32_t *of)
{
    uint32_t n = findings->losses.n_labels;
    bool is_one =
        kind == OTTER_FINDING_ORDER && findings->address.n > 0 && analysis->exclusions.n == 0;
    for (uint32_t i = 0; i < n; i++) {
        of[i] = is_one ? 0 : i;
    }
    return kind != OTTER_FINDING_SMALL_TASKS || find_recursions(findings, analysis, of);
}

static bool add_kind(struct otter_findings *findings, const struct otter_analysis *analysis,
                     enum otter_finding_kind kind)
{
    uint32_t n = findings->losses.n_labels;
    uint32_t *numbers = malloc((2 * (size_t)n + 1) * sizeof *numbers);
    struct groups groups = {numbers, numbers ? numbers + n : NULL};
    bool is_good = numbers && find_groups(findings, analysis, kind, groups.of);
    if (is_good) {
        link_groups(&groups, n);
        is_good = add_groups(findings, analysis, kind, &groups);
    }
    free(numbers);
    return is_good;
}

// Returns 0 for losses that the program causes, 1 for kinds that are not losses, 2 for losses that
// the program does not cause.
static int class_of(enum otter_finding_kind kind)
{
    return kind == OTTER_FINDING_NOISE ? 2 : !otter_finding_is_loss(kind);
}

static int by_cost(const void *a, const void *b)
{
    const struct otter_finding *x = a, *y = b;
    int classes = class_of(x->kind) - class_of(y->kind);
    if (classes != 0) {
        return classes;
    }
    if (x->cost != y->cost) {
        return x->cost > y->cost ? -1 : 1;
    }
    return x->kind != y->kind ? (int)x->kind - (int)y->kind
                              : (x->region > y->region) - (x->region < y->region);
}

double otter_findings_blocked_share(const struct otter_findings *findings,
                                    const struct otter_analysis *analysis, uint32_t region)
{
    uint32_t label = otter_account_label(&analysis->account, region);
    double executed = (double)analysis->account.executed[label];
    double blocked = otter_losses_at(&findings->losses, OTTER_FINDING_BLOCKED, label);
    return executed > 0 ? blocked / executed : 0;
}

// Returns whether the finding on serial code says that this label sleeps.
static bool is_serial_sleep(const struct otter_findings *findings,
                            const struct otter_analysis *analysis, uint32_t region)
{
    bool is_serial = false;
    for (uint32_t i = 0; i < findings->n; i++) {
        const struct otter_finding *finding = &findings->items[i];
        is_serial |= finding->kind == OTTER_FINDING_SERIAL && finding->region == region;
    }
    return is_serial &&
           otter_findings_blocked_share(findings, analysis, region) > OTTER_MOSTLY_BLOCKED;
}

static double asleep(const struct otter_thread_line *line, uint64_t begin, uint64_t end)
{
    double ticks = 0;
    for (uint32_t i = otter_off_after(line, begin);
         i < line->off.n && line->off.items[i].begin < end; i++) {
        const struct otter_off *off = &line->off.items[i];
        uint32_t interval = otter_interval_at(line, off->begin);
        bool is_executing = line->intervals.items[interval].state == OTTER_STATE_EXECUTING;
        ticks += is_executing && !off->is_preempted ? (double)otter_off_within(off, begin, end) : 0;
    }
    return ticks;
}

// Returns the ticks in which threads sleep while they hold a lock.
static double asleep_in_locks(const struct otter_analysis *analysis)
{
    double ticks = 0;
    for (uint32_t i = 0; i < analysis->timeline.n_lines; i++) {
        const struct otter_thread_line *line = &analysis->timeline.lines[i];
        const struct otter_location_marks *marks = &analysis->marks.locations[line->location];
        uint64_t begin = 0;
        uint32_t n_held = 0;
        for (uint32_t k = 0; k < marks->n; k++) {
            const struct otter_mark *mark = &marks->items[k];
            if (mark->kind == OTTER_MARK_ACQUIRE || mark->kind == OTTER_MARK_ORDER_BEGIN) {
                begin = n_held++ == 0 ? mark->time : begin;
            } else if (n_held > 0 &&
                       (mark->kind == OTTER_MARK_RELEASE || mark->kind == OTTER_MARK_ORDER_END)) {
                ticks += --n_held == 0 ? asleep(line, begin, mark->time) : 0;
            }
        }
    }
    return ticks;
}

static bool add_blocked(struct otter_findings *findings, const struct otter_analysis *analysis)
{
    struct otter_finding finding = {.kind = OTTER_FINDING_BLOCKED, .region = OTTER_NONE};
    const struct otter_losses *losses = &findings->losses;
    for (uint32_t i = 0; i < losses->n_labels; i++) {
        double ticks = otter_losses_at(losses, OTTER_FINDING_BLOCKED, i);
        if (ticks > 0 && !is_serial_sleep(findings, analysis, region_at(losses, i))) {
            add_place(&finding, region_at(losses, i), ticks);
            finding.value += ticks;
        }
    }
    finding.region = finding.n_places > 0 ? finding.places[0].region : OTTER_NONE;
    finding.n_places = 0;
    double in_locks = asleep_in_locks(analysis);
    // threads that hardly wait for each other's locks can sleep in them at the same time
    bool is_free =
        analysis->account.n_threads > 1 && (double)analysis->account.lock * 10 < in_locks;
    finding.n = is_free ? 0 : whole(in_locks < finding.value ? in_locks : finding.value);
    return !is_worth(findings, analysis, finding.value) || append(findings, finding);
}

// A page fault takes less time. A label with more time in the kernel per fault is there for another
// reason.
#define LONGEST_FAULT 20e-6 // seconds

// Returns the ticks in which threads executed a label in the kernel, where no samples are taken.
// A sample of an unknown thread may belong to any label. *least is a lower bound: the ticks that
// would remain with two standard deviations more samples.
static double kernel_time(const struct otter_findings *findings,
                          const struct otter_analysis *analysis, uint32_t label, double *least)
{
    double on = (double)analysis->account.executed[label] -
                otter_losses_at(&findings->losses, OTTER_FINDING_BLOCKED, label);
    double n = (double)(findings->counts.n_samples[label] + findings->counts.n_unplaced);
    double period = findings->counts.period / analysis->tick;
    *least = on - (n + 2 * sqrt(n)) * period;
    return on - n * period;
}

static bool add_first_touch(struct otter_findings *findings, const struct otter_analysis *analysis)
{
    const struct otter_counts *counts = &findings->counts;
    unsigned faults = otter_counts_find(counts, "page-faults");
    bool is_known = faults < counts->n && counts->is_complete && counts->period > 0 &&
                    analysis->account.has_switches;
    bool is_good = true;
    for (uint32_t i = 0; is_known && i + 1 < counts->n_labels && is_good; i++) {
        double least, ticks = kernel_time(findings, analysis, i, &least);
        uint64_t n = otter_counts_of(counts, faults, i);
        if (is_worth(findings, analysis, least) &&
            (double)n * LONGEST_FAULT > ticks * analysis->tick) {
            struct otter_finding finding = {.kind = OTTER_FINDING_FIRST_TOUCH,
                                            .region = i,
                                            .n = n,
                                            .value = ticks,
                                            .has_gain = true};
            finding.gain = whole(ticks / analysis->account.n_threads);
            is_good = append(findings, finding);
        }
    }
    return is_good;
}

// ---- runs that are too short

// Returns the time from the first fork of several threads until this member has begun. Excludes the
// time in which the member has no processor, since other programs make it longer.
static uint64_t start_of_line(const struct otter_thread_line *line)
{
    const struct otter_membership *part = line->memberships.items;
    return line->memberships.n > 0 && part->n_members > 1
               ? part->begin - part->forked - otter_ticks_preempted(line, part->forked, part->begin)
               : 0;
}

// Returns the time until the last member has begun.
static uint64_t start_of(const struct otter_timeline *timeline)
{
    uint64_t start = 0;
    for (uint32_t i = 0; i < timeline->n_lines; i++) {
        uint64_t own = start_of_line(&timeline->lines[i]);
        start = own > start ? own : start;
    }
    return start;
}

// Returns whether a thread is in MPI calls for half of the time, not counting MPI_Init and
// MPI_Finalize.
static bool is_in_mpi(const struct otter_analysis *analysis, const struct otter_thread_line *line)
{
    const struct otter_definitions *definitions = analysis->definitions;
    uint64_t ticks = 0;
    for (uint32_t i = 0; i < line->intervals.n; i++) {
        const struct otter_interval *interval = &line->intervals.items[i];
        bool is_job = interval->region < definitions->n_regions &&
                      otter_mpi_is_of_job(definitions->regions[interval->region].name);
        if (interval->state == OTTER_STATE_MPI && !is_job) {
            ticks += otter_interval_end(&analysis->timeline, line, i) - interval->begin;
        }
    }
    return ticks > 0 && ticks >= analysis->account.wall / 2;
}

static bool consists_of_mpi(const struct otter_analysis *analysis)
{
    uint32_t i = 0;
    while (i < analysis->timeline.n_lines && !is_in_mpi(analysis, &analysis->timeline.lines[i])) {
        i++;
    }
    return i < analysis->timeline.n_lines;
}

// Returns whether all regions together execute for less time than their threads take to start. A
// run of one thread has no such start: returns whether it executes hardly anything. On a busy
// machine, even such a run may take long. A run that consists of MPI calls is not tiny, since the
// calls limit it.
static bool is_tiny(const struct otter_analysis *analysis, uint64_t start)
{
    const struct otter_account *account = &analysis->account;
    uint64_t resolution = analysis->definitions->clock.resolution, executing = 0;
    for (uint32_t i = 0; i < analysis->regions.n; i++) {
        executing += analysis->regions.items[i].executed;
    }
    bool is_idle = account->n_threads == 1 && executing < resolution / MAX_START &&
                   account->executing - account->blocked < resolution / MIN_RUN;
    return (executing < start || is_idle) && account->wall < resolution / MAX_TINY &&
           !consists_of_mpi(analysis);
}

// Only a recording of a process knows when the process started; an archive made from a text of
// events does not.
static bool is_too_short(const struct otter_analysis *analysis)
{
    const struct otter_definitions *definitions = analysis->definitions;
    uint64_t least = definitions->clock.resolution / MIN_RUN;
    uint64_t most = definitions->clock.resolution / MAX_START;
    uint64_t start = start_of(&analysis->timeline);
    start = start < most ? start : most;
    bool is_short = is_tiny(analysis, start);
    start *= MIN_STARTS;
    return otter_definitions_number(definitions, "OTTER::BEFORE_RECORDING") > 0 &&
           (is_short || analysis->account.wall < (start > least ? start : least));
}

static uint64_t lost(const struct otter_account *account, uint64_t avoidable)
{
    return account->total - account->paused - account->lost - (account->executing - avoidable);
}

// The cost excludes execution that another finding would call avoidable.
static bool add_short(struct otter_findings *findings, const struct otter_analysis *analysis)
{
    struct otter_finding finding = {.kind = OTTER_FINDING_SHORT,
                                    .region = OTTER_NONE,
                                    .value = (double)start_of(&analysis->timeline)};
    uint64_t unused = lost(&analysis->account, 0);
    finding.cost = unused > findings->unexplained ? unused - findings->unexplained : 0;
    return append(findings, finding);
}

// ---- the ledger

static bool copy_losses(struct otter_losses *copy, const struct otter_losses *losses)
{
    if (otter_losses_init(copy, losses->n_labels)) {
        return false;
    }
    size_t n = (size_t)OTTER_N_FINDINGS * losses->n_labels;
    memcpy(copy->ticks, losses->ticks, n * sizeof *copy->ticks);
    memcpy(copy->n, losses->n, n * sizeof *copy->n);
    return true;
}

// Without the scheduler's switches, more threads than processors seem to execute.
static uint64_t crowded(const struct otter_account *account)
{
    uint64_t ticks = account->has_switches ? 0 : account->crowded;
    return ticks < account->executing ? ticks : account->executing;
}

static void measure(struct otter_findings *findings)
{
    double explained = 0;
    for (unsigned i = 0; i < OTTER_FINDING_UNEXPLAINED; i++) {
        explained += otter_losses_of(&findings->losses, (enum otter_finding_kind)i);
    }
    uint64_t ticks = whole(explained);
    findings->unexplained = findings->lost > ticks ? findings->lost - ticks : 0;
}

static bool conclude(struct otter_findings *findings, const struct otter_analysis *analysis)
{
    struct otter_losses *losses = &findings->losses;
    uint64_t avoidable = crowded(&analysis->account);
    if (!copy_losses(losses, &analysis->account.losses)) {
        return false;
    }
    otter_losses_add(losses, OTTER_FINDING_CROWDED, OTTER_NONE, (double)avoidable);
    findings->lock_waits = calloc(losses->n_labels, sizeof *findings->lock_waits);
    if (!findings->lock_waits || otter_conclude_noise(analysis, losses) ||
        otter_conclude_locks(analysis, losses, findings->lock_waits) ||
        otter_conclude_kokkos(analysis, losses, &avoidable) ||
        otter_gaps_conclude(analysis, losses, &avoidable) ||
        otter_frequent_address_find(analysis, &findings->address)) {
        return false;
    }
    otter_conclude_chunks(analysis, losses, &avoidable);
    otter_conclude_regions(analysis, losses);
    if (otter_conclude_reductions(analysis, losses, &avoidable)) {
        return false;
    }
    otter_conclude_tasks(analysis, losses, &avoidable);
    findings->lost = lost(&analysis->account, avoidable);
    findings->has_excess = otter_bounds_apply(analysis, findings->lost, losses, &findings->excess);
    measure(findings);
    return true;
}

static bool add_high_waters(struct otter_findings *findings, const struct otter_analysis *analysis)
{
    struct otter_finding finding;
    bool is_good = true;
    for (size_t i = 0; analysis->has_kokkos && i < analysis->definitions->n_metrics; i++) {
        if (is_good && otter_high_water_find(analysis, i, &finding)) {
            is_good = append(findings, finding);
        }
    }
    return is_good;
}

static bool add_all(struct otter_findings *findings, const struct otter_analysis *analysis)
{
    bool is_good = true;
    if (is_too_short(analysis)) {
        return add_short(findings, analysis);
    }
    for (unsigned i = 0; i < OTTER_FINDING_SHORT && is_good; i++) {
        is_good = add_kind(findings, analysis, (enum otter_finding_kind)i);
    }
    return is_good && add_blocked(findings, analysis) && add_first_touch(findings, analysis) &&
           add_high_waters(findings, analysis);
}

enum otter_status otter_findings_init(struct otter_findings *findings,
                                      const struct otter_analysis *analysis)
{
    *findings = (struct otter_findings){0};
    if (otter_counts_read(&findings->counts, analysis) || !conclude(findings, analysis) ||
        !add_all(findings, analysis)) {
        otter_findings_finish(findings);
        return OTTER_NO_MEMORY;
    }
    if (findings->n > 1) {
        qsort(findings->items, findings->n, sizeof *findings->items, by_cost);
    }
    return OTTER_OK;
}

void otter_findings_finish(struct otter_findings *findings)
{
    OTTER_FREE(findings->items, findings->lock_waits);
    otter_counts_finish(&findings->counts);
    otter_losses_finish(&findings->losses);
    *findings = (struct otter_findings){0};
}
