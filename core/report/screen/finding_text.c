// Says in words what a finding means and what to try.
#include "report/screen/finding_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text/print.h"
#include "base/text/number.h"
#include "base/text/utf8.h"

enum { ADVICE = 320 }; // size of the text

static const char *label_of(const struct otter_report *report, uint32_t region,
                            char text[OTTER_LABEL_SIZE])
{
    if (region == OTTER_NONE) {
        snprintf(text, OTTER_LABEL_SIZE, "the program");
        return text;
    }
    return otter_label_text(otter_label_of(report->labels, region), text, OTTER_LABEL_SIZE);
}

// Advises how many of the current tasks to merge into one. The cost of such a task is about 0.5 %
// of its work, and each thread still gets a few tasks.
static void write_block(char *text, size_t size, const struct otter_report *report,
                        const struct otter_finding *finding, uint64_t batch)
{
    enum { MARGIN = 20, EACH = 4 }; // EACH: least number of tasks for each thread
    double value = finding->value > 0.1 ? finding->value : 0.1;
    double factor = MARGIN * ceil(OTTER_EVEN_COST / value);
    double most = (double)(batch / (EACH * (uint64_t)report->analysis->account.n_threads));
    char n[OTTER_MAX_NUMBER], share[64] = "";
    if (most < 2) {
        snprintf(text, size,
                 "A wait joins only %s of them: execute this work without tasks, or wait less "
                 "often.",
                 otter_number_text(batch, n));
        return;
    }
    factor = factor < most ? factor : most;
    if (factor * finding->value >= OTTER_EVEN_COST) {
        snprintf(share, sizeof share, ", so that its cost is only %.1f %% of its work",
                 100 / (factor * finding->value));
    }
    snprintf(text, size,
             "Put the work of %.0f tasks%s into one%s: a taskloop with %.0f times the current "
             "grainsize, or blocks of that many items. Then record again, since part of the time "
             "of such a small task does not grow with its work.",
             factor, factor < most ? " or more" : "", share, factor);
}

// Advises the depth at which a recursion should stop creating tasks; for other tasks, how many to
// merge.
static void write_cut_off(char *text, size_t size, const struct otter_report *report,
                          const struct otter_finding *finding)
{
    char below[OTTER_MAX_NUMBER], largest[OTTER_MAX_NUMBER], least[OTTER_MAX_NUMBER];
    const struct otter_grain *grain = &finding->grain;
    uint64_t enough = otter_grain_enough(&report->analysis->costs,
                                         otter_task_cost_of(report->analysis, finding->region));
    otter_duration_text(otter_report_seconds(report, grain->inclusive), below);
    otter_duration_text(otter_report_seconds(report, grain->largest), largest);
    otter_duration_text(otter_report_seconds(report, enough), least);
    if (!grain->is_tree) {
        write_block(text, size, report, finding, grain->batch);
    } else if (grain->largest > 0) {
        snprintf(text, size,
                 "Tasks at the first depth take %s on average, the largest task %s, including all "
                 "tasks below. Create tasks only for work of %s or more (if, final).",
                 below, largest, least);
    } else if (grain->depth == OTTER_NONE) {
        snprintf(text, size,
                 "Even the first tasks of the recursion take only %s on average, including all "
                 "tasks below. Create tasks only outside of the recursion.",
                 below);
    } else if (grain->depth == 0) {
        snprintf(text, size,
                 "Create only the first tasks of the recursion, which take %s on average, "
                 "including all tasks below (if, final).",
                 below);
    } else {
        snprintf(text, size,
                 "Create tasks only down to depth %u of the recursion, where a task takes %s on "
                 "average, including all tasks below (if, final).",
                 grain->depth, below);
    }
}

// Writes the part of a task's cost that is due to contention between threads.
static void write_contention(char *text, size_t size, const struct otter_report *report,
                             uint64_t cost)
{
    const struct otter_costs *costs = &report->analysis->costs;
    uint64_t alone = costs->creation + costs->scheduling;
    uint64_t rest = cost > alone ? cost - alone : 0;
    char part[OTTER_MAX_NUMBER];
    *text = '\0';
    if (rest > cost / 4) {
        snprintf(text, size, " (%s of it is contention)",
                 otter_duration_text(otter_report_seconds(report, rest), part));
    }
}

static void write_small_tasks(char *text, const struct otter_report *report,
                              const struct otter_finding *finding)
{
    char n[OTTER_MAX_NUMBER], work[OTTER_MAX_NUMBER], cost[OTTER_MAX_NUMBER], contention[64];
    uint64_t ticks = otter_task_cost_of(report->analysis, finding->region);
    write_contention(contention, sizeof contention, report, ticks);
    int length = snprintf(
        text, OTTER_FINDING_TEXT,
        "%s tasks take %s on average, while creating and scheduling a task costs %s here%s. ",
        otter_number_text(finding->n, n),
        otter_duration_text((double)ticks * finding->value * report->analysis->tick, work),
        otter_duration_text(otter_report_seconds(report, ticks), cost), contention);
    write_cut_off(text + length, OTTER_FINDING_TEXT - (size_t)length, report, finding);
}

// Writes the parallelism, unless it is enough for the threads; then it is lacking only for some of
// the time.
static const char *parallelism_text(const struct otter_report *report,
                                    const struct otter_finding *finding, char text[64])
{
    uint32_t n_threads = report->analysis->account.n_threads;
    *text = '\0';
    if (finding->value < n_threads) {
        snprintf(text, 64, " Parallelism is %.1f for %u threads.", finding->value, n_threads);
    }
    return text;
}

static void write_chain(char *text, const struct otter_report *report,
                        const struct otter_finding *finding)
{
    char parallelism[64];
    snprintf(text, OTTER_FINDING_TEXT,
             "Threads have no ready task while these tasks execute.%s Split these tasks, or create "
             "the others before them.",
             parallelism_text(report, finding, parallelism));
}

