// Prints a comparison for a terminal of 80 columns.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text/print.h"
#include "report/diff/diff.h"
#include "base/text/number.h"
#include "base/text/utf8.h"
#include "report/form/plain.h"
#include "report/form/wrap.h"

enum {
    NUMBER = 10, // width of a number of the summary, and of a count
    CELL = 9,    // width of a number in a row
    VERDICT = 7,
    RANK = 5,
    NAME = 24, // width of the name of a number of the summary
    MIN_LABEL = 16,
    MAX_LABEL = 70,
    MAX_ROWS = 6, // rows of a table in the summary
    INDENT = 11,
};

// The summary lists only changes of at least this share of the thread time.
#define MIN_SHARE 0.001

// Returns the difference in the unit of the column: "+140 ms".
static const char *change_text(enum otter_column_kind kind, const struct otter_diff_value *value,
                               char text[OTTER_CELL_SIZE])
{
    double change = otter_diff_change(value);
    if (change == 0 || isnan(change)) {
        return change == 0 ? "=" : "";
    }
    char number[OTTER_CELL_SIZE];
    snprintf(text, OTTER_CELL_SIZE, "%c%s", change < 0 ? '-' : '+',
             otter_sheet_number(kind, fabs(change), number));
    return text;
}

static bool is_noise(const struct otter_diff_value *value)
{
    return value->verdict == OTTER_VERDICT_NOISE && otter_diff_change(value) != 0;
}

static bool has_verdicts(const struct otter_diff *diff)
{
    return diff->numbers[OTTER_DIFF_WALL].verdict != OTTER_VERDICT_UNKNOWN;
}

// Prints the rank that changed most, in the last column: "    3".
static void print_most(FILE *out, const struct otter_diff *diff, struct otter_diff_most most)
{
    char rank[OTTER_CELL_SIZE] = "-";
    if (most.rank != OTTER_NONE) {
        snprintf(rank, sizeof rank, "%" PRIu32, most.rank);
    }
    otter_print(out, diff->job ? " %*s\n" : "\n", RANK, rank);
}

// ---- the summary's numbers

// Returns by how many columns a text exceeds `width`.
static int overflow(const char *text, int width)
{
    int length = (int)strlen(text);
    return length > width ? length - width : 0;
}

static void print_number(FILE *out, const struct otter_diff *diff, unsigned i)
{
    const struct otter_column *number = otter_diff_column(i);
    const struct otter_diff_value *value = &diff->numbers[i];
    char before[OTTER_CELL_SIZE], after[OTTER_CELL_SIZE], change[OTTER_CELL_SIZE];
    char percent[OTTER_CELL_SIZE];
    bool is_percent = number->kind == OTTER_COLUMN_PERCENT;
    const char *relative = otter_diff_percent_text(value, percent);
    if (is_percent && otter_diff_change(value) != 0) {
        snprintf(percent, sizeof percent, "%+.1f points", otter_diff_change(value));
        relative = percent;
    }
    const char *cells[] = {otter_sheet_number(number->kind, value->before.median, before),
                           otter_sheet_number(number->kind, value->after.median, after),
                           is_percent ? "" : change_text(number->kind, value, change)};
    int indent = otter_diff_indent(i);
    int name_width = NAME - indent - overflow(relative, NUMBER + 2);
    for (unsigned k = 0; k < sizeof cells / sizeof *cells; k++) {
        name_width -= overflow(cells[k], NUMBER);
    }
    otter_print(out, "  %*s%-*s %*s %*s %*s %*s", indent, "", name_width > 0 ? name_width : 0,
                number->head, NUMBER, cells[0], NUMBER, cells[1], NUMBER, cells[2], NUMBER + 2,
                relative);
    if (has_verdicts(diff)) {
        otter_print(out, is_noise(value) ? " %*s\n" : "\n", VERDICT - 1, "noise");
    } else {
        print_most(out, diff, otter_diff_most_of_number(diff, i));
    }
}

static bool has_number(const struct otter_diff *diff, unsigned i)
{
    const struct otter_diff_value *value = &diff->numbers[otter_diff_shown_by(i)];
    return value->before.max != 0 || value->after.max != 0;
}

