// The decoder of the kernel's ring buffers, with records that no kernel should write.
#include "unit.h"

// The buffers are otherwise filled only by the kernel.
#include "launcher/observe/perf_events.c"

enum { SIZE = 1 << 14, ID = 7, UNTIL = 1000 };

static struct otter_perf_events events;
static struct ring ring;
static struct otter_kernel_sample last;
static uint64_t n_samples, n_switches, n_lost;

static void visit_switch(void *user, const struct otter_kernel_switch *change)
{
    n_switches++;
}

static void expect_inside(const void *begin, size_t size)
{
    const uint8_t *bytes = events.record->bytes, *at = begin;
    assert_true(at >= bytes && size <= MAX_RECORD && at + size <= bytes + MAX_RECORD);
}

static void visit_sample(void *user, const struct otter_kernel_sample *sample)
{
    last = *sample;
    n_samples++;
    assert_true(sample->counter > 0 || sample->n > 0 || sample->stack.registers);
    assert_in_range(sample->n, 0, OTTER_MAX_SAMPLE_DEPTH);
    if (sample->n > 0) {
        expect_inside(sample->addresses, sample->n * sizeof *sample->addresses);
    }
    if (sample->stack.registers) {
        expect_inside(sample->stack.bytes, sample->stack.size);
    }
}

static void visit_lost(void *user, uint64_t time_ns, uint64_t n)
{
    n_lost += n;
}

static void drain(void)
{
    static const struct otter_perf_visitor visitor = {visit_switch, visit_sample, visit_lost, NULL};
    drain_ring(&events, &ring, UNTIL, &visitor);
}

static int begin(void **state)
{
    events = (struct otter_perf_events){.page_size = (size_t)sysconf(_SC_PAGESIZE),
                                        .record = malloc(MAX_RECORD)};
    ring = (struct ring){.size = SIZE, .is_of_samples = true, .n_counters = 1, .ids = {ID}};
    // no more than the buffer, so that tools notice an access beyond it
    assert_int_equal(posix_memalign((void **)&ring.page, sizeof(uint64_t), events.page_size + SIZE),
                     0);
    memset(ring.page, 0, events.page_size + SIZE);
    n_samples = n_switches = n_lost = 0;
    return 0;
}

static int finish(void **state)
{
    free(ring.page);
    free(events.record);
    return 0;
}

// Appends `n` words of `size` bytes altogether as a record.
static void add(uint32_t type, size_t size, const uint64_t *words, size_t n)
{
    uint64_t head = ring.page->data_head;
    struct perf_event_header header = {.type = type, .size = (uint16_t)size};
    uint64_t all[64];
    memcpy(all, &header, sizeof header);
    memcpy(all + 1, words, n * sizeof *words);
    for (size_t i = 0; i <= n; i++) {
        memcpy((uint8_t *)ring.page + events.page_size + (head + 8 * i) % SIZE, &all[i], 8);
    }
    ring.page->data_head = head + 8 * (n + 1);
}

#define ADD(type, ...)                                                                             \
    add(type, sizeof(uint64_t) + sizeof((uint64_t[]){__VA_ARGS__}), (uint64_t[]){__VA_ARGS__},     \
        sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

// event, process and thread, time, processor, period, number of addresses, marker, addresses
static void add_chain(uint64_t time, uint64_t n)
{
    ADD(PERF_RECORD_SAMPLE, 1, 20, time, 0, 1, n, PERF_CONTEXT_USER, 100, 101);
}

static void expect_chain(void)
{
    assert_int_equal(last.n, 2);
    assert_int_equal(last.addresses[0], 100);
    assert_int_equal(last.addresses[1], 101);
}

static void a_record_at_the_end_of_the_buffer_is_whole(void **state)
{
    ring.page->data_head = ring.page->data_tail = SIZE - 24;
    add_chain(10, 3);
    add_chain(UNTIL, 3); // too recent
    drain();
    assert_int_equal(n_samples, 1);
    expect_chain();
    assert_int_equal(ring.page->data_head - ring.page->data_tail, 80);
}

static void a_chain_is_cut_at_the_end_of_its_record(void **state)
{
    static const uint64_t numbers[] = {4, UINT32_MAX, UINT64_MAX};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        add_chain(10, numbers[i]);
        drain();
        assert_int_equal(n_samples, i + 1);
        expect_chain();
    }
    add_chain(10, 1); // only the marker
    add_chain(10, 0);
    ADD(PERF_RECORD_SAMPLE, 1, 20, 10, 0);
    drain();
    assert_int_equal(n_samples, 3);
}