static void write_exclusion(char *text, const struct otter_report *report,
                            const struct otter_finding *finding)
{
    const struct otter_analysis *analysis = report->analysis;
    const struct otter_span *span = &analysis->span;
    char n[OTTER_MAX_NUMBER], parallelism[64], without[64] = "";
    parallelism_text(report, finding, parallelism);
    if (*parallelism != '\0' && span->exclusion != OTTER_NONE) {
        parallelism[strlen(parallelism) - 1] = '\0'; // the full stop
        snprintf(without, sizeof without, ", and %.1f if no tasks excluded each other.",
                 (double)span->work / (double)(span->ordered > 0 ? span->ordered : 1));
    }
    snprintf(text, OTTER_FINDING_TEXT,
             "%s tasks have the address 0x%" PRIx64 " in mutexinoutset, so only one of them "
             "executes at a time.%s%s Use an address for each part of the data, or let each task "
             "update a copy (task_reduction, in_reduction).",
             otter_number_text(finding->exclusion->n_tasks, n), finding->exclusion->address,
             parallelism, without);
}

static void write_order(char *text, const struct otter_report *report,
                        const struct otter_finding *finding)
{
    const struct otter_frequent_address *address = &report->findings->address;
    char n[OTTER_MAX_NUMBER], parallelism[64];
    if (finding->exclusion) {
        write_exclusion(text, report, finding);
        return;
    }
    if (address->n == 0) {
        snprintf(text, OTTER_FINDING_TEXT,
                 "Threads have no ready task, because tasks wait for the ones that execute here "
                 "(depend).%s Let tasks depend on smaller parts of the data, or split the tasks "
                 "here.",
                 parallelism_text(report, finding, parallelism));
        return;
    }
    int length = snprintf(text, OTTER_FINDING_TEXT, "%s dependences of the longest chain are on ",
                          otter_number_text(address->n, n));
    char *rest = text + length;
    size_t room = OTTER_FINDING_TEXT - (size_t)length;
    if (address->address == OTTER_ALL_MEMORY) {
        snprintf(rest, room,
                 "omp_all_memory. Parallelism is %.1f for %u threads, and %.1f without them. Name "
                 "the data that each task reads and writes instead.",
                 finding->value, report->analysis->account.n_threads, address->parallelism);
        return;
    }
    snprintf(rest, room,
             "one address, 0x%" PRIx64 ". Parallelism is %.1f for %u threads, and %.1f without "
             "them. If the tasks need no order, use mutexinoutset; if "
             "they only reuse the storage, give each its own; otherwise "
             "split them.",
             address->address, finding->value, report->analysis->account.n_threads,
             address->parallelism);
}

// If a thread's part of a loop is longer, smaller chunks pay off.
#define SHORT_PART 1e-4 // seconds

// Returns how long a thread's part of the loop takes on average. Returns 0 if that is unknown.
static double part_of_loop(const struct otter_report *report, uint32_t region)
{
    const struct otter_analysis *analysis = report->analysis;
    uint64_t n = otter_marks_parts(&analysis->marks, region);
    return n > 0 ? otter_report_seconds(report, analysis->account.executed[region]) / (double)n : 0;
}

static const char *advice_on_dynamic_loop(double chunk, bool is_short)
{
    if (is_short) {
        return "Its schedule is dynamic, and each thread's part is short: make the chunks larger, "
               "or try a static schedule.";
    }
    return chunk > 0 && chunk < 1.5
               ? "Its schedule is dynamic, in chunks of one iteration: execute the longest "
                 "iterations first, or split them."
               : "Its schedule is dynamic: make the chunks smaller, or execute the longest "
                 "iterations first.";
}

// Returns whether no schedule makes a loop of few iterations even. A member has at most one, or the
// busiest executes as much as with equally long iterations.
static bool are_even(double iterations, double members, double busiest)
{
    const double tolerance = 1.1;
    double mean = iterations / members;
    return mean <= 1 || busiest * mean <= tolerance * ceil(mean);
}

// Chooses the advice by the schedule, which the description of the loop's region contains.
static const char *advice_on_loop(const struct otter_report *report, uint32_t region,
                                  double busiest, char text[ADVICE])
{
    enum { FEW = 4 }; // iterations of a thread that are too few to be divided evenly
    const struct otter_analysis *analysis = report->analysis;
    const char *description = analysis->definitions->regions[region].description;
    double iterations = otter_marks_iterations(&analysis->marks, region);
    double members = otter_team_size(analysis, region);
    if (iterations > 0 && iterations < FEW * members) {
        return are_even(iterations, members, busiest)
                   ? "The loop has few iterations, which no schedule divides evenly: make more and "
                     "smaller ones (collapse, blocks)."
                   : "The loop has few iterations, some of them longer than others: start the "
                     "longest ones first, in chunks of one (dynamic,1), or split them.";
    }
    double mean = part_of_loop(report, region);
    bool is_short = mean > 0 && mean < SHORT_PART;
    if (strstr(description, "dynamic")) {
        double chunk =
            otter_marks_chunk(&analysis->marks, region, otter_team_size(analysis, region));
        return advice_on_dynamic_loop(chunk, is_short);
    }
    if (is_short) {
        char duration[OTTER_MAX_NUMBER];
        snprintf(text, ADVICE,
                 "Each thread's part of the loop takes %s on average, so another schedule may "
                 "cost more than it gains: put more work into each execution (blocks, several "
                 "loops in one), or use fewer threads.",
                 otter_duration_text(mean, duration));
        return text;
    }
    if (strstr(description, "guided")) {
        return "Its schedule is guided, so its first chunks are the largest: use dynamic with small "
               "chunks.";
    }
    return "Try another schedule (dynamic, guided), or more and smaller iterations.";
}

