// Prints the summary of a report: numbers, the account of thread-seconds, findings.
#include <string.h>

#include "base/print.h"
#include "report/analysis.h"
#include "report/finding_text.h"
#include "report/number.h"
#include "report/plain.h"
#include "report/what_if.h"
#include "report/wrap.h"
#include "trace/schema.h"

enum { BAR_WIDTH = 40, MOST_FINDINGS = 5 };

static const char *seconds(const struct otter_report *report, uint64_t ticks,
                           char text[OTTER_MAX_NUMBER])
{
    return otter_duration_text(otter_report_seconds(report, ticks), text);
}

static double share(const struct otter_report *report, uint64_t ticks)
{
    uint64_t total = report->analysis->account.total;
    return total ? 100.0 * (double)ticks / (double)total : 0;
}

static void print_head(FILE *out, const struct otter_report *report)
{
    char wall[OTTER_MAX_NUMBER];
    const struct otter_analysis *analysis = report->analysis;
    const char *program = otter_archive_property(report->archive, "OTTER::COMMAND_LINE");
    otter_plain_print(out, program && *program ? program : analysis->definitions->folder, 90);
    otter_print(out, "\n  %u thread%s, %s\n\n", analysis->account.n_threads,
                otter_plural(analysis->account.n_threads),
                seconds(report, analysis->account.wall, wall));
}

// The bounds of a greedy schedule of this work on these threads.
static void print_bounds(FILE *out, const struct otter_report *report)
{
    char low[OTTER_MAX_NUMBER], high[OTTER_MAX_NUMBER];
    const struct otter_span *span = &report->analysis->span;
    uint64_t even = span->work / report->analysis->account.n_threads;
    uint64_t lower = even > span->span ? even : span->span;
    otter_print(out, "  bounds      %12s to %s on %u thread%s\n", seconds(report, lower, low),
                seconds(report, even + span->span, high), report->analysis->account.n_threads,
                otter_plural(report->analysis->account.n_threads));
}

static void print_work(FILE *out, const struct otter_report *report)
{
    char text[OTTER_MAX_NUMBER];
    const struct otter_analysis *analysis = report->analysis;
    const struct otter_span *span = &analysis->span;
    double wall = (double)analysis->account.wall;
    otter_print(out, "  work T1     %12s    speed-up %.2f of %u\n",
                seconds(report, span->work, text), wall > 0 ? (double)span->work / wall : 0,
                analysis->account.n_threads);
    otter_print(out, "  span        %12s    parallelism %.1f\n", seconds(report, span->span, text),
                span->span ? (double)span->work / (double)span->span : 0);
    otter_print(out, "  burdened    %12s    parallelism %.1f with the costs of tasks\n",
                seconds(report, span->burdened, text),
                span->burdened ? (double)span->work / (double)span->burdened : 0);
    print_bounds(out, report);
}

static void print_part(FILE *out, const struct otter_report *report, const char *name,
                       uint64_t ticks)
{
    static const char bar[BAR_WIDTH + 1] = "########################################";
    char text[OTTER_MAX_NUMBER];
    if (ticks == 0) {
        return;
    }
    int length = (int)(share(report, ticks) * BAR_WIDTH / 100 + 0.5);
    otter_print(out, "  %-22s %10s %5.1f %%%s%.*s\n", name, seconds(report, ticks, text),
                share(report, ticks), length ? "  " : "", length, bar);
}

static bool is_barrier(unsigned construct)
{
    return construct >= OTTER_CONSTRUCT_BARRIER &&
           construct <= OTTER_CONSTRUCT_BARRIER_IMPLEMENTATION;
}

// Waits without ready tasks, by what the threads waited in.
static void print_waits(FILE *out, const struct otter_report *report)
{
    const struct otter_account *account = &report->analysis->account;
    uint64_t barriers = 0, dependences = account->waits[OTTER_CONSTRUCT_TASKWAIT_DEPEND].no_work;
    uint64_t fences = account->waits[OTTER_CONSTRUCT_KOKKOS_FENCE].no_work;
    uint64_t explicit_barriers = account->waits[OTTER_CONSTRUCT_BARRIER_EXPLICIT].no_work;
    for (unsigned i = 0; i < OTTER_N_CONSTRUCTS; i++) {
        barriers += is_barrier(i) ? account->waits[i].no_work : 0;
    }
    barriers -= explicit_barriers;
    print_part(out, report, "no work: barriers", explicit_barriers);
    print_part(out, report, "no work: implicit ends", barriers);
    print_part(out, report, "no work: dependences", dependences);
    print_part(out, report, "no work: fences", fences);
    print_part(out, report, "no work: task waits",
               account->no_work - barriers - explicit_barriers - dependences - fences);
}

