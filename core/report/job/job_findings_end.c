// Collects the findings of ranks, and adds up findings on the same construct.
#include "report/job/job_findings.h"

#include <stdlib.h>
#include <string.h>

#include "base/free.h"
#include "base/order.h"
#include "report/screen/finding_text.h"

// ---- one rank

static bool is_same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static struct otter_job_finding *find_entry(struct otter_job_findings *findings,
                                            enum otter_finding_kind kind, const char *what,
                                            const char *where)
{
    for (uint32_t i = 0; i < findings->n; i++) {
        struct otter_job_finding *entry = &findings->items[i];
        if (entry->of == kind && is_same(entry->what, what) && is_same(entry->where, where)) {
            return entry;
        }
    }
    OTTER_VECTOR_APPEND(findings,
                        (struct otter_job_finding){.kind = otter_finding_name(kind),
                                                   .of = kind,
                                                   .what = what ? strdup(what) : NULL,
                                                   .where = where ? strdup(where) : NULL});
    return &findings->items[findings->n - 1];
}

static bool is_more(const struct otter_job_finding *entry, const struct otter_finding *finding)
{
    bool is_size = finding->kind == OTTER_FINDING_HIGH_WATER;
    return entry->ranks.n == 0 || (is_size ? finding->n > entry->n
                                           : finding->cost > entry->ranks.items[entry->worst].cost);
}

static void add_share(struct otter_job_finding *entry, const struct otter_report *report,
                      const struct otter_finding *finding, uint32_t rank)
{
    char text[OTTER_FINDING_TEXT];
    if (is_more(entry, finding)) {
        free(entry->text);
        entry->text = strdup(otter_finding_text(report, finding, text));
        entry->worst = entry->ranks.n;
        entry->n = finding->n;
    }
    OTTER_VECTOR_APPEND(&entry->ranks, (struct otter_job_share){rank, finding->cost});
}

// The same cause may make ranks wait in different MPI functions.
static bool has_place(const struct otter_finding *finding)
{
    return finding->region != OTTER_NONE && finding->kind != OTTER_FINDING_MPI &&
           finding->kind != OTTER_FINDING_MPI_JOB;
}

static void add_finding(struct otter_job_findings *findings, const struct otter_report *report,
                        const struct otter_finding *finding, uint32_t rank)
{
    const struct otter_label *label = otter_label_of(report->labels, finding->region);
    bool is_placed = has_place(finding);
    struct otter_job_finding *entry =
        find_entry(findings, finding->kind, is_placed ? label->what : NULL,
                   is_placed ? otter_label_place(label) : NULL);
    add_share(entry, report, finding, rank);
}

// A call that tests or completes requests is recorded as an operation only if a request is
// complete.
static bool has_records(enum otter_construct construct)
{
    return construct == OTTER_CONSTRUCT_MPI_POINT || construct == OTTER_CONSTRUCT_MPI_WAIT ||
           construct == OTTER_CONSTRUCT_MPI_TEST;
}

static void set_unrecorded(struct otter_job_load *load, const struct otter_analysis *analysis)
{
    const struct otter_definitions *definitions = analysis->definitions;
    uint64_t sum = 0, longest = 0;
    for (size_t i = 0; analysis->mpi.uses && i < definitions->n_regions; i++) {
        const struct otter_mpi_use *use = &analysis->mpi.uses[i];
        const char *function = definitions->regions[i].name;
        if (use->ticks == 0 || use->n_sends + use->n_receives + use->n_collectives > 0 ||
            otter_mpi_is_of_job(function) || has_records(definitions->regions[i].construct)) {
            continue;
        }
        sum += use->ticks;
        if (use->ticks > longest) {
            longest = use->ticks;
            snprintf(load->unrecorded, sizeof load->unrecorded, "%s", function);
        }
    }
    load->not_recorded = (uint64_t)((double)sum * load->threads);
}

static uint64_t ticks_of(const struct otter_report *report, const char *property)
{
    double ns = (double)otter_definitions_number(report->analysis->definitions, property);
    return (uint64_t)(ns * 1e-9 / report->analysis->tick);
}

static void set_processors(struct otter_job_load *load, const struct otter_report *report)
{
    const struct otter_definitions *definitions = report->analysis->definitions;
    const char *host = otter_definitions_property(definitions, "OTTER::HOST");
    const char *list = otter_definitions_property(definitions, "OTTER::PROCESSOR_LIST");
    snprintf(load->host, sizeof load->host, "%s", host ? host : "");
    load->processors = list ? strdup(list) : NULL;
}

