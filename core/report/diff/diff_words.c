// Writes the result of a comparison in plain words.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/diff/diff_cause.h"
#include "base/text/number.h"
#include "base/text/utf8.h"
#include "report/predict/predict.h"

#define EQUAL_PERCENT 1.0 // a change of the wall time below this is called equal

// Returns a sentence if the noise is unknown, otherwise "".
static const char *noise_note(const struct otter_diff_value *wall)
{
    return wall->verdict == OTTER_VERDICT_UNKNOWN
               ? " Noise unknown: give two or more archives per side."
               : "";
}

// Writes the time of both sides: "AFTER takes 5.0 % less: 19 ms instead of 20 ms".
static void write_times(const struct otter_diff *diff, char *text, size_t size)
{
    char before[OTTER_MAX_NUMBER], after[OTTER_MAX_NUMBER];
    const struct otter_diff_value *wall = &diff->numbers[OTTER_DIFF_WALL];
    double percent = otter_diff_percent(wall);
    otter_duration_text(wall->before.median, before);
    otter_duration_text(wall->after.median, after);
    if (wall->verdict == OTTER_VERDICT_NOISE) {
        snprintf(text, size,
                 "No change in time beyond noise: %s before, %s after (medians of %u and %u "
                 "archives, %+.1f %%)",
                 before, after, diff->before.n, diff->after.n, percent);
    } else if (fabs(percent) < EQUAL_PERCENT) {
        snprintf(text, size, "AFTER takes as long as BEFORE: %s and %s (%+.1f %%)", after, before,
                 percent);
    } else {
        snprintf(text, size, "AFTER takes %.1f %% %s: %s instead of %s", fabs(percent),
                 percent < 0 ? "less" : "more", after, before);
    }
}

// Returns whether the wall time has changed beyond noise.
static bool has_changed(const struct otter_diff_value *value)
{
    return value->verdict != OTTER_VERDICT_NOISE &&
           fabs(otter_diff_percent(value)) >= EQUAL_PERCENT;
}

const char *otter_diff_sentence(const struct otter_diff *diff, char text[OTTER_DIFF_SENTENCE])
{
    char cause[OTTER_DIFF_SENTENCE / 2] = "";
    const struct otter_diff_value *wall = &diff->numbers[OTTER_DIFF_WALL];
    const struct otter_diff_value *threads = &diff->numbers[OTTER_DIFF_THREADS];
    const struct otter_diff_value *total = &diff->numbers[OTTER_DIFF_TOTAL];
    write_times(diff, text, OTTER_DIFF_SENTENCE);
    size_t used = strlen(text);
    bool is_other_team = !diff->job && otter_diff_change(threads) != 0;
    if (is_other_team) {
        used +=
            (size_t)snprintf(text + used, OTTER_DIFF_SENTENCE - used,
                             ", on %.0f thread%s instead of %.0f", threads->after.median,
                             otter_plural((uint64_t)threads->after.median), threads->before.median);
    }
    if (is_other_team && has_changed(total)) {
        used += (size_t)snprintf(text + used, OTTER_DIFF_SENTENCE - used,
                                 ". Thread time, including all waits, %s by %.1f %%",
                                 otter_diff_change(total) < 0 ? "shrinks" : "grows",
                                 fabs(otter_diff_percent(total)));
    }
    if (has_changed(is_other_team ? total : wall)) {
        otter_diff_write_cause(diff, cause, sizeof cause);
    }
    snprintf(text + used, OTTER_DIFF_SENTENCE - used, "%s.%s", cause, noise_note(wall));
    return text;
}

// ---- predictions

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, uint32_t n)
{
    qsort(values, n, sizeof *values, compare_numbers);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

struct otter_diff_prediction otter_diff_prediction(const struct otter_diff *diff)
{
    double least[OTTER_DIFF_MOST_RUNS], most[OTTER_DIFF_MOST_RUNS], errors[OTTER_DIFF_MOST_RUNS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < diff->before.n; i++) {
        if (!isnan(diff->before.runs[i].predicted_least)) {
            least[n] = diff->before.runs[i].predicted_least;
            most[n] = diff->before.runs[i].predicted_most;
            errors[n++] = diff->before.runs[i].replay_error;
        }
    }
    return n > 0 ? (struct otter_diff_prediction){median(least, n), median(most, n),
                                                  median(errors, n)}
                 : (struct otter_diff_prediction){NAN, NAN, NAN};
}

const char *otter_diff_prediction_sentence(const struct otter_diff *diff,
                                           char text[OTTER_DIFF_SENTENCE])
{
    struct otter_diff_prediction prediction = otter_diff_prediction(diff);
    double measured = otter_diff_percent(&diff->numbers[OTTER_DIFF_WALL]);
    if (isnan(prediction.least)) {
        snprintf(text, OTTER_DIFF_SENTENCE,
                 "Not predicted, since the replay is outside of its bounds; measured %+.1f %%.",
                 measured);
        return text;
    }
    char change[OTTER_CHANGE_SIZE];
    snprintf(text, OTTER_DIFF_SENTENCE,
             "Predicted %s, measured %+.1f %%. The replay of BEFORE is off by %+.1f %%.",
             otter_prediction_change_text(prediction.least, prediction.most, change), measured,
             100 * prediction.replay_error);
    return text;
}

// ---- graphs

static const char *const graph_words[] = {
    [OTTER_DIFF_GRAPHS_EQUAL] = "equal, task by task and edge by edge",
    [OTTER_DIFF_GRAPHS_TEAMS] = "equal but for what each thread does (equal with --fold-team)",
    [OTTER_DIFF_GRAPHS_VARY] = "the archives of one side have different graphs",
    [OTTER_DIFF_GRAPHS_DIFFER] = "different",
};

// Returns the number of ranks with these graphs.
static uint32_t count_ranks(const struct otter_diff_job *job, unsigned graphs)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < job->ranks.n; i++) {
        n += job->ranks.items[i].graphs == graphs;
    }
    return n;
}

