// Prints the summary of a report: numbers, the account of thread-seconds, findings.

#include <stdlib.h>

#include "base/text/print.h"
#include "base/text/visible.h"
#include "report/form/analysis.h"
#include "report/screen/finding_print.h"
#include "source/lines.h"
#include "base/text/number.h"
#include "report/form/parts.h"
#include "report/form/plain.h"
#include "report/predict/predict.h"
#include "report/screen/recording_text.h"
#include "report/screen/samples_text.h"
#include "report/form/wrap.h"
#include "trace/schema.h"

enum {
    MAX_TEXTS = 3,
    MAX_FINDINGS = 6,
    LINE_WIDTH = 46,
    MAX_BAR = 40,
    MIN_WIDTH = 60,
    MAX_WIDTH = 100
};

static const double MIN_PERCENT = 0.5; // percent of the thread time below which a line is left out

struct page {
    FILE *out;
    const struct otter_report *report;
    struct otter_screen screen;
    uint64_t other; // ticks of lines that are too small to be printed
};

static const char *seconds(const struct page *page, uint64_t ticks, char text[OTTER_MAX_NUMBER])
{
    return otter_duration_text(otter_report_seconds(page->report, ticks), text);
}

static double share(const struct page *page, uint64_t ticks)
{
    uint64_t total = page->report->analysis->account.total;
    return total ? 100.0 * (double)ticks / (double)total : 0;
}

static double ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static void print_head(const struct page *page)
{
    char wall[OTTER_MAX_NUMBER];
    const struct otter_analysis *analysis = page->report->analysis;
    const struct otter_account *account = &analysis->account;
    const char *program = otter_archive_property(page->report->archive, "OTTER::COMMAND_LINE");
    otter_plain_print(page->out, program && *program ? program : analysis->definitions->folder,
                      (size_t)page->screen.width);
    if (page->screen.age) {
        otter_print(page->out, ", %s", page->screen.age);
    }
    otter_print(page->out, "\n%u thread%s", account->n_threads, otter_plural(account->n_threads));
    if (analysis->timeline.n_helpers > 0) {
        otter_print(page->out, " and %u of the runtime", analysis->timeline.n_helpers);
    }
    if (account->n_processors > 0 && account->n_processors < account->n_threads) {
        otter_print(page->out, " on %u processor%s", account->n_processors,
                    otter_plural(account->n_processors));
    }
    otter_print(page->out, ", %s: speed-up %.2f, efficiency %.1f %%\n\n",
                seconds(page, account->wall, wall), otter_speed_up(account, analysis->span.work),
                100 * analysis->efficiency.total);
}

static void print_missing_events(const struct page *page)
{
    const struct otter_analysis *analysis = page->report->analysis;
    char n[OTTER_MAX_NUMBER], text[200];
    if (otter_analysis_is_complete(analysis)) {
        return;
    }
    snprintf(text, sizeof text,
             "The archive is not complete%s%s%s, so all numbers are estimates for the part that "
             "was recorded:",
             analysis->n_lost ? ": it lost " : "",
             analysis->n_lost ? otter_number_text(analysis->n_lost, n) : "",
             analysis->n_lost ? " events" : "");
    otter_print_wrapped_at(page->out, page->screen.width, 0, text);
    otter_print(page->out, "otter check %s\n\n", analysis->definitions->folder);
}

static bool is_wide(const struct page *page)
{
    return page->screen.width >= 70;
}

