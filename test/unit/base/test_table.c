// The hash table of core/base/table.h.
#include "unit.h"

#include "base/table.h"

enum { N_VALUES = 1000 };

static char values[N_VALUES];

static void a_value_is_found_until_it_is_removed(void **state)
{
    static struct otter_table table;
    assert_null(otter_table_find(&table, 0));
    assert_null(otter_table_remove(&table, 0));
    for (uint64_t i = 0; i < N_VALUES; i++) {
        assert_true(otter_table_add(&table, i << 12, &values[i]));
    }
    for (uint64_t i = 0; i < N_VALUES; i += 2) {
        assert_ptr_equal(otter_table_remove(&table, i << 12), &values[i]);
    }
    for (uint64_t i = 0; i < N_VALUES; i++) {
        assert_ptr_equal(otter_table_find(&table, i << 12), i % 2 ? &values[i] : NULL);
    }
}

static void several_values_have_one_key(void **state)
{
    static struct otter_table table;
    for (size_t i = 0; i < 3; i++) {
        assert_true(otter_table_add(&table, 7, &values[i]));
    }
    const void *value = NULL;
    for (size_t i = 0; i < 3; i++) {
        value = otter_table_next(&table, 7, value);
        assert_ptr_equal(value, &values[i]);
    }
    assert_null(otter_table_next(&table, 7, value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_is_found_until_it_is_removed),
        cmocka_unit_test(several_values_have_one_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
