// The callers in copies of this program's own stack.
#include "unit.h"

#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "launcher/observe/unwinder.h"

#define APART __attribute__((noinline))

enum { SIZE = 4096 };

// A copy, and the addresses to which the functions return that make it.
struct copied {
    uint64_t registers[3];
    uint8_t bytes[SIZE];
    uint64_t returns[2];
};

static volatile int n_calls; // a call that is followed by more is no jump

static APART void copy(struct copied *copied)
{
#if defined(__x86_64__)
    ucontext_t context;
    getcontext(&context);
    const greg_t *registers = context.uc_mcontext.gregs;
    copied->registers[0] = (uint64_t)registers[REG_RBP];
    copied->registers[1] = (uint64_t)registers[REG_RSP];
    copied->registers[2] = (uint64_t)registers[REG_RIP];
#endif
    memcpy(copied->bytes, (const void *)copied->registers[1], SIZE);
    copied->returns[0] = (uint64_t)__builtin_return_address(0);
    n_calls++;
}

static APART void copy_for_caller(struct copied *copied)
{
    char room[512]; // which moves the stack pointer
    memset(room, n_calls, sizeof(room));
    copy(copied);
    copied->returns[1] = (uint64_t)__builtin_return_address(0);
    n_calls += room[n_calls];
}

static uint32_t find(const struct copied *copied, uint32_t process, size_t size,
                     uint64_t addresses[OTTER_MAX_SAMPLE_DEPTH])
{
    struct otter_unwinder *unwinder = otter_unwinder_create();
    struct otter_stack_copy stack = {copied->registers, copied->bytes, size};
    struct otter_unwound program = {process, 1};
    assert_non_null(unwinder);
    uint32_t n = otter_unwinder_find(unwinder, &program, UINT64_C(1) << 40, &stack, addresses);
    otter_unwinder_destroy(unwinder);
    return n;
}

static void callers_are_found(void **unused)
{
    struct copied copied;
    uint64_t addresses[OTTER_MAX_SAMPLE_DEPTH];
    copy_for_caller(&copied);
    assert_in_range(find(&copied, (uint32_t)getpid(), SIZE, addresses), 3, OTTER_MAX_SAMPLE_DEPTH);
    assert_int_equal(addresses[0], copied.registers[2]);
    assert_int_equal(addresses[1], copied.returns[0]);
    assert_int_equal(addresses[2], copied.returns[1]);
}

static void a_short_copy_has_the_first_callers(void **unused)
{
    struct copied copied;
    uint64_t addresses[OTTER_MAX_SAMPLE_DEPTH];
    copy_for_caller(&copied);
    size_t place = 0; // of the first return address
    while (memcmp(copied.bytes + place, &copied.returns[0], sizeof(copied.returns[0])) != 0) {
        place += 8;
        assert_in_range(place, 8, SIZE - 8);
    }
    assert_int_equal(find(&copied, (uint32_t)getpid(), place, addresses), 1);
    assert_int_equal(find(&copied, (uint32_t)getpid(), place + 7, addresses), 1);
    assert_int_equal(find(&copied, (uint32_t)getpid(), place + 8, addresses), 2);
    for (size_t size = 0; size < SIZE; size += 8) {
        uint32_t n = find(&copied, (uint32_t)getpid(), size, addresses);
        assert_in_range(n, 1, OTTER_MAX_SAMPLE_DEPTH);
        assert_int_equal(addresses[n > 1], n > 1 ? copied.returns[0] : copied.registers[2]);
        size += size > 1024 ? 504 : 0; // each call reads all mappings
    }
}

// Whatever the stack contains, the result is a chain, which begins where the thread was.
static void nonsense_ends_the_chain(void **unused)
{
    struct copied copied;
    uint64_t addresses[OTTER_MAX_SAMPLE_DEPTH];
    copy_for_caller(&copied);
    assert_int_equal(find(&copied, UINT32_MAX, SIZE, addresses), 1); // no such process
    for (int byte = 0; byte < 256; byte += 51) {
        memset(copied.bytes, byte, SIZE);
        assert_in_range(find(&copied, (uint32_t)getpid(), SIZE, addresses), 1, 3);
    }
    copied.registers[0] = copied.registers[1] = UINT64_MAX;
    assert_in_range(find(&copied, (uint32_t)getpid(), SIZE, addresses), 1, 3);
    copied.registers[2] = 1;
    assert_int_equal(find(&copied, (uint32_t)getpid(), SIZE, addresses), 1);
    assert_int_equal(addresses[0], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(callers_are_found),
        cmocka_unit_test(a_short_copy_has_the_first_callers),
        cmocka_unit_test(nonsense_ends_the_chain),
    };
    if (otter_unwinder_registers() == 0) {
        return 77; // no other processor than x86-64 unwinds
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
