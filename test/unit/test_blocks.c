#include "unit.h"

#include "record/blocks.h"

enum { N_ADDRESSES = 3000, N_STEPS = 200000 };

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

// Addresses as allocators make them: multiples of 16, close together.
static uint64_t address_of(uint64_t i)
{
    return UINT64_C(0x7f0000000000) + 16 * i;
}

static void a_block_is_found_until_it_is_taken(void **state)
{
    static uint64_t sizes[N_ADDRESSES]; // 0: not there
    uint64_t seed = 7, bytes;
    for (int step = 0; step < N_STEPS; step++) {
        uint64_t i = next_random(&seed) % N_ADDRESSES;
        if (next_random(&seed) % 2) {
            sizes[i] = 1 + next_random(&seed);
            otter_blocks_add(address_of(i), sizes[i]);
            continue;
        }
        bool is_there = otter_blocks_take(address_of(i), &bytes);
        assert_int_equal(is_there, sizes[i] != 0);
        if (is_there) {
            assert_int_equal(bytes, sizes[i]);
        }
        sizes[i] = 0;
    }
}

static void a_block_that_was_never_seen_is_not_there(void **state)
{
    uint64_t bytes;
    assert_false(otter_blocks_take(address_of(N_ADDRESSES + 1), &bytes));
    otter_blocks_add(0, 10);
    assert_false(otter_blocks_take(0, &bytes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_is_found_until_it_is_taken),
        cmocka_unit_test(a_block_that_was_never_seen_is_not_there),
    };
    return cmocka_run_group_tests_name("blocks", tests, NULL, NULL);
}