// The bounds hold for a greedy schedule of this work on these threads. If tasks exclude each other,
// even a greedy schedule may execute one task at a time.
static void print_work(const struct page *page)
{
    char text[OTTER_MAX_NUMBER], high[OTTER_MAX_NUMBER];
    const struct otter_analysis *analysis = page->report->analysis;
    const struct otter_span *span = &analysis->span;
    uint32_t n_threads = analysis->timeline.n_lines;
    uint64_t even = span->work / n_threads;
    uint64_t lower = even > span->span ? even : span->span;
    uint64_t upper = even + span->span - span->span / n_threads; // Graham
    otter_print(page->out, "  work T1   %10s\n", seconds(page, span->work, text));
    otter_print(page->out, "  span      %10s  parallelism %.1f\n", seconds(page, span->span, text),
                ratio(span->work, span->span));
    otter_print(page->out, "  burdened  %10s  burdened parallelism %.1f%s\n",
                seconds(page, span->burdened, text), ratio(span->work, span->burdened),
                is_wide(page) ? ", with the costs of tasks" : "");
    otter_print(page->out, "  bounds    %10s  to %s", seconds(page, lower, text),
                seconds(page, analysis->exclusions.n > 0 ? span->work : upper, high));
    otter_print(page->out, is_wide(page) ? " for this graph on %u thread%s%s\n" : "\n", n_threads,
                otter_plural(n_threads), analysis->account.lock > 0 ? ", without locks" : "");
}

// ---- the thread time

static void print_line(const struct page *page, const char *name, uint64_t ticks)
{
    static const char bar[MAX_BAR + 1] = "########################################";
    char text[OTTER_MAX_NUMBER];
    int room = page->screen.width - LINE_WIDTH;
    room = room < 0 ? 0 : room > MAX_BAR ? MAX_BAR : room;
    int length = (int)(share(page, ticks) * room / 100 + 0.5);
    otter_print(page->out, "  %-22s %10s %5.1f %%%s%.*s\n", name, seconds(page, ticks, text),
                share(page, ticks), length ? "  " : "", length, bar);
}

static void print_time(struct page *page, const char *name, uint64_t ticks)
{
    if (share(page, ticks) < MIN_PERCENT) {
        page->other += ticks;
    } else {
        print_line(page, name, ticks);
    }
}

static void print_part(struct page *page, enum otter_time_part part)
{
    print_time(page, otter_time_parts[part].head,
               otter_time_part(&page->report->analysis->account, part));
}

// Prints waits without ready tasks, by the construct in which threads waited.
static void print_waits(struct page *page)
{
    const struct otter_account *account = &page->report->analysis->account;
    uint64_t barriers = 0, dependences = account->waits[OTTER_CONSTRUCT_TASKWAIT_DEPEND].no_work;
    uint64_t fences = account->waits[OTTER_CONSTRUCT_KOKKOS_FENCE].no_work;
    uint64_t explicit_barriers = account->waits[OTTER_CONSTRUCT_BARRIER_EXPLICIT].no_work;
    for (unsigned i = 0; i < OTTER_N_CONSTRUCTS; i++) {
        barriers += otter_construct_is_barrier(i) ? account->waits[i].no_work : 0;
    }
    barriers -= explicit_barriers;
    print_time(page, "no work: barriers", explicit_barriers);
    print_time(page, "no work: implicit ends", barriers);
    print_time(page, "no work: dependences", dependences);
    print_time(page, "no work: fences", fences);
    print_time(page, "no work: task waits",
               account->no_work - barriers - explicit_barriers - dependences - fences);
}

static void print_account(struct page *page)
{
    char total[OTTER_MAX_NUMBER];
    const struct otter_account *account = &page->report->analysis->account;
    otter_print(page->out, "\nthread time: %s\n", seconds(page, account->total, total));
    print_part(page, OTTER_TIME_EXECUTING);
    if (share(page, account->blocked) >= MIN_PERCENT) {
        print_line(page, "  of it blocked", account->blocked);
    }
    for (enum otter_time_part part = OTTER_TIME_PREEMPTED; part < OTTER_N_TIME_PARTS; part++) {
        if (part == OTTER_TIME_NO_WORK) {
            print_waits(page);
        } else {
            print_part(page, part);
        }
    }
    if (page->other > 0) {
        print_line(page, "all other", page->other);
    }
}

// ---- the efficiency

static void print_share(const struct page *page, int depth, const char *name, double factor,
                        const char *meaning)
{
    otter_print(page->out, "%*s%-*s %6.1f %%", 2 * depth, "", 22 - 2 * depth, name, 100 * factor);
    if (is_wide(page)) {
        otter_print(page->out, "  %s", meaning);
    }
    otter_print(page->out, "\n");
}

