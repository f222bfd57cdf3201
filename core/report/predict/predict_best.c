// Finds the change that gains most.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/path/scaled.h"
#include "base/text/print.h"
#include "base/text/utf8.h"
#include "report/predict/predict.h"
#include "report/form/wrap.h"

static const double MIN_GAIN = 0.01; // share of the time
static const double MAX_ERROR = 0.2; // largest error of a replay, relative to the wall time
// Mean wait for a busy lock, in seconds, below which the cost of the lock itself matters. A
// hand-over takes 0.5 us.
static const double SHORT_WAIT = 2e-6;

// A replay of 10^6 nodes takes about 0.1 s; of loops with chunks, 0.25 s.
enum { MAX_REPLAYED = 8000000, N_LABELS = 4, N_CANDIDATES = N_LABELS + 5 };
// Replays for a function, with 3 policies each: the run, the change, and both ends of the sampling
// error.
enum { N_FUNCTION_REPLAYS = 12 };
enum { MAX_NAME = 120 }; // bytes of a function's name

struct candidate {
    enum otter_what_if_kind kind;
    uint32_t region;
    double value;       // the factor or depth of the change; of a lock: the mean wait while it is
                        // busy, in seconds
    double less;        // share of the time that it saves with work stealing
    double least, most; // shares of the time that it saves, over all policies
};

struct candidates {
    struct candidate items[N_CANDIDATES];
    unsigned n;
    double error; // of the replay of the run itself
};

struct search {
    const struct otter_report *report;
    const unsigned char *uses; // of each region: bits of otter_region_use_bit
    struct otter_replay *replay;
    uint32_t n_threads;
    uint64_t bound;                           // ticks; of the replayed run
    uint64_t before[OTTER_N_REPLAY_POLICIES]; // ticks of the replayed run
    struct candidates candidates;
};

static uint32_t largest(const uint64_t *sums, uint32_t n)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < n; i++) {
        most = sums[i] > sums[most] ? i : most;
    }
    return n > 0 && sums[most] > 0 ? most : OTTER_NONE;
}

static void add(struct candidates *candidates, enum otter_what_if_kind kind, uint32_t region)
{
    if (region != OTTER_NONE) {
        candidates->items[candidates->n++] =
            (struct candidate){.kind = kind, .region = region, .value = 0.5};
    }
}

// Adds the cut-off that findings on small tasks advise: only the first, which is the most costly.
static void add_cut_off(const struct otter_report *report, struct candidates *candidates)
{
    for (uint32_t i = 0; i < report->findings->n; i++) {
        const struct otter_finding *finding = &report->findings->items[i];
        if (finding->kind == OTTER_FINDING_SMALL_TASKS && finding->grain.is_tree &&
            finding->grain.depth != OTTER_NONE) {
            add(candidates, OTTER_WHAT_IF_CUT_OFF, finding->region);
            candidates->items[candidates->n - 1].value = finding->grain.depth;
            return;
        }
    }
}

// Adds the labels with the most ticks on the realised path.
static void add_labels(const struct otter_report *report, struct candidates *candidates,
                       uint64_t *sums)
{
    uint32_t n = report->analysis->account.n_labels - 1;
    if (report->path_labels) {
        memcpy(sums, report->path_labels->realised, (n + 1) * sizeof *sums);
    } else {
        otter_report_realised_labels(report->analysis, sums);
    }
    for (unsigned i = 0; i < N_LABELS; i++) {
        uint32_t label = largest(sums, n);
        add(candidates, OTTER_WHAT_IF_FACTOR, label);
        if (label != OTTER_NONE) {
            sums[label] = 0;
        }
    }
}

// Returns whether a program may do without the wait: for a lock, at an explicit barrier, or at the
// barrier of a worksharing construct.
static bool may_be_dropped(enum otter_construct construct, enum otter_state state)
{
    return state == OTTER_STATE_LOCK || construct == OTTER_CONSTRUCT_BARRIER ||
           construct == OTTER_CONSTRUCT_BARRIER_EXPLICIT ||
           construct == OTTER_CONSTRUCT_BARRIER_WORKSHARE;
}

