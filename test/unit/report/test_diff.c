// Comparisons: noise, the match of labels, tables of both sides, and conditions.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "report/diff/diff_cause.h"
#include "report/diff/diff_condition.h"

// ---- noise

// Computes the same probability from all ways to choose `n_a` of the values.
static double probability_by_force(const double *a, unsigned n_a, const double *b, unsigned n_b)
{
    double all[16], found = 0, middle = n_a * (n_a + n_b + 1), n = 0, uneven = 0;
    memcpy(all, a, n_a * sizeof *a);
    memcpy(all + n_a, b, n_b * sizeof *b);
    double ranks[16];
    for (unsigned i = 0; i < n_a + n_b; i++) {
        ranks[i] = 1;
        for (unsigned k = 0; k < n_a + n_b; k++) {
            ranks[i] += 2 * (all[k] < all[i]) + (all[k] == all[i]);
        }
        found += i < n_a ? ranks[i] : 0;
    }
    for (unsigned set = 0; set < 1U << (n_a + n_b); set++) {
        double sum = 0;
        unsigned size = 0;
        for (unsigned i = 0; i < n_a + n_b; i++) {
            sum += set >> i & 1 ? ranks[i] : 0;
            size += set >> i & 1;
        }
        n += size == n_a;
        uneven += size == n_a && fabs(sum - middle) >= fabs(found - middle);
    }
    return uneven / n;
}

static void the_rank_test_counts_all_ways(void **state)
{
    static const double values[][10] = {
        {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {1, 3, 5, 7, 9, 2, 4, 6, 8, 10},
        {1, 1, 1, 1, 1, 1, 1, 1, 1, 1},  {1, 1, 2, 2, 3, 1, 2, 3, 3, 3},
        {5, 5, 5, 5, 9, 1, 5, 5, 5, 5},  {10, 9, 8, 7, 2, 6, 5, 4, 3, 1},
    };
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        for (unsigned n_a = 1; n_a <= 5; n_a++) {
            double found = otter_rank_test(values[i], n_a, values[i] + 5, 5);
            double expected = probability_by_force(values[i], n_a, values[i] + 5, 5);
            assert_true(fabs(found - expected) < 1e-12);
        }
    }
}

static void separate_values_are_the_rarest(void **state)
{
    double low[OTTER_DIFF_MOST_RUNS], high[OTTER_DIFF_MOST_RUNS];
    for (unsigned i = 0; i < OTTER_DIFF_MOST_RUNS; i++) {
        low[i] = i;
        high[i] = 1000 + i;
    }
    assert_true(fabs(otter_rank_test(low, 4, high, 4) - 2.0 / 70) < 1e-12);
    assert_true(fabs(otter_rank_test(low, 5, high, 5) - 2.0 / 252) < 1e-12);
    assert_true(otter_rank_test(low, OTTER_DIFF_MOST_RUNS, high, OTTER_DIFF_MOST_RUNS) < 1e-15);
}

static enum otter_verdict verdict_of(double *before, uint32_t n_before, double *after,
                                     uint32_t n_after)
{
    return otter_diff_value_of(before, n_before, after, n_after).verdict;
}

static void one_archive_knows_no_noise(void **state)
{
    assert_int_equal(verdict_of((double[]){1}, 1, (double[]){9, 9}, 2), OTTER_VERDICT_UNKNOWN);
    assert_int_equal(verdict_of((double[]){1, NAN}, 2, (double[]){9, 9}, 2), OTTER_VERDICT_UNKNOWN);
}

static void few_archives_are_compared_by_their_intervals(void **state)
{
    assert_int_equal(verdict_of((double[]){1, 2, 3}, 3, (double[]){4, 5}, 2), OTTER_VERDICT_CHANGE);
    assert_int_equal(verdict_of((double[]){1, 2, 4}, 3, (double[]){4, 5}, 2), OTTER_VERDICT_NOISE);
}

static void many_archives_are_compared_by_ranks(void **state)
{
    // only one pair is out of order (6 > 5), so the probability of the rank test is 4 in 252
    assert_int_equal(verdict_of((double[]){1, 2, 3, 4, 6}, 5, (double[]){5, 7, 8, 9, 10}, 5),
                     OTTER_VERDICT_CHANGE);
    assert_int_equal(verdict_of((double[]){1, 2, 3, 8, 9}, 5, (double[]){4, 5, 6, 7, 10}, 5),
                     OTTER_VERDICT_NOISE);
}

static void the_spread_has_the_median(void **state)
{
    struct otter_diff_value value =
        otter_diff_value_of((double[]){4, 1, 2}, 3, (double[]){9, NAN, 3, 1, 5}, 5);
    assert_true(value.before.min == 1 && value.before.median == 2 && value.before.max == 4);
    assert_true(value.after.min == 1 && value.after.median == 4 && value.after.max == 9);
    value = otter_diff_value_of((double[]){NAN}, 1, (double[]){1}, 1);
    assert_true(isnan(value.before.median) && isnan(otter_diff_change(&value)));
}