static void print_numbers(FILE *out, const struct otter_diff *diff)
{
    otter_print(out, "\n  %-*s %*s %*s %*s", NAME, diff->job ? "all ranks" : "", NUMBER, "before",
                NUMBER, "after", NUMBER, "change");
    otter_print(out, diff->job && !has_verdicts(diff) ? "%*s\n" : "\n", NUMBER + RANK + 4, "rank");
    for (unsigned i = 0; i < OTTER_N_DIFF_NUMBERS; i++) {
        if (has_number(diff, i)) {
            print_number(out, diff, i);
        }
    }
}

// ---- sides

// Prints "4 ranks: " before the program of a job. Returns the columns used.
static size_t print_size(FILE *out, uint32_t n_ranks)
{
    char text[OTTER_CELL_SIZE] = "  ", n[OTTER_CELL_SIZE];
    if (n_ranks > 0) {
        snprintf(text, sizeof text, "  %s rank%s: ", otter_number_text(n_ranks, n),
                 otter_plural(n_ranks));
    }
    otter_print(out, "%s", text);
    return strlen(text);
}

static void print_side(FILE *out, const char *name, const struct otter_diff_side *side,
                       const struct otter_spread *wall, const struct otter_diff_style *style)
{
    char least[OTTER_CELL_SIZE], most[OTTER_CELL_SIZE], n[OTTER_CELL_SIZE];
    otter_print(out, "  %-8s ", name);
    size_t used = otter_plain_print(out, side->runs[0].path, 34);
    if (side->n > 1) {
        otter_print(out, " and %s more, %s to %s", otter_number_text(side->n - 1, n),
                    otter_duration_text(wall->min, least), otter_duration_text(wall->max, most));
        otter_print(out, side->runs[0].n_ranks > 0 ? ", %s ranks each" : "",
                    otter_number_text(side->runs[0].n_ranks, n));
    } else {
        used += print_size(out, side->runs[0].n_ranks);
        otter_plain_print(out, side->runs[0].program, style->width - INDENT - used);
    }
    otter_print(out, "\n");
}

static void print_sides(FILE *out, const struct otter_diff *diff,
                        const struct otter_diff_style *style)
{
    const struct otter_diff_value *wall = &diff->numbers[OTTER_DIFF_WALL];
    print_side(out, "before", &diff->before, &wall->before, style);
    print_side(out, "after", &diff->after, &wall->after, style);
}

// ---- rows

// Returns "1,234", or "34>1,234" if the counts of both sides differ.
static const char *count_text(const struct otter_diff *diff, const struct otter_diff_row *row,
                              char text[2 * OTTER_CELL_SIZE])
{
    char before[OTTER_CELL_SIZE], after[OTTER_CELL_SIZE];
    const struct otter_diff_value *count = otter_diff_count(diff, row->text);
    if (!count) {
        return "";
    }
    otter_number_text((uint64_t)(count->before.median + 0.5), before);
    otter_number_text((uint64_t)(count->after.median + 0.5), after);
    bool is_one = strcmp(before, after) == 0;
    snprintf(text, 2 * OTTER_CELL_SIZE, "%s%s%s", is_one ? "" : before, is_one ? "" : ">", after);
    return text;
}

// How the rows of a table are printed: label, [count,] before, after, change, and percent or
// inflation, [verdict].
struct layout {
    const struct otter_diff_table *table;
    int label_width;
    bool has_count, has_inflation, has_rank, has_verdict;
};

static struct layout layout_of(const struct otter_diff *diff, const struct otter_diff_table *table,
                               const struct otter_diff_style *style, bool has_count)
{
    int used = 4 * (CELL + 1) + (has_verdicts(diff) ? VERDICT : 0) + (diff->job ? RANK + 1 : 0);
    int rest = (int)style->width - used - (has_count ? NUMBER + 1 : 0);
    return (struct layout){
        .table = table,
        .label_width = rest < MIN_LABEL   ? MIN_LABEL
                       : rest > MAX_LABEL ? MAX_LABEL
                                          : rest,
        .has_count = has_count,
        .has_inflation = otter_diff_has_inflation(diff, &table->columns[table->column]),
        .has_rank = diff->job != NULL,
        .has_verdict = has_verdicts(diff),
    };
}

