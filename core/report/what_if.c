// Prints what the replay predicts.
#include "report/what_if.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/replay.h"
#include "base/print.h"
#include "report/number.h"

enum { LABEL_SIZE = 200, MOST_NODES = 50000, N_CANDIDATES = 5 };

static enum otter_status predict(const struct otter_report *report, const double *factors,
                                 uint32_t n_threads, struct otter_replay_times *times)
{
    struct otter_replay_changes changes = {.factors = factors};
    struct otter_replay *replay = otter_replay_create(report->analysis, &changes);
    enum otter_status status =
        replay ? otter_replay_run(replay, n_threads, times) : OTTER_NO_MEMORY;
    otter_replay_destroy(replay);
    return status;
}

static void print_interval(FILE *out, const struct otter_report *report,
                           const struct otter_replay_times *times)
{
    char least[OTTER_MAX_NUMBER], most[OTTER_MAX_NUMBER];
    otter_print(out, "%10s to %10s",
                otter_duration_text(otter_report_seconds(report, times->least), least),
                otter_duration_text(otter_report_seconds(report, times->most), most));
}

// The error of the replay for the run itself says how far to trust the rest.
static enum otter_status print_observed(FILE *out, const struct otter_report *report,
                                        struct otter_replay_times *times)
{
    char wall[OTTER_MAX_NUMBER];
    const struct otter_account *account = &report->analysis->account;
    enum otter_status status = predict(report, NULL, account->n_threads, times);
    if (status) {
        return status;
    }
    double middle = ((double)times->least + (double)times->most) / 2;
    otter_print(out, "observed  %3u thread%s %10s\nreplayed  %3u thread%s ", account->n_threads,
                otter_plural(account->n_threads),
                otter_duration_text(otter_report_seconds(report, account->wall), wall),
                account->n_threads, otter_plural(account->n_threads));
    print_interval(out, report, times);
    otter_print(out, "   error %+.1f %%\n",
                account->wall ? 100 * (middle / (double)account->wall - 1) : 0);
    return OTTER_OK;
}

enum otter_status otter_what_if_print_threads(FILE *out, const struct otter_report *report,
                                              uint32_t first, uint32_t last)
{
    struct otter_replay_times times;
    enum otter_status status = print_observed(out, report, &times);
    struct otter_replay *replay = status ? NULL : otter_replay_create(report->analysis, NULL);
    if (!replay) {
        return status ? status : OTTER_NO_MEMORY;
    }
    double work = (double)report->analysis->span.work;
    otter_print(out, "\nthreads   predicted time              speed-up\n");
    for (uint32_t n = first; n <= last && !status;) {
        status = otter_replay_run(replay, n, &times);
        if (!status) {
            otter_print(out, "%7u   ", n);
            print_interval(out, report, &times);
            otter_print(out, "   %.2f to %.2f\n", times.most ? work / (double)times.most : 0,
                        times.least ? work / (double)times.least : 0);
        }
        uint32_t next = last - first < 16 || n < 8 ? n + 1 : 2 * n;
        n = n < last && next > last ? last : next;
    }
    otter_replay_destroy(replay);
    return status;
}

static bool is_label(const struct otter_label *label, const char *text)
{
    char whole[LABEL_SIZE];
    return strcmp(label->what, text) == 0 || strcmp(otter_label_place(label), text) == 0 ||
           strcmp(otter_label_text(label, whole, sizeof whole), text) == 0;
}

// Applies a change to all labels with this text. Returns how many there are.
static size_t apply(const struct otter_report *report, const struct otter_what_if *change,
                    double *factors)
{
    size_t n = 0;
    for (uint32_t i = 0; i + 1 < report->analysis->account.n_labels; i++) {
        if (report->analysis->account.executed[i] > 0 &&
            is_label(otter_label_of(report->labels, i), change->label)) {
            factors[i] *= change->factor;
            n++;
        }
    }
    return n;
}

