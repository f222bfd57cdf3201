// Looks for each kind of finding in the numbers of an analysis.
#include "analysis/findings.h"

#include <stdlib.h>
#include <string.h>

static const double LEAST_IMBALANCE = 1.05; // of the busiest thread to the mean

struct search {
    const struct otter_analysis *analysis;
    struct otter_findings *findings;
    uint32_t room;
    uint64_t explained;       // ticks without work that a finding has explained
    uint64_t explained_delay; // ticks of delay, likewise
};

static bool is_worth(const struct search *search, uint64_t cost)
{
    return (double)cost * 100 >= (double)search->analysis->account.total * OTTER_FINDING_PERCENT;
}

static void add(struct search *search, struct otter_finding finding)
{
    if (is_worth(search, finding.cost) && search->findings->n < search->room) {
        search->findings->items[search->findings->n++] = finding;
    }
}

// Ticks without work that no finding has explained.
static uint64_t unexplained(const struct search *search)
{
    uint64_t no_work = search->analysis->account.no_work;
    return no_work > search->explained ? no_work - search->explained : 0;
}

// Whether the label is code outside of OpenMP's parallel regions.
static bool is_serial(const struct search *search, uint32_t label)
{
    enum otter_construct construct =
        otter_definitions_construct(search->analysis->definitions, label);
    return construct == OTTER_CONSTRUCT_INITIAL_TASK || otter_construct_is_kernel(construct) ||
           construct == OTTER_CONSTRUCT_KOKKOS_REGION;
}

static void find_serial(struct search *search)
{
    const struct otter_account *account = &search->analysis->account;
    uint32_t most = OTTER_NONE;
    for (uint32_t i = 0; i + 1 < account->n_labels; i++) {
        if (is_serial(search, i) && account->alone[i] > 0 &&
            (most == OTTER_NONE || account->alone[i] > account->alone[most])) {
            most = i;
        }
    }
    if (account->n_threads > 1) {
        add(search, (struct otter_finding){OTTER_FINDING_SERIAL, account->outside, most, 0,
                                           (double)account->outside / account->n_threads});
    }
}

static void find_imbalance(struct search *search)
{
    const struct otter_region_uses *uses = &search->analysis->regions;
    for (uint32_t i = 0; i < uses->n; i++) {
        const struct otter_region_use *use = &uses->items[i];
        if (use->n_with_tasks * 2 > use->n || use->executing == 0) {
            continue;
        }
        double mean = (double)use->executing / (double)use->n_members;
        double busiest = (double)use->max_executing / (double)use->n / mean;
        if (busiest >= LEAST_IMBALANCE) {
            add(search, (struct otter_finding){OTTER_FINDING_IMBALANCE, use->imbalance, use->label,
                                               use->n, busiest});
            search->explained += use->imbalance;
        }
    }
}

static uint64_t n_deferred(const struct otter_task_uses *uses)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < uses->n; i++) {
        n += uses->items[i].n - uses->items[i].n_undeferred;
    }
    return n;
}

// Threads that look for small tasks are delayed most of the time: each task has a share of it.
static void find_small_tasks(struct search *search)
{
    const struct otter_analysis *analysis = search->analysis;
    const struct otter_task_uses *uses = &analysis->tasks;
    uint64_t cost = analysis->costs.creation + analysis->costs.scheduling;
    double delay = (double)analysis->account.delay / (double)(n_deferred(uses) + 1);
    for (uint32_t i = 0; i < uses->n && cost > 0; i++) {
        const struct otter_task_use *use = &uses->items[i];
        uint64_t n = use->n - use->n_undeferred;
        if (n >= 100 && use->work < 9 * cost * use->n) {
            uint64_t share = (uint64_t)(delay * (double)n);
            search->explained_delay += share;
            add(search, (struct otter_finding){OTTER_FINDING_SMALL_TASKS,
                                               n * analysis->costs.creation + share, use->region, n,
                                               (double)use->work / (double)use->n / (double)cost});
        }
    }
}

