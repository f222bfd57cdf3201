// Evaluates the conditions of --fail-if.
#include "report/diff/diff_condition.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// ---- what a condition is about

// Numbers of one kind, one per archive.
struct subject {
    const struct otter_diff_table *table; // NULL: a number of the summary
    struct otter_diff_value value;
    enum otter_column_kind kind;
    bool is_found; // some row has the label
    struct otter_diff_most most;
};

static bool complain(const struct otter_condition *condition, unsigned column, const char *word,
                     const char *what, char *complaint)
{
    snprintf(complaint, OTTER_CONDITION_TEXT, "--fail-if: column %u of '%.100s': %s '%.40s' %s",
             column, condition->text, what, word, "is unknown (man otter-diff)");
    return false;
}

static bool is_number(const struct otter_column *number, const char *name)
{
    size_t n = strlen(name);
    return strncmp(number->name, name, n) == 0 &&
           (!number->name[n] || strcmp(number->name + n, "_s") == 0 ||
            strcmp(number->name + n, "_percent") == 0);
}

static bool find_number(const struct otter_diff *diff, const char *name, struct subject *subject)
{
    for (unsigned i = 0; i < OTTER_N_DIFF_NUMBERS; i++) {
        if (is_number(otter_diff_column(i), name)) {
            *subject = (struct subject){.value = diff->numbers[i],
                                        .kind = otter_diff_column(i)->kind,
                                        .is_found = true,
                                        .most = otter_diff_most_of_number(diff, i)};
            return true;
        }
    }
    return false;
}

// "kernel" selects the table "kernels", or one whose rows are kernels.
static bool is_table(const struct otter_diff_table *table, const char *word)
{
    size_t n = strlen(word);
    bool is_name = strncmp(table->name, word, n) == 0 &&
                   (!table->name[n] || strcmp(table->name + n, "s") == 0);
    return is_name || strcmp(table->text_head, word) == 0;
}

static unsigned find_kind(const struct otter_diff_table *table, enum otter_column_kind kind)
{
    unsigned i = 0;
    while (i < table->n_columns && table->columns[i].kind != kind) {
        i++;
    }
    return i;
}

// *time* is the first column of seconds; *count* may have another name, such as launches.
static unsigned find_metric(const struct otter_diff_table *table, const char *metric)
{
    if (strcmp(metric, "time") == 0) {
        return find_kind(table, OTTER_COLUMN_SECONDS);
    }
    unsigned found = otter_diff_find_column(table, metric);
    bool is_count = found == table->n_columns && strcmp(metric, "count") == 0;
    found = is_count ? find_kind(table, OTTER_COLUMN_COUNT) : found;
    bool is_text = found < table->n_columns && table->columns[found].kind == OTTER_COLUMN_TEXT;
    return is_text ? table->n_columns : found;
}

// Returns the index of the table with this metric; n_tables if there is none. Without a word, the
// table of labels is preferred.
static unsigned find_table(const struct otter_diff *diff, const struct otter_condition *condition)
{
    const char *word = *condition->word ? condition->word : "labels";
    unsigned first = diff->n_tables;
    for (unsigned i = 0; i < diff->n_tables; i++) {
        const struct otter_diff_table *table = &diff->tables[i];
        bool has_metric = find_metric(table, condition->metric) < table->n_columns;
        if (has_metric && is_table(table, word)) {
            return i;
        }
        first = has_metric && !*condition->word && first == diff->n_tables ? i : first;
    }
    return first;
}

// Returns whether `label` is the whole text of a row, its start or its end: "task", "fib.c:12", or
// a function without its parameters.
static bool is_label(const char *text, const struct otter_condition *condition)
{
    const char *label = condition->label;
    size_t n = strlen(label), length = strlen(text);
    return !condition->has_label || strcmp(text, label) == 0 ||
           (length > n && n > 0 && strncmp(text, label, n) == 0 && strchr(" (", text[n])) ||
           (length > n && strcmp(text + length - n, label) == 0 && text[length - n - 1] == ' ');
}

// Leaves out unknown numbers. Returns NAN if all are unknown, and 0 if no row has the label.
static double sum_rows(const struct otter_sheet *sheet, unsigned column,
                       const struct otter_condition *condition, bool *is_found)
{
    double sum = NAN;
    bool has_label = false;
    for (uint32_t i = 0; i < sheet->rows.n; i++) {
        const struct otter_row *row = &sheet->rows.items[i];
        double value = row->values[column];
        if (!isnan(value) && is_label(row->text, condition)) {
            sum = otter_column_combine(&sheet->columns[column], sum, value);
        }
        has_label = has_label || is_label(row->text, condition);
    }
    *is_found = *is_found || has_label;
    return has_label ? sum : 0;
}

