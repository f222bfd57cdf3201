// Says in words what a finding means and what to try.
#include "report/finding_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "analysis/grain.h"
#include "base/print.h"
#include "report/number.h"

static const char *label_of(const struct otter_report *report, uint32_t region,
                            char text[OTTER_LABEL_SIZE])
{
    if (region == OTTER_NONE) {
        snprintf(text, OTTER_LABEL_SIZE, "the program");
        return text;
    }
    return otter_label_text(otter_label_of(report->labels, region), text, OTTER_LABEL_SIZE);
}

static void write_serial(char *text, const struct otter_report *report,
                         const struct otter_finding *finding, const char *label)
{
    char duration[OTTER_MAX_NUMBER];
    otter_duration_text(finding->value * report->analysis->tick, duration);
    snprintf(text, OTTER_FINDING_TEXT,
             "Each thread is outside of parallel regions for %s on average, mostly while %s "
             "executes. Parallelise that code, or merge the regions around it.",
             duration, label);
}

// The runtime may divide a taskloop by recursion, whose depth is not the program's.
static bool has_taskloops(const struct otter_definitions *definitions)
{
    size_t i = 0;
    while (i < definitions->n_regions &&
           definitions->regions[i].construct != OTTER_CONSTRUCT_TASKLOOP) {
        i++;
    }
    return i < definitions->n_regions;
}

// The depth of a recursion is the cut-off to use; other tasks become larger by a factor.
static void write_cut_off(char *text, size_t size, const struct otter_report *report,
                          const struct otter_finding *finding, uint64_t knee)
{
    char below[OTTER_MAX_NUMBER];
    struct otter_grain grain;
    if (has_taskloops(report->analysis->definitions) ||
        otter_grain_find(report->analysis, finding->region, knee, &grain) ||
        grain.depth == OTTER_NONE) {
        double factor =
            OTTER_GRAIN_MARGIN *
            (finding->value > 0 ? ceil(OTTER_EVEN_COST / finding->value) : OTTER_EVEN_COST);
        snprintf(text, size,
                 "Put the work of %.0f tasks or more into one: a taskloop with %.0f times the "
                 "present grainsize, or blocks of that many items. Then record again: a part of "
                 "the time of so small a task does not grow with its work.",
                 factor, factor);
        return;
    }
    snprintf(text, size,
             "Create tasks only down to depth %u of the recursion, where a task with all tasks "
             "below takes %s on average (if, final).",
             grain.depth,
             otter_duration_text(otter_report_seconds(report, grain.inclusive), below));
}

static void write_small_tasks(char *text, const struct otter_report *report,
                              const struct otter_finding *finding)
{
    char n[OTTER_MAX_NUMBER], work[OTTER_MAX_NUMBER], cost[OTTER_MAX_NUMBER],
        knee[OTTER_MAX_NUMBER];
    const struct otter_costs *costs = &report->analysis->costs;
    uint64_t ticks = costs->creation + costs->scheduling;
    int length = snprintf(
        text, OTTER_FINDING_TEXT,
        "%s tasks of %s on average, while creating and scheduling a task costs %s here: a task "
        "should take %s or more. ",
        otter_number_text(finding->n, n),
        otter_duration_text((double)ticks * finding->value * report->analysis->tick, work),
        otter_duration_text(otter_report_seconds(report, ticks), cost),
        otter_duration_text(otter_report_seconds(report, OTTER_EVEN_COST * ticks), knee));
    write_cut_off(text + length, OTTER_FINDING_TEXT - (size_t)length, report, finding,
                  OTTER_EVEN_COST * ticks);
}

static void write_order(char *text, const struct otter_report *report,
                        const struct otter_finding *finding)
{
    const struct otter_span *span = &report->analysis->span;
    char n[OTTER_MAX_NUMBER];
    snprintf(text, OTTER_FINDING_TEXT,
             "%s dependences of the longest chain are on one address, 0x%" PRIx64 ". Parallelism "
             "is %.1f for %u threads, and %.1f without them. If the tasks need no order, use "
             "mutexinoutset; if they only reuse the storage, give each its own; else split them.",
             otter_number_text(finding->n, n), report->findings->address,
             span->span ? (double)span->work / (double)span->span : 0,
             report->analysis->account.n_threads, finding->value);
}

