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
    snprintf(text, size, ", %s because %s %s %s %s%s", change / wall >= 0.5 ? "mostly" : "in part",
             is_label ? cause->text : "threads wait", is_label ? "takes" : "for",
             otter_duration_text(fabs(change), duration), change < 0 ? "less" : "more",
             is_label ? " of the realised path" : " between the tasks of the realised path");
}

// Returns a sentence for two archives.
static const char *noise_note(const struct otter_diff_value *wall)
{
    return wall->verdict == OTTER_VERDICT_UNKNOWN ? " Noise is unknown: a side has one archive."
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

const char *otter_diff_graph_sentence(const struct otter_diff *diff, char text[OTTER_DIFF_SENTENCE])
{
    const char *fold_note = diff->may_depend_on_threads
                                ? " (chunks of loops or sections were not all reported, so that "
                                  "the graph depends on the threads)"
                                : "";
    const char *sentence = "";
    switch (diff->graphs) {
    case OTTER_DIFF_GRAPHS_EQUAL: sentence = "equal, task by task and edge by edge"; break;
    case OTTER_DIFF_GRAPHS_TEAMS:
        sentence = "equal but for what each thread does (equal with --fold-team)";
        break;
    case OTTER_DIFF_GRAPHS_VARY: sentence = "the archives of one side have different graphs"; break;
    case OTTER_DIFF_GRAPHS_DIFFER: sentence = "different"; break;
    }
    bool is_other = diff->graphs >= OTTER_DIFF_GRAPHS_VARY;
    snprintf(text, OTTER_DIFF_SENTENCE, "%s%s%.700s%s", sentence, diff->place ? ": " : "",
             diff->place ? diff->place : "", is_other ? fold_note : "");
    return text;
}