// Returns the rank that changed most in any of these rows.
static struct otter_diff_most find_most(const struct otter_diff_table *table, unsigned column,
                                        const struct otter_condition *condition)
{
    struct otter_diff_most found = {0, OTTER_NONE};
    for (uint32_t i = 0; i < table->rows.n; i++) {
        struct otter_diff_most most = otter_diff_most_of(&table->rows.items[i], column);
        bool is_more = most.rank != OTTER_NONE && fabs(most.change) > fabs(found.change);
        found = is_more && is_label(table->rows.items[i].text, condition) ? most : found;
    }
    return found;
}

static bool find_rows(const struct otter_diff *diff, const struct otter_condition *condition,
                      struct subject *subject)
{
    double before[OTTER_DIFF_MOST_RUNS], after[OTTER_DIFF_MOST_RUNS];
    unsigned t = find_table(diff, condition);
    if (t == diff->n_tables) {
        return false;
    }
    unsigned column = find_metric(&diff->tables[t], condition->metric);
    subject->table = &diff->tables[t];
    subject->kind = diff->tables[t].columns[column].kind;
    for (uint32_t i = 0; i < diff->before.n; i++) {
        before[i] =
            sum_rows(&diff->before.runs[i].sheets[t], column, condition, &subject->is_found);
    }
    for (uint32_t i = 0; i < diff->after.n; i++) {
        after[i] = sum_rows(&diff->after.runs[i].sheets[t], column, condition, &subject->is_found);
    }
    subject->value = otter_diff_value_of(before, diff->before.n, after, diff->after.n);
    subject->most = find_most(&diff->tables[t], column, condition);
    return true;
}

static bool has_samples(const struct otter_condition *condition, const struct subject *subject,
                        char *complaint)
{
    const char *lack = subject->table ? otter_diff_lack_of_samples(subject->table) : NULL;
    if (lack) {
        snprintf(complaint, OTTER_CONDITION_TEXT, "--fail-if: '%.100s': %s", condition->text, lack);
    }
    return !lack;
}

// Finds a number of the summary: time(total), time(executing), efficiency(serial), wall.
static bool find_summary(const struct otter_diff *diff, const struct otter_condition *condition,
                         struct subject *subject)
{
    const char *name = *condition->word ? condition->word : condition->metric;
    if (condition->has_label) {
        return false;
    }
    bool is_total = strcmp(name, "total") == 0;
    bool is_time = strcmp(condition->metric, "time") == 0;
    name = is_total ? condition->metric : name;
    if (is_time && strcmp(name, "time") == 0) {
        name = "wall";
    }
    if (is_time && strcmp(name, "scheduling") == 0) {
        name = "scheduling_s"; // the plain name "scheduling" is the factor of the efficiency
    }
    if (is_time && strcmp(name, "mpi") == 0) {
        name = "mpi_s"; // "mpi" is also a factor
    }
    return find_number(diff, name, subject);
}

static bool find_subject(const struct otter_condition *condition, const struct otter_diff *diff,
                         struct subject *subject, char *complaint)
{
    *subject = (struct subject){.most.rank = OTTER_NONE};
    if (find_summary(diff, condition, subject) || find_rows(diff, condition, subject)) {
        return true;
    }
    for (unsigned i = 0; *condition->word && i < diff->n_tables; i++) {
        if (is_table(&diff->tables[i], condition->word)) {
            return complain(condition, condition->metric_column, condition->metric, "the number",
                            complaint);
        }
    }
    bool is_word = *condition->word != '\0';
    return complain(condition, is_word ? condition->word_column : condition->metric_column,
                    is_word ? condition->word : condition->metric,
                    is_word ? "the table or state" : "the metric", complaint);
}

// ---- whether it holds

static bool holds(enum otter_relation relation, double value, double limit)
{
    switch (relation) {
    case OTTER_RELATION_MORE: return value > limit;
    case OTTER_RELATION_AT_LEAST: return value >= limit;
    case OTTER_RELATION_LESS: return value < limit;
    case OTTER_RELATION_AT_MOST: return value <= limit;
    case OTTER_RELATION_EQUAL: return value == limit;
    case OTTER_RELATION_OTHER: return value != limit;
    }
    return false;
}

static bool has_right_unit(const struct otter_condition *condition, enum otter_column_kind kind,
                           char *complaint)
{
    bool is_percent = condition->unit == OTTER_UNIT_PERCENT;
    const char *needs = NULL;
    if (kind == OTTER_COLUMN_SECONDS && condition->unit != OTTER_UNIT_SECONDS &&
        !(is_percent && condition->is_change)) {
        needs = "a time such as 2 s, or a change such as +5%";
    } else if (kind == OTTER_COLUMN_PERCENT && !is_percent) {
        needs = "percent";
    } else if (kind != OTTER_COLUMN_SECONDS && condition->unit == OTTER_UNIT_SECONDS) {
        needs = "a number that is not a time";
    } else if (kind != OTTER_COLUMN_PERCENT && is_percent && !condition->is_change) {
        needs = "a sign: +5% is a change";
    }
    if (needs) {
        snprintf(complaint, OTTER_CONDITION_TEXT, "--fail-if: column %u of '%.100s' needs %s",
                 condition->limit_column, condition->text, needs);
    }
    return !needs;
}