static void write_migration(char *text, const struct otter_report *report,
                            const struct otter_finding *finding)
{
    char n[OTTER_MAX_NUMBER], mean[OTTER_MAX_NUMBER];
    snprintf(text, OTTER_FINDING_TEXT,
             "Untied tasks continue on another thread %s times, %s after they could. Make them "
             "tied, or wait less often inside of them.",
             otter_number_text(finding->n, n),
             otter_duration_text(finding->value * report->analysis->tick, mean));
}

static void write_task_finding(char *text, const struct otter_finding *finding)
{
    char n[OTTER_MAX_NUMBER];
    otter_number_text(finding->n, n);
    if (finding->kind == OTTER_FINDING_CREATOR) {
        snprintf(text, OTTER_FINDING_TEXT,
                 "One task creates all %s tasks, and takes %.2g times as long for each as the task "
                 "runs. Create them in parallel (taskloop, recursion), or make them larger.",
                 n, finding->value);
        return;
    }
    snprintf(text, OTTER_FINDING_TEXT,
             "%s tasks are undeferred: other threads wait without work, and cannot execute them. "
             "Look for if(0), final, or a team of one thread.",
             n);
}

static void write_advice_on_chain(char *text, size_t size, const struct otter_report *report)
{
    char n[OTTER_MAX_NUMBER], label[OTTER_LABEL_SIZE];
    const struct otter_repeated_wait *wait = &report->findings->wait;
    if (wait->region == OTTER_NONE) {
        snprintf(text, size, "Shorten that chain, or split its tasks.");
        return;
    }
    snprintf(
        text, size,
        "The chain waits %s times at %s: if the tasks before and behind the wait are independent, "
        "wait once for all of them; else shorten that chain, or split its tasks.",
        otter_number_text(wait->n, n), label_of(report, wait->region, label));
}

static void write_chain(char *text, const struct otter_report *report,
                        const struct otter_finding *finding, const char *label)
{
    char span[OTTER_MAX_NUMBER];
    otter_duration_text((double)report->analysis->span.span * report->analysis->tick, span);
    if (finding->kind == OTTER_FINDING_RAMP) {
        snprintf(text, OTTER_FINDING_TEXT,
                 "Threads find no ready task, although parallelism is %.1f for %u threads: too few "
                 "tasks exist at the begin or the end of regions. Create tasks earlier, or make "
                 "the last ones smaller; the longest chain consists mostly of %s.",
                 finding->value, report->analysis->account.n_threads, label);
        return;
    }
    int length = snprintf(text, OTTER_FINDING_TEXT,
                          "Threads find no ready task: parallelism is %.1f for %u threads. The "
                          "longest chain of %s consists mostly of %s. ",
                          finding->value, report->analysis->account.n_threads, span, label);
    write_advice_on_chain(text + length, OTTER_FINDING_TEXT - (size_t)length, report);
}

// The construct for which the other threads waited decides what to try.
static const char *advice_on_imbalance(enum otter_construct construct)
{
    switch (construct) {
    case OTTER_CONSTRUCT_LOOP:
        return "Try another schedule (dynamic, guided), or more and smaller iterations.";
    case OTTER_CONSTRUCT_SINGLE:
    case OTTER_CONSTRUCT_MASKED:
        return "One thread executes the block while the others wait: split its work, or let the "
               "others go on (nowait).";
    case OTTER_CONSTRUCT_SECTIONS: return "Make the sections more even, or replace them by tasks.";
    default: break;
    }
    return otter_construct_is_kernel(construct)
               ? "Try Kokkos::Schedule<Kokkos::Dynamic>, a chunk size, or teams."
               : "Give each thread the same work, or share it by a loop or tasks.";
}

static void write_imbalance(char *text, const struct otter_report *report,
                            const struct otter_finding *finding)
{
    char n[OTTER_MAX_NUMBER];
    snprintf(text, OTTER_FINDING_TEXT,
             "The busiest thread executes %.2f times the mean%s%s%s, and the others wait for it. "
             "%s",
             finding->value, finding->n > 1 ? ", in " : "",
             finding->n > 1 ? otter_number_text(finding->n, n) : "",
             finding->n > 1 ? " executions" : "",
             advice_on_imbalance(
                 otter_definitions_construct(report->analysis->definitions, finding->region)));
}

