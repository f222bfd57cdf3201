// Writes in words what caused a change.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/form/analysis.h"
#include "report/diff/diff_cause.h"
#include "base/text/number.h"

#define MIN_RECORDING 0.25 // below this share of the change, recording is not mentioned

// Writes " (was a.c:10)" if the row's label had another text in BEFORE, otherwise "".
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

// ---- jobs

// Returns the row of the path across ranks that explains most of the change of the wall time. Steps
// of the path add up to the time of the job.
static const struct otter_diff_row *find_path_cause(const struct otter_diff *diff, unsigned *column)
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

// Writes which part of the critical path explains the change of the wall time, and the rank in
// which this part changed most.
static void write_path_cause(const struct otter_diff *diff, char *text, size_t size)
{
    unsigned column;
    char duration[OTTER_MAX_NUMBER];
    const struct otter_diff_row *cause = find_path_cause(diff, &column);
    *text = '\0';
    if (!cause) {
        return;
    }
    double wall = otter_diff_change(&diff->numbers[OTTER_DIFF_WALL]);
    double change = otter_diff_change(&cause->values[column]);
    bool is_label = *cause->text != '('; // otherwise "(between tasks)"
    char was[OTTER_LABEL_SIZE];
    write_was(diff, cause->text, was, sizeof was);
    snprintf(text, size, ", %s because %s%s %s %s %s%s%s",
             change / wall >= 0.5 ? "mostly" : "in part", is_label ? cause->text : "threads wait",
             was, is_label ? "takes" : "for", otter_duration_text(fabs(change), duration),
             change < 0 ? "less" : "more", is_label ? " of the" : " between the tasks of the",
             " critical path across ranks");
    struct otter_diff_most most = otter_diff_most_of(cause, column);
    size_t used = strlen(text);
    if (diff->job->has_equal_sizes && most.change * change > 0) {
        snprintf(text + used, size - used, ", most in rank %u", (unsigned)most.rank);
    }
}

// ---- the thread time

// "task a.c:7 executes 40 ms more (+33.3 %), as often", with the count where it differs.
static void write_executed(const struct otter_diff *diff, const struct otter_diff_row *row,
                           char *text, size_t size)
{
    char was[OTTER_LABEL_SIZE], change[OTTER_MAX_NUMBER], percent[OTTER_CELL_SIZE];
    char before[OTTER_MAX_NUMBER], after[OTTER_MAX_NUMBER];
    const struct otter_diff_value *value = &row->values[0];
    const struct otter_diff_value *count = otter_diff_count(diff, row->text);
    write_was(diff, row->text, was, sizeof was);
    int used = snprintf(text, size, "%s%s executes %s %s (%s)", row->text, was,
                        otter_duration_text(fabs(otter_diff_change(value)), change),
                        otter_diff_change(value) < 0 ? "less" : "more",
                        otter_diff_percent_text(value, percent));
    if (count && otter_diff_change(count) != 0) {
        snprintf(text + used, size - (size_t)used, ", %s times instead of %s",
                 otter_number_text((uint64_t)(count->after.median + 0.5), after),
                 otter_number_text((uint64_t)(count->before.median + 0.5), before));
    } else if (count) {
        snprintf(text + used, size - (size_t)used, ", as often as before%s",
                 otter_diff_is_inflated(diff, row) ? ": work inflation" : "");
    }
}

static void write_inflation(const struct otter_diff *diff, const struct otter_diff_cause *cause,
                            char *text, size_t size)
{
    char was[OTTER_LABEL_SIZE], change[OTTER_MAX_NUMBER], percent[OTTER_CELL_SIZE];
    write_was(diff, cause->row->text, was, sizeof was);
    snprintf(text, size,
             "constructs execute %s more, as often as before: work inflation, the most in %s%s "
             "(%s)",
             otter_duration_text(cause->change, change), cause->row->text, was,
             otter_diff_percent_text(&cause->row->values[0], percent));
}

// "small tasks cost", "lock costs"
static const char *verb_of(const char *row_text)
{
    return row_text[otter_diff_kind_length(row_text) - 1] == 's' ? "cost" : "costs";
}

static void write_loss(const struct otter_diff *diff, const struct otter_diff_row *row, char *text,
                       size_t size)
{
    char was[OTTER_LABEL_SIZE], change[OTTER_MAX_NUMBER];
    const char *place = otter_diff_place_of(row->text);
    write_was(diff, place, was, sizeof was);
    snprintf(text, size, "%.*s%s%s%s %s %s %s", (int)otter_diff_kind_length(row->text), row->text,
             *place ? " at " : "", place, was, verb_of(row->text),
             otter_duration_text(fabs(otter_diff_change(&row->values[0])), change),
             otter_diff_change(&row->values[0]) < 0 ? "less" : "more");
}

// Used if only one side has the labels, because code was replaced.
static void write_replaced(const struct otter_diff_cause *cause, char *text, size_t size)
{
    char change[OTTER_MAX_NUMBER];
    const char *label =
        cause->is_executed ? cause->row->text : otter_diff_place_of(cause->row->text);
    int length = cause->is_executed ? 0 : (int)otter_diff_kind_length(cause->row->text);
    snprintf(text, size, "%.*s%scode that exists on only one side (%s) %s %s %s", length,
             cause->row->text, length > 0 ? " in " : "", label, length > 0 ? "costs" : "executes",
             otter_duration_text(fabs(cause->change), change), cause->change < 0 ? "less" : "more");
}

// All times that a cause quotes include the cost of recording.
static void write_recording(const struct otter_diff *diff, const struct otter_diff_cause *cause,
                            char *text, size_t size)
{
    char duration[OTTER_MAX_NUMBER];
    double change = otter_diff_change(&diff->numbers[OTTER_DIFF_RECORDING]);
    if (change * cause->total > 0 && fabs(change) >= MIN_RECORDING * fabs(cause->total)) {
        snprintf(text, size, "; recording costs %s %s, which these times include",
                 otter_duration_text(fabs(change), duration), change < 0 ? "less" : "more");
    }
}

void otter_diff_write_cause(const struct otter_diff *diff, char *text, size_t size)
{
    *text = '\0';
    if (diff->job) {
        write_path_cause(diff, text, size);
        return;
    }
    struct otter_diff_cause cause = otter_diff_find_cause(diff);
    char part[OTTER_DIFF_SENTENCE / 2] = "", recording[100] = "";
    if (!cause.row) {
        return;
    }
    if (cause.is_one_sided) {
        write_replaced(&cause, part, sizeof part);
    } else if (cause.is_inflation) {
        write_inflation(diff, &cause, part, sizeof part);
    } else if (cause.is_executed) {
        write_executed(diff, cause.row, part, sizeof part);
    } else {
        write_loss(diff, cause.row, part, sizeof part);
    }
    write_recording(diff, &cause, recording, sizeof recording);
    snprintf(text, size, ", %s because %s%s",
             cause.change / cause.total >= 0.5 ? "mostly" : "in part", part, recording);
}
