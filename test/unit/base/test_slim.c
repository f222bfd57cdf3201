// The array of core/base/slim.h.
#include "unit.h"

#include "base/slim.h"

enum { N_NUMBERS = 1000 };

static uint64_t large_at(uint32_t index)
{
    return UINT32_MAX + (uint64_t)index;
}

static void numbers_of_any_size_are_kept(void **state)
{
    struct otter_slim slim;
    assert_true(otter_slim_init(&slim, N_NUMBERS));
    for (uint32_t i = N_NUMBERS; i-- > 0;) {
        assert_true(otter_slim_get(&slim, i) == 0);
        otter_slim_set(&slim, i, i % 3 ? i : large_at(i));
    }
    for (uint32_t i = 0; i < N_NUMBERS; i++) {
        assert_true(otter_slim_get(&slim, i) == (i % 3 ? i : large_at(i)));
        otter_slim_set(&slim, i, i % 3 ? large_at(i) : i);
        otter_slim_set(&slim, i, otter_slim_get(&slim, i) + 1);
    }
    for (uint32_t i = 0; i < N_NUMBERS; i++) {
        assert_true(otter_slim_get(&slim, i) == (i % 3 ? large_at(i) : i) + 1);
    }
    assert_int_equal(slim.large.n, N_NUMBERS);
    assert_false(slim.is_short_of_memory);
    otter_slim_finish(&slim);
}

static void a_shrunk_array_grows_again(void **state)
{
    struct otter_slim slim;
    assert_true(otter_slim_init(&slim, 20));
    for (uint32_t i = 0; i < 20; i++) {
        otter_slim_set(&slim, i, UINT64_MAX - i);
        OTTER_VECTOR_SHRINK(&slim.large);
        assert_int_equal(slim.large.room, i + 1);
    }
    assert_true(otter_slim_get(&slim, 19) == UINT64_MAX - 19);
    otter_slim_finish(&slim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_any_size_are_kept),
        cmocka_unit_test(a_shrunk_array_grows_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