// Ticks that a task executed before its last creation, with those of creation.
static uint64_t executed_by(const struct otter_analysis *analysis, uint32_t task)
{
    uint64_t ticks = 0;
    for (uint32_t i = 0; i < analysis->graph->n_nodes; i++) {
        bool is_creation =
            analysis->graph->nodes[i].task == task && otter_node_creates(analysis->graph, i);
        ticks += is_creation ? analysis->pieces.work[i] : 0;
    }
    return ticks;
}

static void find_creator(struct search *search)
{
    const struct otter_analysis *analysis = search->analysis;
    for (uint32_t i = 0; i < analysis->tasks.n; i++) {
        const struct otter_task_use *use = &analysis->tasks.items[i];
        uint64_t cost = unexplained(search);
        if (use->creator == OTTER_NONE || use->n < 16 || use->n == use->n_undeferred ||
            analysis->account.n_threads == 1 || !is_worth(search, cost)) {
            continue;
        }
        double mean = (double)use->work / (double)use->n;
        double each = (double)executed_by(analysis, use->creator) / (double)use->n;
        if (mean < (analysis->account.n_threads - 1) * each) {
            add(search, (struct otter_finding){OTTER_FINDING_CREATOR, cost, use->region, use->n,
                                               each / (mean > 0 ? mean : 1)});
            search->explained += cost;
        }
    }
}

// The label with the most ticks on the heaviest path.
static uint32_t heaviest_label(const struct otter_analysis *analysis, uint64_t *sums)
{
    otter_span_labels(analysis, sums);
    uint32_t most = analysis->account.n_labels - 1;
    for (uint32_t i = 0; i < analysis->account.n_labels; i++) {
        most = sums[i] > sums[most] ? i : most;
    }
    return most < analysis->account.n_labels - 1 ? most : OTTER_NONE;
}

static void find_chain(struct search *search, uint64_t *sums)
{
    const struct otter_analysis *analysis = search->analysis;
    double parallelism =
        analysis->span.span ? (double)analysis->span.work / (double)analysis->span.span : 0;
    if (analysis->tasks.n == 0) {
        return;
    }
    bool is_chain = parallelism < 2.0 * analysis->account.n_threads;
    add(search, (struct otter_finding){is_chain ? OTTER_FINDING_CHAIN : OTTER_FINDING_RAMP,
                                       unexplained(search), heaviest_label(analysis, sums),
                                       analysis->span.n_path, parallelism});
}

// The region in which threads waited longest in this state.
static uint32_t longest_wait(const struct search *search, enum otter_state state,
                             enum otter_construct construct, uint64_t *sums, uint64_t *n)
{
    const struct otter_timeline *timeline = &search->analysis->timeline;
    uint32_t n_regions = (uint32_t)timeline->definitions->n_regions, most = OTTER_NONE;
    *n = 0;
    for (uint32_t i = 0; i < n_regions; i++) {
        sums[i] = 0;
    }
    for (uint32_t k = 0; k < timeline->n_lines; k++) {
        const struct otter_thread_line *line = &timeline->lines[k];
        for (uint32_t i = 0; i < line->intervals.n; i++) {
            const struct otter_interval *interval = &line->intervals.items[i];
            if (interval->state != state || interval->region >= n_regions ||
                (construct && otter_definitions_construct(search->analysis->definitions,
                                                          interval->region) != construct)) {
                continue;
            }
            sums[interval->region] += otter_interval_end(timeline, line, i) - interval->begin;
            (*n)++;
        }
    }
    for (uint32_t i = 0; i < n_regions; i++) {
        if (sums[i] > 0 && (most == OTTER_NONE || sums[i] > sums[most])) {
            most = i;
        }
    }
    return most;
}

static void find_waits(struct search *search, uint64_t *sums)
{
    const struct otter_account *account = &search->analysis->account;
    uint64_t n;
    uint32_t region = longest_wait(search, OTTER_STATE_LOCK, OTTER_CONSTRUCT_UNKNOWN, sums, &n);
    add(search, (struct otter_finding){OTTER_FINDING_LOCK, account->lock, region, n, 0});
    static const struct {
        enum otter_construct construct;
        enum otter_finding_kind kind;
    } kinds[] = {{OTTER_CONSTRUCT_BARRIER_EXPLICIT, OTTER_FINDING_BARRIER},
                 {OTTER_CONSTRUCT_KOKKOS_FENCE, OTTER_FINDING_FENCE}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        region = longest_wait(search, OTTER_STATE_WAITING, kinds[i].construct, sums, &n);
        const struct otter_wait_account *wait = &account->waits[kinds[i].construct];
        add(search, (struct otter_finding){kinds[i].kind, wait->ticks, region, n, 0});
        search->explained += wait->no_work;
        search->explained_delay += wait->delay;
    }
}

