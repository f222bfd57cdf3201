// The relation of the clocks of a job's processes, with numbers that are known.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "merge/clocks.h"

static char first_boot[] = "boot 1", second_boot[] = "boot 2", first_host[] = "a",
            second_host[] = "b", path[] = "archive";

// Two processes: ticks of 1 ns and of 0.5 ns; 1 s and 2 s long.
static struct otter_merge_source items[2];
static struct otter_merge_sources sources = {.items = items, .n = 2};
static struct otter_related_clock related[2];
static struct otter_clock job;
static struct otter_complaint complaint;

static void reset(void)
{
    items[0] = (struct otter_merge_source){.path = path,
                                           .host = first_host,
                                           .boot_id = first_boot,
                                           .clock = {1000000000, 5000, 1000000000, 7000000000},
                                           .monotonic_ns = 5000};
    items[1] = (struct otter_merge_source){.path = path,
                                           .host = second_host,
                                           .boot_id = second_boot,
                                           .clock = {2000000000, 100, 4000000000, 7000000300},
                                           .monotonic_ns = 50};
}

static enum otter_status relate(const struct otter_host_offsets *offsets)
{
    static const struct otter_host_offsets none;
    return otter_clocks_relate(&sources, offsets ? offsets : &none, related, &job, &complaint);
}

static uint64_t map(int i, uint64_t ticks)
{
    return otter_clock_map_apply(&related[i].map, ticks);
}

static void one_boot_changes_no_tick(void **state)
{
    reset();
    items[1].boot_id = first_boot;
    items[1].clock.resolution = items[0].clock.resolution = 2000000001;
    assert_int_equal(relate(NULL), OTTER_OK);
    assert_int_equal(related[1].kind, OTTER_CLOCKS_EXACT);
    assert_int_equal(related[1].deviation_ns, 0);
    assert_int_equal(map(1, 100), 100);
    assert_int_equal(map(1, 123456789), 123456789);
    assert_int_equal(job.offset, 100);
    assert_int_equal(job.length, 4000000000);
}

static void times_of_day_relate_two_hosts(void **state)
{
    reset();
    assert_int_equal(relate(NULL), OTTER_OK);
    assert_int_equal(related[1].kind, OTTER_CLOCKS_REALTIME);
    assert_int_equal(map(0, 5000), 5000);
    assert_int_equal(map(1, 100), 5300);                     // 300 ns later
    assert_int_equal(map(1, 4000000100), 5300 + 2000000000); // two ticks a nanosecond
    assert_int_equal(related[1].clock.resolution, 1000000000);
    assert_int_equal(job.offset, 5000);
    assert_int_equal(job.length, 2000000300);
    assert_int_equal(related[1].deviation_ns, 1414213); // 1 ms each
}

static void offsets_relate_two_hosts(void **state)
{
    struct otter_host_offset lines[] = {{"a", 0, 30}, {"b", 10000, 40}};
    struct otter_host_offsets offsets = {.items = lines, .n = 2};
    reset();
    assert_int_equal(relate(&offsets), OTTER_OK);
    assert_int_equal(related[1].kind, OTTER_CLOCKS_FILE);
    assert_int_equal(map(1, 100), 10050); // CLOCK_MONOTONIC 50 ns, and the offset
    assert_int_equal(related[1].deviation_ns, 50);
    offsets.n = 1;
    assert_int_equal(relate(&offsets), OTTER_BAD_VALUE);
    assert_non_null(strstr(complaint.text, "no line of host 'b'"));
}

static void unknown_times_of_day_begin_together(void **state)
{
    reset();
    items[1].clock.realtime = 0;
    assert_int_equal(relate(NULL), OTTER_OK);
    assert_int_equal(related[1].kind, OTTER_CLOCKS_UNKNOWN);
    assert_int_equal(map(1, 100), 5000);
}

static void no_time_is_before_tick_1(void **state)
{
    reset();
    items[1].clock.realtime = 6999000000; // 1 ms before the first
    assert_int_equal(relate(NULL), OTTER_OK);
    assert_int_equal(map(1, 100), 1);
    assert_int_equal(map(0, 5000), 1000001);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_boot_changes_no_tick),
        cmocka_unit_test(times_of_day_relate_two_hosts),
        cmocka_unit_test(offsets_relate_two_hosts),
        cmocka_unit_test(unknown_times_of_day_begin_together),
        cmocka_unit_test(no_time_is_before_tick_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
