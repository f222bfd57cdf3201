// Sums up the comparisons of the ranks of two merged archives: means, the largest, outliers first.
#include "report/diff_ranks.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/print.h"
#include "report/json.h"
#include "report/number.h"

// ---- the sums

static struct otter_diff_rank_label *find_label(struct otter_diff_ranks *ranks, const char *text)
{
    for (uint32_t i = 0; i < ranks->labels.n; i++) {
        if (strcmp(ranks->labels.items[i].text, text) == 0) {
            return &ranks->labels.items[i];
        }
    }
    char *copy = strdup(text);
    if (!copy || !OTTER_VECTOR_RESERVE(&ranks->labels)) {
        free(copy);
        return NULL;
    }
    ranks->labels.items[ranks->labels.n] = (struct otter_diff_rank_label){.text = copy};
    return &ranks->labels.items[ranks->labels.n++];
}

static bool add_label(struct otter_diff_ranks *ranks, uint32_t rank,
                      const struct otter_diff_row *row, unsigned column)
{
    double before = row->values[column].before.median, after = row->values[column].after.median;
    struct otter_diff_rank_label *label = find_label(ranks, row->text);
    if (!label) {
        return false;
    }
    label->before += before;
    label->after += after;
    label->most_before = fmax(label->most_before, before);
    label->most_after = fmax(label->most_after, after);
    if (fabs(after - before) > fabs(label->change)) {
        label->change = after - before;
        label->rank = rank;
    }
    return true;
}

bool otter_diff_ranks_add(struct otter_diff_ranks *ranks, uint32_t rank,
                          const struct otter_diff *diff)
{
    if (!OTTER_VECTOR_RESERVE(&ranks->ranks)) {
        return false;
    }
    struct otter_diff_rank *item = &ranks->ranks.items[ranks->ranks.n++];
    *item = (struct otter_diff_rank){.rank = rank, .graphs = diff->graphs};
    for (unsigned i = 0; i < OTTER_N_DIFF_NUMBERS; i++) {
        item->before[i] = diff->numbers[i].before.median;
        item->after[i] = diff->numbers[i].after.median;
    }
    const struct otter_diff_table *table = otter_diff_find_table(diff, "labels");
    unsigned column = table ? otter_diff_find_column(table, "executed_s") : 0;
    bool is_added = true;
    for (uint32_t i = 0; table && column < table->n_columns && i < table->rows.n; i++) {
        is_added = is_added && add_label(ranks, rank, &table->rows.items[i], column);
    }
    return is_added;
}

static double change_of_work(const struct otter_diff_rank *rank)
{
    return rank->after[OTTER_DIFF_WORK] - rank->before[OTTER_DIFF_WORK];
}

static int compare_ranks(const void *left, const void *right)
{
    const struct otter_diff_rank *a = left, *b = right;
    double x = fabs(change_of_work(a)), y = fabs(change_of_work(b));
    return x != y ? (x < y) - (x > y) : (a->rank > b->rank) - (a->rank < b->rank);
}

static int compare_labels(const void *left, const void *right)
{
    const struct otter_diff_rank_label *a = left, *b = right;
    double x = fabs(a->change), y = fabs(b->change);
    return x != y ? (x < y) - (x > y) : strcmp(a->text, b->text);
}

void otter_diff_ranks_sort(struct otter_diff_ranks *ranks)
{
    if (ranks->ranks.n > 1) {
        qsort(ranks->ranks.items, ranks->ranks.n, sizeof *ranks->ranks.items, compare_ranks);
    }
    if (ranks->labels.n > 1) {
        qsort(ranks->labels.items, ranks->labels.n, sizeof *ranks->labels.items, compare_labels);
    }
}

void otter_diff_ranks_finish(struct otter_diff_ranks *ranks)
{
    for (uint32_t i = 0; i < ranks->labels.n; i++) {
        free(ranks->labels.items[i].text);
    }
    free(ranks->labels.items);
    free(ranks->ranks.items);
    *ranks = (struct otter_diff_ranks){.ranks = {.n = 0}};
}

// ---- text

static const enum otter_diff_number shown[] = {OTTER_DIFF_WALL, OTTER_DIFF_WORK, OTTER_DIFF_MPI,
                                               OTTER_DIFF_EFFICIENCY};

static const char *number_text(unsigned number, double value, char text[OTTER_MAX_NUMBER])
{
    if (otter_diff_numbers[number].kind == OTTER_COLUMN_PERCENT) {
        snprintf(text, OTTER_MAX_NUMBER, "%.1f %%", value);
        return text;
    }
    return otter_duration_text(value, text);
}

static const char *percent_text(double before, double after, char text[OTTER_MAX_NUMBER])
{
    if (before == after) {
        return "=";
    }
    if (before == 0) {
        return "new";
    }
    snprintf(text, OTTER_MAX_NUMBER, "%+.1f %%", 100 * (after / before - 1));
    return text;
}

static void print_number(FILE *out, const struct otter_diff_ranks *ranks, unsigned number)
{
    double before = 0, after = 0, most_before = 0, most_after = 0;
    for (uint32_t i = 0; i < ranks->ranks.n; i++) {
        const struct otter_diff_rank *rank = &ranks->ranks.items[i];
        before += rank->before[number] / ranks->ranks.n;
        after += rank->after[number] / ranks->ranks.n;
        most_before = fmax(most_before, rank->before[number]);
        most_after = fmax(most_after, rank->after[number]);
    }
    char text[4][OTTER_MAX_NUMBER], change[OTTER_MAX_NUMBER];
    bool is_percent = otter_diff_numbers[number].kind == OTTER_COLUMN_PERCENT;
    snprintf(change, sizeof change, "%+.1f points", after - before);
    const char *name = otter_diff_numbers[number].head;
    otter_print(out, "  %-12s %10s %10s   %10s %10s   %s\n", name + strspn(name, " "),
                number_text(number, before, text[0]), number_text(number, most_before, text[1]),
                number_text(number, after, text[2]), number_text(number, most_after, text[3]),
                is_percent ? change : percent_text(before, after, change));
}