static void write_small_chunks(char *text, const struct otter_report *report,
                               const struct otter_finding *finding)
{
    const struct otter_analysis *analysis = report->analysis;
    double chunk = otter_marks_chunk(&analysis->marks, finding->region,
                                     otter_team_size(analysis, finding->region));
    double cost = otter_report_seconds(report, finding->cost) / (double)finding->n;
    double advised = otter_enough_iterations(analysis, finding);
    char n[OTTER_MAX_NUMBER], size[OTTER_MAX_NUMBER], each[OTTER_MAX_NUMBER],
        work[OTTER_MAX_NUMBER];
    int length =
        snprintf(text, OTTER_FINDING_TEXT,
                 "%s chunks of %s iteration%s take %s each, and the runtime needs %s to "
                 "give one to a thread. ",
                 otter_number_text(finding->n, n), otter_number_text((uint64_t)(chunk + 0.5), size),
                 chunk < 1.5 ? "" : "s", otter_duration_text(cost * finding->value, work),
                 otter_duration_text(cost, each));
    if (advised < 1 || advised < 2 * chunk) {
        snprintf(
            text + length, OTTER_FINDING_TEXT - (size_t)length,
            "Put more work into each execution of the loop (blocks), or try a static schedule.");
        return;
    }
    snprintf(text + length, OTTER_FINDING_TEXT - (size_t)length,
             "Use chunks of about %s iterations, or a static schedule if the iterations take about "
             "the same time.",
             otter_number_text((uint64_t)advised, n));
}

// Chooses the advice by the construct for which the other threads waited. Code between tests of a
// lock may only pass the time until another thread releases it.
static const char *advice_on_imbalance(const struct otter_report *report,
                                       const struct otter_finding *finding, char text[ADVICE])
{
    const double least = 0.1; // of the execution
    double tested = otter_between_tests(report->analysis, finding->region);
    if (finding->region != OTTER_NONE && tested > 0 &&
        tested > least * (double)report->analysis->account.executed[finding->region]) {
        char time[OTTER_MAX_NUMBER];
        snprintf(text, ADVICE,
                 "For %s, threads execute code between failed tests of a lock (omp_test_lock). If "
                 "this code only passes the time, hold the lock for a shorter time; otherwise, "
                 "give each thread the same work.",
                 otter_duration_text(tested * report->analysis->tick, time));
        return text;
    }
    enum otter_construct construct =
        otter_definitions_construct(report->analysis->definitions, finding->region);
    switch (construct) {
    case OTTER_CONSTRUCT_LOOP: return advice_on_loop(report, finding->region, finding->value, text);
    case OTTER_CONSTRUCT_SECTIONS: return "Make the sections more even, or replace them by tasks.";
    default: break;
    }
    return otter_construct_is_kernel(construct)
               ? "Try Kokkos::Schedule<Kokkos::Dynamic>, a chunk size, or teams."
               : "Give each thread the same work. If it is a loop, try another schedule, such as "
                 "dynamic; otherwise, distribute it with a loop or tasks.";
}

static void write_imbalance(char *text, const struct otter_report *report,
                            const struct otter_finding *finding)
{
    char n[OTTER_MAX_NUMBER], advice[ADVICE], ratio[64] = "One thread executes longer";
    if (finding->value > 0) { // otherwise, the members' parts are unknown
        snprintf(ratio, sizeof ratio, "The busiest thread executes %.2f times the mean",
                 finding->value);
    }
    snprintf(text, OTTER_FINDING_TEXT, "%s%s%s%s, and the others wait for it. %s", ratio,
             finding->n > 1 ? ", in " : "", finding->n > 1 ? otter_number_text(finding->n, n) : "",
             finding->n > 1 ? " executions" : "", advice_on_imbalance(report, finding, advice));
}

// Returns whether the archive has no switches, and there are more threads than processors. Then no
// other advice is safe.
static bool is_crowded(const struct otter_account *account)
{
    return !account->has_switches && account->n_processors > 0 &&
           account->n_threads > account->n_processors;
}

// Writes what was observed and what to try: `active` if threads may have slept, `on` if the
// switches prove that they were on a processor.
static void write_late(char *text, const struct otter_report *report, const char *observed,
                       const char *active, const char *on)
{
    const struct otter_account *account = &report->analysis->account;
    if (is_crowded(account)) {
        snprintf(text, OTTER_FINDING_TEXT,
                 "%s There are %u threads for %u processor%s: set OMP_NUM_THREADS=%u, or give the "
                 "program more processors.",
                 observed, account->n_threads, account->n_processors,
                 otter_plural(account->n_processors), account->n_processors);
    } else if (account->has_switches) {
        snprintf(text, OTTER_FINDING_TEXT, "%s %s", observed, on);
    } else {
        snprintf(text, OTTER_FINDING_TEXT,
                 "%s Their processors were busy, or the threads slept: the archive does not show "
                 "which, since it has no scheduler switches. %s",
                 observed, active);
    }
}

static uint64_t n_forks(const struct otter_analysis *analysis)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < analysis->regions.n; i++) {
        n += analysis->regions.items[i].n;
    }
    return n;
}

// Distinguishes too many forks from forks that take long although the regions are long.
static void write_forking(char *text, const struct otter_report *report,
                          const struct otter_finding *finding)
{
    static const double LONG_REGION = 1e-3; // seconds: about 100 times a usual fork and join
    enum { FEW_FORKS = 10 };
    char n[OTTER_MAX_NUMBER], all[OTTER_MAX_NUMBER], duration[OTTER_MAX_NUMBER], observed[200];
    double mean = finding->value * report->analysis->tick;
    bool is_few = finding->n < FEW_FORKS || report->analysis->account.n_threads == 1;
    otter_duration_text(mean, duration);
    if (mean >= LONG_REGION) {
        snprintf(observed, sizeof observed,
                 "Forking and joining take long, although a region lasts %s here on average%s",
                 duration, is_few ? ": the runtime also creates its threads." : ".");
        write_late(text, report, observed,
                   is_few ? "Try OMP_PROC_BIND=true and OMP_WAIT_POLICY=active, or record a longer "
                            "run."
                          : "Try OMP_PROC_BIND=true and OMP_WAIT_POLICY=active, or put several "
                            "loops into one parallel region.",
                   is_few ? "Record a longer run."
                          : "Put several loops into one parallel region, or record a longer run.");
        return;
    }
    int length = 0;
    if (finding->n_places > 1) {
        double share = 100.0 * (double)finding->places[0].cost / (double)finding->cost;
        length = snprintf(text, OTTER_FINDING_TEXT,
                          "The program forks regions %s times, and this one, with %.0f %% of the "
                          "cost, ",
                          otter_number_text(n_forks(report->analysis), all), share);
    } else {
        length = snprintf(text, OTTER_FINDING_TEXT, "The program forks this region ");
    }
    bool is_one = finding->n == 1;
    length += snprintf(text + length, OTTER_FINDING_TEXT - (size_t)length, "%s%s. It lasts %s%s. ",
                       is_one ? "once" : otter_number_text(finding->n, n), is_one ? "" : " times",
                       duration, is_one ? "" : " on average");
    snprintf(text + length, OTTER_FINDING_TEXT - (size_t)length, "%s",
             is_few ? "In a longer run, forks and joins take a smaller share of the time."
                    : "Give each region more work, or put several loops into one parallel region "
                      "and omit the barriers between them where the program allows it (nowait): a "
                      "barrier that stays costs more than half of a fork.");
}