static double *unit_factors(const struct otter_report *report)
{
    double *factors = malloc(report->analysis->account.n_labels * sizeof *factors);
    for (uint32_t i = 0; i < report->analysis->account.n_labels && factors; i++) {
        factors[i] = 1;
    }
    return factors;
}

static enum otter_status print_change(FILE *out, const struct otter_report *report,
                                      const double *factors)
{
    struct otter_replay_times before, after;
    enum otter_status status = print_observed(out, report, &before);
    status =
        status ? status : predict(report, factors, report->analysis->account.n_threads, &after);
    if (!status) {
        otter_print(out, "what if   %3u thread%s ", report->analysis->account.n_threads,
                    otter_plural(report->analysis->account.n_threads));
        print_interval(out, report, &after);
        double sum = (double)before.least + (double)before.most;
        otter_print(out, "   %+.1f %%\n",
                    sum > 0 ? 100 * (((double)after.least + (double)after.most) / sum - 1) : 0);
    }
    return status;
}

enum otter_status otter_what_if_print(FILE *out, const struct otter_report *report,
                                      const struct otter_what_if *changes, size_t n,
                                      size_t *unknown)
{
    double *factors = unit_factors(report);
    if (!factors) {
        return OTTER_NO_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        if (apply(report, &changes[i], factors) == 0) {
            *unknown = i;
            free(factors);
            return OTTER_NOT_FOUND;
        }
    }
    enum otter_status status = print_change(out, report, factors);
    free(factors);
    return status;
}

// ---- the best

// The labels with the most ticks on the realised path.
static size_t find_candidates(const struct otter_report *report, uint64_t *sums,
                              uint32_t candidates[N_CANDIDATES])
{
    size_t n = 0;
    otter_report_realised_labels(report->analysis, sums);
    for (; n < N_CANDIDATES; n++) {
        uint32_t most = 0;
        for (uint32_t i = 0; i + 1 < report->analysis->account.n_labels; i++) {
            most = sums[i] > sums[most] ? i : most;
        }
        if (sums[most] == 0) {
            break;
        }
        candidates[n] = most;
        sums[most] = 0;
    }
    return n;
}

static enum otter_status find_best(const struct otter_report *report, double *factors,
                                   const uint32_t *candidates, size_t n, uint32_t *best,
                                   double *gain)
{
    struct otter_replay_times before, after;
    enum otter_status status = predict(report, NULL, report->analysis->account.n_threads, &before);
    for (size_t i = 0; i < n && !status; i++) {
        factors[candidates[i]] = 0.5;
        status = predict(report, factors, report->analysis->account.n_threads, &after);
        factors[candidates[i]] = 1;
        double less = before.most ? 1 - (double)after.most / (double)before.most : 0;
        if (!status && less > *gain) {
            *gain = less;
            *best = candidates[i];
        }
    }
    return status;
}

enum otter_status otter_what_if_print_best(FILE *out, const struct otter_report *report)
{
    const struct otter_analysis *analysis = report->analysis;
    if (analysis->graph->n_nodes > MOST_NODES || analysis->account.n_labels < 2) {
        return OTTER_OK;
    }
    uint32_t candidates[N_CANDIDATES], best = OTTER_NONE;
    double gain = 0;
    uint64_t *sums = calloc(analysis->account.n_labels, sizeof *sums);
    double *factors = unit_factors(report);
    enum otter_status status = sums && factors ? OTTER_OK : OTTER_NO_MEMORY;
    if (!status) {
        size_t n = find_candidates(report, sums, candidates);
        status = find_best(report, factors, candidates, n, &best, &gain);
    }
    if (!status && best != OTTER_NONE) {
        char text[LABEL_SIZE];
        otter_print(out, "\nwhat if %s took half the time: the program would take %.1f %% less.\n",
                    otter_label_text(otter_label_of(report->labels, best), text, sizeof text),
                    100 * gain);
    }
    free(sums);
    free(factors);
    return status;
}
