// Prints a comparison as CSV and as JSON.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text/print.h"
#include "graph/export/text.h"
#include "report/diff/diff_cause.h"
#include "report/diff/diff_data.h"
#include "report/diff/diff_ranks.h"

enum { N_OF_RANKS = 2 }; // columns after each number, only for jobs

// ---- CSV

static void print_csv_head(FILE *out, const struct otter_diff *diff, const char *name)
{
    static const char *const parts[] = {"before",  "before_min", "before_max",
                                        "after",   "after_min",  "after_max",
                                        "verdict", "rank",       "rank_change"};
    size_t n = sizeof parts / sizeof *parts - (diff->job ? 0 : N_OF_RANKS);
    for (size_t i = 0; i < n; i++) {
        otter_print(out, ",%s%s%s", name, *name ? "_" : "", parts[i]);
    }
}

// Prints the rank that changed most, and its change.
static void print_csv_most(FILE *out, const struct otter_diff *diff, struct otter_diff_most most)
{
    if (diff->job && most.rank != OTTER_NONE) {
        otter_print(out, ",%" PRIu32 ",%.9g", most.rank, most.change);
    } else if (diff->job) {
        otter_print(out, ",,");
    }
}

// An unknown number is an empty cell.
static void print_csv_value(FILE *out, const struct otter_diff_value *value)
{
    const double cells[] = {value->before.median, value->before.min, value->before.max,
                            value->after.median,  value->after.min,  value->after.max};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        otter_print(out, isnan(cells[i]) ? "," : ",%.9g", cells[i]);
    }
    otter_print(out, ",%s", otter_verdict_name(value->verdict));
}

static void print_csv_numbers(FILE *out, const struct otter_diff *diff)
{
    otter_print(out, "number");
    print_csv_head(out, diff, "");
    otter_print(out, "\n");
    for (unsigned i = 0; i < OTTER_N_DIFF_NUMBERS; i++) {
        otter_print(out, "%s", otter_diff_column(i)->name);
        print_csv_value(out, &diff->numbers[i]);
        print_csv_most(out, diff, otter_diff_most_of_number(diff, i));
        otter_print(out, "\n");
    }
}

void otter_diff_print_csv(FILE *out, const struct otter_diff *diff,
                          const struct otter_diff_table *table,
                          const struct otter_diff_style *style)
{
    if (!table) {
        print_csv_numbers(out, diff);
        return;
    }
    otter_print(out, "%s,archives_before,archives_after", table->text_head);
    for (unsigned k = 0; k < table->n_columns; k++) {
        print_csv_head(out, diff, table->columns[k].name);
    }
    otter_print(out, "\n");
    for (uint32_t i = 0; i < table->rows.n; i++) {
        const struct otter_diff_row *row = &table->rows.items[i];
        if (!otter_diff_is_shown(row, style)) {
            continue;
        }
        otter_put_csv(out, row->text);
        otter_print(out, ",%u,%u", row->n_before, row->n_after);
        for (unsigned k = 0; k < table->n_columns; k++) {
            print_csv_value(out, &row->values[k]);
            print_csv_most(out, diff, otter_diff_most_of(row, k));
        }
        otter_print(out, "\n");
    }
}

// ---- JSON

// JSON cannot represent unknown or infinite numbers.
static json_t *number_json(double value)
{
    return isnan(value) || isinf(value) ? json_null() : json_real(value);
}

json_t *otter_spread_json(const struct otter_spread *spread)
{
    json_t *object = json_object();
    otter_json_set(object, "median", number_json(spread->median));
    otter_json_set(object, "min", number_json(spread->min));
    otter_json_set(object, "max", number_json(spread->max));
    return object;
}

static json_t *value_json(const struct otter_diff *diff, const struct otter_diff_value *value,
                          const struct otter_column *column, struct otter_diff_most most)
{
    json_t *object = json_object();
    double percent = otter_diff_percent(value);
    otter_json_set(object, "before", otter_spread_json(&value->before));
    otter_json_set(object, "after", otter_spread_json(&value->after));
    otter_json_set(object, "change", number_json(otter_diff_change(value)));
    otter_json_set(object, "change_percent", number_json(percent));
    otter_json_set(object, "verdict", otter_json_text(otter_verdict_name(value->verdict)));
    if (otter_diff_has_inflation(diff, column)) {
        otter_json_set(object, "inflation", json_real(otter_diff_inflation(diff, value)));
    }
    if (diff->job) {
        bool has_rank = most.rank != OTTER_NONE;
        otter_json_set(object, "rank", has_rank ? json_integer(most.rank) : json_null());
        otter_json_set(object, "rank_change", number_json(most.change));
    }
    return object;
}

static void set_structure(json_t *object, const struct otter_diff_structure *structure)
{
    char hash[OTTER_HASH_TEXT];
    otter_json_set_text(object, "hash", otter_hash_text(structure->unfolded, hash));
    otter_json_set_text(object, "folded_hash", otter_hash_text(structure->folded, hash));
    otter_json_set_number(object, "tasks", structure->n_tasks);
}

static json_t *side_json(const struct otter_diff_side *side)
{
    json_t *archives = json_array();
    for (uint32_t i = 0; i < side->n; i++) {
        const struct otter_diff_run *run = &side->runs[i];
        json_t *object = json_object();
        otter_json_set_text(object, "archive", run->path);
        otter_json_set_text(object, "program", run->program);
        otter_json_set(object, "complete", json_boolean(run->is_complete));
        if (run->n_ranks > 0) {
            otter_json_set_number(object, "ranks", run->n_ranks);
        } else {
            set_structure(object, &run->structure);
        }
        json_array_append_new(archives, object);
    }
    return archives;
}

