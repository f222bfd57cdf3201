// Quantiles: exact for small numbers, within 1 % for large ones.
#include "unit.h"

#include "analysis/time/quantiles.h"

static void without_numbers_there_is_none(void **state)
{
    struct otter_quantiles quantiles = {0};
    assert_int_equal(otter_quantiles_at(&quantiles, 50), 0);
    otter_quantiles_finish(&quantiles);
}

static void one_number_needs_no_memory(void **state)
{
    struct otter_quantiles quantiles = {0};
    assert_true(otter_quantiles_add(&quantiles, UINT64_MAX));
    assert_null(quantiles.levels);
    assert_true(otter_quantiles_at(&quantiles, 50) == UINT64_MAX);
    otter_quantiles_finish(&quantiles);
}

static void small_numbers_are_exact(void **state)
{
    struct otter_quantiles quantiles = {0};
    for (uint64_t i = 0; i < 100; i++) {
        assert_true(otter_quantiles_add(&quantiles, i * 37 % 100));
    }
    assert_int_equal(otter_quantiles_at(&quantiles, 0), 0);
    assert_int_equal(otter_quantiles_at(&quantiles, 10), 10);
    assert_int_equal(otter_quantiles_at(&quantiles, 50), 50);
    assert_int_equal(otter_quantiles_at(&quantiles, 99), 99);
    assert_int_equal(otter_quantiles_at(&quantiles, 100), 99);
    otter_quantiles_finish(&quantiles);
}

static void large_numbers_are_within_a_percent(void **state)
{
    for (unsigned bit = 7; bit < 64; bit++) {
        uint64_t number = (UINT64_C(1) << bit) + (UINT64_C(1) << bit) / 3;
        struct otter_quantiles quantiles = {0};
        assert_true(otter_quantiles_add(&quantiles, number));
        assert_true(otter_quantiles_add(&quantiles, number));
        double found = (double)otter_quantiles_at(&quantiles, 50);
        assert_true(found > 0.99 * (double)number && found < 1.01 * (double)number);
        otter_quantiles_finish(&quantiles);
    }
}

static void the_order_of_powers_of_two_is_kept(void **state)
{
    struct otter_quantiles quantiles = {0};
    for (unsigned bit = 0; bit < 64; bit++) {
        assert_true(otter_quantiles_add(&quantiles, UINT64_C(1) << (63 - bit)));
    }
    assert_int_equal(otter_quantiles_at(&quantiles, 0), 1);
    assert_true(otter_quantiles_at(&quantiles, 50) >= UINT64_C(1) << 32);
    assert_true(otter_quantiles_at(&quantiles, 50) < UINT64_C(1) << 33);
    assert_true(otter_quantiles_at(&quantiles, 100) >= UINT64_C(1) << 63);
    otter_quantiles_finish(&quantiles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_numbers_there_is_none),
        cmocka_unit_test(one_number_needs_no_memory),
        cmocka_unit_test(small_numbers_are_exact),
        cmocka_unit_test(large_numbers_are_within_a_percent),
        cmocka_unit_test(the_order_of_powers_of_two_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