// Returns the construct of this state in which threads wait most.
static uint32_t longest_wait(const struct otter_analysis *analysis, enum otter_state state,
                             uint64_t *sums)
{
    const struct otter_timeline *timeline = &analysis->timeline;
    uint32_t n = analysis->account.n_labels - 1;
    for (uint32_t i = 0; i < n; i++) {
        sums[i] = 0;
    }
    for (uint32_t i = 0; i < timeline->n_lines; i++) {
        const struct otter_thread_line *line = &timeline->lines[i];
        for (uint32_t k = 0; k < line->intervals.n; k++) {
            const struct otter_interval *interval = &line->intervals.items[k];
            enum otter_construct construct =
                otter_definitions_construct(timeline->definitions, interval->region);
            if (interval->state == state && interval->region < n &&
                may_be_dropped(construct, state)) {
                sums[interval->region] += otter_interval_end(timeline, line, k) - interval->begin;
            }
        }
    }
    return largest(sums, n);
}

// Returns the loop or kernel of the most costly finding on an imbalance, or the one with the most
// work.
static uint32_t uneven_loop(const struct otter_report *report, const unsigned char *uses)
{
    const struct otter_account *account = &report->analysis->account;
    uint32_t most = OTTER_NONE;
    for (uint32_t i = 0; i < report->findings->n; i++) {
        const struct otter_finding *finding = &report->findings->items[i];
        if (finding->kind == OTTER_FINDING_IMBALANCE && finding->region != OTTER_NONE &&
            (uses[finding->region] & OTTER_USED_LOOP)) {
            return finding->region;
        }
    }
    for (uint32_t i = 0; i + 1 < account->n_labels; i++) {
        bool is_larger = most == OTTER_NONE || account->executed[i] > account->executed[most];
        most = (uses[i] & OTTER_USED_LOOP) && is_larger ? i : most;
    }
    return most;
}

// Returns the taskwait that the finding on phases names.
static uint32_t repeated_taskwait(const struct otter_report *report)
{
    for (uint32_t i = 0; i < report->findings->n; i++) {
        const struct otter_finding *finding = &report->findings->items[i];
        if (finding->kind == OTTER_FINDING_PHASES &&
            otter_definitions_construct(report->analysis->definitions, finding->region) ==
                OTTER_CONSTRUCT_TASKWAIT) {
            return finding->region;
        }
    }
    return OTTER_NONE;
}

static double gain_from(uint64_t before, uint64_t ticks)
{
    return before ? 1 - (double)ticks / (double)before : 0;
}

static double gain_of(const struct search *search, uint64_t ticks)
{
    return gain_from(search->before[OTTER_REPLAY_STEALING], ticks);
}

// Returns the best candidate so far among labels that take half the time, or among other changes.
static const struct candidate *best_of(const struct candidates *candidates, bool is_factor)
{
    const struct candidate *best = NULL;
    for (unsigned i = 0; i < candidates->n; i++) {
        const struct candidate *candidate = &candidates->items[i];
        bool is_kind = (candidate->kind == OTTER_WHAT_IF_FACTOR) == is_factor;
        best = is_kind && (!best || candidate->less > best->less) ? candidate : best;
    }
    return best;
}

// Returns whether a candidate whose run takes `ticks` or more may be printed as the best.
static bool may_be_best(const struct search *search, const struct candidate *candidate,
                        uint64_t ticks)
{
    bool is_factor = candidate->kind == OTTER_WHAT_IF_FACTOR;
    double less = gain_of(search, ticks);
    return less >= MIN_GAIN && less > best_of(&search->candidates, is_factor)->less;
}

// Returns a lower bound on the time of the run in which the candidate's executed time is halved; 0
// if the change affects anything else.
static uint64_t bound_of(const struct search *search, const struct candidate *candidate)
{
    const struct otter_analysis *analysis = search->report->analysis;
    uint64_t executed = analysis->account.executed[candidate->region];
    bool is_known = candidate->kind == OTTER_WHAT_IF_FACTOR &&
                    !(search->uses[candidate->region] & (OTTER_USED_LOCK | OTTER_USED_DEVICE));
    return is_known && search->bound > executed / 2 ? search->bound - executed / 2 : 0;
}

