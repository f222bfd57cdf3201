// Comparisons of jobs: sums over all ranks, the ranks that changed most, and the printed text.
#include "unit.h"

#include <string.h>

#include "report/diff/diff_condition.h"
#include "report/diff/diff_data.h"
#include "report/diff/diff_job.h"
#include "report/diff/diff_ranks.h"

static const struct otter_column task_columns[] = {
    {"count", "count", OTTER_COLUMN_COUNT},           {"work_s", "work", OTTER_COLUMN_SECONDS},
    {"median_s", "median", OTTER_COLUMN_SECONDS},     {"min_s", "min", OTTER_COLUMN_SECONDS},
    {"share_percent", "share", OTTER_COLUMN_PERCENT}, {"device", "device", OTTER_COLUMN_TEXT}};
static const struct otter_column label_columns[] = {
    {"executed_s", "executed", OTTER_COLUMN_SECONDS}};
static const struct otter_column path_columns[] = {
    {"realised_s", "realised", OTTER_COLUMN_SECONDS}};

// ---- jobs of a few ranks

static struct otter_diff diff, own; // too large for a stack
static struct otter_diff_job job;

static void begin_job(uint32_t n_before, uint32_t n_after, bool has_equal_sizes)
{
    static char *const before[] = {"b1", "b2", "b3"}, *const after[] = {"a1", "a2", "a3"};
    diff = (struct otter_diff){.job = NULL};
    job = (struct otter_diff_job){.has_equal_sizes = has_equal_sizes};
    struct otter_diff_paths paths = {before, after, n_before, n_after, NULL, NULL};
    otter_diff_job_begin(&diff, &job, &paths);
}

static void begin_rank(void)
{
    own = (struct otter_diff){.job = NULL};
}

static void begin_run(struct otter_diff_side *side, double wall, uint64_t hash)
{
    struct otter_diff_run *run = &side->runs[side->n++];
    *run = (struct otter_diff_run){.path = strdup("archive/rank-1"),
                                   .program = strdup("./app"),
                                   .is_complete = true,
                                   .n_sheets = 3,
                                   .sheets = calloc(3, sizeof *run->sheets)};
    run->sheets[0] = (struct otter_sheet){.name = "tasks"};
    OTTER_SET_COLUMNS(&run->sheets[0], "task", task_columns);
    run->sheets[1] = (struct otter_sheet){.name = "labels"};
    OTTER_SET_COLUMNS(&run->sheets[1], "label", label_columns);
    run->sheets[2] = (struct otter_sheet){.name = "critical-path"};
    OTTER_SET_COLUMNS(&run->sheets[2], "label", path_columns);
    run->numbers[OTTER_DIFF_WALL] = wall;
    run->numbers[OTTER_DIFF_THREADS] = 2;
    run->numbers[OTTER_DIFF_WORK] = wall / 2;
    run->numbers[OTTER_DIFF_EFFICIENCY] = 10 * wall;
    run->structure.folded.low = run->structure.unfolded.low = hash;
    run->structure.is_folded_in_full = true;
}

static void add_task(struct otter_diff_side *side, const char *text, double n, double work)
{
    struct otter_sheet *sheets = side->runs[side->n - 1].sheets;
    double device = otter_sheet_text(&sheets[0], "gpu");
    otter_sheet_add(&sheets[0], text, (double[]){n, work, work / n, work / n / 2, work, device});
    otter_sheet_add(&sheets[1], text, &work);
    otter_sheet_add(&sheets[2], text, &work);
}

static void end_rank(uint32_t rank)
{
    if (own.before.n > 0 && own.after.n > 0) {
        otter_diff_compare(&own);
        own.place = own.graphs >= OTTER_DIFF_GRAPHS_VARY ? strdup("only after has task z") : NULL;
    }
    otter_diff_job_add(&diff, &job, rank, &own);
    otter_diff_finish(&own);
}

static void add_rank(uint32_t rank, double wall_before, double work_before, double wall_after,
                     double work_after)
{
    begin_rank();
    begin_run(&own.before, wall_before, 7);
    add_task(&own.before, "task a", 4, work_before);
    begin_run(&own.after, wall_after, 7 + (rank > 1));
    add_task(&own.after, "task a", 4, work_after);
    if (rank == 3) {
        add_task(&own.after, "task z", 1, 0.25);
    }
    end_rank(rank);
}