static void print_account(FILE *out, const struct otter_report *report)
{
    char total[OTTER_MAX_NUMBER];
    const struct otter_account *account = &report->analysis->account;
    otter_print(out, "\nthread time: %s\n", seconds(report, account->total, total));
    print_part(out, report, "executing", account->executing);
    print_part(out, report, "creating tasks", account->creating);
    print_part(out, report, "scheduling", account->scheduling);
    print_part(out, report, "delay", account->delay - account->scheduling);
    print_part(out, report, "ready, but tied", account->tied);
    print_waits(out, report);
    print_part(out, report, "locks", account->lock);
    print_part(out, report, "forking and joining", account->forking);
    print_part(out, report, "outside of regions", account->outside);
    print_part(out, report, "paused", account->paused);
    const struct otter_efficiency *efficiency = &report->analysis->efficiency;
    otter_print(
        out, "\nefficiency %.1f %% = serial %.1f %% x load balance %.1f %% x scheduling %.1f %%\n",
        100 * efficiency->total, 100 * efficiency->serial, 100 * efficiency->load_balance,
        100 * efficiency->scheduling);
}

static void print_findings(FILE *out, const struct otter_report *report)
{
    char text[OTTER_FINDING_TEXT], cost[OTTER_MAX_NUMBER];
    const struct otter_findings *findings = report->findings;
    if (findings->n == 0) {
        otter_print(out, "\nfindings: none costs %d %% of the thread time or more\n",
                    OTTER_FINDING_PERCENT);
    }
    for (uint32_t i = 0; i < findings->n && i < MOST_FINDINGS; i++) {
        const struct otter_finding *finding = &findings->items[i];
        otter_print(out, "\n%u. %s: %s, %.1f %%\n", i + 1, otter_finding_name(finding->kind),
                    seconds(report, finding->cost, cost), share(report, finding->cost));
        otter_print_wrapped(out, 3, otter_finding_text(report, finding, text));
    }
    if (findings->n > MOST_FINDINGS) {
        otter_print(out, "\n%u more: otter report --json\n", findings->n - MOST_FINDINGS);
    }
}

// The table that holds the evidence of the first finding.
static const char *next_table(const struct otter_findings *findings)
{
    switch (findings->n ? findings->items[0].kind : OTTER_N_FINDINGS) {
    case OTTER_FINDING_SMALL_TASKS:
    case OTTER_FINDING_CREATOR:
    case OTTER_FINDING_UNDEFERRED: return "tasks";
    case OTTER_FINDING_IMBALANCE:
    case OTTER_FINDING_LOCK:
    case OTTER_FINDING_FORKING: return "regions";
    case OTTER_FINDING_BARRIER:
    case OTTER_FINDING_FENCE:
    case OTTER_FINDING_TIED:
    case OTTER_FINDING_DELAY: return "waits";
    case OTTER_FINDING_RAMP:
    case OTTER_FINDING_CHAIN:
    case OTTER_FINDING_SERIAL: return "critical-path";
    default: return "labels";
    }
}

void otter_report_print_summary(FILE *out, const struct otter_report *report)
{
    const struct otter_analysis *analysis = report->analysis;
    print_head(out, report);
    print_work(out, report);
    print_account(out, report);
    print_findings(out, report);
    otter_what_if_print_best(out, report); // without memory, the summary is complete otherwise
    if (analysis->n_lost > 0 || analysis->is_cut_off || analysis->n_damaged > 0) {
        otter_print(out,
                    "\nThe archive is not complete, so all numbers are estimates: otter check %s\n",
                    analysis->definitions->folder);
    }
    otter_print(out, "\nnext: otter report --%s %s\n", next_table(report->findings),
                analysis->definitions->folder);
}