// ---- labels

static const struct otter_definitions unknown; // no construct of a region is known

struct names {
    struct otter_label labels[8];
    struct otter_labels all;
};

static void add_label(struct names *names, const char *what, const char *where,
                      const char *function, unsigned line)
{
    names->all.regions = names->labels;
    names->labels[names->all.n_regions++] =
        (struct otter_label){what, where, function, "", line, NULL};
}

static void expect_names(const struct names *own, const struct names *reference,
                         const char *const *expected)
{
    struct otter_diff_labels left, right;
    otter_diff_labels_init(&left, &own->all, &unknown);
    otter_diff_labels_init(&right, &reference->all, &unknown);
    otter_diff_labels_match(&left, &right);
    for (size_t i = 0; i < own->all.n_regions; i++) {
        char text[100];
        otter_label_text(&own->labels[i], text, sizeof text);
        assert_string_equal(otter_diff_labels_name(&left, text), expected[i]);
    }
    assert_string_equal(otter_diff_labels_name(&left, "no label"), "no label");
    otter_diff_labels_finish(&left);
    otter_diff_labels_finish(&right);
}

static void shifted_lines_match_in_their_order(void **state)
{
    struct names before = {0}, after = {0};
    add_label(&before, "task", "fib.c:12", "fib", 12);
    add_label(&before, "task", "fib.c:10", "fib", 10);
    add_label(&before, "task", "fib.c:9", "fib", 9);
    add_label(&after, "task", "fib.c:12", "fib", 12);
    add_label(&after, "task", "fib.c:14", "fib", 14);
    add_label(&after, "task", "fib.c:11", "fib", 11);
    expect_names(&before, &after,
                 (const char *[]){"task fib.c:14", "task fib.c:12", "task fib.c:11"});
}

static void functions_and_constructs_do_not_mix(void **state)
{
    struct names before = {0}, after = {0};
    add_label(&before, "task", "a.c:5", "one", 5);
    add_label(&before, "task", "a.c:9", "two", 9);
    add_label(&before, "taskwait", "a.c:7", "one", 7);
    add_label(&after, "task", "a.c:3", "two", 3);
    add_label(&after, "task", "a.c:20", "one", 20);
    add_label(&after, "taskwait", "a.c:22", "one", 22);
    expect_names(&before, &after, (const char *[]){"task a.c:20", "task a.c:3", "taskwait a.c:22"});
}

static void an_added_construct_leaves_equal_texts_together(void **state)
{
    struct names before = {0}, after = {0};
    add_label(&before, "task", "a.c:5", "f", 5);
    add_label(&before, "task", "a.c:9", "f", 9);
    add_label(&after, "task", "a.c:5", "f", 5);
    add_label(&after, "task", "a.c:7", "f", 7);
    add_label(&after, "task", "a.c:9", "f", 9);
    expect_names(&before, &after, (const char *[]){"task a.c:5", "task a.c:9"});
}

// The whole function moved by 4 lines, and has a new task after its first.
static void an_added_construct_leaves_moved_ones_together(void **state)
{
    struct names before = {0}, after = {0};
    add_label(&before, "task", "a.c:5", "f", 5);
    add_label(&before, "task", "a.c:9", "f", 9);
    add_label(&before, "taskwait", "a.c:12", "f", 12);
    add_label(&after, "task", "a.c:9", "f", 9);
    add_label(&after, "task", "a.c:11", "f", 11);
    add_label(&after, "task", "a.c:13", "f", 13);
    add_label(&after, "taskwait", "a.c:16", "f", 16);
    expect_names(&before, &after, (const char *[]){"task a.c:9", "task a.c:13", "taskwait a.c:16"});
}

// Each line moved by a different distance, but there are as many tasks as before.
static void moved_constructs_match_by_their_place_in_the_graph(void **state)
{
    struct names before = {0}, after = {0};
    struct otter_diff_labels left, right;
    add_label(&before, "task", "a.c:10", "f", 10);
    add_label(&before, "task", "a.c:20", "f", 20);
    add_label(&after, "task", "a.c:11", "f", 11);
    add_label(&after, "task", "a.c:14", "f", 14);
    add_label(&after, "task", "a.c:26", "f", 26);
    otter_diff_labels_init(&left, &before.all, &unknown);
    otter_diff_labels_init(&right, &after.all, &unknown);
    left.items[0].n = right.items[1].n = 100;
    left.items[1].n = right.items[2].n = 7;
    right.items[0].n = 3;
    otter_diff_labels_match(&left, &right);
    assert_string_equal(otter_diff_labels_name(&left, "task a.c:10"), "task a.c:14");
    assert_string_equal(otter_diff_labels_name(&left, "task a.c:20"), "task a.c:26");
    otter_diff_labels_finish(&left);
    otter_diff_labels_finish(&right);
}