static void print_labels(FILE *out, const struct otter_diff_ranks *ranks, uint32_t n_rows)
{
    double n = ranks->ranks.n;
    otter_print(out, "\n%10s %10s   %10s %10s  %s\n", "before", "after", "most by", "in rank",
                "label, mean execution of a rank");
    for (uint32_t i = 0; i < ranks->labels.n && i < n_rows; i++) {
        const struct otter_diff_rank_label *label = &ranks->labels.items[i];
        char before[OTTER_MAX_NUMBER], after[OTTER_MAX_NUMBER], change[OTTER_MAX_NUMBER];
        if (label->change == 0) {
            break;
        }
        otter_print(out, "%10s %10s   %c%9s %10" PRIu32 "  %s\n",
                    otter_duration_text(label->before / n, before),
                    otter_duration_text(label->after / n, after), label->change < 0 ? '-' : '+',
                    otter_duration_text(fabs(label->change), change), label->rank, label->text);
    }
}

static const char *graphs_text(enum otter_diff_graphs graphs)
{
    static const char *const texts[] = {
        [OTTER_DIFF_GRAPHS_EQUAL] = "equal",
        [OTTER_DIFF_GRAPHS_TEAMS] = "equal but for threads",
        [OTTER_DIFF_GRAPHS_VARY] = "different",
        [OTTER_DIFF_GRAPHS_DIFFER] = "different",
    };
    return texts[graphs];
}

static void print_ranks(FILE *out, const struct otter_diff_ranks *ranks)
{
    otter_print(out, "\n%6s %10s %10s %10s %10s %10s  %s\n", "rank", "wall", "change", "work",
                "change", "efficiency", "task graph");
    for (uint32_t i = 0; i < ranks->ranks.n; i++) {
        const struct otter_diff_rank *rank = &ranks->ranks.items[i];
        char wall[OTTER_MAX_NUMBER], work[OTTER_MAX_NUMBER], changes[2][OTTER_MAX_NUMBER];
        otter_print(
            out, "%6" PRIu32 " %10s %10s %10s %10s %8.1f %%  %s\n", rank->rank,
            otter_duration_text(rank->after[OTTER_DIFF_WALL], wall),
            percent_text(rank->before[OTTER_DIFF_WALL], rank->after[OTTER_DIFF_WALL], changes[0]),
            otter_duration_text(rank->after[OTTER_DIFF_WORK], work),
            percent_text(rank->before[OTTER_DIFF_WORK], rank->after[OTTER_DIFF_WORK], changes[1]),
            rank->after[OTTER_DIFF_EFFICIENCY], graphs_text(rank->graphs));
    }
}

void otter_diff_ranks_print(FILE *out, const struct otter_diff_ranks *ranks, uint32_t n_rows)
{
    otter_print(out, "  %-12s %10s %10s   %10s %10s\n  %-12s %10s %10s   %10s %10s   %s\n", "",
                "before", "", "after", "", "", "mean", "largest", "mean", "largest",
                "change of the mean");
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        print_number(out, ranks, shown[i]);
    }
    print_labels(out, ranks, n_rows);
    print_ranks(out, ranks);
}

// ---- JSON

static json_t *rank_json(const struct otter_diff_rank *rank)
{
    json_t *object = json_object();
    otter_json_set_number(object, "rank", rank->rank);
    otter_json_set_text(object, "graphs", graphs_text(rank->graphs));
    for (unsigned i = 0; i < OTTER_N_DIFF_NUMBERS; i++) {
        json_t *number = json_object();
        otter_json_set(number, "before", json_real(rank->before[i]));
        otter_json_set(number, "after", json_real(rank->after[i]));
        otter_json_set(object, otter_diff_numbers[i].name, number);
    }
    return object;
}

static json_t *label_json(const struct otter_diff_rank_label *label, double n)
{
    json_t *object = json_object();
    otter_json_set_text(object, "label", label->text);
    otter_json_set(object, "mean_before_s", json_real(label->before / n));
    otter_json_set(object, "mean_after_s", json_real(label->after / n));
    otter_json_set(object, "max_before_s", json_real(label->most_before));
    otter_json_set(object, "max_after_s", json_real(label->most_after));
    otter_json_set(object, "largest_change_s", json_real(label->change));
    otter_json_set_number(object, "rank_of_largest_change", label->rank);
    return object;
}

json_t *otter_diff_ranks_json(const struct otter_diff_ranks *ranks)
{
    json_t *root = json_object(), *rows = json_array(), *labels = json_array();
    for (uint32_t i = 0; i < ranks->ranks.n; i++) {
        json_array_append_new(rows, rank_json(&ranks->ranks.items[i]));
    }
    for (uint32_t i = 0; i < ranks->labels.n; i++) {
        json_array_append_new(labels, label_json(&ranks->labels.items[i], ranks->ranks.n));
    }
    otter_json_set(root, "ranks", rows);
    otter_json_set(root, "labels", labels);
    return root;
}