static void print_factor(const struct page *page, int depth, enum otter_factor factor,
                         const char *meaning)
{
    print_share(page, depth, otter_factors[factor].head,
                otter_factor(&page->report->analysis->efficiency, factor), meaning);
}

// A parent is the product of its children. The factors of the losses in regions are printed if they
// are below 99.95 %.
static void print_efficiency(const struct page *page)
{
    static const char *const meanings[OTTER_N_LOSSES] = {
        "threads wait, and no task is ready",
        "ready tasks belong to a busy thread",
        "threads wait, though tasks are ready",
        "threads wait for locks",
        "creating and scheduling tasks",
        "forking and joining regions",
        "threads could execute, but have no processor"};
    const struct otter_efficiency *efficiency = &page->report->analysis->efficiency;
    otter_print(page->out, "\n");
    bool has_mpi = page->report->analysis->account.mpi > 0;
    print_factor(page, 0, OTTER_FACTOR_TOTAL,
                 has_mpi ? "= MPI x serial x in regions" : "= serial x in regions");
    if (has_mpi) {
        print_factor(page, 1, OTTER_FACTOR_MPI, "threads in MPI calls");
    }
    print_factor(page, 1, OTTER_FACTOR_SERIAL, "threads outside of parallel regions");
    print_factor(page, 1, OTTER_FACTOR_REGIONS, "= load balance x scheduling");
    print_factor(page, 2, OTTER_FACTOR_LOAD_BALANCE, "threads of a region wait unequally");
    print_factor(page, 2, OTTER_FACTOR_SCHEDULING, "all other losses in regions");
    bool is_first = true;
    for (unsigned i = 0; i < OTTER_N_LOSSES; i++) {
        if (efficiency->losses[i] < 0.9995) {
            otter_print(page->out,
                        is_first ? "    in regions, by cause: the product of these factors\n" : "");
            is_first = false;
            print_share(page, 3, otter_loss_name((enum otter_loss)i), efficiency->losses[i],
                        meanings[i]);
        }
    }
}

// ---- findings

static void print_fine(const struct page *page)
{
    const struct otter_analysis *analysis = page->report->analysis;
    if (!otter_analysis_is_complete(analysis)) {
        otter_print(page->out, "\nNo loss of the recorded part reaches %d %%.\n",
                    OTTER_FINDING_PERCENT);
        return;
    }
    otter_print(page->out,
                is_wide(page)
                    ? "\nNothing limits this run: no loss reaches %d %% of the thread time.\n"
                    : "\nNothing limits this run: no loss reaches %d %%.\n",
                OTTER_FINDING_PERCENT);
    if (analysis->account.n_threads == 1) {
        otter_print_wrapped_at(page->out, page->screen.width, 0,
                               "It had one thread. Record it with more threads, or predict their "
                               "time: otter report --threads=1..16");
    }
}

// Prints the lost time that no cause explains, if it would be enough for a finding.
static void print_unexplained(const struct page *page)
{
    char text[OTTER_MAX_NUMBER];
    uint64_t ticks = page->report->findings->unexplained;
    if (share(page, ticks) >= OTTER_FINDING_PERCENT) {
        otter_print(page->out, "    unexplained: %s, %.1f %%\n", seconds(page, ticks, text),
                    share(page, ticks));
    }
}

// Noise is not the program's fault and follows findings that cost less.
static bool has_noise_last(const struct otter_findings *findings)
{
    bool is_last = false;
    for (uint32_t i = 1; i < findings->n; i++) {
        is_last |= findings->items[i].kind == OTTER_FINDING_NOISE;
    }
    return is_last;
}

// The shares of findings include noise, and 'what if' does not.
static void print_caution(const struct page *page)
{
    const double heavy = 30; // percent of the thread time
    const struct otter_findings *findings = page->report->findings;
    double noise = share(page, (uint64_t)otter_losses_of(&findings->losses, OTTER_FINDING_NOISE));
    const struct otter_finding *first = &findings->items[0];
    char text[320], without[80] = "";
    if (noise < heavy || findings->n == 0 || first->kind == OTTER_FINDING_SHORT) {
        return;
    }
    if (first->kind != OTTER_FINDING_NOISE && otter_finding_is_loss(first->kind) && noise < 100) {
        snprintf(without, sizeof without, " Without noise, the first finding would take %.1f %%.",
                 100 * share(page, first->cost) / (100 - noise));
    }
    snprintf(text, sizeof text,
             "Caution: %.0f %% of the thread time is noise. The shares below include it; 'what "
             "if' does not.%s Record again while fewer other programs run.",
             noise, without);
    otter_print_wrapped_at(page->out, page->screen.width, 0, text);
}