// Sets the times without a processor from the scheduler's switches; without switches, to bounds
// computed from the times of the whole process.
static void set_off(struct otter_job_load *load, const struct otter_report *report)
{
    const struct otter_account *account = &report->analysis->account;
    const struct otter_losses *losses = &report->findings->losses;
    uint64_t on_processor = ticks_of(report, "OTTER::PROCESSOR_TIME");
    uint64_t queued = ticks_of(report, "OTTER::QUEUE_TIME");
    if (account->has_switches) {
        load->waiting = (uint64_t)(otter_losses_of(losses, OTTER_FINDING_NOISE) +
                                   otter_losses_of(losses, OTTER_FINDING_CROWDED));
        load->asleep = account->blocked;
    } else if (on_processor > 0 && load->outside_mpi > on_processor) {
        uint64_t off = load->outside_mpi - on_processor;
        load->waiting = off < queued ? off : queued;
        load->asleep = off - load->waiting;
    }
}

static struct otter_job_load load_of(const struct otter_report *report)
{
    const struct otter_analysis *analysis = report->analysis;
    const struct otter_account *account = &analysis->account;
    const struct otter_losses *losses = &report->findings->losses;
    uint64_t mpi = (uint64_t)(otter_losses_of(losses, OTTER_FINDING_MPI) +
                              otter_losses_of(losses, OTTER_FINDING_MPI_JOB));
    uint64_t other = mpi + account->paused + account->lost;
    struct otter_job_load load = {
        .total = account->total,
        .work = analysis->span.work,
        .efficiency = analysis->efficiency.total,
        .outside_mpi = account->total > other ? account->total - other : 0,
        .mpi = mpi,
        .n_threads = account->n_threads,
        .threads = account->mpi ? (double)mpi / (double)account->mpi : 1,
    };
    for (uint32_t i = 0; i < report->findings->n; i++) {
        const struct otter_finding *finding = &report->findings->items[i];
        if (finding->kind == OTTER_FINDING_MPI && finding->region != OTTER_NONE) {
            snprintf(load.function, sizeof load.function, "%s",
                     otter_label_of(report->labels, finding->region)->what);
        }
    }
    set_unrecorded(&load, analysis);
    set_processors(&load, report);
    set_off(&load, report);
    return load;
}

void otter_job_findings_add(struct otter_job_findings *findings, const struct otter_job *job,
                            const struct otter_report *report)
{
    uint32_t rank = job->ranks.n - 1;
    while (findings->loads.n < job->ranks.n) { // ranks without a report have no load
        OTTER_VECTOR_APPEND(&findings->loads, (struct otter_job_load){.n_threads = 1});
    }
    for (uint32_t i = 0; i < report->findings->n; i++) {
        add_finding(findings, report, &report->findings->items[i], rank);
    }
    findings->loads.items[rank] = load_of(report);
    findings->total += findings->loads.items[rank].total;
    findings->tick = report->analysis->tick;
}

// ---- all ranks

// Without a loss of c ticks, a rank with P threads takes c / P ticks less. The job gets shorter
// only by the part of these ticks that is on the critical path.
static void add_gain(struct otter_job_finding *entry, const struct otter_job *job,
                     const struct otter_job_share *share, uint32_t n_threads)
{
    const struct otter_job_rank *rank = &job->ranks.items[share->rank];
    uint64_t gain = share->cost / n_threads, wall = rank->calls.end - rank->calls.begin;
    double on_path = wall > 0 ? (double)rank->on_path / (double)wall : 0;
    entry->gain += (uint64_t)(on_path < 1 ? on_path * (double)gain : (double)gain);
    entry->at_most += gain < rank->on_path ? gain : rank->on_path;
}

static void add_up(const struct otter_job_findings *findings, const struct otter_job *job,
                   struct otter_job_finding *entry)
{
    bool is_of_ranks = entry->of < OTTER_N_FINDINGS && entry->of != OTTER_FINDING_HIGH_WATER;
    entry->cost = 0;
    entry->has_gain = entry->has_gain || (is_of_ranks && otter_job_has_matches(job));
    for (uint32_t i = 0; i < entry->ranks.n; i++) {
        const struct otter_job_share *share = &entry->ranks.items[i];
        entry->cost += share->cost;
        entry->worst = share->cost > entry->ranks.items[entry->worst].cost ? i : entry->worst;
        if (is_of_ranks) {
            add_gain(entry, job, share, findings->loads.items[share->rank].n_threads);
        }
    }
}