// Before: 2 s, 2 s, 1 s; after: 3 s, 1.5 s, 1 s. Rank 3 has another graph after.
static void make_job(void)
{
    begin_job(1, 1, true);
    add_rank(0, 2, 1, 3, 1.5);
    add_rank(1, 2, 1, 1.5, 0.25);
    add_rank(3, 1, 0.5, 1, 0.5);
    otter_diff_job_end(&diff, &job);
}

static void finish_job(void)
{
    otter_diff_finish(&diff);
    otter_diff_job_finish(&job);
}

static const struct otter_diff_row *find_row(const char *name, const char *text, unsigned nth)
{
    const struct otter_diff_table *table = otter_diff_find_table(&diff, name);
    assert_non_null(table);
    for (uint32_t i = 0; i < table->rows.n; i++) {
        if (strcmp(table->rows.items[i].text, text) == 0 && nth-- == 0) {
            return &table->rows.items[i];
        }
    }
    fail_msg("no row '%s'", text);
    return NULL;
}

static void assert_both(const struct otter_diff_value *value, double before, double after)
{
    if (value->before.median != before || value->after.median != after) {
        fail_msg("%g and %g, not %g and %g", value->before.median, value->after.median, before,
                 after);
    }
}

static void assert_most(struct otter_diff_most most, double change, uint32_t rank)
{
    if (most.change != change || most.rank != rank) {
        fail_msg("%g in rank %u, not %g in rank %u", most.change, most.rank, change, rank);
    }
}

// ---- sums

static void totals_add_up_and_others_are_the_largest_or_the_least(void **state)
{
    make_job();
    const struct otter_diff_row *row = find_row("tasks", "task a", 0);
    assert_both(&row->values[0], 12, 12);
    assert_both(&row->values[1], 2.5, 2.25);
    assert_both(&row->values[2], 0.25, 0.375);
    assert_both(&row->values[3], 0.0625, 0.03125);
    assert_both(&row->values[4], 1, 1.5);
    assert_both(&row->values[5], 0, 0); // a column of texts has no numbers
    row = find_row("tasks", "task z", 0);
    assert_both(&row->values[1], 0, 0.25);
    assert_int_equal(row->n_before, 0);
    assert_int_equal(row->n_after, 1);
    finish_job();
}

static void a_row_names_the_rank_that_changed_most(void **state)
{
    make_job();
    const struct otter_diff_row *row = find_row("tasks", "task a", 0);
    assert_most(otter_diff_most_of(row, 0), 0, OTTER_NONE); // the count is equal in all
    assert_most(otter_diff_most_of(row, 1), -0.75, 1);
    assert_most(otter_diff_most_of(row, 2), -0.1875, 1);
    assert_most(otter_diff_most_of(row, 5), 0, OTTER_NONE);
    assert_most(otter_diff_most_of(find_row("labels", "task z", 0), 0), 0.25, 3);
    finish_job();
}

static void wall_time_is_the_largest_and_efficiency_the_mean(void **state)
{
    make_job();
    assert_both(&diff.numbers[OTTER_DIFF_WALL], 2, 3);
    assert_both(&diff.numbers[OTTER_DIFF_THREADS], 6, 6);
    assert_both(&diff.numbers[OTTER_DIFF_WORK], 2.5, 2.75);
    assert_both(&diff.numbers[OTTER_DIFF_EFFICIENCY], 50.0 / 3, 55.0 / 3);
    assert_most(otter_diff_most_of_number(&diff, OTTER_DIFF_WALL), 1, 0);
    assert_most(otter_diff_most_of_number(&diff, OTTER_DIFF_THREADS), 0, OTTER_NONE);
    assert_int_equal(diff.before.runs[0].n_ranks, 3);
    finish_job();
}

static void rows_of_equal_text_match_in_the_order_of_each_rank(void **state)
{
    begin_job(1, 1, true);
    for (uint32_t rank = 0; rank < 2; rank++) {
        begin_rank();
        begin_run(&own.before, 1, 7);
        for (uint32_t i = 0; i < 2 + rank; i++) {
            add_task(&own.before, "thread", 1, i + 1);
        }
        begin_run(&own.after, 1, 7);
        add_task(&own.after, "thread", 1, 1);
        end_rank(rank);
    }
    otter_diff_job_end(&diff, &job);
    // before: threads of 1 + 1, 2 + 2 and 3 s; after: 1 + 1; the largest change is first
    assert_both(&find_row("labels", "thread", 0)->values[0], 4, 0);
    assert_both(&find_row("labels", "thread", 1)->values[0], 3, 0);
    assert_both(&find_row("labels", "thread", 2)->values[0], 2, 2);
    assert_most(otter_diff_most_of(find_row("labels", "thread", 1), 0), -3, 1);
    finish_job();
}