static void find_rest(struct search *search)
{
    const struct otter_analysis *analysis = search->analysis;
    const struct otter_account *account = &analysis->account;
    uint64_t explained = search->explained_delay > account->scheduling ? search->explained_delay
                                                                       : account->scheduling;
    add(search, (struct otter_finding){OTTER_FINDING_DELAY,
                                       account->delay > explained ? account->delay - explained : 0,
                                       OTTER_NONE, analysis->costs.n_schedulings, 0});
    add(search, (struct otter_finding){OTTER_FINDING_TIED, account->tied, OTTER_NONE, 0, 0});
    const struct otter_region_use *most = NULL;
    for (uint32_t i = 0; i < analysis->regions.n; i++) {
        const struct otter_region_use *use = &analysis->regions.items[i];
        most = !most || use->n > most->n ? use : most;
    }
    add(search, (struct otter_finding){OTTER_FINDING_FORKING, account->forking,
                                       most ? most->label : OTTER_NONE, most ? most->n : 0,
                                       most ? (double)most->wall / (double)most->n : 0});
    for (uint32_t i = 0; i + 1 < account->n_labels; i++) {
        if (otter_definitions_construct(search->analysis->definitions, i) ==
            OTTER_CONSTRUCT_KOKKOS_COPY) {
            add(search, (struct otter_finding){OTTER_FINDING_COPY, account->executed[i], i, 0, 0});
        }
    }
    for (uint32_t i = 0; i < analysis->tasks.n; i++) {
        const struct otter_task_use *use = &analysis->tasks.items[i];
        if (use->n_undeferred * 2 > use->n && account->n_threads > 1) {
            add(search, (struct otter_finding){OTTER_FINDING_UNDEFERRED, use->work, use->region,
                                               use->n_undeferred, 0});
        }
    }
}

static int by_cost(const void *a, const void *b)
{
    const struct otter_finding *x = a, *y = b;
    if (x->cost != y->cost) {
        return x->cost > y->cost ? -1 : 1;
    }
    return x->kind != y->kind ? (int)x->kind - (int)y->kind
                              : (x->region > y->region) - (x->region < y->region);
}

enum otter_status otter_findings_init(struct otter_findings *findings,
                                      const struct otter_analysis *analysis)
{
    *findings = (struct otter_findings){0};
    struct search search = {.analysis = analysis, .findings = findings};
    search.room = 8 + analysis->account.n_labels + analysis->regions.n + 3 * analysis->tasks.n;
    findings->items = calloc(search.room, sizeof *findings->items);
    size_t size = (analysis->account.n_labels + (size_t)1) * sizeof(uint64_t);
    uint64_t *sums = malloc(size);
    if (!findings->items || !sums) {
        free(sums);
        otter_findings_finish(findings);
        return OTTER_NO_MEMORY;
    }
    find_serial(&search);
    find_imbalance(&search);
    find_small_tasks(&search);
    find_waits(&search, sums);
    find_creator(&search);
    memset(sums, 0, size);
    find_chain(&search, sums);
    find_rest(&search);
    qsort(findings->items, findings->n, sizeof *findings->items, by_cost);
    free(sums);
    return OTTER_OK;
}

void otter_findings_finish(struct otter_findings *findings)
{
    free(findings->items);
    *findings = (struct otter_findings){0};
}

const char *otter_finding_name(enum otter_finding_kind kind)
{
    static const char *const names[OTTER_N_FINDINGS] = {
        "serial code", "imbalance",       "small tasks", "slow creator", "chain", "ramp",
        "tied tasks",  "delay",           "lock",        "barrier",      "fence", "copy",
        "forking",     "undeferred tasks"};
    return kind < OTTER_N_FINDINGS ? names[kind] : "unknown";
}