static void print_head(FILE *out, const struct layout *layout, const char *text_head)
{
    int n_more =
        // columns by which the heading exceeds the labels' width
        (int)strlen(text_head) - layout->label_width;
    otter_print(out, "%-*s", layout->label_width, text_head);
    if (layout->has_count) {
        otter_print(out, " %*s", n_more > 0 ? NUMBER - n_more : NUMBER, "count");
    }
    otter_print(out, " %*s %*s %*s", CELL, "before", CELL, "after", CELL, "change");
    otter_print(out, layout->has_inflation || layout->has_rank ? " %*s" : "", CELL,
                layout->has_inflation ? "inflation" : "");
    otter_print(out, layout->has_rank ? "%*s\n" : "\n",
                RANK + 1 + (layout->has_verdict ? VERDICT : 0), "rank");
}

static const char *ratio_text(const struct otter_diff *diff, const struct layout *layout,
                              const struct otter_diff_value *value, char text[OTTER_CELL_SIZE])
{
    double inflation = otter_diff_inflation(diff, value);
    if (!layout->has_inflation) {
        return otter_diff_percent_text(value, text);
    }
    snprintf(text, OTTER_CELL_SIZE, inflation > 0 ? "%.2f" : "-", inflation);
    return text;
}

// Prints a row. Long cells leave fewer columns for the label before them.
static void print_row(FILE *out, const struct otter_diff *diff, const struct layout *layout,
                      const struct otter_diff_row *row)
{
    enum { N_CELLS = 4 };
    char count_space[2 * OTTER_CELL_SIZE], texts[N_CELLS][OTTER_CELL_SIZE];
    enum otter_column_kind kind = layout->table->columns[layout->table->column].kind;
    const struct otter_diff_value *value = &row->values[layout->table->column];
    const char *count = layout->has_count ? count_text(diff, row, count_space) : "";
    const char *cells[N_CELLS] = {otter_sheet_number(kind, value->before.median, texts[0]),
                                  otter_sheet_number(kind, value->after.median, texts[1]),
                                  change_text(kind, value, texts[2]),
                                  ratio_text(diff, layout, value, texts[3])};
    int label_width = layout->label_width - overflow(count, NUMBER);
    for (unsigned i = 0; i < N_CELLS; i++) {
        label_width -= overflow(cells[i], CELL);
    }
    label_width = label_width > 0 ? label_width : 0;
    size_t used = label_width ? otter_plain_print(out, row->text, (size_t)label_width) : 0;
    otter_print(out, "%*s", label_width - (int)used, "");
    if (layout->has_count) {
        otter_print(out, " %*s", NUMBER, count);
    }
    for (unsigned i = 0; i < N_CELLS; i++) {
        otter_print(out, " %*s", CELL, cells[i]);
    }
    bool has_gap = layout->has_rank && layout->has_verdict;
    otter_print(out, has_gap || is_noise(value) ? " %*s" : "", VERDICT - 1,
                is_noise(value) ? "noise" : "");
    print_most(out, diff, otter_diff_most_of(row, layout->table->column));
}

static double least_change(const struct otter_diff *diff)
{
    const struct otter_diff_value *total = &diff->numbers[OTTER_DIFF_TOTAL];
    double before = total->before.median, after = total->after.median;
    return MIN_SHARE * (before > after ? before : after);
}

// Prints the rows of a table that changed most.
static void print_largest(FILE *out, const struct otter_diff *diff, const char *name,
                          const char *title, const struct otter_diff_style *style)
{
    const struct otter_diff_table *table = otter_diff_find_table(diff, name);
    uint32_t n = 0, n_more = 0;
    if (!table) {
        return;
    }
    struct layout layout = layout_of(diff, table, style, strcmp(name, "labels") == 0);
    for (uint32_t i = 0; i < table->rows.n; i++) {
        const struct otter_diff_row *row = &table->rows.items[i];
        bool is_small = fabs(otter_diff_change(&row->values[table->column])) < least_change(diff);
        if (is_small || !otter_diff_is_shown(row, style)) {
            continue;
        }
        if (n == MAX_ROWS) {
            n_more++;
            continue;
        }
        if (n++ == 0) {
            otter_print(out, "\n");
            print_head(out, &layout, title);
        }
        print_row(out, diff, &layout, row);
    }
    if (n_more > 0) {
        otter_print(out, "%u more: otter diff --%s ...\n", n_more, name);
    }
}