// "0-2, 5": the ranks with these graphs.
static void write_ranks(const struct otter_diff_job *job, unsigned graphs, char *text, size_t size)
{
    size_t used = 0;
    const struct otter_diff_rank *ranks = job->ranks.items;
    for (uint32_t i = 0, last; i < job->ranks.n && used < size; i = last + 1) {
        last = i;
        if (ranks[i].graphs != graphs) {
            continue;
        }
        while (last + 1 < job->ranks.n && ranks[last + 1].graphs == graphs &&
               ranks[last + 1].rank == ranks[last].rank + 1) {
            last++;
        }
        used += (size_t)snprintf(text + used, size - used, "%s%u", used > 0 ? ", " : "",
                                 (unsigned)ranks[i].rank);
        if (last > i && used < size) {
            used += (size_t)snprintf(text + used, size - used, "-%u", (unsigned)ranks[last].rank);
        }
    }
}

// "equal, task by task and edge by edge in ranks 0-2; different in rank 3"
static void write_graphs(const struct otter_diff *diff, char *text, size_t size)
{
    const struct otter_diff_job *job = diff->job;
    char ranks[OTTER_DIFF_SENTENCE / 4];
    size_t used = 0;
    if (!job->has_equal_sizes) {
        used = (size_t)snprintf(text, size, "%u ranks before, %u after; ",
                                (unsigned)diff->before.runs[0].n_ranks,
                                (unsigned)diff->after.runs[0].n_ranks);
    }
    for (unsigned i = 0, n_parts = 0; i <= OTTER_DIFF_GRAPHS_DIFFER; i++) {
        uint32_t n = count_ranks(job, i);
        if (n == 0 || used >= size) {
            continue;
        }
        write_ranks(job, i, ranks, sizeof ranks);
        bool is_all = n == job->ranks.n && job->has_equal_sizes;
        used += (size_t)snprintf(text + used, size - used, "%s%s in %s%s%s", n_parts++ ? "; " : "",
                                 graph_words[i], is_all ? "all ranks" : "rank",
                                 is_all   ? ""
                                 : n == 1 ? " "
                                          : "s ",
                                 is_all ? "" : ranks);
    }
}

// Writes the rank of the first difference if other ranks also differ: "in rank 3, ".
static void write_rank_of_place(const struct otter_diff *diff, char *text, size_t size)
{
    const struct otter_diff_job *job = diff->job;
    bool is_known =
        job &&
        count_ranks(job, OTTER_DIFF_GRAPHS_VARY) + count_ranks(job, OTTER_DIFF_GRAPHS_DIFFER) > 1;
    snprintf(text, size, is_known ? "in rank %u, " : "", is_known ? job->rank_of_place : 0);
}

const char *otter_diff_graph_sentence(const struct otter_diff *diff, char text[OTTER_DIFF_SENTENCE])
{
    char graphs[OTTER_DIFF_SENTENCE / 2], rank[32];
    const char *fold_note = diff->may_depend_on_threads
                                ? " (not all chunks of loops or sections were reported, so the "
                                  "graph depends on the number of threads)"
                                : "";
    if (diff->job) {
        write_graphs(diff, graphs, sizeof graphs);
    } else {
        snprintf(graphs, sizeof graphs, "%s", graph_words[diff->graphs]);
    }
    write_rank_of_place(diff, rank, sizeof rank);
    bool is_other = diff->graphs >= OTTER_DIFF_GRAPHS_VARY;
    snprintf(text, OTTER_DIFF_SENTENCE, "%s%s%s%.*s%s", graphs, diff->place ? ": " : "",
             diff->place ? rank : "", OTTER_UTF8_CUT(diff->place ? diff->place : "", 400),
             is_other ? fold_note : "");
    return text;
}