static void write_late_workers(char *text, const struct otter_report *report,
                               const struct otter_finding *finding)
{
    char n[OTTER_MAX_NUMBER], duration[OTTER_MAX_NUMBER], observed[200];
    snprintf(observed, sizeof observed,
             "On average, a thread begins its part of a region %s after the first thread "
             "(%s time%s, most of the delay here).",
             otter_duration_text(finding->value * report->analysis->tick, duration),
             otter_number_text(finding->n, n), otter_plural(finding->n));
    write_late(text, report, observed,
               "Try OMP_PROC_BIND=true and OMP_WAIT_POLICY=active, or fork fewer regions.",
               "The late threads do other work first, or the runtime starts them late: move that "
               "work, or fork fewer regions.");
}

static void write_delay(char *text, const struct otter_report *report,
                        const struct otter_finding *finding)
{
    (void)finding;
    write_late(
        text, report, "Tasks could begin or continue, but threads wait.",
        "Try OMP_PROC_BIND=true and OMP_WAIT_POLICY=active, or larger tasks.",
        "These threads are on a processor: the runtime looks for tasks, or ends a wait. Make "
        "tasks larger, or wait less often.");
}

// Returns whether no team has more threads than processors, so that only several teams at once are
// too many.
static bool are_teams_small(const struct otter_analysis *analysis)
{
    for (uint32_t i = 0; i < analysis->graph->n_teams; i++) {
        if (analysis->graph->teams[i].n_members > analysis->account.n_processors) {
            return false;
        }
    }
    return analysis->graph->n_teams > 1;
}

// Writes how to have fewer threads.
static const char *fewer_threads_text(const struct otter_analysis *analysis, uint32_t n,
                                      char text[160])
{
    if (are_teams_small(analysis)) {
        snprintf(
            text, 160,
            "fork fewer teams at a time (OMP_MAX_ACTIVE_LEVELS=1 if they are nested, otherwise "
            "fewer threads that fork), or smaller ones (num_threads)");
    } else {
        snprintf(text, 160, "set OMP_NUM_THREADS=%u (and num_threads, if the program has it)", n);
    }
    return text;
}

static void write_wake_up(char *text, const struct otter_report *report,
                          const struct otter_finding *finding)
{
    (void)finding;
    const struct otter_account *account = &report->analysis->account;
    if (account->has_switches && account->n_processors > 0 &&
        account->n_threads > account->n_processors) {
        char fewer[160];
        snprintf(text, OTTER_FINDING_TEXT,
                 "Threads continue late when their wait is over: %u threads share %u processor%s. "
                 "Wait less often. If they compute, %s.",
                 account->n_threads, account->n_processors, otter_plural(account->n_processors),
                 fewer_threads_text(report->analysis, account->n_processors, fewer));
        return;
    }
    write_late(text, report, "Threads continue late when their wait is over.",
               "Try OMP_PROC_BIND=true and OMP_WAIT_POLICY=active, or wait less often.",
               "They sleep, or the runtime releases them one by one. Let them spin "
               "(OMP_WAIT_POLICY=active, KMP_BLOCKTIME=infinite), or wait less often.");
}

// Writes "2 OpenMP threads and 3 other threads".
static const char *threads_text(const struct otter_account *account, char text[80])
{
    snprintf(text, 80, "%u threads", account->n_threads);
    if (account->n_others > 0) {
        snprintf(text, 80, "%u OpenMP thread%s and %u other thread%s", account->n_threads,
                 otter_plural(account->n_threads), account->n_others,
                 otter_plural(account->n_others));
    }
    return text;
}

// For programs in which fewer threads would leave processors idle.
static void write_turns(char *text, const struct otter_account *account)
{
    char threads[80];
    if (account->n_others > 0) {
        snprintf(text, OTTER_FINDING_TEXT,
                 "%s take turns on %u processor%s. Start fewer of the other threads, or give the "
                 "program more processors (affinity, taskset, the batch system).",
                 threads_text(account, threads), account->n_processors,
                 otter_plural(account->n_processors));
        return;
    }
    snprintf(text, OTTER_FINDING_TEXT,
             "%s take turns on %u processor%s. But they sleep or wait in the kernel for "
             "%.0f %% of their execution, so fewer threads would leave processors idle: give the "
             "program more processors (affinity, taskset, the batch system).",
             threads_text(account, threads), account->n_processors,
             otter_plural(account->n_processors),
             100 * (double)account->blocked / (double)account->executing);
}

