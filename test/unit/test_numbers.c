// Sorting: the limits of the keys, the order of equal keys, few and many items, little memory.
#include "unit.h"

#include <stdlib.h>

#include "failing.h"
#include "graph/numbers.h"

enum { MANY = 5000 };

static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state;
}

static void check_sorted(size_t n, unsigned bits, bool has_memory)
{
    static uint64_t numbers[MANY];
    uint64_t state = n + bits, sum = 0, sorted_sum = 0;
    for (size_t i = 0; i < n; i++) {
        numbers[i] = next(&state) >> (64 - bits);
        sum += numbers[i];
    }
    fail_allocation(has_memory ? 0 : 1);
    otter_numbers_sort(numbers, n);
    fail_allocation(0);
    for (size_t i = 0; i < n; i++) {
        sorted_sum += numbers[i];
        assert_true(i == 0 || numbers[i - 1] <= numbers[i]);
    }
    assert_true(sum == sorted_sum);
}

static void numbers_of_any_width_are_sorted(void **state)
{
    static const size_t sizes[] = {0, 1, 2, 31, 32, 33, 1000, MANY};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (unsigned bits = 1; bits <= 64; bits += 7) {
            check_sorted(sizes[i], bits, true);
        }
    }
}

static void numbers_are_sorted_without_memory(void **state)
{
    check_sorted(MANY, 40, false);
}

static void equal_keys_stay_in_their_order(void **state)
{
    static struct otter_keyed items[MANY];
    uint64_t seed = 1;
    for (size_t n = 10; n <= MANY; n *= 5) {
        for (size_t i = 0; i < n; i++) {
            items[i] = (struct otter_keyed){UINT64_MAX - (next(&seed) >> 60) * 100000, i};
        }
        assert_true(otter_keyed_sort(items, n));
        for (size_t i = 1; i < n; i++) {
            assert_true(items[i - 1].key < items[i].key ||
                        (items[i - 1].key == items[i].key && items[i - 1].value < items[i].value));
        }
    }
}

static void keyed_items_without_memory_are_as_before(void **state)
{
    static struct otter_keyed items[MANY];
    for (size_t i = 0; i < MANY; i++) {
        items[i] = (struct otter_keyed){MANY - i, i};
    }
    fail_allocation(1);
    assert_false(otter_keyed_sort(items, MANY));
    fail_allocation(0);
    assert_true(items[0].key == MANY && items[MANY - 1].value == MANY - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_any_width_are_sorted),
        cmocka_unit_test(numbers_are_sorted_without_memory),
        cmocka_unit_test(equal_keys_stay_in_their_order),
        cmocka_unit_test(keyed_items_without_memory_are_as_before),
    };
    return cmocka_run_group_tests_name("numbers", tests, NULL, NULL);
}
