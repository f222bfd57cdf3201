// Sorting and selecting: limits and order of keys, few and many items, little memory.
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "failing.h"
#include "graph/numbers.h"

enum { MANY = 300000 };

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

static void the_number_of_each_rank_is_selected(void **state)
{
    enum { SOME = 200 };
    for (unsigned bits = 1; bits <= 64; bits += 9) {
        uint64_t numbers[SOME], sorted[SOME], seed = bits;
        for (size_t i = 0; i < SOME; i++) {
            numbers[i] = sorted[i] = next(&seed) >> (64 - bits);
        }
        otter_numbers_sort(sorted, SOME);
        for (size_t rank = 0; rank < SOME; rank++) {
            assert_true(otter_numbers_select(numbers, SOME, rank) == sorted[rank]);
        }
    }
}

// In a power of two and its neighbours, the bits of most digits are all 0 or all 1.
static void numbers_at_the_limits_of_digits_are_selected(void **state)
{
    uint64_t numbers[3 * 64];
    for (unsigned i = 0; i < 64; i++) {
        numbers[i] = (UINT64_C(1) << (63 - i)) - 1;
        numbers[64 + i] = UINT64_C(1) << i;
        numbers[128 + i] = UINT64_MAX - i;
    }
    uint64_t sorted[3 * 64];
    memcpy(sorted, numbers, sizeof sorted);
    otter_numbers_sort(sorted, 3 * 64);
    for (size_t rank = 0; rank < sizeof numbers / sizeof *numbers; rank++) {
        assert_true(otter_numbers_select(numbers, 3 * 64, rank) == sorted[rank]);
    }
}

struct record {
    uint32_t other;
    uint64_t key;
};

static void indexes_are_sorted_by_keys_inside_records(void **state)
{
    static struct record records[MANY];
    static uint32_t indexes[MANY];
    uint64_t seed = 1;
    for (uint32_t i = 0; i < MANY; i++) {
        records[i] = (struct record){.other = i, .key = next(&seed) >> 54};
        indexes[i] = i;
    }
    assert_true(otter_indexes_sort(indexes, MANY, &records->key, sizeof *records));
    for (size_t i = 1; i < MANY; i++) {
        uint64_t before = records[indexes[i - 1]].key, key = records[indexes[i]].key;
        assert_true(before < key || (before == key && indexes[i - 1] < indexes[i]));
    }
    fail_allocation(1); // sorted indexes need no memory
    assert_true(otter_indexes_sort(indexes, MANY, &records->key, sizeof *records));
    fail_allocation(1);
    indexes[0] = indexes[MANY - 1];
    assert_false(otter_indexes_sort(indexes, MANY, &records->key, sizeof *records));
    fail_allocation(0);
    assert_true(indexes[0] == indexes[MANY - 1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_any_width_are_sorted),
        cmocka_unit_test(numbers_are_sorted_without_memory),
        cmocka_unit_test(equal_keys_stay_in_their_order),
        cmocka_unit_test(keyed_items_without_memory_are_as_before),
        cmocka_unit_test(the_number_of_each_rank_is_selected),
        cmocka_unit_test(numbers_at_the_limits_of_digits_are_selected),
        cmocka_unit_test(indexes_are_sorted_by_keys_inside_records),
    };
    return cmocka_run_group_tests_name("numbers", tests, NULL, NULL);
}
