// Tests the output for a format and its arguments.
#include "unit.h"

#include <inttypes.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/print.h"

static char *printed; // set by the last expect()

#define PRINTED(...) (print(__VA_ARGS__), printed)

static void print(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void print(const char *format, ...)
{
    size_t size = 0;
    free(printed);
    FILE *out = open_memstream(&printed, &size);
    assert_non_null(out);
    va_list arguments;
    va_start(arguments, format);
    otter_vprint(out, format, arguments);
    va_end(arguments);
    fclose(out);
}

static void numbers_are_those_of_printf(void **state)
{
    assert_string_equal(PRINTED("%d %5d %-5d| %05d %+d %i", -1, 2, 3, -4, 5, 6),
                        "-1     2 3    | -0004 +5 6");
    assert_string_equal(PRINTED("%u %x %X %o %02x", 1u, 255u, 255u, 8u, 10u), "1 ff FF 10 0a");
    assert_string_equal(
        PRINTED("%zu %ld %lld %" PRIu64 " %" PRIx64, (size_t)1, -2l, -3ll, UINT64_MAX, UINT64_MAX),
        "1 -2 -3 18446744073709551615 ffffffffffffffff");
    assert_string_equal(PRINTED("%.1f %5.1f%% %.0f %g %e", 0.25, 12.34, 1e9, 0.5, 1.0),
                        "0.2  12.3% 1000000000 0.5 1.000000e+00");
    assert_string_equal(PRINTED("%*d|%-*d|%*d", 4, 1, 4, 2, -4, 3), "   1|2   |3   ");
}

static void texts_have_a_width_in_columns_and_a_length_in_bytes(void **state)
{
    assert_string_equal(PRINTED("%5s|%-5s|%*s|%.2s|%.*s", "a", "b", 3, "c", "xyz", 1, "xyz"),
                        "    a|b    |  c|xy|x");
    assert_string_equal(PRINTED("%-3s|%3s|%-8s|", "\xc3\xa4", "\xc3\xa4", "\33"),
                        "\xc3\xa4  |  \xc3\xa4|\\x1b    |");
    assert_string_equal(PRINTED("%c%c", 'a', '\n'), "a\\n");
}

static void no_argument_adds_a_line_or_a_control(void **state)
{
    const char *text = "a\nb\33\x7f\xc2\x9b\xe2\x80\xae\xff%s%n";
    assert_string_equal(PRINTED("\n\33[1m%s\n", text),
                        "\n\33[1ma\\nb\\x1b\\x7f\\u009b\\u202e\\xff%s%n\n");
    assert_string_equal(PRINTED("%.3s|%.1s", "ab\n", "\xc3\xa4"), "ab\\n|\\xc3");
}

static void the_locale_changes_no_number(void **state)
{
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8")) {
        skip();
    }
    print("%.2f", 1.5);
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(printed, "1.50");
}

static void a_noun_is_plural_but_for_one(void **state)
{
    assert_string_equal(PRINTED("0 event%s, 1 event%s", otter_plural(0), otter_plural(1)),
                        "0 events, 1 event");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_those_of_printf),
        cmocka_unit_test(texts_have_a_width_in_columns_and_a_length_in_bytes),
        cmocka_unit_test(no_argument_adds_a_line_or_a_control),
        cmocka_unit_test(the_locale_changes_no_number),
        cmocka_unit_test(a_noun_is_plural_but_for_one),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(printed);
    return failed;
}