static void each_archive_of_a_side_has_its_own_sum(void **state)
{
    begin_job(2, 3, true);
    for (uint32_t rank = 0; rank < 2; rank++) {
        begin_rank();
        for (unsigned i = 0; i < 5; i++) {
            struct otter_diff_side *side = i < 2 ? &own.before : &own.after;
            begin_run(side, i, 7);
            add_task(side, "task a", 1, 1 << (2 * i + rank));
        }
        end_rank(rank);
    }
    otter_diff_job_end(&diff, &job);
    const struct otter_diff_value *value = &find_row("labels", "task a", 0)->values[0];
    assert_true(value->before.min == 3 && value->before.max == 12);
    assert_true(value->after.min == 48 && value->after.median == 192 && value->after.max == 768);
    assert_int_equal(value->verdict, OTTER_VERDICT_CHANGE);
    assert_most(otter_diff_most_of(find_row("labels", "task a", 0), 0), 128 - 5, 1);
    finish_job();
}

static void add_half_of_rank(uint32_t rank, struct otter_diff_side *side, double work)
{
    begin_rank();
    begin_run(side, 4, 7);
    add_task(side, "task a", 4, work);
    end_rank(rank);
}

static void ranks_of_one_side_count_if_jobs_have_other_sizes(void **state)
{
    begin_job(1, 1, false);
    add_rank(0, 2, 1, 3, 1.5);
    add_half_of_rank(1, &own.before, 2);
    add_half_of_rank(2, &own.before, 0.5);
    add_half_of_rank(3, &own.after, 4);
    otter_diff_job_end(&diff, &job);
    const struct otter_diff_row *row = find_row("tasks", "task a", 0);
    assert_both(&row->values[1], 3.5, 5.5);
    assert_most(otter_diff_most_of(row, 1), 0.5, 0);
    assert_both(&diff.numbers[OTTER_DIFF_WALL], 4, 4);
    assert_both(&diff.numbers[OTTER_DIFF_EFFICIENCY], 100.0 / 3, 35);
    assert_int_equal(diff.graphs, OTTER_DIFF_GRAPHS_DIFFER);
    char text[OTTER_DIFF_SENTENCE];
    assert_string_equal(otter_diff_graph_sentence(&diff, text),
                        "3 ranks before, 2 after; equal, task by task and edge by edge in rank 0");
    assert_int_equal(job.ranks.n, 1);
    finish_job();
}

static void an_incomplete_rank_makes_the_job_incomplete(void **state)
{
    begin_job(1, 1, true);
    for (uint32_t rank = 0; rank < 3; rank++) {
        begin_rank();
        begin_run(&own.before, 1, 7);
        begin_run(&own.after, 1, 7);
        own.after.runs[0].is_complete = rank != 1;
        end_rank(rank);
    }
    otter_diff_job_end(&diff, &job);
    assert_true(diff.before.runs[0].is_complete);
    assert_false(diff.after.runs[0].is_complete);
    finish_job();
}

// ---- words

static void ranks_with_other_graphs_are_named(void **state)
{
    char text[OTTER_DIFF_SENTENCE];
    make_job();
    assert_string_equal(otter_diff_graph_sentence(&diff, text),
                        "equal, task by task and edge by edge in ranks 0-1; different in rank 3: "
                        "only after has task z");
    finish_job();
    begin_job(1, 1, true);
    for (uint32_t rank = 0; rank < 8; rank += rank == 2 ? 2 : 1) { // no rank 3
        begin_rank();
        begin_run(&own.before, 1, 7);
        begin_run(&own.after, 1, rank == 1 || rank == 5 ? 8 : 7);
        end_rank(rank);
    }
    otter_diff_job_end(&diff, &job);
    assert_string_equal(otter_diff_graph_sentence(&diff, text),
                        "equal, task by task and edge by edge in ranks 0, 2, 4, 6-7; different in "
                        "ranks 1, 5: in rank 1, only after has task z");
    assert_int_equal(diff.graphs, OTTER_DIFF_GRAPHS_DIFFER);
    finish_job();
}

static void the_sentence_names_a_rank(void **state)
{
    char text[OTTER_DIFF_SENTENCE];
    make_job();
    assert_string_equal(otter_diff_sentence(&diff, text),
                        "AFTER takes 50.0 % more: 3.00 s instead of 2.00 s, in part because task z "
                        "takes 250 ms more of the critical path across ranks, most in rank 3. "
                        "Noise unknown: give two or more archives per side.");
    finish_job();
}

