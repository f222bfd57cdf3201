// How the waiting in run queues is divided among the switches of threads.
#include "unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "failing.h"
#include "folder.h"
#include "launcher/observe/run_queues.h"

enum { PROCESS = 10, THREAD = 11, MS = 1000 * 1000 };

static struct {
    uint32_t thread;
    uint64_t ms, us;
} waits[16];
static unsigned n_waits, n_switches;
static struct otter_kernel_switch lost_on[2]; // by processor

static void note(void *user, const struct otter_kernel_switch *change)
{
    n_switches++;
    if (change->kind == OTTER_SWITCH_LOST) {
        lost_on[change->processor] = *change;
    }
    if (change->kind == OTTER_SWITCH_WAITED && n_waits < 16) {
        waits[n_waits].thread = change->thread;
        waits[n_waits].ms = change->time_ns / MS;
        waits[n_waits++].us = change->n;
    }
}

static void add(struct otter_run_queues *queues, uint64_t ms, uint32_t thread,
                enum otter_switch_kind kind)
{
    struct otter_kernel_switch change = {
        .time_ns = ms * MS, .process = PROCESS, .thread = thread, .kind = kind, .n = 1};
    otter_run_queues_add(queues, &change);
}

static void begin_or_end(struct otter_run_queues *queues, uint64_t ms, uint32_t thread,
                         bool is_start)
{
    struct otter_kernel_switch change = {
        .time_ns = ms * MS,
        .process = PROCESS,
        .thread = thread,
        .kind = is_start ? OTTER_SWITCH_UNKNOWN : OTTER_SWITCH_OUT,
        .is_start = is_start,
        .is_end = !is_start,
    };
    otter_run_queues_add(queues, &change);
}

static void pass(struct otter_run_queues *queues)
{
    n_waits = n_switches = 0;
    lost_on[0] = lost_on[1] = (struct otter_kernel_switch){0};
    otter_run_queues_pass(queues, note, NULL);
}

// The kernel's sum of a thread's time in run queues.
static void set_sum_us(uint32_t thread, uint64_t us)
{
    char text[64];
    int length = snprintf(text, sizeof text, "5 %" PRIu64 " 7\n", us * 1000);
    mkdir(in_test_folder("%d", PROCESS), 0700);
    mkdir(in_test_folder("%d/task", PROCESS), 0700);
    mkdir(in_test_folder("%d/task/%" PRIu32, PROCESS, thread), 0700);
    write_file(in_test_folder("%d/task/%" PRIu32 "/schedstat", PROCESS, thread), text,
               (size_t)length);
}

static void set_sum(uint32_t thread, uint64_t ms)
{
    set_sum_us(thread, ms * 1000);
}

static struct otter_run_queues *begin(void)
{
    static char folder[4096];
    snprintf(folder, sizeof folder, "%s", in_test_folder("."));
    set_sum(PROCESS, 100);
    struct otter_run_queues *queues = otter_run_queues_create(folder, PROCESS, 2);
    assert_non_null(queues);
    return queues;
}

// Three sleeps of 3 ms, of which two waited for a processor afterwards; and a preemption, which the
// kernel's sum contains.
static void sleep_three_times(struct otter_run_queues *queues, uint32_t thread)
{
    add(queues, 10, thread, OTTER_SWITCH_OUT);
    add(queues, 15, thread, OTTER_SWITCH_IN);
    add(queues, 20, thread, OTTER_SWITCH_OUT);
    add(queues, 23, thread, OTTER_SWITCH_IN);
    add(queues, 30, thread, OTTER_SWITCH_OUT);
    add(queues, 43, thread, OTTER_SWITCH_IN);
    add(queues, 50, thread, OTTER_SWITCH_PREEMPTED);
    add(queues, 70, thread, OTTER_SWITCH_IN);
}

static void a_new_thread_waits_until_it_is_switched_in(void **state)
{
    struct otter_run_queues *queues = begin();
    add(queues, 9, THREAD, OTTER_SWITCH_IN); // on another processor than its start
    begin_or_end(queues, 2, THREAD, true);
    pass(queues);
    assert_int_equal(n_switches, 2);
    assert_int_equal(n_waits, 1);
    assert_int_equal(waits[0].thread, THREAD);
    assert_int_equal(waits[0].ms, 9);
    assert_int_equal(waits[0].us, 7000);
    otter_run_queues_destroy(queues);
}