static bool is_worth(const struct otter_job_findings *findings,
                     const struct otter_job_finding *entry)
{
    static const double LEAST = OTTER_FINDING_PERCENT / 100.0;
    return entry->ranks.n > 0 && (entry->of == OTTER_FINDING_HIGH_WATER ||
                                  (double)entry->cost >= LEAST * (double)findings->total ||
                                  (double)entry->gain >= LEAST * (double)findings->wall);
}

static void free_entry(struct otter_job_finding *entry)
{
    OTTER_FREE(entry->what, entry->where, entry->text, entry->ranks.items);
}

static int compare_texts(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

// The start of a job depends on the launcher more than on the program, so this finding comes last.
static int by_cost(const void *left, const void *right)
{
    const struct otter_job_finding *a = left, *b = right;
    bool is_start = a->of == OTTER_FINDING_MPI_JOB, is_other_start = b->of == OTTER_FINDING_MPI_JOB;
    if (is_start != is_other_start) {
        return is_start ? 1 : -1;
    }
    if (a->cost != b->cost) {
        return a->cost > b->cost ? -1 : 1;
    }
    int order = compare_texts(a->kind, b->kind);
    order = order ? order : compare_texts(a->what, b->what);
    return order ? order : compare_texts(a->where, b->where);
}

void otter_job_findings_end(struct otter_job_findings *findings, const struct otter_job *job)
{
    uint32_t n = 0;
    findings->wall = job->end - job->begin;
    otter_job_findings_add_processors(findings);
    otter_job_findings_add_waits(findings, job);
    for (uint32_t i = 0; i < findings->n; i++) {
        struct otter_job_finding entry = findings->items[i];
        add_up(findings, job, &entry);
        if (is_worth(findings, &entry)) {
            findings->items[n++] = entry;
        } else {
            free_entry(&entry);
        }
    }
    findings->n = n;
    OTTER_SORT(findings, by_cost);
}

struct otter_job_numbers otter_job_numbers_of(const struct otter_job_findings *findings)
{
    struct otter_job_numbers numbers = {.wall_s = (double)findings->wall * findings->tick};
    for (uint32_t i = 0; i < findings->loads.n; i++) {
        const struct otter_job_load *load = &findings->loads.items[i];
        double share = findings->total ? (double)load->total / (double)findings->total : 0;
        numbers.n_threads += load->n_threads;
        numbers.work_s += (double)load->work * findings->tick;
        numbers.efficiency += share * load->efficiency;
    }
    numbers.speed_up = numbers.wall_s > 0 ? numbers.work_s / numbers.wall_s : 0;
    return numbers;
}

static bool concerns(const struct otter_job_findings *findings,
                     const struct otter_job_finding *entry, uint32_t rank)
{
    const double least = OTTER_FINDING_PERCENT / 100.0;
    for (uint32_t i = 0; i < entry->ranks.n; i++) {
        const struct otter_job_share *share = &entry->ranks.items[i];
        if (share->rank == rank) {
            return (double)share->cost >= least * (double)findings->loads.items[rank].total;
        }
    }
    return false;
}

static bool is_cause(const struct otter_job_findings *findings,
                     const struct otter_job_finding *entry, uint32_t rank)
{
    const struct otter_job_load *load = &findings->loads.items[rank];
    return entry->of == OTTER_N_FINDINGS && entry->cause != OTTER_CAUSE_NONE
               ? load->is_cause[entry->cause]
               : entry->is_imbalance && load->is_busiest;
}

void otter_job_findings_name(const struct otter_job_findings *findings, uint32_t rank,
                             char text[96], double *cost_s)
{
    text[0] = '\0';
    *cost_s = 0;
    for (uint32_t i = 0; i < findings->n && rank < findings->loads.n; i++) {
        const struct otter_job_finding *entry = &findings->items[i];
        bool is_guilty = is_cause(findings, entry, rank);
        if (is_guilty || concerns(findings, entry, rank)) {
            const char *what = is_guilty ? "this rank" : entry->what, *where = entry->where;
            snprintf(text, 96, "%s%s%s%s%s", entry->kind, what ? ": " : "", what ? what : "",
                     where && *where ? " " : "", where ? where : "");
            *cost_s = (double)entry->cost * findings->tick;
            return;
        }
    }
}

void otter_job_findings_finish(struct otter_job_findings *findings)
{
    for (uint32_t i = 0; i < findings->loads.n; i++) {
        free(findings->loads.items[i].processors);
    }
    for (uint32_t i = 0; i < findings->n; i++) {
        free_entry(&findings->items[i]);
    }
    free(findings->items);
    free(findings->loads.items);
    *findings = (struct otter_job_findings){0};
}