// One task became two, and nothing says which of them it was before.
static void labels_without_an_only_best_match_stay_apart(void **state)
{
    struct names before = {0}, after = {0};
    add_label(&before, "task", "a.c:10", "f", 10);
    add_label(&after, "task", "a.c:14", "f", 14);
    add_label(&after, "task", "a.c:20", "f", 20);
    expect_names(&before, &after, (const char *[]){"task a.c:10"});
}

static void renamed_functions_match_in_their_file(void **state)
{
    struct names before = {0}, after = {0};
    add_label(&before, "task", "a.c:5", "old", 5);
    add_label(&before, "task", "b.c:5", "old", 5);
    add_label(&after, "task", "a.c:6", "new", 6);
    expect_names(&before, &after, (const char *[]){"task a.c:6", "task b.c:5"});
}

static void addresses_match_lines_in_their_order(void **state)
{
    struct names before = {0}, after = {0};
    add_label(&before, "task", "app+0x2000", "", 0);
    add_label(&before, "task", "app+0x1fff", "", 0);
    add_label(&after, "task", "a.c:5", "f", 5);
    add_label(&after, "task", "a.c:9", "f", 9);
    expect_names(&before, &after, (const char *[]){"task a.c:9", "task a.c:5"});
}

static void kernels_without_a_label_have_their_line_in_the_name(void **state)
{
    struct names before = {0}, after = {0};
    add_label(&before, "lambda a.cpp:12:3", "a.cpp:12", "", 12);
    add_label(&before, "step:1", "", "", 0);
    add_label(&after, "lambda a.cpp:15:3", "a.cpp:15", "", 15);
    add_label(&after, "step:2", "", "", 0);
    expect_names(&before, &after, (const char *[]){"lambda a.cpp:15:3", "step:1"});
}

// ---- tables

static const struct otter_column task_columns[] = {{"count", "count", OTTER_COLUMN_COUNT},
                                                   {"work_s", "work", OTTER_COLUMN_SECONDS},
                                                   {"median_s", "median", OTTER_COLUMN_SECONDS}};
static const struct otter_column path_columns[] = {
    {"realised_s", "realised", OTTER_COLUMN_SECONDS}};
static const struct otter_column cause_columns[] = {{"cost_s", "cost", OTTER_COLUMN_SECONDS}};
static const struct otter_column label_columns[] = {
    {"executed_s", "executed", OTTER_COLUMN_SECONDS}};

static void begin_run(struct otter_diff_side *side, double wall, uint64_t hash)
{
    struct otter_diff_run *run = &side->runs[side->n++];
    *run = (struct otter_diff_run){.path = strdup("archive"),
                                   .program = strdup("./app"),
                                   .is_complete = true,
                                   .n_sheets = 4,
                                   .sheets = calloc(4, sizeof *run->sheets)};
    run->sheets[0] = (struct otter_sheet){.name = "tasks"};
    OTTER_SET_COLUMNS(&run->sheets[0], "task", task_columns);
    run->sheets[1] = (struct otter_sheet){.name = "labels"};
    OTTER_SET_COLUMNS(&run->sheets[1], "label", label_columns);
    run->sheets[2] = (struct otter_sheet){.name = "critical-path"};
    OTTER_SET_COLUMNS(&run->sheets[2], "label", path_columns);
    run->sheets[3] = (struct otter_sheet){.name = "causes"};
    OTTER_SET_COLUMNS(&run->sheets[3], "cause", cause_columns);
    run->numbers[OTTER_DIFF_WALL] = wall;
    run->numbers[OTTER_DIFF_THREADS] = 2;
    run->numbers[OTTER_DIFF_TOTAL] = 2 * wall;
    run->numbers[OTTER_DIFF_EFFICIENCY] = 100 * wall / 4;
    run->structure.folded.low = run->structure.unfolded.low = hash;
    run->structure.is_folded_in_full = true;
}

static void add_task(struct otter_diff_side *side, const char *text, double n, double work)
{
    struct otter_sheet *sheets = side->runs[side->n - 1].sheets;
    otter_sheet_add(&sheets[0], text, (double[]){n, work, work / n});
    otter_sheet_add(&sheets[1], text, &work);
    otter_sheet_add(&sheets[2], text, &work);
}

static struct otter_diff diff; // too large for a stack

// Before: 2 s, task a 1.5 s, task b 0.25 s. After: 1 s, task a 0.5 s, task c 0.125 s.
static void make_sides(void)
{
    diff = (struct otter_diff){0};
    begin_run(&diff.before, 2, 7);
    add_task(&diff.before, "task a", 10, 1.5);
    add_task(&diff.before, "task b", 1, 0.25);
    begin_run(&diff.after, 1, 8);
    add_task(&diff.after, "task a", 10, 0.5);
    add_task(&diff.after, "task c", 2, 0.125);
}

static void make_diff(void)
{
    make_sides();
    otter_diff_merge(&diff);
}

