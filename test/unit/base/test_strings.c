// The table of strings, when memory runs out.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "failing.h"
#include "base/text/strings.h"

enum { N_MANY = 5000 };

static const char *name_of(unsigned i)
{
    static char name[32];
    snprintf(name, sizeof(name), "name %u", i);
    return name;
}

static void each_distinct_string_has_its_number_in_order_of_first_use(void **state)
{
    struct otter_strings *strings = otter_strings_create();
    bool is_new;
    assert_int_equal(otter_strings_intern(strings, "", &is_new), 0);
    assert_true(is_new);
    assert_int_equal(otter_strings_intern(strings, "a", &is_new), 1);
    assert_true(is_new);
    assert_int_equal(otter_strings_intern(strings, "", &is_new), 0);
    assert_false(is_new);
    assert_int_equal(otter_strings_intern(strings, "a", &is_new), 1);
    assert_false(is_new);
    assert_int_equal(otter_strings_intern(strings, "A", &is_new), 2);
    assert_true(is_new);
    otter_strings_destroy(strings);
}

static void numbers_stay_while_the_table_grows(void **state)
{
    struct otter_strings *strings = otter_strings_create();
    bool is_new;
    for (unsigned i = 0; i < N_MANY; i++) {
        assert_int_equal(otter_strings_intern(strings, name_of(i), &is_new), i);
        assert_true(is_new);
    }
    for (unsigned i = 0; i < N_MANY; i++) {
        assert_int_equal(otter_strings_intern(strings, name_of(i), &is_new), i);
        assert_false(is_new);
    }
    otter_strings_destroy(strings);
}

static void strings_are_copied(void **state)
{
    struct otter_strings *strings = otter_strings_create();
    char text[] = "text";
    bool is_new;
    otter_strings_intern(strings, text, &is_new);
    text[0] = 'T';
    otter_strings_intern(strings, text, &is_new);
    assert_true(is_new);
    assert_int_equal(otter_strings_intern(strings, "text", &is_new), 0);
    otter_strings_destroy(strings);
}

// Each allocation in a table's life fails once, and the table remains usable.
static void without_memory_a_string_is_the_first_and_nothing_else_changes(void **state)
{
    enum { N = 600 }; // the table grows twice
    size_t n_failed = 0;
    for (size_t nth = 1;; nth++) {
        fail_allocation(nth);
        struct otter_strings *strings = otter_strings_create();
        if (!strings) {
            continue;
        }
        bool is_new;
        unsigned refused = N;
        for (unsigned i = 0; i < N; i++) {
            uint32_t number = otter_strings_intern(strings, name_of(i), &is_new);
            if (!is_new) {
                assert_int_equal(number, 0);
                assert_int_equal(refused, N); // only the failing allocation was refused
                refused = i;
                n_failed++;
            } else {
                assert_int_equal(number, i - (refused < i));
            }
        }
        size_t n = n_allocations();
        fail_allocation(0);
        otter_strings_destroy(strings);
        if (nth > n) {
            break;
        }
    }
    assert_int_equal(n_failed,
                     N + 3); // one for each copy, and one for each growth: 128, 256, 512 of 1024
}

static void destroying_nothing_is_allowed(void **state)
{
    otter_strings_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_distinct_string_has_its_number_in_order_of_first_use),
        cmocka_unit_test(numbers_stay_while_the_table_grows),
        cmocka_unit_test(strings_are_copied),
        cmocka_unit_test(without_memory_a_string_is_the_first_and_nothing_else_changes),
        cmocka_unit_test(destroying_nothing_is_allowed),
    };
    return cmocka_run_group_tests_name("strings", tests, NULL, NULL);
}