// ---- the summary

// Lists labels of the first archive of BEFORE whose text differs in AFTER.
static void print_moved(FILE *out, const struct otter_diff *diff,
                        const struct otter_diff_style *style)
{
    enum { MOST = 3, LIST_SIZE = 800 };
    char list[LIST_SIZE];
    const struct otter_diff_labels *labels = &diff->before.runs[0].labels;
    uint32_t n = 0;
    size_t used = (size_t)snprintf(list, sizeof list, "labels that moved:");
    for (uint32_t i = 0; i < labels->n; i++) {
        const struct otter_diff_label *label = &labels->items[i];
        if (strcmp(label->name, label->text) != 0 && n++ < MOST) {
            used += (size_t)snprintf(list + used, sizeof list - used, "%s %.*s was %.*s",
                                     n == 1 ? "" : ";", OTTER_UTF8_CUT(label->name, 80),
                                     OTTER_UTF8_CUT(otter_diff_label_was(label), 80));
        }
    }
    if (n > MOST) {
        snprintf(list + used, sizeof list - used, "; %u more (--json)", n - MOST);
    }
    if (n > 0) {
        otter_print(out, "\n");
        otter_print_wrapped_at(out, (int)style->width, 0, list);
    }
}

static void print_complaints(FILE *out, const struct otter_diff *diff)
{
    const struct otter_diff_side *sides[] = {&diff->before, &diff->after};
    for (unsigned s = 0; s < 2; s++) {
        for (uint32_t i = 0; i < sides[s]->n; i++) {
            if (!sides[s]->runs[i].is_complete) {
                otter_print(out,
                            "\nAn archive is not complete, so all numbers are estimates: "
                            "otter check %s\n",
                            sides[s]->runs[i].path);
                return;
            }
        }
    }
}

void otter_diff_print_summary(FILE *out, const struct otter_diff *diff,
                              const struct otter_diff_style *style)
{
    char text[OTTER_DIFF_SENTENCE], graph[OTTER_DIFF_SENTENCE + 16];
    otter_print_wrapped_at(out, (int)style->width, 0, otter_diff_sentence(diff, text));
    if (diff->has_prediction) {
        otter_print_wrapped_at(out, (int)style->width, 0,
                               otter_diff_prediction_sentence(diff, text));
    }
    otter_print(out, "\n");
    print_sides(out, diff, style);
    snprintf(graph, sizeof graph, "graphs: %s", otter_diff_graph_sentence(diff, text));
    otter_print_wrapped_at(out, (int)style->width, 2, graph);
    print_numbers(out, diff);
    print_largest(out, diff, "labels", "executed by label", style);
    print_largest(out, diff, "waits", "waited in", style);
    print_largest(out, diff, "causes", "lost time by cause", style);
    print_moved(out, diff, style);
    print_complaints(out, diff);
}

void otter_diff_print_table(FILE *out, const struct otter_diff *diff,
                            const struct otter_diff_table *table,
                            const struct otter_diff_style *style)
{
    uint32_t n = 0;
    char head[MAX_LABEL];
    struct layout layout = layout_of(diff, table, style, false);
    snprintf(head, sizeof head, "%s: %s", table->text_head, table->columns[table->column].head);
    print_head(out, &layout, head);
    for (uint32_t i = 0; i < table->rows.n; i++) {
        if (otter_diff_is_shown(&table->rows.items[i], style) && n++ < style->n_rows) {
            print_row(out, diff, &layout, &table->rows.items[i]);
        }
    }
    if (n > style->n_rows) {
        otter_print(out, "%u more: --top=%u\n", n - style->n_rows, n);
    }
}