static void waits_make_the_longest_sleeps_longer(void **state)
{
    struct otter_run_queues *queues = begin();
    sleep_three_times(queues, PROCESS);
    set_sum(PROCESS, 100 + 2 + 10 + 20);
    pass(queues);
    assert_int_equal(n_switches, 8 + 2);
    assert_int_equal(n_waits, 2);
    assert_int_equal(waits[0].ms, 15);
    assert_int_equal(waits[0].us, 2000);
    assert_int_equal(waits[1].ms, 43);
    assert_int_equal(waits[1].us, 10000);
    // the next time, only what was added since
    sleep_three_times(queues, PROCESS);
    set_sum(PROCESS, 132 + 20);
    pass(queues);
    assert_int_equal(n_waits, 0);
    otter_run_queues_destroy(queues);
}

static void no_wait_is_longer_than_its_sleep(void **state)
{
    struct otter_run_queues *queues = begin();
    sleep_three_times(queues, PROCESS);
    set_sum(PROCESS, 100 + 1000);
    pass(queues);
    assert_int_equal(n_waits, 3);
    assert_int_equal(waits[0].us, 5000);
    assert_int_equal(waits[1].us, 3000);
    assert_int_equal(waits[2].us, 13000);
    otter_run_queues_destroy(queues);
}

static void after_lost_switches_the_sum_starts_again(void **state)
{
    struct otter_run_queues *queues = begin();
    add(queues, 1, 0, OTTER_SWITCH_LOST);
    sleep_three_times(queues, PROCESS);
    set_sum(PROCESS, 100 + 500);
    pass(queues);
    assert_int_equal(n_waits, 0);
    add(queues, 80, PROCESS, OTTER_SWITCH_OUT);
    add(queues, 90, PROCESS, OTTER_SWITCH_IN);
    set_sum(PROCESS, 600 + 4);
    pass(queues);
    assert_int_equal(n_waits, 1);
    assert_int_equal(waits[0].us, 4000);
    otter_run_queues_destroy(queues);
}

static void a_number_that_occurs_again_has_no_earlier_sleeps(void **state)
{
    struct otter_run_queues *queues = begin();
    sleep_three_times(queues, PROCESS);
    add(queues, 80, PROCESS, OTTER_SWITCH_OUT);
    begin_or_end(queues, 81, PROCESS, true);
    add(queues, 83, PROCESS, OTTER_SWITCH_IN);
    add(queues, 85, PROCESS, OTTER_SWITCH_OUT);
    add(queues, 90, PROCESS, OTTER_SWITCH_IN);
    set_sum(PROCESS, 2 + 4);
    pass(queues);
    assert_int_equal(n_waits, 2);
    assert_int_equal(waits[0].ms, 83);
    assert_int_equal(waits[0].us, 2000);
    assert_int_equal(waits[1].ms, 90);
    assert_int_equal(waits[1].us, 4000);
    otter_run_queues_destroy(queues);
}

static void sleep_once(struct otter_run_queues *queues, uint32_t thread)
{
    add(queues, 80, thread, OTTER_SWITCH_OUT);
    add(queues, 90, thread, OTTER_SWITCH_IN);
}

static void waits_of_less_than_20_us_are_left_out(void **state)
{
    struct otter_run_queues *queues = begin();
    sleep_once(queues, PROCESS);
    set_sum_us(PROCESS, 100 * 1000 + 19);
    pass(queues);
    assert_int_equal(n_waits, 0);
    sleep_once(queues, PROCESS);
    set_sum_us(PROCESS, 100 * 1000 + 19 + 20);
    pass(queues);
    assert_int_equal(n_waits, 1);
    assert_int_equal(waits[0].us, 20);
    otter_run_queues_destroy(queues);
}

static void a_thread_without_a_sum_has_no_waits(void **state)
{
    struct otter_run_queues *queues = begin();
    begin_or_end(queues, 10, THREAD + 1, true);
    add(queues, 10, THREAD + 1, OTTER_SWITCH_IN);
    sleep_once(queues, THREAD + 1);
    pass(queues);
    assert_int_equal(n_switches, 3);
    assert_int_equal(n_waits, 0);
    otter_run_queues_destroy(queues);
}

static void a_sleep_may_begin_in_an_earlier_pass(void **state)
{
    struct otter_run_queues *queues = begin();
    add(queues, 10, PROCESS, OTTER_SWITCH_OUT);
    pass(queues);
    assert_int_equal(n_waits, 0);
    add(queues, 30, PROCESS, OTTER_SWITCH_IN);
    set_sum(PROCESS, 100 + 6);
    pass(queues);
    assert_int_equal(n_waits, 1);
    assert_int_equal(waits[0].ms, 30);
    assert_int_equal(waits[0].us, 6000);
    otter_run_queues_destroy(queues);
}