// With switches, few threads may seem to execute at the same time, since the others wait for a
// processor.
static void write_oversubscription(char *text, const struct otter_report *report,
                                   const struct otter_finding *finding)
{
    const struct otter_account *account = &report->analysis->account;
    char gain[OTTER_MAX_NUMBER], saving[OTTER_MAX_NUMBER + 64] = "", observed[200], threads[80];
    char fewer[160];
    const char *others = account->n_others > 0 ? "start fewer of the other threads, " : "";
    const char *plural = otter_plural(account->n_processors);
    uint32_t n = otter_enough_threads(account);
    if (account->has_switches && n >= account->n_threads) {
        write_turns(text, account);
        return;
    }
    bool take_turns = account->turns > account->full;
    snprintf(observed, sizeof observed,
             take_turns ? "%s take turns on %u processor%s"
                        : "%s are more than %u processor%s can execute",
             threads_text(account, threads), account->n_processors, plural);
    if (!account->has_switches && finding->n > account->n_processors) {
        snprintf(observed, sizeof observed,
                 "%" PRIu64 " threads execute on %u processor%s, and seem busy while they wait "
                 "for a processor, unless they sleep or read files",
                 finding->n, account->n_processors, plural);
    }
    if (finding->has_gain && finding->gain < account->wall / 100) {
        snprintf(saving, sizeof saving, " With fewer threads, the run takes as long.");
    } else if (finding->has_gain) {
        snprintf(saving, sizeof saving, " Fewer threads would save at most %s of the wall time.",
                 otter_duration_text(otter_report_seconds(report, finding->gain), gain));
    }
    snprintf(
        text, OTTER_FINDING_TEXT,
        "%s: %s, %sor give the program more processors (affinity, taskset, the batch system).%s",
        observed, fewer_threads_text(report->analysis, n, fewer), others, saving);
}

// Switches do not show why threads share a processor although another one is free for them. If
// there are more threads than processors, binding them to free processors is not advised.
static void write_noise(char *text, const struct otter_report *report,
                        const struct otter_finding *finding)
{
    const struct otter_account *account = &report->analysis->account;
    const struct otter_timeline *timeline = &report->analysis->timeline;
    bool are_own = !account->is_crowded && otter_timeline_off(timeline, true, true) >
                                               otter_timeline_off(timeline, true, false);
    bool are_more = account->n_processors > 0 && account->n_threads > account->n_processors;
    (void)finding;
    snprintf(text, OTTER_FINDING_TEXT, "%s%s",
             are_own ? "Threads of this program took turns, although there are enough processors: "
                       "other processes ran on them, or the threads are bound to too few. Use a "
                       "node of your own, and bind each thread to its own processor"
                     : "Other processes ran on the processors of threads that could execute. This "
                       "is not the program's fault: use a node of your own",
             are_own    ? " (OMP_PROC_BIND, OMP_PLACES)."
             : are_more ? "."
                        : ", or bind threads to processors that are free (OMP_PROC_BIND, "
                          "OMP_PLACES).");
}

// Writes where the program executes outside of regions: the regions around the longest part, if
// only the initial task executes there; otherwise the label.
static void write_serial_place(char *text, size_t size, const struct otter_report *report,
                               const struct otter_finding *finding)
{
    char label[OTTER_LABEL_SIZE], after[OTTER_LABEL_SIZE], time[OTTER_MAX_NUMBER];
    char part[OTTER_MAX_NUMBER + 32] = "mostly";
    enum { MOST = 120 }; // bytes of a label
    const struct otter_gap *gap = &finding->gap;
    bool is_known = gap->before != OTTER_NONE || gap->after != OTTER_NONE;
    bool are_two = gap->before != OTTER_NONE && gap->after != OTTER_NONE;
    if (!is_known || gap->ticks == 0 || finding->n_places > 1 ||
        otter_definitions_construct(report->analysis->definitions, finding->region) !=
            OTTER_CONSTRUCT_INITIAL_TASK) {
        snprintf(text, size, "mostly in %s", label_of(report, finding->region, label));
        return;
    }
    label_of(report, gap->before != OTTER_NONE ? gap->before : gap->after, label);
    label_of(report, gap->after != OTTER_NONE ? gap->after : gap->before, after);
    otter_duration_text(otter_report_seconds(report, gap->ticks), time);
    // with fewer processors than threads, the other threads are idle for a shorter time
    if ((double)gap->ticks <= finding->value) {
        bool is_most = 2 * (double)gap->ticks > finding->value;
        snprintf(part, sizeof part, is_most ? "mostly, for %s," : "the longest part, %s, is", time);
    }
    snprintf(text, size, "%s %s %.*s%s%.*s", part,
             gap->before == OTTER_NONE  ? "before"
             : gap->after == OTTER_NONE ? "after"
                                        : "between",
             OTTER_UTF8_CUT(label, MOST), are_two ? " and " : "",
             OTTER_UTF8_CUT(after, are_two ? MOST : 0));
}

// More threads do not shorten a sleep.
static void write_serial(char *text, const struct otter_report *report,
                         const struct otter_finding *finding)
{
    char place[300], idle[OTTER_MAX_NUMBER], advice[200];
    double blocked =
        otter_findings_blocked_share(report->findings, report->analysis, finding->region);
    otter_duration_text(finding->value * report->analysis->tick, idle);
    write_serial_place(place, sizeof place, report, finding);
    snprintf(advice, sizeof advice, "Parallelise that code, or merge the regions around it.");
    if (blocked > OTTER_MOSTLY_BLOCKED) {
        snprintf(advice, sizeof advice,
                 "The thread sleeps or waits in the kernel for %.0f %% of that time (files, "
                 "network, pthread): overlap this with other work (tasks, asynchronous I/O).",
                 100 * blocked);
    }
    snprintf(text, OTTER_FINDING_TEXT,
             "Each of the other threads is idle for %s while one executes outside of parallel "
             "regions (%s). %s",
             idle, place, advice);
}

static void write_creator(char *text, const struct otter_report *report,
                          const struct otter_finding *finding)
{
    char n[OTTER_MAX_NUMBER], why[80] = "other threads wait for it to create the next ones";
    if (finding->value * (report->analysis->account.n_threads - 1.0) >= 1) { // on average as well
        snprintf(why, sizeof why, "creating one takes %.2g times as long as executing it",
                 finding->value);
    }
    snprintf(text, OTTER_FINDING_TEXT,
             "One task creates all %s tasks, and %s. Create the tasks in parallel (taskloop, "
             "recursion), or make them larger.",
             otter_number_text(finding->n, n), why);
}

