// The table of allocated blocks, and its behaviour when memory runs out.
#include "unit.h"

#include <pthread.h>
#include <signal.h>

#include "record/blocks.h"

enum { N_ADDRESSES = 3000, N_STEPS = 200000 };

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

// Returns addresses like those of allocators: multiples of 16, close together.
static uint64_t address_of(uint64_t i)
{
    return UINT64_C(0x7f0000000000) + 16 * i;
}

static void a_block_is_found_until_it_is_taken(void **state)
{
    static uint64_t sizes[N_ADDRESSES]; // 0: not allocated
    uint64_t seed = 7, bytes;
    for (int step = 0; step < N_STEPS; step++) {
        uint64_t i = next_random(&seed) % N_ADDRESSES;
        if (next_random(&seed) % 2) {
            uint64_t size = 1 + next_random(&seed);
            assert_true(otter_blocks_add(address_of(i), size, &bytes));
            assert_int_equal(bytes, sizes[i]);
            sizes[i] = size;
            continue;
        }
        bool is_there = otter_blocks_remove(address_of(i), &bytes);
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
    assert_false(otter_blocks_remove(address_of(N_ADDRESSES + 1), &bytes));
    otter_blocks_add(0, 10, &bytes);
    assert_false(otter_blocks_remove(0, &bytes));
}

// Replaces libc's function.
static int n_masks;
int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
    n_masks++;
    return 0;
}

static void signals_are_not_held_for_a_block(void **state)
{
    uint64_t bytes;
    n_masks = 0;
    otter_blocks_add(address_of(0), 8, &bytes);
    otter_blocks_remove(address_of(0), &bytes);
    assert_int_equal(n_masks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_is_found_until_it_is_taken),
        cmocka_unit_test(a_block_that_was_never_seen_is_not_there),
        cmocka_unit_test(signals_are_not_held_for_a_block),
    };
    return cmocka_run_group_tests_name("blocks", tests, NULL, NULL);
}