static void rows_match_by_text_and_the_largest_change_is_first(void **state)
{
    make_diff();
    const struct otter_diff_table *tasks = otter_diff_find_table(&diff, "tasks");
    assert_int_equal(tasks->rows.n, 3);
    assert_int_equal(tasks->column, 1);
    static const char *const texts[] = {"task a", "task b", "task c"};
    static const double changes[] = {-1, -0.25, 0.125};
    for (unsigned i = 0; i < 3; i++) {
        assert_string_equal(tasks->rows.items[i].text, texts[i]);
        assert_true(otter_diff_change(&tasks->rows.items[i].values[1]) == changes[i]);
    }
    assert_int_equal(tasks->rows.items[1].n_after, 0);
    assert_int_equal(tasks->rows.items[2].n_before, 0);
    assert_true(isinf(otter_diff_percent(&tasks->rows.items[2].values[1])));
    assert_true(otter_diff_count(&diff, "task a")->after.median == 10);
    assert_null(otter_diff_count(&diff, "task x"));
    otter_diff_finish(&diff);
}

// Checks that a summary of 80 columns has this text, and no wider line.
static void check_width(const char *text_in_it)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    otter_diff_print_summary(out, &diff, &(struct otter_diff_style){.width = 80});
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(text, text_in_it));
    for (size_t i = 0, n = 0; i < size; i++) {
        n = text[i] == '\n' ? 0 : n + ((text[i] & 0xC0) != 0x80); // columns of UTF-8
        assert_true(n <= 80);
    }
    free(text);
}

// A label is cut shorter if its count is long.
static void rows_of_long_counts_fit_the_width(void **state)
{
    diff = (struct otter_diff){0};
    begin_run(&diff.before, 2, 7);
    add_task(&diff.before, "task a_function_of_a_long_name", 1234567, 1.5);
    begin_run(&diff.after, 1, 8);
    add_task(&diff.after, "task a_function_of_a_long_name", 12345678, 0.5);
    otter_diff_merge(&diff);
    check_width(" 1,234,567>12,345,678 ");
    otter_diff_finish(&diff);
}

static void rows_of_large_ratios_fit_the_width(void **state)
{
    static const double before[] = {1e-9, 1e-7, 1e-5, 1e-3};
    static const char *const texts[] = {" x 1e+09\n", " x 1e+07\n", " x 123457\n", " x 1235\n"};
    for (unsigned i = 0; i < 4; i++) {
        diff = (struct otter_diff){0};
        begin_run(&diff.before, 2, 7);
        add_task(&diff.before, "task a_function_of_a_very_long_name_in_a_file@a.c:3", 5, before[i]);
        begin_run(&diff.after, 2, 8);
        add_task(&diff.after, "task a_function_of_a_very_long_name_in_a_file@a.c:3", 6, 1.2345678);
        otter_diff_merge(&diff);
        check_width(texts[i]);
        otter_diff_finish(&diff);
    }
}

static void rows_of_equal_text_match_in_their_order(void **state)
{
    diff = (struct otter_diff){0};
    begin_run(&diff.before, 2, 7);
    add_task(&diff.before, "task a", 1, 3);
    add_task(&diff.before, "task a", 1, 1);
    begin_run(&diff.after, 2, 7);
    add_task(&diff.after, "task a", 1, 5);
    otter_diff_merge(&diff);
    const struct otter_diff_table *tasks = otter_diff_find_table(&diff, "tasks");
    assert_int_equal(tasks->rows.n, 2);
    assert_true(otter_diff_change(&tasks->rows.items[0].values[1]) == 2);
    assert_true(otter_diff_change(&tasks->rows.items[1].values[1]) == -1);
    otter_diff_finish(&diff);
}

static void the_sentence_names_the_time_and_its_cause(void **state)
{
    char text[OTTER_DIFF_SENTENCE];
    make_diff();
    assert_string_equal(otter_diff_sentence(&diff, text),
                        "AFTER takes 50.0 % less: 1.00 s instead of 2.00 s, mostly because task a "
                        "executes 1.00 s less (-66.7 %), as often as before. Noise unknown: give "
                        "two or more archives per side.");
    assert_int_equal(diff.graphs, OTTER_DIFF_GRAPHS_DIFFER);
    otter_diff_finish(&diff);
}

static void add_cost(struct otter_diff_side *side, const char *text, double cost)
{
    otter_sheet_add(&side->runs[side->n - 1].sheets[3], text, &cost);
}

static void a_loss_may_be_the_cause(void **state)
{
    char text[OTTER_DIFF_SENTENCE];
    make_sides();
    add_cost(&diff.before, "serial code", 3);
    add_cost(&diff.before, "lock: lock a.c:7", 1.5);
    add_cost(&diff.after, "serial code", 3.5);
    add_cost(&diff.after, "lock: lock a.c:7", 0.25);
    add_cost(&diff.before, "noise", 1.75); // other processes are no cause
    otter_diff_merge(&diff);
    struct otter_diff_cause cause = otter_diff_find_cause(&diff);
    assert_false(cause.is_executed || cause.is_one_sided);
    assert_true(cause.change == -1.25 && cause.total == -2);
    assert_non_null(strstr(otter_diff_sentence(&diff, text),
                           ", mostly because lock at lock a.c:7 costs 1.25 s less."));
    otter_diff_finish(&diff);
}