// Rank 0 has changed most, but in the other direction.
static void the_sentence_names_no_rank_that_changed_otherwise(void **state)
{
    char text[OTTER_DIFF_SENTENCE];
    begin_job(1, 1, true);
    add_rank(0, 2, 4, 3, 1);
    add_rank(1, 2, 1, 3, 3);
    add_rank(2, 2, 1, 3, 3);
    otter_diff_job_end(&diff, &job);
    assert_string_equal(otter_diff_sentence(&diff, text),
                        "AFTER takes 50.0 % more: 3.00 s instead of 2.00 s, mostly because task a "
                        "takes 1.00 s more of the critical path across ranks. Noise unknown: give "
                        "two or more archives per side.");
    finish_job();
}

static void conditions_are_those_of_the_sums_and_name_a_rank(void **state)
{
    static const struct {
        const char *text, *found;
        enum otter_condition_result result;
    } cases[] = {
        {"time(task \"a\") > -5%", "-10.0 %: 2.50 s before, 2.25 s after; most in rank 1: -750 ms",
         OTTER_CONDITION_PASSED},
        {"time(task) > 2 s", "+0.0 %: 2.50 s before, 2.50 s after; most in rank 1: -750 ms",
         OTTER_CONDITION_FAILED},
        {"time(task \"z\") > +1 s", "250 ms, nothing before; most in rank 3: +250 ms",
         OTTER_CONDITION_PASSED},
        {"wall > +40%", "+50.0 %: 2.00 s before, 3.00 s after; most in rank 0: +1.00 s",
         OTTER_CONDITION_FAILED},
        {"count(task \"a\") != +0", "+0.0 %: 12 before, 12 after", OTTER_CONDITION_PASSED},
        {"hash != same",
         "equal, task by task and edge by edge in ranks 0-1; different in rank 3: only after has "
         "task z",
         OTTER_CONDITION_FAILED},
    };
    make_job();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct otter_condition condition;
        char complaint[OTTER_CONDITION_TEXT];
        assert_true(otter_condition_parse(&condition, cases[i].text, complaint));
        assert_true(otter_condition_evaluate(&condition, &diff, complaint));
        assert_string_equal(condition.found, cases[i].found);
        assert_int_equal(condition.result, cases[i].result);
    }
    finish_job();
}

// Gives the table of labels of the last run columns of counters before its own column.
static void add_counters(struct otter_diff_side *side, const char *const *names, unsigned n,
                         const double *values)
{
    struct otter_sheet *sheet = &side->runs[side->n - 1].sheets[1];
    struct otter_column *columns = calloc(n + 1, sizeof *columns);
    assert_non_null(columns);
    for (unsigned i = 0; i < n; i++) {
        columns[i] = (struct otter_column){names[i], names[i], OTTER_COLUMN_COUNT};
    }
    columns[n] = label_columns[0];
    sheet->columns = sheet->own_columns = columns;
    sheet->n_columns = n + 1;
    otter_sheet_add(sheet, "task a", values);
}

// The ranks have different counters, in different order. The second of rank 0 changes most.
static void counters_of_all_ranks_are_compared(void **state)
{
    static const struct {
        const char *names[3];
        unsigned n;
        double before[4], after[4];
    } ranks[] = {
        {{"x", "faults", "moves"}, 3, {5, 10, 100, 1}, {5, 30, 100, 1}},
        {{"moves", "faults"}, 2, {200, 20, 1}, {260, 25, 1}},
        {{"faults", "moves", "y"}, 3, {1, 2, 3, 1}, {1, 2, 4, 1}},
    };
    begin_job(1, 1, true);
    for (uint32_t i = 0; i < 3; i++) {
        begin_rank();
        begin_run(&own.before, 2, 7);
        add_counters(&own.before, ranks[i].names, ranks[i].n, ranks[i].before);
        begin_run(&own.after, 2, 7);
        add_counters(&own.after, ranks[i].names, ranks[i].n, ranks[i].after);
        end_rank(i);
    }
    otter_diff_job_end(&diff, &job);
    const struct otter_diff_table *table = otter_diff_find_table(&diff, "labels");
    assert_int_equal(table->n_columns, 3);
    assert_string_equal(table->columns[0].name, "faults");
    assert_string_equal(table->columns[1].name, "moves");
    const struct otter_diff_row *row = find_row("labels", "task a", 0);
    assert_both(&row->values[0], 31, 56);
    assert_both(&row->values[1], 302, 362);
    assert_both(&row->values[2], 3, 3);
    assert_int_equal(otter_diff_most_of(row, 0).rank, 0);
    assert_true(otter_diff_most_of(row, 0).change == 20);
    assert_int_equal(otter_diff_most_of(row, 1).rank, 1);
    assert_true(otter_diff_most_of(row, 1).change == 60);
    finish_job();
}