static json_t *graph_json(const struct otter_diff *diff)
{
    static const char *const names[] = {"equal", "equal when folded", "varying", "different"};
    json_t *object = json_object();
    otter_json_set_text(object, "result", names[diff->graphs]);
    otter_json_set(object, "first_difference",
                   diff->place ? otter_json_text(diff->place) : json_null());
    if (diff->job && diff->place) {
        otter_json_set_number(object, "rank_of_first_difference", diff->job->rank_of_place);
    }
    otter_json_set(object, "folded_in_full", json_boolean(!diff->may_depend_on_threads));
    return object;
}

static json_t *moved_json(const struct otter_diff *diff)
{
    json_t *moved = json_array();
    const struct otter_diff_labels *labels = &diff->before.runs[0].labels;
    for (uint32_t i = 0; i < labels->n; i++) {
        const struct otter_diff_label *label = &labels->items[i];
        if (strcmp(label->name, label->text) != 0) {
            json_t *object = json_object();
            otter_json_set_text(object, "before", label->text);
            otter_json_set_text(object, "after", label->name);
            json_array_append_new(moved, object);
        }
    }
    return moved;
}

json_t *otter_diff_table_json(const struct otter_diff *diff, const struct otter_diff_table *table,
                              const struct otter_diff_style *style)
{
    json_t *rows = json_array();
    for (uint32_t i = 0; i < table->rows.n; i++) {
        const struct otter_diff_row *row = &table->rows.items[i];
        if (!otter_diff_is_shown(row, style)) {
            continue;
        }
        json_t *object = json_object();
        otter_json_set_text(object, table->text_head, row->text);
        otter_json_set_number(object, "archives_before", row->n_before);
        otter_json_set_number(object, "archives_after", row->n_after);
        for (unsigned k = 0; k < table->n_columns; k++) {
            const struct otter_column *column = &table->columns[k];
            if (column->kind == OTTER_COLUMN_TEXT) {
                continue;
            }
            otter_json_set(object, column->name,
                           value_json(diff, &row->values[k], column, otter_diff_most_of(row, k)));
        }
        json_array_append_new(rows, object);
    }
    return rows;
}

// The label is null if each side has labels that the other lacks; `change` is then the sum of all
// these labels. For an inflation of all work, the label is the one that changes most.
static json_t *cause_json(const struct otter_diff *diff)
{
    struct otter_diff_cause cause = otter_diff_find_cause(diff);
    if (!cause.row) {
        return json_null();
    }
    char kind[OTTER_CELL_SIZE];
    const char *label = cause.row->text;
    snprintf(kind, sizeof kind, "%s", cause.is_inflation ? "work inflation" : "executing");
    if (!cause.is_executed) {
        snprintf(kind, sizeof kind, "%.*s", (int)otter_diff_kind_length(label), label);
        label = otter_diff_place_of(label);
    }
    json_t *object = json_object();
    otter_json_set_text(object, "kind", kind);
    otter_json_set(object, "label", cause.is_one_sided ? json_null() : otter_json_text(label));
    otter_json_set(object, "change", number_json(cause.change));
    otter_json_set(object, "thread_time_change", number_json(cause.total));
    return object;
}

json_t *otter_diff_json(const struct otter_diff *diff)
{
    char sentence[OTTER_DIFF_SENTENCE];
    static const struct otter_diff_style all_rows = {0};
    json_t *root = json_object(), *numbers = json_object(), *tables = json_object();
    otter_json_set_text(root, "result", otter_diff_sentence(diff, sentence));
    otter_json_set(root, "cause", cause_json(diff));
    if (diff->has_prediction) {
        struct otter_diff_prediction prediction = otter_diff_prediction(diff);
        json_t *object = json_object();
        double change = (prediction.least + prediction.most) / 2;
        otter_json_set(object, "change_percent", number_json(100 * change));
        otter_json_set(object, "least_percent", number_json(100 * prediction.least));
        otter_json_set(object, "most_percent", number_json(100 * prediction.most));
        otter_json_set(object, "replay_error_percent", number_json(100 * prediction.replay_error));
        otter_json_set(root, "prediction", object);
    }
    otter_json_set(root, "before", side_json(&diff->before));
    otter_json_set(root, "after", side_json(&diff->after));
    otter_json_set(root, "graphs", graph_json(diff));
    for (unsigned i = 0; i < OTTER_N_DIFF_NUMBERS; i++) {
        const struct otter_column *number = otter_diff_column(i);
        otter_json_set(
            numbers, number->name,
            value_json(diff, &diff->numbers[i], number, otter_diff_most_of_number(diff, i)));
    }
    otter_json_set(root, "numbers", numbers);
    if (diff->job) {
        otter_json_set(root, "ranks", otter_diff_ranks_json(diff->job));
    }
    otter_json_set(root, "moved_labels", moved_json(diff));
    for (unsigned i = 0; i < diff->n_tables; i++) {
        otter_json_set(tables, diff->tables[i].name,
                       otter_diff_table_json(diff, &diff->tables[i], &all_rows));
    }
    otter_json_set(root, "tables", tables);
    return root;
}