static void replaced_labels_count_together(void **state)
{
    char text[OTTER_DIFF_SENTENCE];
    diff = (struct otter_diff){0};
    begin_run(&diff.before, 2, 7);
    add_task(&diff.before, "task old", 1, 3);
    add_cost(&diff.before, "phases: taskwait a.c:7", 0.75);
    begin_run(&diff.after, 1, 7);
    add_task(&diff.after, "task new", 1, 2.5);
    otter_diff_merge(&diff);
    assert_non_null(strstr(otter_diff_sentence(&diff, text),
                           ", in part because phases at taskwait a.c:7 cost 750 ms less."));
    otter_diff_finish(&diff);

    diff = (struct otter_diff){0};
    begin_run(&diff.before, 2, 7);
    add_task(&diff.before, "task old", 1, 3);
    begin_run(&diff.after, 1, 7);
    add_task(&diff.after, "task new", 1, 1.5);
    otter_diff_merge(&diff);
    struct otter_diff_cause cause = otter_diff_find_cause(&diff);
    assert_true(cause.is_one_sided && cause.is_executed && cause.change == -1.5);
    assert_non_null(
        strstr(otter_diff_sentence(&diff, text),
               "because code that exists on only one side (task old) executes 1.50 s less."));
    otter_diff_finish(&diff);
}

static void small_parts_and_noise_are_no_cause(void **state)
{
    char text[OTTER_DIFF_SENTENCE];
    diff = (struct otter_diff){0};
    begin_run(&diff.before, 2, 7);
    add_task(&diff.before, "task a", 1, 1.125);
    begin_run(&diff.after, 1, 7);
    add_task(&diff.after, "task a", 1, 1);
    otter_diff_merge(&diff);
    assert_null(otter_diff_find_cause(&diff).row);
    assert_string_equal(
        otter_diff_sentence(&diff, text),
        "AFTER takes 50.0 % less: 1.00 s instead of 2.00 s. Noise unknown: give two "
        "or more archives per side.");
    otter_diff_finish(&diff);
    make_diff();
    struct otter_diff_table *labels = &diff.tables[1];
    for (uint32_t i = 0; i < labels->rows.n; i++) {
        labels->rows.items[i].values[0].verdict = OTTER_VERDICT_NOISE;
    }
    assert_null(otter_diff_find_cause(&diff).row);
    otter_diff_finish(&diff);
}

static void inflated_work_is_the_cause_on_more_threads(void **state)
{
    char text[OTTER_DIFF_SENTENCE];
    diff = (struct otter_diff){0};
    begin_run(&diff.before, 2, 7);
    add_task(&diff.before, "for a.c:3", 10, 1.5);
    diff.before.runs[0].numbers[OTTER_DIFF_THREADS] = 1;
    diff.before.runs[0].numbers[OTTER_DIFF_TOTAL] = 2;
    begin_run(&diff.after, 2, 7);
    add_task(&diff.after, "for a.c:3", 10, 3);
    diff.after.runs[0].numbers[OTTER_DIFF_RECORDING] = 0.5;
    otter_diff_merge(&diff);
    assert_string_equal(
        otter_diff_sentence(&diff, text),
        "AFTER takes as long as BEFORE: 2.00 s and 2.00 s (+0.0 %), on 2 threads instead of 1. "
        "Thread time, including all waits, grows by 100.0 %, mostly because for a.c:3 executes "
        "1.50 s more (+100.0 %), as often as before: work inflation; recording costs 500 ms more, "
        "which these times include. Noise unknown: give two or more archives per side.");
    otter_diff_finish(&diff);
}

static void noise_of_fewer_threads_is_no_cause(void **state)
{
    char text[OTTER_DIFF_SENTENCE];
    diff = (struct otter_diff){0};
    begin_run(&diff.before, 2, 7);
    add_cost(&diff.before, "noise", 1.5);
    add_cost(&diff.before, "serial code: a.c:3", 0.5);
    begin_run(&diff.after, 2, 7);
    add_cost(&diff.after, "noise", 0.5);
    add_cost(&diff.after, "serial code: a.c:3", 0.1);
    diff.after.runs[0].numbers[OTTER_DIFF_THREADS] = 1;
    diff.after.runs[0].numbers[OTTER_DIFF_TOTAL] = 2;
    otter_diff_merge(&diff);
    otter_diff_sentence(&diff, text);
    assert_non_null(strstr(text, "on 1 thread instead of 2. Thread time, including all waits, "
                                 "shrinks by 50.0 %, in part because serial code at a.c:3 costs"));
    otter_diff_finish(&diff);
}