// Returns whether this is the wait of the taskgroup that a taskloop without nogroup implies.
static bool is_of_taskloop(const struct otter_report *report, uint32_t region)
{
    const struct otter_definitions *definitions = report->analysis->definitions;
    enum otter_construct construct = otter_definitions_construct(definitions, region);
    bool is_group =
        construct == OTTER_CONSTRUCT_TASKGROUP_WAIT || construct == OTTER_CONSTRUCT_TASKGROUP;
    const char *place = otter_label_place(otter_label_of(report->labels, region));
    bool is_found = false;
    for (uint32_t i = 0; is_group && *place && i < definitions->n_regions && !is_found; i++) {
        is_found = definitions->regions[i].construct == OTTER_CONSTRUCT_TASKLOOP &&
                   strcmp(otter_label_place(otter_label_of(report->labels, i)), place) == 0;
    }
    return is_found;
}

static void write_phases(char *text, const struct otter_report *report,
                         const struct otter_finding *finding)
{
    char n[OTTER_MAX_NUMBER];
    snprintf(text, OTTER_FINDING_TEXT,
             "The program waits here %s times until all its tasks have ended, before it creates "
             "the next ones: threads are idle at the end of each phase. %s",
             otter_number_text(finding->n, n),
             is_of_taskloop(report, finding->region)
                 ? "If the phases need no order, use nogroup, or one taskloop for several of them. "
                   "Otherwise, replace the taskloop by tasks with depend, since a taskloop "
                   "accepts no such clause."
                 : "Order the tasks of different phases by dependences (depend) instead of the "
                   "wait.");
}

static void write_short(char *text, const struct otter_report *report,
                        const struct otter_finding *finding)
{
    char duration[OTTER_MAX_NUMBER], start[OTTER_MAX_NUMBER + 64];
    snprintf(start, sizeof start, ": starting the threads alone takes %s",
             otter_duration_text(finding->value * report->analysis->tick, duration));
    snprintf(text, OTTER_FINDING_TEXT,
             "The run is too short to say what limits it%s. Record a run with a larger input.",
             finding->value > 0 ? start : "");
}

// Returns whether each member of the enclosing region forks this region.
static bool is_forked_by_all(const struct otter_region_uses *uses, uint32_t region)
{
    uint32_t outer = OTTER_NONE;
    for (uint32_t i = 0; i < uses->n; i++) {
        outer = uses->items[i].label == region ? uses->items[i].outer : outer;
    }
    for (uint32_t i = 0; i < uses->n && outer != OTTER_NONE; i++) {
        const struct otter_region_use *use = &uses->items[i];
        if (use->label == outer) {
            return use->n_all_nested == use->n && use->n_members > use->n;
        }
    }
    return false;
}

static void write_small_team(char *text, const struct otter_report *report,
                             const struct otter_finding *finding)
{
    const struct otter_analysis *analysis = report->analysis;
    char n[OTTER_MAX_NUMBER], team[128] = "The region had few threads, and others were idle.";
    if (finding->n > 0) { // otherwise no end of the region was recorded
        snprintf(team, sizeof team,
                 "The region had %.2g of %u threads on average, %s time%s, while others were idle.",
                 finding->value, analysis->account.n_threads, otter_number_text(finding->n, n),
                 otter_plural(finding->n));
    }
    bool are_many = analysis->account.is_crowded; // more threads find no processor
    const char *advice =
        are_many ? "More threads would take turns on the processors."
                 : "Give it more threads (num_threads, a true if clause; for a nested region "
                   "OMP_MAX_ACTIVE_LEVELS=2, OMP_NUM_THREADS=4,2), or use tasks inside.";
    bool is_by_all = is_forked_by_all(&analysis->regions, finding->region);
    if (is_by_all) {
        advice = "Each thread of the enclosing region forks it, and all wait for the slowest: give "
                 "each the same work";
    }
    snprintf(text, OTTER_FINDING_TEXT, "%s %s%s", team, advice,
             !is_by_all ? ""
             : are_many ? "."
                        : ", or more threads to those that finish last.");
}

// Writes where threads wait for a lock most of the time, if that is not where it was acquired.
static void write_lock_wait(char *text, size_t size, const struct otter_report *report,
                            const struct otter_finding *finding)
{
    const struct otter_lock_wait *wait = &report->findings->lock_waits[finding->region];
    char label[OTTER_LABEL_SIZE];
    bool is_most = wait->ticks > (double)finding->places[0].cost / 2;
    if (wait->region != finding->region && is_most) {
        snprintf(text, size, " They wait mostly in %s.", label_of(report, wait->region, label));
    }
}

static void write_mutual_exclusion(char *text, const struct otter_report *report,
                                   const struct otter_finding *finding, bool is_block)
{
    const double mostly = 0.75; // of the wait
    const char *holds =
        is_block ? "is in the block that begins here" : "holds the lock acquired here";
    const char *shorten = is_block ? "Shorten the block" : "Hold the lock for a shorter time";
    char elsewhere[OTTER_LABEL_SIZE + 32] = "", when[160];
    bool has_place = finding->region != OTTER_NONE;
    struct otter_lock_wait wait = {.held = 1};
    if (has_place) {
        wait = report->findings->lock_waits[finding->region];
        write_lock_wait(elsewhere, sizeof elsewhere, report, finding);
    }
    double known = wait.held + wait.free, held = known > 0 ? wait.held / known : 0;
    bool is_known = known > wait.unknown;
    if (wait.held <= 0 && is_known) {
        snprintf(text, OTTER_FINDING_TEXT,
                 "Acquiring a lock takes time here, though no other thread holds it. Acquire it "
                 "less often, or use an atomic or a reduction.");
        return;
    }
    snprintf(when, sizeof when, " while another thread %s.", holds);
    if (!is_known) {
        snprintf(when, sizeof when, ".");
    } else if (held < mostly) {
        snprintf(when, sizeof when,
                 ". For %.0f %% of that time another thread %s; for the rest, the next thread is "
                 "slow to continue.",
                 100 * held, holds);
        shorten = is_block ? "Enter the block less often" : "Acquire the lock less often";
    }
    snprintf(text, OTTER_FINDING_TEXT,
             "Threads wait for mutual exclusion%s%s %s, use an atomic or a reduction, or split "
             "the lock.",
             when, elsewhere, shorten);
}

