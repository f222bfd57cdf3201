// Tables: the columns that fit a terminal, trees, sums, order, filters, CSV.
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/form/sheet.h"

enum { COUNT = 0, MEDIAN, SHARE, PLACE, N_COLUMNS };

static const struct otter_column columns[N_COLUMNS] = {
    [COUNT] = {"n", "n", OTTER_COLUMN_COUNT},
    [MEDIAN] = {"median_s", "median", OTTER_COLUMN_SECONDS},
    [SHARE] = {"share_percent", "share", OTTER_COLUMN_PERCENT},
    [PLACE] = {"place", "place", OTTER_COLUMN_TEXT},
};

static int begin(void **state)
{
    struct otter_sheet *sheet = calloc(1, sizeof *sheet);
    assert_non_null(sheet);
    OTTER_SET_COLUMNS(sheet, "task", columns);
    *state = sheet;
    return 0;
}

static int finish(void **state)
{
    otter_sheet_finish(*state);
    free(*state);
    return 0;
}

static void add(struct otter_sheet *sheet, const char *text, double n, double median)
{
    double values[N_COLUMNS] = {n, median, 50, otter_sheet_text(sheet, "a.c:3")};
    otter_sheet_add(sheet, text, values);
}

static void expect_print(const struct otter_sheet *sheet, uint32_t n_rows, unsigned width,
                         const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    otter_sheet_print(out, sheet, n_rows, width);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

static void a_wide_terminal_shows_every_column(void **state)
{
    struct otter_sheet *sheet = *state;
    add(sheet, "fib", 12345, 0.002);
    add(sheet, "sort a long list", 7, NAN);
    expect_print(sheet, 10, 80,
                 "task                   n   median   share  place\n"
                 "fib               12,345  2.00 ms  50.0 %  a.c:3\n"
                 "sort a long list       7        -  50.0 %  a.c:3\n");
}

static void a_narrow_terminal_names_the_columns_that_it_leaves_out(void **state)
{
    struct otter_sheet *sheet = *state;
    add(sheet, "sort a long list", 7, 0.002);
    expect_print(sheet, 10, 30,
                 "task              n   median\n"
                 "sort a long list  7  2.00 ms\n"
                 "columns left out: share, place\n"
                 "(--full)\n");
}

static void the_text_gets_the_width_that_the_numbers_leave(void **state)
{
    struct otter_sheet *sheet = *state;
    add(sheet, "a text that is much longer than all of the terminal", 7, 0.002);
    expect_print(sheet, 10, 50,
                 "task                            n   median   share\n"
                 "a text that is much\xe2\x80\xa6"
                 "e terminal  7  2.00 ms  50.0 %\n"
                 "columns left out: place (--full)\n");
}

static void rows_of_a_tree_are_indented_and_sums_are_last(void **state)
{
    struct otter_sheet *sheet = *state;
    sheet->n_columns = 1;
    double values[N_COLUMNS] = {1};
    otter_sheet_add(sheet, "main", values);
    otter_sheet_add_inside(sheet, 1, "fib", values);
    otter_sheet_add_inside(sheet, 20, "deep", values);
    values[COUNT] = 3;
    otter_sheet_add_sum(sheet, "all", values);
    expect_print(sheet, 2, 80,
                 "task   n\n"
                 "main   1\n"
                 "  fib  1\n"
                 "1 more: --top=3\n"
                 "all    3\n");
    expect_print(sheet, 3, 80,
                 "task                  n\n"
                 "main                  1\n"
                 "  fib                 1\n"
                 "                deep  1\n"
                 "all                   3\n");
}

static void an_empty_table_says_why(void **state)
{
    struct otter_sheet *sheet = *state;
    sheet->n_columns = 1;
    expect_print(sheet, 10, 80, "task  n\n(no rows)\n");
    sheet->note = "no lock";
    expect_print(sheet, 10, 80, "task  n\n(no rows: no lock)\n");
}

static void rows_are_sorted_by_a_column_then_by_text(void **state)
{
    struct otter_sheet *sheet = *state;
    add(sheet, "b", 1, 3);
    add(sheet, "c", 2, 1);
    add(sheet, "a", 1, 2);
    assert_true(otter_sheet_sort_by(sheet, "n"));
    assert_string_equal(sheet->rows.items[0].text, "c");
    assert_string_equal(sheet->rows.items[1].text, "a");
    assert_true(otter_sheet_sort_by(sheet, "median_s"));
    assert_string_equal(sheet->rows.items[0].text, "b");
    assert_true(otter_sheet_sort_by(sheet, "task"));
    assert_string_equal(sheet->rows.items[0].text, "a");
    assert_false(otter_sheet_sort_by(sheet, "medians"));
}

static void a_filter_keeps_the_rows_with_the_text(void **state)
{
    struct otter_sheet *sheet = *state;
    add(sheet, "fib", 1, 1);
    add(sheet, "sort", 1, 1);
    otter_sheet_filter(sheet, "f?b");
    assert_int_equal(sheet->rows.n, 1);
    assert_string_equal(sheet->rows.items[0].text, "fib");
    otter_sheet_filter(sheet, "a.c"); // in a column of texts
    assert_int_equal(sheet->rows.n, 1);
    otter_sheet_filter(sheet, "ib*");
    assert_int_equal(sheet->rows.n, 0);
}

static void the_rows_with_the_largest_numbers_stay_in_their_order(void **state)
{
    struct otter_sheet *sheet = *state;
    const double values[] = {2, 5, 2, 1, 4, 2};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        add(sheet, (char[]){(char)('a' + i), '\0'}, values[i], 1);
    }
    otter_sheet_keep(sheet, COUNT, 6);
    assert_int_equal(sheet->n_left_out, 0);
    otter_sheet_keep(sheet, COUNT, 4);
    assert_int_equal(sheet->n_left_out, 2);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(sheet->rows.items[i].text[0], "abce"[i]);
    }
    assert_int_equal(sheet->rows.n, 4);
}