// Forks are too many, or long beside long regions.
static void write_forking(char *text, const struct otter_report *report,
                          const struct otter_finding *finding)
{
    static const double LONG_REGION = 1e-3; // seconds: some 100 times a usual fork and join
    char n[OTTER_MAX_NUMBER], duration[OTTER_MAX_NUMBER];
    double mean = finding->value * report->analysis->tick;
    otter_number_text(finding->n, n);
    otter_duration_text(mean, duration);
    if (mean >= LONG_REGION) {
        snprintf(text, OTTER_FINDING_TEXT,
                 "Forking and joining take long, though a region lasts %s here on average. The "
                 "runtime made its threads, their processors were busy, or the threads slept: set "
                 "OMP_PROC_BIND and OMP_WAIT_POLICY=active, use fewer threads.",
                 duration);
        return;
    }
    snprintf(text, OTTER_FINDING_TEXT,
             "The program forks this region %s time%s, for %s each. Put several loops into one "
             "parallel region, or give each region more work.",
             n, finding->n == 1 ? "" : "s", duration);
}

static void write_region_finding(char *text, const struct otter_report *report,
                                 const struct otter_finding *finding)
{
    char n[OTTER_MAX_NUMBER], duration[OTTER_MAX_NUMBER];
    otter_number_text(finding->n, n);
    otter_duration_text(finding->value * report->analysis->tick, duration);
    switch (finding->kind) {
    case OTTER_FINDING_IMBALANCE: write_imbalance(text, report, finding); return;
    case OTTER_FINDING_LATE:
        snprintf(
            text, OTTER_FINDING_TEXT,
            "Threads begin their part of a region %s after the first on average, %s time%s, "
            "mostly here. Their processors were busy, or the threads slept: set OMP_PROC_BIND and "
            "OMP_WAIT_POLICY=active, use fewer threads, or fork fewer regions.",
            duration, n, finding->n == 1 ? "" : "s");
        return;
    case OTTER_FINDING_ALONE:
        snprintf(text, OTTER_FINDING_TEXT,
                 "%s nested regions had one thread, while other threads were idle. Allow nested "
                 "teams (OMP_MAX_ACTIVE_LEVELS=2, OMP_NUM_THREADS=4,2), or use tasks inside.",
                 n);
        return;
    default: write_forking(text, report, finding);
    }
}

static void write_delay(char *text, const struct otter_report *report)
{
    const struct otter_account *account = &report->analysis->account;
    const char *observed = report->analysis->tasks.n > 0
                               ? "Tasks are ready, and threads wait."
                               : "Threads still wait when their wait is over.";
    if (account->n_processors > 0 && account->n_threads > account->n_processors) {
        snprintf(text, OTTER_FINDING_TEXT,
                 "%s There are %u threads for %u processors: set OMP_NUM_THREADS=%u, or give the "
                 "program more processors.",
                 observed, account->n_threads, account->n_processors, account->n_processors);
        return;
    }
    snprintf(text, OTTER_FINDING_TEXT,
             "%s Their processors were busy (other programs, more threads than processors), or the "
             "threads slept: try fewer threads, OMP_PROC_BIND=true and OMP_WAIT_POLICY=active%s",
             observed, report->analysis->tasks.n > 0 ? ", or larger tasks." : ".");
}

static void write_oversubscription(char *text, const struct otter_finding *finding)
{
    snprintf(text, OTTER_FINDING_TEXT,
             "%" PRIu64 " threads execute on %.0f processors, and seem busy while they wait for "
             "one. Set OMP_NUM_THREADS=%.0f, or give the program more processors (affinity, "
             "taskset, the batch system).",
             finding->n, finding->value, finding->value);
}

static void write_tied(char *text)
{
    snprintf(text, OTTER_FINDING_TEXT,
             "Tasks could continue behind a wait, but only on the thread that began them, which "
             "executes another task meanwhile. Try untied tasks, or smaller tasks below the wait.");
}