// Returns the ticks of the run.
static uint64_t run_policy(const struct search *search, enum otter_replay_policy policy)
{
    uint64_t ticks = 0;
    otter_replay_run_policy(search->replay, search->n_threads, policy, &ticks);
    return ticks;
}

// Replays the changed run, unless the bounds of its graph show that it is not the best.
static void run_changed(struct search *search, struct candidate *candidate)
{
    uint64_t ticks = 0;
    otter_replay_bound(search->replay, search->n_threads, &ticks);
    if (may_be_best(search, candidate, ticks)) {
        candidate->less = gain_of(search, run_policy(search, OTTER_REPLAY_STEALING));
    }
}

// Replays the changed run with all policies.
static void run_all(struct search *search, struct candidate *candidate)
{
    candidate->least = candidate->most = candidate->less;
    for (unsigned i = 0; i < OTTER_N_REPLAY_POLICIES; i++) {
        uint64_t ticks = run_policy(search, (enum otter_replay_policy)i);
        double shorter, longer;
        otter_replay_doubts(search->replay, search->before[i], ticks, &shorter, &longer);
        double least = gain_from(search->before[i], otter_scaled(ticks, longer)),
               most = gain_from(search->before[i], otter_scaled(ticks, shorter));
        candidate->least = least < candidate->least ? least : candidate->least;
        candidate->most = most > candidate->most ? most : candidate->most;
    }
}

static void with_change(struct search *search, struct candidate *candidate,
                        void (*run)(struct search *, struct candidate *))
{
    struct otter_change_arrays arrays;
    otter_change_arrays_init(&arrays, search->report);
    otter_change_region(&arrays, candidate->region, candidate->kind, candidate->value);
    struct otter_replay_changes changes = otter_changes_of(&arrays);
    otter_replay_change(search->replay, &changes);
    run(search, candidate);
    otter_change_arrays_finish(&arrays);
}

// Executes the unchanged run by the policies whose times are not yet known.
static void run_unchanged(struct search *search)
{
    otter_replay_bound(search->replay, search->n_threads, &search->bound);
    for (unsigned i = 0; i < OTTER_N_REPLAY_POLICIES; i++) {
        if (search->before[i] == 0) {
            search->before[i] = run_policy(search, (enum otter_replay_policy)i);
        }
    }
}

// Sets the error of the replay of the run itself. Then preemption does not count any more.
static void find_error(struct search *search)
{
    const struct otter_analysis *analysis = search->report->analysis;
    uint64_t *ticks = &search->before[OTTER_REPLAY_STEALING];
    *ticks = run_policy(search, OTTER_REPLAY_STEALING);
    search->candidates.error = -gain_from(analysis->account.wall, *ticks);
    if (otter_replay_preempted(analysis) >= OTTER_PREEMPTED) {
        otter_replay_be_quiet(search->replay, true);
        *ticks = 0;
    }
}

static void try_all(struct search *search)
{
    struct candidates *candidates = &search->candidates;
    for (unsigned i = 0; i < 2 * candidates->n; i++) {
        struct candidate *candidate = &candidates->items[i % candidates->n];
        bool is_first =
            candidate->kind == OTTER_WHAT_IF_BALANCE; // neither a wait nor a time changes
        if (is_first == (i < candidates->n) &&
            may_be_best(search, candidate, bound_of(search, candidate))) {
            with_change(search, candidate, run_changed);
        }
    }
    for (unsigned i = 0; i < candidates->n; i++) {
        struct candidate *candidate = &candidates->items[i];
        bool is_best = candidate == best_of(candidates, candidate->kind == OTTER_WHAT_IF_FACTOR);
        if (is_best && candidate->less >= MIN_GAIN) {
            with_change(search, candidate, run_all);
        }
    }
}