// The sinks of doacross loops have no lock.
static void write_ordered(char *text, const struct otter_report *report,
                          const struct otter_finding *finding)
{
    const struct otter_marks *marks = &report->analysis->marks;
    uint32_t loop = marks->ordered[finding->region];
    double block = loop == OTTER_NONE ? 0 : otter_marks_block(marks, loop);
    const char *advice =
        "Shorten the ordered region, or store its results and use them after the loop.";
    char chunks[160];
    if (block > 1) {
        snprintf(chunks, sizeof chunks,
                 "The loop has chunks of %.0f iterations, and the first iteration of a chunk waits "
                 "for the whole chunk before it: use schedule(static, 1).",
                 block);
        advice = chunks;
    } else if (marks->sinks[finding->region] != OTTER_NONE) {
        advice =
            "Only the code between depend(sink) and depend(source) is serial: move code before "
            "it or after it, or split the loop.";
    }
    snprintf(text, OTTER_FINDING_TEXT, "Threads wait for earlier iterations, mostly here. %s",
             advice);
}

static void write_lock(char *text, const struct otter_report *report,
                       const struct otter_finding *finding)
{
    enum otter_construct construct =
        otter_definitions_construct(report->analysis->definitions, finding->region);
    if (construct == OTTER_CONSTRUCT_ORDERED) {
        write_ordered(text, report, finding);
        return;
    }
    write_mutual_exclusion(text, report, finding, construct == OTTER_CONSTRUCT_CRITICAL);
}

// In a wait or a lock, threads take turns; in the region itself, each adds up its own copy.
static void write_reduction(char *text, const struct otter_report *report,
                            const struct otter_finding *finding)
{
    enum otter_construct construct =
        otter_definitions_construct(report->analysis->definitions, finding->region);
    bool takes_turns = otter_construct_waits(construct) || otter_construct_locks(construct);
    snprintf(text, OTTER_FINDING_TEXT,
             "%s %s, let each thread add to a row of its own in a shared array, and add up the "
             "rows in a loop of the team.",
             takes_turns
                 ? "Threads add up the results of a reduction one after another, and the "
                   "others wait. Reduce less data."
                 : "Each thread sets up its copies of variables before the loop, and adds "
                   "them up after it (reduction) or destroys them (private objects). Reduce "
                   "once for several loops, or, if a loop changes few elements of an array, "
                   "use atomics.",
             takes_turns ? "Instead of an array" : "Otherwise");
}

// Names further places that have a hundredth of the cost or more.
static void append_places(char *text, const struct otter_report *report,
                          const struct otter_finding *finding)
{
    size_t length = strlen(text);
    uint32_t named = 0;
    for (uint32_t i = 1; i < finding->n_places && i < OTTER_FINDING_PLACES; i++) {
        char label[OTTER_LABEL_SIZE];
        const struct otter_finding_place *place = &finding->places[i];
        if (place->cost * 100 < finding->cost || place->region == OTTER_NONE ||
            length >= OTTER_FINDING_TEXT) {
            continue;
        }
        int n = snprintf(text + length, OTTER_FINDING_TEXT - length, "%s%.0f %% at %s",
                         named++ == 0 ? " Of this cost, " : ", ",
                         100.0 * (double)place->cost / (double)finding->cost,
                         label_of(report, place->region, label));
        length += n > 0 ? (size_t)n : 0;
    }
    if (named > 0 && length < OTTER_FINDING_TEXT) {
        uint32_t n = finding->n_places;
        uint32_t n_more = n > OTTER_FINDING_PLACES ? n - OTTER_FINDING_PLACES : 0;
        snprintf(text + length, OTTER_FINDING_TEXT - length,
                 n_more ? ", and less at %u more place%s." : ".", n_more, otter_plural(n_more));
    }
}

// More threads cannot use the time in which a lock is held.
static void write_blocked(char *text, const struct otter_report *report,
                          const struct otter_finding *finding)
{
    char time[OTTER_MAX_NUMBER], held[OTTER_MAX_NUMBER];
    int length = snprintf(text, OTTER_FINDING_TEXT,
                          "Threads wait in the kernel (for mutexes of the program, files or the "
                          "network, or they sleep) for %s of their execution, most of it here. ",
                          otter_duration_text(finding->value * report->analysis->tick, time));
    const char *use = "If they wait for a mutex, hold it for a shorter time: with a lock of "
                      "OpenMP instead, the report names its holders. Otherwise, more threads than "
                      "processors, or asynchronous I/O, can use that time.";
    size_t room = OTTER_FINDING_TEXT - (size_t)length;
    if ((double)finding->n * 10 < finding->value) {
        snprintf(text + length, room, "%s", use);
        return;
    }
    bool is_all = (double)finding->n * 10 >= 9 * finding->value;
    snprintf(text + length, room,
             "For %s of it they hold a lock, or execute an ordered region, so no other thread can "
             "use that time: wait outside of it.%s%s",
             otter_duration_text(otter_report_seconds(report, finding->n), held), is_all ? "" : " ",
             is_all ? "" : use);
}

// ---- all kinds

