// Region totals and pauses, with a clock that the test sets. This file replaces the C library's
// clock function.
#include "unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "folder.h"
#include "listing.h"
#include "otter/record.h"
#include "record/thread/thread.h"
#include "recorded.h"

static const char code[4]; // addresses of the program

static _Atomic uint64_t set_ns; // 0: the clock is not replaced

int clock_gettime(clockid_t clock, struct timespec *time)
{
    uint64_t now = clock == CLOCK_MONOTONIC ? set_ns : 0;
    if (now == 0) {
        return (int)syscall(SYS_clock_gettime, clock, time);
    }
    time->tv_sec = (time_t)(now / 1000000000);
    time->tv_nsec = (long)(now % 1000000000);
    return 0;
}

static bool no_memory_grows;

void *mremap(void *old, size_t old_size, size_t new_size, int flags, ...)
{
    if (no_memory_grows) {
        return MAP_FAILED;
    }
    return (void *)syscall(SYS_mremap, old, old_size, new_size, flags); // NOLINT: an address
}

static void stop_the_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    set_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec + 1000000;
}

enum { BEFORE = 1000000, PAUSE = 50000000, AFTER = 200000 };

static void fill_the_archive(void)
{
    do {
        otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]);
    } while (!otter_current_thread->region_totals);
}

static void play_pause_within_totals(void)
{
    fill_the_archive();
    stop_the_clock();
    otter_enter(OTTER_CONSTRUCT_SINGLE, 0, &code[1]);
    set_ns += BEFORE;
    otter_control_pause();
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]); // follows
    set_ns += PAUSE;
    otter_control_start();
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]);
    set_ns += AFTER;
    otter_leave(OTTER_CONSTRUCT_SINGLE);
}

static void play_end_within_a_pause(void)
{
    fill_the_archive();
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]); // in all, the flush is entered twice
    stop_the_clock();
    otter_enter(OTTER_CONSTRUCT_SINGLE, 0, &code[1]);
    set_ns += BEFORE;
    otter_control_pause();
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]); // the thread pauses
    set_ns += PAUSE;
}

// Finds the totals of the region that was entered once.
static void find_totals(uint64_t *inclusive, uint64_t *exclusive)
{
    for (unsigned region = 0; region < 8; region++) {
        char name[32];
        uint64_t n = 0;
        snprintf(name, sizeof(name), "OTTER::TOTALS::%u", region);
        const char *text = property_of(in_test_folder("trace"), name);
        if (sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64, &n, inclusive, exclusive) == 3 &&
            n == 1) {
            return;
        }
    }
    fail_msg("no region was entered once");
}

// Records with the same time get separate times, a nanosecond apart.
static void expect_near(uint64_t ticks, uint64_t expected)
{
    assert_in_range(ticks, expected - 100, expected + 100);
}

static void the_time_of_a_pause_is_in_no_total(void **state)
{
    uint64_t inclusive = 0, exclusive = 0;
    archive_of(play_pause_within_totals);
    find_totals(&inclusive, &exclusive);
    expect_near(inclusive, BEFORE + AFTER);
    expect_near(exclusive, BEFORE + AFTER);
}

static void the_time_of_a_pause_that_never_ends_is_in_no_total(void **state)
{
    uint64_t inclusive = 0, exclusive = 0;
    archive_of(play_end_within_a_pause);
    find_totals(&inclusive, &exclusive);
    expect_near(inclusive, BEFORE);
    expect_near(exclusive, BEFORE);
}

enum { MORE_THAN_ROOM = 1100 }; // more than the open regions of a thread's totals

static void enter_and_leave(const char *address)
{
    for (int i = 0; i < MORE_THAN_ROOM; i++) {
        otter_enter(OTTER_CONSTRUCT_MASKED, 0, address);
    }
    for (int i = 0; i < MORE_THAN_ROOM; i++) {
        otter_leave(OTTER_CONSTRUCT_MASKED);
    }
}

static void play_totals_without_memory(void)
{
    enter_and_leave(&code[2]); // afterwards the thread's stack has room
    fill_the_archive();
    no_memory_grows = true;
    enter_and_leave(&code[1]);
}

static void each_visit_is_in_the_totals_or_counted_as_lost(void **state)
{
    archive_of(play_totals_without_memory);
    const char *lost = property_of(in_test_folder("trace"), "OTTER::LOST");
    uint64_t n_lost = strtoull(lost, NULL, 10), n = 0;
    const char *text = property_of(in_test_folder("trace"), "OTTER::TOTALS::4");
    assert_int_equal(sscanf(text, "%" SCNu64, &n), 1);
    assert_true(n_lost > 0);
    assert_int_equal(n + n_lost, MORE_THAN_ROOM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_time_of_a_pause_is_in_no_total),
        cmocka_unit_test(the_time_of_a_pause_that_never_ends_is_in_no_total),
        cmocka_unit_test(each_visit_is_in_the_totals_or_counted_as_lost),
    };
    setenv("OTTER_CLOCK", "monotonic", 1);
    setenv("OTTER_CHUNK_SIZE", "256K", 1);
    setenv("OTTER_MAX_SIZE", "1M", 1);
    setenv("OTTER_WHEN_FULL", "totals", 1);
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