static void print_findings(const struct page *page)
{
    const struct otter_findings *findings = page->report->findings;
    if (findings->n == 0) {
        print_fine(page);
        return;
    }
    otter_print(page->out, "\nfindings, by thread time%s\n",
                has_noise_last(findings) ? ", noise last" : "");
    print_caution(page);
    for (uint32_t i = 0; i < findings->n && i < MAX_FINDINGS; i++) {
        if (i < MAX_TEXTS) {
            otter_finding_print(page->out, &page->screen, page->report, i);
        } else {
            otter_finding_print_title(page->out, &page->screen, page->report, i);
        }
    }
    print_unexplained(page);
    if (findings->n > MAX_TEXTS) {
        otter_print(page->out, "    The texts of all %u: otter report --findings\n", findings->n);
    }
}

static struct page page_of(FILE *out, const struct otter_report *report, struct otter_screen screen)
{
    screen.width = screen.width < MIN_WIDTH   ? MIN_WIDTH
                   : screen.width > MAX_WIDTH ? MAX_WIDTH
                                              : screen.width;
    return (struct page){.out = out, .report = report, .screen = screen};
}

typedef void print_function(FILE *out, const struct otter_report *report,
                            struct otter_screen screen);

// Prints a report that has the functions of its samples.
static void print_with_functions(FILE *out, const struct otter_report *report,
                                 struct otter_screen screen, print_function *print)
{
    struct otter_functions own;
    struct otter_report sampled = *report;
    sampled.functions = otter_report_functions(report, &own);
    print(out, &sampled, screen);
    otter_functions_finish(&own);
}

static void print_all_findings(FILE *out, const struct otter_report *report,
                               struct otter_screen screen)
{
    struct page page = page_of(out, report, screen);
    print_caution(&page);
    for (uint32_t i = 0; i < report->findings->n; i++) {
        otter_finding_print(out, &page.screen, report, i);
    }
    if (report->findings->n == 0) {
        print_fine(&page);
    }
}

void otter_report_print_findings(FILE *out, const struct otter_report *report,
                                 struct otter_screen screen)
{
    print_with_functions(out, report, screen, print_all_findings);
}

static void print_hint(const struct page *page)
{
    const struct otter_report *report = page->report;
    const char *hint = otter_lines_hint(report->analysis->definitions, report->labels);
    if (hint) {
        otter_print(page->out, "\n%s\n", hint);
    }
}

static void print_all(FILE *out, const struct otter_report *report, struct otter_screen screen)
{
    const struct otter_analysis *analysis = report->analysis;
    struct page page = page_of(out, report, screen);
    print_head(&page);
    print_missing_events(&page);
    print_work(&page);
    print_account(&page);
    otter_recording_print(out, report, page.screen.width);
    print_efficiency(&page);
    otter_path_functions_print(out, report, page.screen.width);
    print_findings(&page);
    otter_predict_best(out, report, page.screen.width);
    if (otter_mpi_is_missing(analysis->definitions)) {
        otter_print(out, "\n");
        otter_print_wrapped_at(out, page.screen.width, 0,
                               "This process is a rank of a job, and its MPI calls were not "
                               "recorded: their time counts as execution.");
    }
    print_hint(&page);
    const struct otter_findings *findings = report->findings;
    char *word = otter_visible_word(analysis->definitions->folder);
    otter_print(out, "\nnext: otter report --%s %s\n",
                findings->n > 0 ? otter_finding_facts_of(findings->items[0].kind)->table : "labels",
                word);
    free(word);
}

void otter_report_print_summary(FILE *out, const struct otter_report *report,
                                struct otter_screen screen)
{
    print_with_functions(out, report, screen, print_all);
}