// A text or a function. A text may contain the number of the finding, {n}, with its plural, {s}.
// The value is {time}, a duration. The place is {label}.
static const struct {
    const char *text;
    void (*write)(char *text, const struct otter_report *report,
                  const struct otter_finding *finding);
} words[OTTER_N_FINDINGS] = {
    [OTTER_FINDING_SERIAL] = {.write = write_serial},
    [OTTER_FINDING_IMBALANCE] = {.write = write_imbalance},
    [OTTER_FINDING_SERIAL_PART] =
        {"One thread executes the block, and the other members of the region wait for it: split its "
         "work, or let the others execute more of the next loop (nowait, and a dynamic schedule of "
         "that loop)."},
    [OTTER_FINDING_SMALL_TASKS] = {.write = write_small_tasks},
    [OTTER_FINDING_CREATOR] = {.write = write_creator},
    [OTTER_FINDING_PHASES] = {.write = write_phases},
    [OTTER_FINDING_ORDER] = {.write = write_order},
    [OTTER_FINDING_TAIL] =
        {"The last tasks of a region are fewer than its {threads} threads, and the other threads "
         "wait for them. Create the longest tasks first, or make the last ones smaller."},
    [OTTER_FINDING_CHAIN] = {.write = write_chain},
    [OTTER_FINDING_EVENT] =
        {"All threads wait until the event of such a task is fulfilled (omp_fulfill_event), long "
         "after its body has ended. Start these operations earlier, let several of them proceed "
         "at the same time, or create other tasks that do not depend on them."},
    [OTTER_FINDING_TIED] =
        {"Tasks could continue after a wait, but only on the thread that began them, which is "
         "still executing another task. Try untied tasks, or split the tasks that a thread "
         "executes while it waits."},
    [OTTER_FINDING_MIGRATION] = {"Untied tasks continue on another thread {n} times, {time} after "
                                 "they could. Make them tied, or wait less often inside of them."},
    [OTTER_FINDING_WAKE_UP] = {.write = write_wake_up},
    [OTTER_FINDING_DELAY] = {.write = write_delay},
    [OTTER_FINDING_LOCK] = {.write = write_lock},
    [OTTER_FINDING_BARRIER] =
        {"Different threads arrive last at {n} barrier{s}. Without barriers, their work would "
         "even out. If the code after a barrier needs no data of other threads, remove the "
         "barrier (nowait), or order the work by dependences."},
    [OTTER_FINDING_FENCE] = {.write = otter_finding_fence_text},
    [OTTER_FINDING_REDUCTION] = {.write = write_reduction},
    [OTTER_FINDING_COPY] = {.write = otter_finding_copy_text},
    [OTTER_FINDING_FORKING] = {.write = write_forking},
    [OTTER_FINDING_UNDEFERRED] =
        {"{n} tasks are undeferred: other threads wait without work, and cannot execute them. "
         "Look for if(0), final, or a team of one thread."},
    [OTTER_FINDING_LATE] = {.write = write_late_workers},
    [OTTER_FINDING_ALONE] = {.write = write_small_team},
    [OTTER_FINDING_SMALL_KERNELS] = {.write = otter_finding_small_kernels_text},
    [OTTER_FINDING_SMALL_CHUNKS] = {.write = write_small_chunks},
    [OTTER_FINDING_ALLOCATION] = {.write = otter_finding_allocation_text},
    [OTTER_FINDING_MPI] =
        {"Threads are in {n} MPI calls, longest in {label} ({time}). They exchange data, or "
         "wait for ranks that arrive later. Compare the ranks, or let tasks execute between the "
         "start and the end of an exchange."},
    [OTTER_FINDING_MPI_JOB] =
        {"Threads are in {n} calls that begin or end the job, longest in {label} ({time}). "
         "Processes start and end there, or wait for ranks that arrive later. In a longer run, "
         "this share is smaller."},
    [OTTER_FINDING_CROWDED] = {.write = write_oversubscription},
    [OTTER_FINDING_NOISE] = {.write = write_noise},
    [OTTER_FINDING_SHORT] = {.write = write_short},
    [OTTER_FINDING_BLOCKED] = {.write = write_blocked},
    [OTTER_FINDING_FIRST_TOUCH] =
        {"The kernel works for {time} of the execution, while the program touches {n} new pages "
         "of memory. Allocate the memory once and reuse it instead of freeing it each time; "
         "larger pages (madvise, GLIBC_TUNABLES=glibc.malloc.hugetlb=1) cause fewer page faults."},
    [OTTER_FINDING_HIGH_WATER] = {.write = otter_finding_high_water_text},
};

// The slots; their values have the same order in write_words().
static const char *const slots[] = {"{n}", "{s}", "{time}", "{label}", "{threads}"};
enum { N_SLOTS = sizeof slots / sizeof *slots };

// Returns the length of the slot at `text`, and its number; 0: `text` begins with no slot.
static size_t find_slot(const char *text, unsigned *slot)
{
    for (*slot = 0; *slot < N_SLOTS; ++*slot) {
        size_t length = strlen(slots[*slot]);
        if (strncmp(text, slots[*slot], length) == 0) {
            return length;
        }
    }
    return 0;
}

static void write_words(char *text, const struct otter_report *report,
                        const struct otter_finding *finding)
{
    char n[OTTER_MAX_NUMBER], time[OTTER_MAX_NUMBER], label[OTTER_LABEL_SIZE],
        threads[OTTER_MAX_NUMBER];
    snprintf(threads, sizeof threads, "%u", report->analysis->account.n_threads);
    const char *const values[N_SLOTS] = {
        otter_number_text(finding->n, n), otter_plural(finding->n),
        otter_duration_text(finding->value * report->analysis->tick, time),
        label_of(report, finding->region, label), threads};
    size_t used = 0;
    for (const char *at = words[finding->kind].text; *at && used < OTTER_FINDING_TEXT;) {
        unsigned slot;
        size_t length = find_slot(at, &slot);
        used += (size_t)snprintf(text + used, OTTER_FINDING_TEXT - used, "%.*s",
                                 length > 0 ? (int)strlen(values[slot]) : 1,
                                 length > 0 ? values[slot] : at);
        at += length > 0 ? length : 1;
    }
}

const char *otter_finding_text(const struct otter_report *report,
                               const struct otter_finding *finding, char text[OTTER_FINDING_TEXT])
{
    *text = '\0';
    if (finding->kind < OTTER_N_FINDINGS && words[finding->kind].write) {
        words[finding->kind].write(text, report, finding);
    } else if (finding->kind < OTTER_N_FINDINGS && words[finding->kind].text) {
        write_words(text, report, finding);
    }
    append_places(text, report, finding);
    return text;
}