static void set_waits(const struct search *search, struct candidates *candidates)
{
    for (unsigned i = 0; i < candidates->n; i++) {
        struct candidate *candidate = &candidates->items[i];
        if (candidate->kind == OTTER_WHAT_IF_LOCK) {
            candidate->value = otter_replay_lock_wait(search->replay, candidate->region) *
                               search->report->analysis->tick;
        }
    }
}

static void measure(struct search *search)
{
    uint32_t n_nodes = search->report->analysis->graph->n_nodes;
    unsigned most = n_nodes ? MAX_REPLAYED / n_nodes : N_CANDIDATES;
    struct candidates *candidates = &search->candidates;
    candidates->n = candidates->n < most ? candidates->n : most;
    search->replay = otter_replay_create(search->report->analysis, NULL);
    find_error(search);
    if (fabs(candidates->error) <= MAX_ERROR) {
        run_unchanged(search);
        set_waits(search, candidates);
        try_all(search);
    }
    otter_replay_destroy(search->replay);
}

// Adds candidates for waits first, since there is time for only a few replays of a run with many
// nodes.
static struct candidates find(const struct otter_report *report)
{
    const struct otter_analysis *analysis = report->analysis;
    uint64_t *sums = calloc(analysis->account.n_labels, sizeof *sums);
    unsigned char *uses = otter_region_uses_of(report);
    struct search search = {
        .report = report, .uses = uses, .n_threads = analysis->timeline.n_lines};
    add_cut_off(report, &search.candidates);
    add(&search.candidates, OTTER_WHAT_IF_BARRIER,
        longest_wait(analysis, OTTER_STATE_WAITING, sums));
    add(&search.candidates, OTTER_WHAT_IF_LOCK, longest_wait(analysis, OTTER_STATE_LOCK, sums));
    add(&search.candidates, OTTER_WHAT_IF_BALANCE, uneven_loop(report, uses));
    add(&search.candidates, OTTER_WHAT_IF_TASKWAIT, repeated_taskwait(report));
    memset(sums, 0, analysis->account.n_labels * sizeof *sums);
    add_labels(report, &search.candidates, sums);
    measure(&search);
    free(sums);
    free(uses);
    return search.candidates;
}

// Writes "3.1 to " or "0.4 % more to ", or nothing if both ends are the same. Returns `text`.
static const char *least_text(double least, double most, char text[static 32])
{
    text[0] = '\0';
    if (most - least >= 0.0005) {
        snprintf(text, 32, least < -0.0005 ? "%.1f %% more to " : "%.1f to ", 100 * fabs(least));
    }
    return text;
}

static void print(FILE *out, const struct otter_report *report, int width,
                  const struct candidate *best)
{
    static const char *const changes[] = {
        [OTTER_WHAT_IF_FACTOR] = "took half the time: ",
        [OTTER_WHAT_IF_BARRIER] = "was dropped (if the program allows this): ",
        [OTTER_WHAT_IF_TASKWAIT] = "was dropped (if the program allows this): ",
        [OTTER_WHAT_IF_LOCK] = "was never busy: ",
        [OTTER_WHAT_IF_BALANCE] = "was balanced: at most ",
        [OTTER_WHAT_IF_CUT_OFF] = "was created only at the start of the recursion: ",
    };
    char label[OTTER_LABEL_SIZE], text[OTTER_LABEL_SIZE + 120], least[32] = "", change[80];
    const struct otter_marks *marks = &report->analysis->marks;
    bool is_lock = best->kind == OTTER_WHAT_IF_LOCK;
    bool is_order = is_lock && marks->sinks[best->region] != OTTER_NONE;
    if (best->kind == OTTER_WHAT_IF_CUT_OFF && best->value > 0) {
        snprintf(change, sizeof change, "was created only down to depth %.0f: ", best->value);
    } else {
        snprintf(change, sizeof change, "%s",
                 is_order ? "did not wait for earlier iterations (if the program allows this): "
                          : changes[best->kind]);
    }
    least_text(best->least, best->most, least);
    bool is_short = is_lock && best->value < SHORT_WAIT;
    bool is_code = best->region >= report->analysis->definitions->n_regions;
    snprintf(text, sizeof text, "what if %s%s %s%s%s%.1f %% less time%s",
             is_code ? "the code " : "", otter_report_label(report, best->region, label), change,
             is_lock && !is_short ? "at most " : "",
             is_lock || best->kind == OTTER_WHAT_IF_BALANCE ? "" : least, 100 * best->most,
             is_short ? "; without the lock, it may be more, since even a free lock takes time"
                      : "");
    otter_print_wrapped_at(out, width, 0, text);
}