// ---- forms

static const struct otter_diff_style style = {.n_rows = 20, .width = 80};

static void assert_text(void (*print)(FILE *out), const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    print(out);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, expected);
    free(text);
}

static void print_table(FILE *out)
{
    otter_diff_print_table(out, &diff, otter_diff_find_table(&diff, "tasks"), &style);
}

static void a_table_has_a_column_of_ranks(void **state)
{
    make_job();
    assert_text(
        print_table,
        "task: work                            before     after    change            rank\n"
        "task a                                2.50 s    2.25 s   -250 ms   -10.0 %     1\n"
        "task z                                  0 ns    250 ms   +250 ms       new     3\n");
    finish_job();
}

static void print_csv(FILE *out)
{
    otter_diff_print_csv(out, &diff, otter_diff_find_table(&diff, "labels"), &style);
}

static void csv_has_the_rank_and_its_change(void **state)
{
    make_job();
    assert_text(print_csv, "label,archives_before,archives_after,executed_s_before,"
                           "executed_s_before_min,executed_s_before_max,executed_s_after,"
                           "executed_s_after_min,executed_s_after_max,executed_s_verdict,"
                           "executed_s_rank,executed_s_rank_change\n"
                           "task a,1,1,2.5,2.5,2.5,2.25,2.25,2.25,unknown,1,-0.75\n"
                           "task z,0,1,0,0,0,0.25,0.25,0.25,unknown,3,0.25\n");
    finish_job();
}

static void print_ranks(FILE *out)
{
    otter_diff_print_ranks(out, &diff, 2);
}

static void ranks_have_lines_in_order_of_their_change(void **state)
{
    make_job();
    assert_text(print_ranks,
                "\n  rank       wall     change       work     change efficiency  task "
                "graph\n"
                "     0     3.00 s    +50.0 %     1.50 s    +50.0 %     30.0 %  equal\n"
                "     1     1.50 s    -25.0 %     750 ms    -25.0 %     15.0 %  equal\n"
                "1 more: --top=3\n");
    assert_int_equal(otter_diff_first_rank(&job), 0);
    finish_job();
}

static void json_has_ranks_instead_of_hashes(void **state)
{
    make_job();
    json_t *root = otter_diff_json(&diff), *ranks = json_object_get(root, "ranks");
    json_t *before = json_array_get(json_object_get(root, "before"), 0);
    json_t *wall = json_object_get(json_object_get(root, "numbers"), "wall_s");
    assert_int_equal(json_array_size(ranks), 3);
    assert_int_equal(json_integer_value(json_object_get(before, "ranks")), 3);
    assert_null(json_object_get(before, "hash"));
    assert_int_equal(json_integer_value(json_object_get(wall, "rank")), 0);
    assert_true(json_real_value(json_object_get(wall, "rank_change")) == 1);
    json_t *graphs = json_object_get(root, "graphs");
    assert_int_equal(json_integer_value(json_object_get(graphs, "rank_of_first_difference")), 3);
    json_decref(root);
    finish_job();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(totals_add_up_and_others_are_the_largest_or_the_least),
        cmocka_unit_test(a_row_names_the_rank_that_changed_most),
        cmocka_unit_test(wall_time_is_the_largest_and_efficiency_the_mean),
        cmocka_unit_test(rows_of_equal_text_match_in_the_order_of_each_rank),
        cmocka_unit_test(each_archive_of_a_side_has_its_own_sum),
        cmocka_unit_test(ranks_of_one_side_count_if_jobs_have_other_sizes),
        cmocka_unit_test(an_incomplete_rank_makes_the_job_incomplete),
        cmocka_unit_test(ranks_with_other_graphs_are_named),
        cmocka_unit_test(the_sentence_names_a_rank),
        cmocka_unit_test(the_sentence_names_no_rank_that_changed_otherwise),
        cmocka_unit_test(conditions_are_those_of_the_sums_and_name_a_rank),
        cmocka_unit_test(counters_of_all_ranks_are_compared),
        cmocka_unit_test(a_table_has_a_column_of_ranks),
        cmocka_unit_test(csv_has_the_rank_and_its_change),
        cmocka_unit_test(ranks_have_lines_in_order_of_their_change),
        cmocka_unit_test(json_has_ranks_instead_of_hashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
