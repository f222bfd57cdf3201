// How a terminal shows foreign text.
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "report/form/plain.h"
#include "report/form/wrap.h"

static void expect(const char *text, size_t limit, const char *shown, size_t columns)
{
    char *memory = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&memory, &size);
    assert_non_null(out);
    size_t used = otter_plain_print(out, text, limit);
    fclose(out);
    assert_string_equal(memory, shown);
    assert_int_equal(used, columns);
    free(memory);
}

static void what_is_visible_stays_as_it_is(void **state)
{
    expect("Kokkos::View<double **> \\ x", 0, "Kokkos::View<double **> \\ x", 27);
    expect("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", 0, "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", 4);
    expect("", 0, "", 0);
}

static void what_moves_a_terminal_is_written_out(void **state)
{
    expect("a\nb\r\tc", 0, "a\\nb\\r\\tc", 9);
    expect("\x1b[31m\x7f", 0, "\\x1b[31m\\x7f", 12);
    expect("\xc2\x9b"
           "1m",
           0, "\\u009b1m", 8);
    expect("\xe2\x80\xae"
           "cod",
           0, "\\u202ecod", 9);
}

static void bytes_that_are_no_utf8_are_written_out(void **state)
{
    expect("\xff\x9b", 0, "\\xff\\x9b", 8);
    expect("\xe2\x82", 0, "\\xe2\\x82", 8);
}

static void wide_characters_take_two_columns(void **state)
{
    static const char rocket[] = "\xf0\x9f\x9a\x80", check[] = "\xe2\x9c\x85";
    static const char han[] = "\xe6\xbc\xa2", arrow[] = "\xe2\x86\x92";
    assert_int_equal(otter_plain_width(rocket), 2);
    assert_int_equal(otter_plain_width(check), 2);
    assert_int_equal(otter_plain_width(han), 2);
    assert_int_equal(otter_plain_width(arrow), 1);
    expect("\xf0\x9f\x9a\x80\xf0\x9f\x9a\x80\xf0\x9f\x9a\x80\xf0\x9f\x9a\x80", 7,
           "\xf0\x9f\x9a\x80\xf0\x9f\x9a\x80\xe2\x80\xa6\xf0\x9f\x9a\x80", 7);
}

static void the_middle_of_what_is_too_wide_is_left_out(void **state)
{
    expect("0123456789", 10, "0123456789", 10);
    expect("0123456789x", 10,
           "012345\xe2\x80\xa6"
           "89x",
           10);
    expect("0123456789", 1, "\xe2\x80\xa6", 1);
    expect("\n\n\n\n", 7, "\\n\\n\xe2\x80\xa6\\n", 7);
}

static void lines_are_broken_by_columns_and_not_by_bytes(void **state)
{
    static const char han[] = "\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2 \xe6\xbc\xa2 x y";
    char *memory = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&memory, &size);
    assert_non_null(out);
    otter_print_wrapped_at(out, 13, 2, han);
    fclose(out);
    assert_string_equal(memory, "  \xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2 \xe6\xbc\xa2 x\n  y\n");
    free(memory);
}

static void the_middle_of_a_word_wider_than_a_line_is_left_out(void **state)
{
    char *memory = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&memory, &size);
    assert_non_null(out);
    otter_print_wrapped_at(out, 12, 2, "a abcdefghijklm bb 0123456789");
    fclose(out);
    assert_string_equal(memory, "  a\n  abcdef\xe2\x80\xa6klm\n  bb\n  0123456789\n");
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_visible_stays_as_it_is),
        cmocka_unit_test(what_moves_a_terminal_is_written_out),
        cmocka_unit_test(bytes_that_are_no_utf8_are_written_out),
        cmocka_unit_test(wide_characters_take_two_columns),
        cmocka_unit_test(the_middle_of_what_is_too_wide_is_left_out),
        cmocka_unit_test(lines_are_broken_by_columns_and_not_by_bytes),
        cmocka_unit_test(the_middle_of_a_word_wider_than_a_line_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
