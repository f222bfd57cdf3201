// Says the result of a comparison in plain words.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/analysis.h"
#include "report/diff.h"
#include "report/number.h"

#define EQUAL_PERCENT 1.0 // a smaller change of the wall time is called none

// Returns the row of the realised path that explains most of the change of the wall time. The steps
// of the path add up to the wall time.
static const struct otter_diff_row *find_cause(const struct otter_diff *diff, unsigned *column)
{
    const struct otter_diff_table *path = otter_diff_find_table(diff, "critical-path");
    const struct otter_diff_row *cause = NULL;
    *column = path ? otter_diff_find_column(path, "realised") : 0;
    if (!path || *column == path->n_columns) {
        return NULL;
    }
    double wall = otter_diff_change(&diff->numbers[OTTER_DIFF_WALL]), most = 0;
    for (uint32_t i = 0; i < path->rows.n; i++) {
        double change = otter_diff_change(&path->rows.items[i].values[*column]);
        double part = wall < 0 ? -change : change;
        if (part > most) {
            most = part;
            cause = &path->rows.items[i];
        }
    }
    return cause;
}

const char *otter_diff_label_was(const struct otter_diff_label *label)
{
    size_t n_shared = 0; // up to the last blank before the first difference
    for (size_t i = 0; label->text[i] && label->text[i] == label->name[i]; i++) {
        n_shared = label->text[i] == ' ' ? i + 1 : n_shared;
    }
    return label->text[n_shared] ? label->text + n_shared : label->text;
}

// " (was a.c:10)" if the label of a row had another text before, else "".
static void write_was(const struct otter_diff *diff, const char *name, char *text, size_t size)
{
    const struct otter_diff_labels *labels = &diff->before.runs[0].labels;
    *text = '\0';
    for (uint32_t i = 0; i < labels->n; i++) {
        const struct otter_diff_label *label = &labels->items[i];
        if (strcmp(label->name, name) == 0 && strcmp(label->text, name) != 0) {
            snprintf(text, size, " (was %s)", otter_diff_label_was(label));
        }
    }
}

static void write_cause(const struct otter_diff *diff, char *text, size_t size)
{
    unsigned column;
    char duration[OTTER_MAX_NUMBER];
    const struct otter_diff_row *cause = find_cause(diff, &column);
    *text = '\0';
    if (!cause) {
        return;
    }
    double wall = otter_diff_change(&diff->numbers[OTTER_DIFF_WALL]);
    double change = otter_diff_change(&cause->values[column]);
    bool is_label = *cause->text != '('; // else "(between tasks)"
    char was[OTTER_LABEL_SIZE];
    write_was(diff, cause->text, was, sizeof was);
    snprintf(text, size, ", %s because %s%s %s %s %s%s%s",
             change / wall >= 0.5 ? "mostly" : "in part", is_label ? cause->text : "threads wait",
             was, is_label ? "takes" : "for", otter_duration_text(fabs(change), duration),
             change < 0 ? "less" : "more", is_label ? " of the" : " between the tasks of the",
             diff->job ? " critical path across ranks" : " realised path");
    struct otter_diff_most most = otter_diff_most_of(cause, column);
    size_t used = strlen(text);
    if (diff->job && diff->job->has_equal_sizes && most.change * change > 0) {
        snprintf(text + used, size - used, ", most in rank %u", (unsigned)most.rank);
    }
}

// Returns a sentence for two archives.
static const char *noise_note(const struct otter_diff_value *wall)
{
    return wall->verdict == OTTER_VERDICT_UNKNOWN
               ? " Noise unknown: give two or more archives per side."
               : "";
}

const char *otter_diff_sentence(const struct otter_diff *diff, char text[OTTER_DIFF_SENTENCE])
{
    char before[OTTER_MAX_NUMBER], after[OTTER_MAX_NUMBER], cause[OTTER_LABEL_SIZE + 100];
    const struct otter_diff_value *wall = &diff->numbers[OTTER_DIFF_WALL];
    double percent = otter_diff_percent(wall);
    otter_duration_text(wall->before.median, before);
    otter_duration_text(wall->after.median, after);
    if (wall->verdict == OTTER_VERDICT_NOISE) {
        snprintf(text, OTTER_DIFF_SENTENCE,
                 "No change of the time beyond noise: %s before, %s after (medians of %u and %u "
                 "archives, %+.1f %%).",
                 before, after, diff->before.n, diff->after.n, percent);
        return text;
    }
    if (fabs(percent) < EQUAL_PERCENT) {
        snprintf(text, OTTER_DIFF_SENTENCE,
                 "AFTER takes as long as BEFORE: %s and %s (%+.1f %%).%s", after, before, percent,
                 noise_note(wall));
        return text;
    }
    write_cause(diff, cause, sizeof cause);
    snprintf(text, OTTER_DIFF_SENTENCE, "AFTER takes %.1f %% %s: %s instead of %s%s.%s",
             fabs(percent), percent < 0 ? "less" : "more", after, before, cause, noise_note(wall));
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

// The rank of the first difference, if other ranks differ, too: "in rank 3, ".
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
                                ? " (chunks of loops or sections were not all reported, so that "
                                  "the graph depends on the threads)"
                                : "";
    if (diff->job) {
        write_graphs(diff, graphs, sizeof graphs);
    } else {
        snprintf(graphs, sizeof graphs, "%s", graph_words[diff->graphs]);
    }
    write_rank_of_place(diff, rank, sizeof rank);
    bool is_other = diff->graphs >= OTTER_DIFF_GRAPHS_VARY;
    snprintf(text, OTTER_DIFF_SENTENCE, "%s%s%s%.400s%s", graphs, diff->place ? ": " : "",
             diff->place ? rank : "", diff->place ? diff->place : "", is_other ? fold_note : "");
    return text;
}