// The record names more bytes of the stack than it has.
static void a_copy_of_a_stack_is_cut_at_the_end_of_its_record(void **state)
{
    events.sampling.stack_size = 8192;
    if (otter_unwinder_registers() == 0) {
        skip();
    }
    static const struct {
        uint64_t copied, used;
        size_t expected;
    } copies[] = {{16, 16, 16}, {16, 8, 8},          {16, UINT64_MAX, 16}, {24, 8, 0},
                  {0, 0, 0},    {UINT64_MAX, 16, 0}, {1 << 15, 16, 0}};
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
        ADD(PERF_RECORD_SAMPLE, 1, 20, 10, 0, 1, PERF_SAMPLE_REGS_ABI_64, 31, 32, 33,
            copies[i].copied, 41, 42, copies[i].used);
        drain();
        assert_int_equal(n_samples, i + 1);
        assert_int_equal(last.stack.size, copies[i].expected);
        assert_int_equal(last.stack.registers[2], 33);
    }
    ADD(PERF_RECORD_SAMPLE, 1, 20, 10, 0, 1, PERF_SAMPLE_REGS_ABI_64, 31, 32, 33); // no copy
    ADD(PERF_RECORD_SAMPLE, 1, 20, 10, 0, 1, PERF_SAMPLE_REGS_ABI_32, 31, 32, 33, 0, 0, 0);
    ADD(PERF_RECORD_SAMPLE, 1, 20, 10, 0, 1, PERF_SAMPLE_REGS_ABI_NONE);
    drain();
    assert_int_equal(n_samples, sizeof copies / sizeof *copies);
}

static void counts_may_be_as_large_as_the_kernel_says(void **state)
{
    ADD(PERF_RECORD_SAMPLE, ID, 20, 10, 0, UINT64_MAX);
    drain();
    assert_int_equal(last.counter, 1);
    assert_true(last.count == UINT64_MAX);
    ADD(PERF_RECORD_LOST, 1, UINT64_MAX, 20, 10, 0, 1);
    drain();
    assert_true(n_lost == UINT64_MAX);
}

static void unknown_records_are_skipped(void **state)
{
    static const uint32_t types[] = {0, PERF_RECORD_MMAP, PERF_RECORD_SWITCH, 99, UINT32_MAX};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        ADD(types[i], 1, 2, 3, 20, 10, 0, 1);
    }
    add_chain(10, 3);
    drain();
    assert_int_equal(n_samples, 1);
    assert_int_equal(n_switches, 0);
    assert_int_equal(ring.page->data_tail, ring.page->data_head);
}

// After a record of impossible size, nothing in the buffer can be trusted.
static void a_record_of_impossible_size_ends_the_drain(void **state)
{
    static const size_t sizes[] = {0, 7, 8, 24, 88, UINT16_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        add(PERF_RECORD_SAMPLE, sizes[i], (uint64_t[4]){1, 20, 10}, 4);
        add(PERF_RECORD_SAMPLE, 16, (uint64_t[1]){1}, 1);
        drain();
        assert_int_equal(n_samples, 0);
        assert_int_equal(ring.page->data_tail, ring.page->data_head);
    }
    add_chain(10, 3);
    drain();
    assert_int_equal(n_samples, 1);
}

// A record larger than the buffer is not in it, whatever the kernel says.
static void more_than_the_buffer_holds_is_not_read(void **state)
{
    add(PERF_RECORD_SAMPLE, UINT16_MAX, (uint64_t[4]){1, 20, 10}, 4);
    ring.page->data_head += 1 << 20;
    drain();
    assert_int_equal(n_samples, 0);
    assert_int_equal(ring.page->data_tail, ring.page->data_head);
}

static void any_bytes_do_no_harm(void **state)
{
    srand(1);
    for (int n = 0; n < 20000; n++) {
        uint64_t words[20], n_words = 5 + (uint64_t)rand() % 15;
        for (size_t i = 0; i < n_words; i++) {
            words[i] = (uint64_t)rand() << (rand() % 33) >> (rand() % 33);
        }
        events.sampling.stack_size = rand() % 2 ? 8192 : 0;
        ring.is_of_samples = rand() % 4 > 0;
        add(rand() % 2 ? PERF_RECORD_SAMPLE : (uint32_t)rand() % 24,
            rand() % 8 ? 8 * (n_words + 1) : (size_t)rand() % UINT16_MAX, words, n_words);
        drain();
        ring.page->data_tail = ring.page->data_head; // some are too recent
    }
    assert_true(n_samples > 100 && n_switches > 10);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, finish)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_record_at_the_end_of_the_buffer_is_whole),
        TEST(a_chain_is_cut_at_the_end_of_its_record),
        TEST(a_copy_of_a_stack_is_cut_at_the_end_of_its_record),
        TEST(counts_may_be_as_large_as_the_kernel_says),
        TEST(unknown_records_are_skipped),
        TEST(a_record_of_impossible_size_ends_the_drain),
        TEST(more_than_the_buffer_holds_is_not_read),
        TEST(any_bytes_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