// "; most in rank 3: +20.0 ms"
static const char *write_most(const struct subject *subject, char text[OTTER_CONDITION_TEXT])
{
    char number[OTTER_CELL_SIZE];
    double change = subject->most.change;
    *text = '\0';
    if (subject->most.rank != OTTER_NONE) {
        snprintf(text, OTTER_CONDITION_TEXT, "; most in rank %" PRIu32 ": %c%s", subject->most.rank,
                 change < 0 ? '-' : '+', otter_sheet_number(subject->kind, fabs(change), number));
    }
    return text;
}

static void write_found(struct otter_condition *condition, const struct subject *subject)
{
    char before[OTTER_CELL_SIZE], after[OTTER_CELL_SIZE], most[OTTER_CONDITION_TEXT];
    const struct otter_diff_value *value = &subject->value;
    otter_sheet_number(subject->kind, value->before.median, before);
    otter_sheet_number(subject->kind, value->after.median, after);
    bool is_percent = subject->kind == OTTER_COLUMN_PERCENT;
    bool is_new = value->before.median == 0 && value->after.median != 0;
    double change = is_percent ? otter_diff_change(value) : otter_diff_percent(value);
    if (is_new) {
        snprintf(condition->found, sizeof condition->found, "%s, nothing before%s", after,
                 write_most(subject, most));
        return;
    }
    snprintf(condition->found, sizeof condition->found, "%+.1f %s: %s before, %s after%s", change,
             is_percent ? "points" : "%", before, after, write_most(subject, most));
}

static void evaluate_number(struct otter_condition *condition, const struct subject *subject)
{
    const struct otter_diff_value *value = &subject->value;
    bool is_relative =
        condition->unit == OTTER_UNIT_PERCENT && subject->kind != OTTER_COLUMN_PERCENT;
    double found = !condition->is_change ? value->after.median
                   : is_relative         ? otter_diff_percent(value)
                                         : otter_diff_change(value);
    bool is_noise = condition->is_change && value->verdict == OTTER_VERDICT_NOISE;
    bool is_failed = holds(condition->relation, found, condition->limit);
    condition->result = !is_failed ? OTTER_CONDITION_PASSED
                        : is_noise ? OTTER_CONDITION_NOISE
                                   : OTTER_CONDITION_FAILED;
    write_found(condition, subject);
}

// `hash` refers to the folded graph; hash(unfolded) also reflects what each thread does.
static bool evaluate_hash(struct otter_condition *condition, const struct otter_diff *diff,
                          char *complaint)
{
    char text[OTTER_DIFF_SENTENCE];
    bool is_unfolded = strcmp(condition->word, "unfolded") == 0;
    if (*condition->word && !is_unfolded && strcmp(condition->word, "folded") != 0) {
        return complain(condition, condition->word_column, condition->word, "the graph", complaint);
    }
    bool is_same = diff->graphs == OTTER_DIFF_GRAPHS_EQUAL ||
                   (diff->graphs == OTTER_DIFF_GRAPHS_TEAMS && !is_unfolded);
    bool is_failed = is_same == (condition->relation == OTTER_RELATION_EQUAL);
    condition->result = is_failed ? OTTER_CONDITION_FAILED : OTTER_CONDITION_PASSED;
    snprintf(condition->found, sizeof condition->found, "%.*s", OTTER_CONDITION_TEXT - 1,
             otter_diff_graph_sentence(diff, text));
    return true;
}

bool otter_condition_evaluate(struct otter_condition *condition, const struct otter_diff *diff,
                              char complaint[OTTER_CONDITION_TEXT])
{
    struct subject subject;
    if (condition->is_same) {
        return evaluate_hash(condition, diff, complaint);
    }
    if (!find_subject(condition, diff, &subject, complaint) ||
        !has_samples(condition, &subject, complaint) ||
        !has_right_unit(condition, subject.kind, complaint)) {
        return false;
    }
    bool is_unknown = isnan(subject.value.after.median) ||
                      (condition->is_change && isnan(subject.value.before.median));
    if (!subject.is_found || is_unknown) {
        condition->result = OTTER_CONDITION_NO_LABEL;
        snprintf(condition->found, sizeof condition->found,
                 is_unknown ? "the number is unknown" : "no archive has the label");
        return true;
    }
    evaluate_number(condition, &subject);
    return true;
}