// Three labels execute for longer on more threads, and an imbalance is new.
static void make_inflated(double first, double others, double imbalance)
{
    diff = (struct otter_diff){0};
    begin_run(&diff.before, 2, 7);
    const char *const labels[] = {"for a.c:3", "for a.c:5", "for a.c:7"};
    for (int i = 0; i < 3; i++) {
        add_task(&diff.before, labels[i], 10, 1);
    }
    diff.before.runs[0].numbers[OTTER_DIFF_THREADS] = 1;
    diff.before.runs[0].numbers[OTTER_DIFF_TOTAL] = 2;
    begin_run(&diff.after, 2, 7);
    for (int i = 0; i < 3; i++) {
        add_task(&diff.after, labels[i], 10, 1 + (i == 0 ? first : others));
    }
    add_cost(&diff.after, "imbalance: for a.c:7", imbalance);
    otter_diff_merge(&diff);
}

static void a_label_with_half_of_the_inflation_counts_alone(void **state)
{
    make_inflated(1, 0.25, 0.75);
    struct otter_diff_cause cause = otter_diff_find_cause(&diff);
    assert_true(cause.is_executed && !cause.is_inflation && cause.change == 1);
    otter_diff_finish(&diff);
    make_inflated(1, 0.25, 1.25);
    cause = otter_diff_find_cause(&diff);
    assert_true(!cause.is_executed && cause.change == 1.25);
    otter_diff_finish(&diff);
}

static void inflated_labels_count_together(void **state)
{
    char text[OTTER_DIFF_SENTENCE];
    make_inflated(0.75, 0.5, 1.25);
    struct otter_diff_cause cause = otter_diff_find_cause(&diff);
    assert_true(cause.is_inflation && cause.change == 1.75);
    assert_non_null(strstr(otter_diff_sentence(&diff, text),
                           "because constructs execute 1.75 s more, as often as before: work "
                           "inflation, the most in for a.c:3 (+75.0 %)"));
    otter_diff_finish(&diff);
}

static void inflation_is_work_with_more_threads_by_work_with_fewer(void **state)
{
    make_diff();
    const struct otter_diff_table *tasks = otter_diff_find_table(&diff, "tasks");
    assert_false(otter_diff_has_inflation(&diff, &tasks->columns[1]));
    otter_diff_finish(&diff);
    make_diff();
    diff.numbers[OTTER_DIFF_THREADS].before.median = 8;
    tasks = otter_diff_find_table(&diff, "tasks");
    assert_true(otter_diff_has_inflation(&diff, &tasks->columns[1]));
    assert_false(otter_diff_has_inflation(&diff, &tasks->columns[0]));
    assert_true(otter_diff_inflation(&diff, &tasks->rows.items[0].values[1]) == 3);
    otter_diff_finish(&diff);
}

static void graphs_are_compared_on_each_side_and_between_sides(void **state)
{
    static const struct {
        uint64_t folded[4], unfolded[4];
        enum otter_diff_graphs expected;
    } cases[] = {
        {{1, 1, 1, 1}, {2, 2, 2, 2}, OTTER_DIFF_GRAPHS_EQUAL},
        {{1, 1, 1, 1}, {2, 2, 2, 3}, OTTER_DIFF_GRAPHS_TEAMS},
        {{1, 1, 2, 2}, {2, 2, 2, 3}, OTTER_DIFF_GRAPHS_DIFFER},
        {{1, 2, 1, 1}, {2, 2, 2, 2}, OTTER_DIFF_GRAPHS_VARY},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        diff = (struct otter_diff){0};
        for (unsigned k = 0; k < 4; k++) {
            struct otter_diff_side *side = k < 2 ? &diff.before : &diff.after;
            begin_run(side, 1, cases[i].folded[k]);
            side->runs[side->n - 1].structure.unfolded.low = cases[i].unfolded[k];
        }
        otter_diff_merge(&diff);
        assert_int_equal(diff.graphs, cases[i].expected);
        otter_diff_finish(&diff);
    }
}

// ---- conditions

static enum otter_condition_result result_of(const char *text)
{
    struct otter_condition condition;
    char complaint[OTTER_CONDITION_TEXT] = "";
    if (!otter_condition_parse(&condition, text, complaint) ||
        !otter_condition_evaluate(&condition, &diff, complaint)) {
        fail_msg("%s", complaint);
    }
    return condition.result;
}