// Returns false if no change makes the program shorter by 1 %.
static bool print_best(FILE *out, const struct otter_report *report, int width,
                       const struct candidates *candidates, bool is_factor, bool is_first)
{
    const struct candidate *best = best_of(candidates, is_factor);
    if (!best || best->less < MIN_GAIN) {
        return false;
    }
    otter_print(out, is_first ? "\n" : "");
    print(out, report, width, best);
    return true;
}

// Predicts the function that executes most of the critical path, with the functions that it calls.
// `of_label`: the gain of the best label; the function gets no line if its gain is the same.
static void print_function(FILE *out, const struct otter_report *report, int width, double of_label,
                           bool is_first)
{
    char text[300], least_room[32];
    double least, most; // changes of the time
    struct otter_predictions predictions;
    struct otter_what_if change = {OTTER_WHAT_IF_FUNCTION, otter_path_function(report),
                                   .value = 0.5};
    uint32_t n_nodes = report->analysis->graph->n_nodes;
    if (!change.label || n_nodes > MAX_REPLAYED / N_FUNCTION_REPLAYS) {
        return;
    }
    if (otter_predict(report, &change, 1, 0, 0, &predictions)) {
        return;
    }
    otter_prediction_changes(&predictions, &predictions.items.items[0], &least, &most);
    bool is_good = otter_predictions_check(&predictions) == OTTER_OK;
    otter_predictions_finish(&predictions);
    if (is_good && -least >= MIN_GAIN && fabs(of_label + least) >= MIN_GAIN) {
        snprintf(text, sizeof text,
                 "what if %.*s, with the functions that it calls, took half the time: %s%.1f %% "
                 "less time",
                 (int)otter_utf8_cut(change.label, MAX_NAME), change.label,
                 least_text(-most, -least, least_room), -100 * least);
        otter_print(out, is_first ? "\n" : "");
        otter_print_wrapped_at(out, width, 0, text);
    }
}

static void print_error(FILE *out, int width, double error)
{
    char text[300];
    snprintf(text, sizeof text,
             "what if: no prediction. A replay of the task graph takes %.0f %% %s time than the "
             "run, so predictions could be just as wrong; see --what-if in 'otter help report'",
             100 * fabs(error), error < 0 ? "less" : "more");
    otter_print(out, "\n");
    otter_print_wrapped_at(out, width, 0, text);
}

void otter_predict_best(FILE *out, const struct otter_report *report, int width)
{
    const struct otter_analysis *analysis = report->analysis;
    const struct otter_findings *findings = report->findings;
    struct candidates candidates = {.n = 0};
    if (findings->n > 0 && findings->items[0].kind == OTTER_FINDING_SHORT) {
        return;
    }
    if (analysis->graph->n_nodes > OTTER_REPLAY_MAX_NODES) {
        otter_print(out, "\n");
        otter_print_wrapped_at(
            out, width, 0,
            "what if: no prediction, since the graph has more than 4,000,000 nodes; "
            "see --what-if in 'otter help report'");
        return;
    }
    if (analysis->account.n_labels > 1) {
        candidates = find(report);
    }
    if (fabs(candidates.error) > MAX_ERROR) {
        print_error(out, width, candidates.error);
    } else {
        bool has_line = print_best(out, report, width, &candidates, false, true);
        has_line |= print_best(out, report, width, &candidates, true, !has_line);
        const struct candidate *label = best_of(&candidates, true);
        print_function(out, report, width, label ? label->most : 0, !has_line);
    }
}