static void combined_counts_add_up_and_the_largest_median_counts(void **state)
{
    (void)state;
    static const struct otter_column least = {"min_s", "min", OTTER_COLUMN_SECONDS};
    assert_true(otter_column_combine(&columns[COUNT], 2, 3) == 5);
    assert_true(otter_column_combine(&columns[MEDIAN], 2, 3) == 3);
    assert_true(otter_column_combine(&columns[SHARE], 30, 20) == 30);
    assert_true(otter_column_combine(&least, 2, 3) == 2);
    assert_true(otter_column_combine(&columns[COUNT], NAN, 3) == 3);
    assert_true(isnan(otter_column_combine(&columns[PLACE], 1, 2)));
}

static void csv_quotes_texts_and_leaves_unknown_numbers_empty(void **state)
{
    struct otter_sheet *sheet = *state;
    char *text = NULL;
    size_t size = 0;
    add(sheet, "map<a, b>", 7, NAN);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    otter_sheet_print_csv(out, sheet);
    fclose(out);
    assert_string_equal(text, "task,n,median_s,share_percent,place\n"
                              "\"map<a, b>\",7,,50,a.c:3\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_wide_terminal_shows_every_column, begin, finish),
        cmocka_unit_test_setup_teardown(a_narrow_terminal_names_the_columns_that_it_leaves_out,
                                        begin, finish),
        cmocka_unit_test_setup_teardown(the_text_gets_the_width_that_the_numbers_leave, begin,
                                        finish),
        cmocka_unit_test_setup_teardown(rows_of_a_tree_are_indented_and_sums_are_last, begin,
                                        finish),
        cmocka_unit_test_setup_teardown(an_empty_table_says_why, begin, finish),
        cmocka_unit_test_setup_teardown(rows_are_sorted_by_a_column_then_by_text, begin, finish),
        cmocka_unit_test_setup_teardown(a_filter_keeps_the_rows_with_the_text, begin, finish),
        cmocka_unit_test_setup_teardown(the_rows_with_the_largest_numbers_stay_in_their_order,
                                        begin, finish),
        cmocka_unit_test(combined_counts_add_up_and_the_largest_median_counts),
        cmocka_unit_test_setup_teardown(csv_quotes_texts_and_leaves_unknown_numbers_empty, begin,
                                        finish),
    };
    return cmocka_run_group_tests_name("sheet", tests, NULL, NULL);
}