static void conditions_hold_or_not(void **state)
{
    static const struct {
        const char *text;
        enum otter_condition_result result;
    } cases[] = {
        {"time(total) < -49%", OTTER_CONDITION_FAILED},
        {"time(total) < -51%", OTTER_CONDITION_PASSED},
        {"wall<1.5s", OTTER_CONDITION_FAILED},
        {"wall > 1.5 s", OTTER_CONDITION_PASSED},
        {"time >= 1000 ms", OTTER_CONDITION_FAILED},
        {"time <= -1s", OTTER_CONDITION_FAILED},
        {"time < -1s", OTTER_CONDITION_PASSED},
        {"efficiency < -24 %", OTTER_CONDITION_FAILED},
        {"efficiency < -26 points", OTTER_CONDITION_PASSED},
        {"efficiency < 30%", OTTER_CONDITION_FAILED},
        {"time(task \"task a\") < -60%", OTTER_CONDITION_FAILED},
        {"work(task \"a\") < -60%", OTTER_CONDITION_FAILED},
        {"work(task 'a') < -70%", OTTER_CONDITION_PASSED},
        {"work(task \"task\") < -1 s", OTTER_CONDITION_FAILED}, // 1.75 s to 0.625 s
        {"work(task \"task\") < -1126 ms", OTTER_CONDITION_PASSED},
        {"count(task \"task\") == 12", OTTER_CONDITION_FAILED},
        {"count(task \"task\") != +1", OTTER_CONDITION_PASSED},
        {"time(task \"c\") > +1000%", OTTER_CONDITION_FAILED}, // new
        {"time(task \"b\") > +0%", OTTER_CONDITION_PASSED},    // AFTER has none
        {"time(\"c\") > +5%", OTTER_CONDITION_FAILED},
        {"time(label \"c\") > +5%", OTTER_CONDITION_FAILED},
        {"median(task \"task\") < 60 ms", OTTER_CONDITION_PASSED}, // the larger of 50 and 62.5 ms
        {"median(task \"task\") < 63 ms", OTTER_CONDITION_FAILED},
        {"time(task \"x\") > +5%", OTTER_CONDITION_NO_LABEL},
        {"hash != same", OTTER_CONDITION_FAILED},
        {"hash == same", OTTER_CONDITION_PASSED},
        {"hash(unfolded) != same", OTTER_CONDITION_FAILED},
    };
    make_diff();
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (result_of(cases[i].text) != cases[i].result) {
            fail_msg("%s", cases[i].text);
        }
    }
    otter_diff_finish(&diff);
}

static void unknown_numbers_are_left_out_of_conditions(void **state)
{
    make_diff();
    add_task(&diff.after, "task d", 1, NAN);
    assert_int_equal(result_of("work(task \"task\") < -1 s"), OTTER_CONDITION_FAILED);
    assert_int_equal(result_of("work(task \"d\") < 1 s"), OTTER_CONDITION_NO_LABEL);
    assert_int_equal(result_of("work(task \"d\") > +5%"), OTTER_CONDITION_NO_LABEL);
    otter_diff_finish(&diff);
}

static void a_condition_needs_no_parameters_of_a_function(void **state)
{
    make_diff();
    add_task(&diff.after, "solve(int)", 1, 1);
    add_task(&diff.after, "solve(double)", 1, 2);
    assert_int_equal(result_of("work(task \"solve\") == 3 s"), OTTER_CONDITION_FAILED);
    assert_int_equal(result_of("work(task \"solve(int)\") == 1 s"), OTTER_CONDITION_FAILED);
    assert_int_equal(result_of("work(task \"solv\") > 0 s"), OTTER_CONDITION_NO_LABEL);
    otter_diff_finish(&diff);
}

static void a_change_that_is_noise_does_not_fail(void **state)
{
    diff = (struct otter_diff){0};
    static const double walls[] = {1, 1.2, 1.1, 1.5};
    for (unsigned i = 0; i < 4; i++) {
        begin_run(i < 2 ? &diff.before : &diff.after, walls[i], 7);
    }
    otter_diff_merge(&diff);
    assert_int_equal(result_of("time > +5%"), OTTER_CONDITION_NOISE);
    assert_int_equal(result_of("time > +50%"), OTTER_CONDITION_PASSED);
    assert_int_equal(result_of("time > 1.2 s"), OTTER_CONDITION_FAILED); // no change was requested
    otter_diff_finish(&diff);
}

static void wrong_conditions_name_the_column(void **state)
{
    static const struct {
        const char *text, *complaint;
    } cases[] = {
        {"", "column 1 of"},
        {"5 > 3", "column 1 of"},
        {"time", "column 5 of 'time' needs a relation"},
        {"time = 3 s", "column 6 of"},
        {"time > ", "needs a limit such as +5%, -3 points or 2 s, not its end"},
        {"time > +5 parsec", "column 11 of"},
        {"time > 2 s s", "column 12 of 'time > 2 s s' needs"},
        {"time > 1.2.3 s", "needs a decimal number"},
        {"time > 0x10 s", "column 8 of 'time > 0x10 s' needs a decimal number"},
        {"time(task \"a) > 2 s", "needs a closing quote"},
        {"time(task \"a\" > 2 s", "column 15 of"},
        {"time(\"a\") > 2", "needs a time such as 2 s"},
        {"time > 5%", "needs a time such as 2 s, or a change such as +5%"},
        {"efficiency < 3 s", "column 14 of 'efficiency < 3 s' needs percent"},
        {"count(task \"a\") > 5%", "needs a sign"},
        {"speed > 5", "column 1 of 'speed > 5': the metric 'speed' is unknown"},
        {"time(forces) > +5%", "column 6 of 'time(forces) > +5%': the table or state 'forces'"},
        {"speed(task \"a\") > 5", "column 1 of"},
        {"hash > same", "needs == or != before 'same'"},
        {"hash != other", "column 9 of 'hash != other' needs 'same'"},
        {"hash(all) != same", "column 6 of"},
    };
    make_diff();
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct otter_condition condition;
        char complaint[OTTER_CONDITION_TEXT] = "none";
        bool is_good = otter_condition_parse(&condition, cases[i].text, complaint) &&
                       otter_condition_evaluate(&condition, &diff, complaint);
        if (is_good || !strstr(complaint, cases[i].complaint)) {
            fail_msg("'%s': %s", cases[i].text, complaint);
        }
    }
    otter_diff_finish(&diff);
}