static void a_thread_that_ended_is_forgotten(void **state)
{
    struct otter_run_queues *queues = begin();
    set_sum(THREAD, 0);
    begin_or_end(queues, 10, THREAD, true);
    add(queues, 10, THREAD, OTTER_SWITCH_IN);
    begin_or_end(queues, 20, THREAD, false);
    pass(queues);
    assert_int_equal(n_switches, 2);
    sleep_once(queues, THREAD);
    set_sum(THREAD, 5);
    pass(queues);
    assert_int_equal(n_switches, 2);
    assert_int_equal(n_waits, 0);
    otter_run_queues_destroy(queues);
}

// If a thread other than the first executes a program, the first ends, and the other takes its
// number.
static void a_thread_that_takes_a_number_has_waits_again(void **state)
{
    struct otter_run_queues *queues = begin();
    begin_or_end(queues, 10, PROCESS, false);
    pass(queues);
    sleep_once(queues, PROCESS);
    set_sum(PROCESS, 100);
    pass(queues);
    assert_int_equal(n_waits, 0);
    for (uint64_t i = 1; i <= 2; i++) { // the first wait only tells what the sum was
        sleep_once(queues, PROCESS);
        set_sum(PROCESS, 100 + 5 * i);
        pass(queues);
    }
    assert_int_equal(n_waits, 1);
    assert_int_equal(waits[0].us, 5000);
    otter_run_queues_destroy(queues);
}

static void a_sleep_without_memory_has_no_share_of_later_waits(void **state)
{
    struct otter_run_queues *queues = begin();
    sleep_once(queues, PROCESS);
    fail_allocation(1);
    set_sum(PROCESS, 100 + 3);
    pass(queues);
    fail_allocation(0);
    assert_int_equal(n_waits, 0);
    for (uint64_t i = 1; i <= 2; i++) { // the first sum contains the wait of the lost sleep
        sleep_once(queues, PROCESS);
        set_sum(PROCESS, 103 + 5 * i);
        pass(queues);
        assert_int_equal(n_waits, i - 1);
    }
    assert_int_equal(waits[0].us, 5000);
    otter_run_queues_destroy(queues);
}

static void switches_without_memory_are_lost_on_each_processor(void **state)
{
    struct otter_run_queues *queues = begin();
    struct otter_kernel_switch change = {.process = PROCESS, .thread = PROCESS, .n = 1};
    fail_allocation(1); // only the first
    for (uint32_t i = 0; i < 5; i++) {
        change.time_ns = (10 + i) * MS;
        change.processor = i >= 3;
        change.kind = i % 2 ? OTTER_SWITCH_IN : OTTER_SWITCH_OUT;
        otter_run_queues_add(queues, &change);
    }
    fail_allocation(0);
    pass(queues);
    assert_int_equal(n_switches, 2);
    assert_int_equal(lost_on[0].n, 3);
    assert_int_equal(lost_on[0].time_ns, 12 * MS);
    assert_int_equal(lost_on[1].n, 2);
    assert_int_equal(lost_on[1].time_ns, 14 * MS);
    sleep_once(queues, PROCESS);
    pass(queues);
    assert_int_equal(n_switches, 2);
    assert_int_equal(lost_on[0].n + lost_on[1].n, 0);
    otter_run_queues_destroy(queues);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_thread_waits_until_it_is_switched_in),
        cmocka_unit_test(waits_make_the_longest_sleeps_longer),
        cmocka_unit_test(no_wait_is_longer_than_its_sleep),
        cmocka_unit_test(after_lost_switches_the_sum_starts_again),
        cmocka_unit_test(a_number_that_occurs_again_has_no_earlier_sleeps),
        cmocka_unit_test(waits_of_less_than_20_us_are_left_out),
        cmocka_unit_test(a_thread_without_a_sum_has_no_waits),
        cmocka_unit_test(a_sleep_may_begin_in_an_earlier_pass),
        cmocka_unit_test(a_thread_that_ended_is_forgotten),
        cmocka_unit_test(a_thread_that_takes_a_number_has_waits_again),
        cmocka_unit_test(a_sleep_without_memory_has_no_share_of_later_waits),
        cmocka_unit_test(switches_without_memory_are_lost_on_each_processor),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