static void write_lock(char *text, const struct otter_report *report,
                       const struct otter_finding *finding)
{
    enum otter_construct construct =
        otter_definitions_construct(report->analysis->definitions, finding->region);
    if (construct == OTTER_CONSTRUCT_ORDERED) {
        snprintf(text, OTTER_FINDING_TEXT,
                 "Threads wait for earlier iterations, mostly here. Shorten the ordered region, or "
                 "store its results and use them behind the loop.");
        return;
    }
    snprintf(text, OTTER_FINDING_TEXT,
             "Threads wait for mutual exclusion, mostly here. Shorten the block, use an atomic or "
             "a reduction, or split the lock.");
}

static void write_barrier(char *text, const struct otter_finding *finding)
{
    char n[OTTER_MAX_NUMBER];
    snprintf(text, OTTER_FINDING_TEXT,
             "Different threads are the last at %s barrier%s. Without the barrier their work would "
             "even out. If the code behind needs no data of other threads, remove the barrier "
             "(nowait), or order by dependences.",
             otter_number_text(finding->n, n), otter_plural(finding->n));
}

static void write_mpi(char *text, const struct otter_report *report,
                      const struct otter_finding *finding, const char *label)
{
    char n[OTTER_MAX_NUMBER], longest[OTTER_MAX_NUMBER];
    otter_duration_text(finding->value * report->analysis->tick, longest);
    snprintf(text, OTTER_FINDING_TEXT,
             "Threads are in %s calls of MPI, longest in %s with %s. The time is the exchange of "
             "data, or waiting for ranks that come later. Compare the ranks, or let tasks execute "
             "between the begin and the end of an exchange.",
             otter_number_text(finding->n, n), label, longest);
}

static void write_mpi_job(char *text, const struct otter_report *report,
                          const struct otter_finding *finding, const char *label)
{
    char n[OTTER_MAX_NUMBER], longest[OTTER_MAX_NUMBER];
    otter_duration_text(finding->value * report->analysis->tick, longest);
    snprintf(
        text, OTTER_FINDING_TEXT,
        "Threads are in %s calls that begin or end the job, longest in %s with %s. The time is "
        "the start and end of processes, or waiting for ranks that come later. A longer run "
        "has a smaller share of it.",
        otter_number_text(finding->n, n), label, longest);
}

const char *otter_finding_text(const struct otter_report *report,
                               const struct otter_finding *finding, char text[OTTER_FINDING_TEXT])
{
    char label[OTTER_LABEL_SIZE];
    if (otter_finding_kokkos_text(report, finding, text)) {
        return text;
    }
    label_of(report, finding->region, label);
    switch (finding->kind) {
    case OTTER_FINDING_SERIAL: write_serial(text, report, finding, label); break;
    case OTTER_FINDING_SMALL_TASKS: write_small_tasks(text, report, finding); break;
    case OTTER_FINDING_CREATOR:
    case OTTER_FINDING_UNDEFERRED: write_task_finding(text, finding); break;
    case OTTER_FINDING_RAMP:
    case OTTER_FINDING_CHAIN: write_chain(text, report, finding, label); break;
    case OTTER_FINDING_IMBALANCE:
    case OTTER_FINDING_LATE:
    case OTTER_FINDING_ALONE:
    case OTTER_FINDING_FORKING: write_region_finding(text, report, finding); break;
    case OTTER_FINDING_TIED: write_tied(text); break;
    case OTTER_FINDING_ORDER: write_order(text, report, finding); break;
    case OTTER_FINDING_MIGRATION: write_migration(text, report, finding); break;
    case OTTER_FINDING_DELAY: write_delay(text, report); break;
    case OTTER_FINDING_CROWDED: write_oversubscription(text, finding); break;
    case OTTER_FINDING_LOCK: write_lock(text, report, finding); break;
    case OTTER_FINDING_BARRIER: write_barrier(text, finding); break;
    case OTTER_FINDING_MPI: write_mpi(text, report, finding, label); break;
    case OTTER_FINDING_MPI_JOB: write_mpi_job(text, report, finding, label); break;
    default: *text = '\0'; break;
    }
    return text;
}