static void junit_escapes_conditions(void **state)
{
    static const char expected[] =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuite name=\"otter diff\" tests=\"3\" failures=\"1\" errors=\"1\" skipped=\"0\">\n"
        "  <testcase classname=\"otter diff\" name=\"time &gt; 0.5 s\">\n"
        "    <failure type=\"condition\" message=\"-50.0 %: 2.00 s before, 1.00 s after\"/>\n"
        "  </testcase>\n"
        "  <testcase classname=\"otter diff\" name=\"time(&quot;&lt;&amp;&quot;) &gt; +5%\">\n"
        "    <error type=\"condition\" message=\"no archive has the label\"/>\n"
        "  </testcase>\n"
        "  <testcase classname=\"otter diff\" name=\"hash == same\">\n"
        "    <system-out>passed: different</system-out>\n"
        "  </testcase>\n"
        "</testsuite>\n";
    static const char *const texts[] = {"time > 0.5 s", "time(\"<&\") > +5%", "hash == same"};
    struct otter_condition conditions[3];
    char complaint[OTTER_CONDITION_TEXT], found[sizeof expected + 100] = "";
    make_diff();
    for (unsigned i = 0; i < 3; i++) {
        assert_true(otter_condition_parse(&conditions[i], texts[i], complaint));
        assert_true(otter_condition_evaluate(&conditions[i], &diff, complaint));
    }
    FILE *file = tmpfile();
    assert_non_null(file);
    otter_conditions_print_junit(file, conditions, 3);
    rewind(file);
    found[fread(found, 1, sizeof found - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(found, expected);
    otter_diff_finish(&diff);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rank_test_counts_all_ways),
        cmocka_unit_test(separate_values_are_the_rarest),
        cmocka_unit_test(one_archive_knows_no_noise),
        cmocka_unit_test(few_archives_are_compared_by_their_intervals),
        cmocka_unit_test(many_archives_are_compared_by_ranks),
        cmocka_unit_test(the_spread_has_the_median),
        cmocka_unit_test(shifted_lines_match_in_their_order),
        cmocka_unit_test(functions_and_constructs_do_not_mix),
        cmocka_unit_test(an_added_construct_leaves_equal_texts_together),
        cmocka_unit_test(an_added_construct_leaves_moved_ones_together),
        cmocka_unit_test(moved_constructs_match_by_their_place_in_the_graph),
        cmocka_unit_test(labels_without_an_only_best_match_stay_apart),
        cmocka_unit_test(renamed_functions_match_in_their_file),
        cmocka_unit_test(addresses_match_lines_in_their_order),
        cmocka_unit_test(kernels_without_a_label_have_their_line_in_the_name),
        cmocka_unit_test(rows_match_by_text_and_the_largest_change_is_first),
        cmocka_unit_test(rows_of_long_counts_fit_the_width),
        cmocka_unit_test(rows_of_large_ratios_fit_the_width),
        cmocka_unit_test(rows_of_equal_text_match_in_their_order),
        cmocka_unit_test(the_sentence_names_the_time_and_its_cause),
        cmocka_unit_test(a_loss_may_be_the_cause),
        cmocka_unit_test(replaced_labels_count_together),
        cmocka_unit_test(small_parts_and_noise_are_no_cause),
        cmocka_unit_test(inflated_work_is_the_cause_on_more_threads),
        cmocka_unit_test(noise_of_fewer_threads_is_no_cause),
        cmocka_unit_test(inflated_labels_count_together),
        cmocka_unit_test(a_label_with_half_of_the_inflation_counts_alone),
        cmocka_unit_test(inflation_is_work_with_more_threads_by_work_with_fewer),
        cmocka_unit_test(graphs_are_compared_on_each_side_and_between_sides),
        cmocka_unit_test(conditions_hold_or_not),
        cmocka_unit_test(unknown_numbers_are_left_out_of_conditions),
        cmocka_unit_test(a_condition_needs_no_parameters_of_a_function),
        cmocka_unit_test(a_change_that_is_noise_does_not_fail),
        cmocka_unit_test(wrong_conditions_name_the_column),
        cmocka_unit_test(junit_escapes_conditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
