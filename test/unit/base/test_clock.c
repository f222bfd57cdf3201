// The clock: its rate, its counter, and the settings.
#include "unit.h"

#include <time.h>

#include "base/clock.h"

enum { NS_PER_MS = 1000 * 1000 };

static struct otter_clock_reading reading(uint64_t ticks, uint64_t monotonic_ns)
{
    return (struct otter_clock_reading){.ticks = ticks, .monotonic_ns = monotonic_ns};
}

static uint64_t resolution(struct otter_clock_reading first, struct otter_clock_reading last)
{
    return otter_clock_resolution(&first, &last);
}

static void the_counter_is_used_where_it_may_be(void **state)
{
    otter_clock_use_counter(true);
    assert_int_equal(otter_clock_uses_counter(), otter_clock_has_invariant_counter());
    otter_clock_use_counter(false);
    assert_false(otter_clock_uses_counter());
}

static void the_counter_is_trusted_where_the_system_lists_it(void **state)
{
    bool has_name = *OTTER_CLOCK_COUNTER;
    assert_int_equal(otter_clock_counter_is_listed(OTTER_CLOCK_COUNTER "\n"), has_name);
    assert_int_equal(
        otter_clock_counter_is_listed("kvm-clock " OTTER_CLOCK_COUNTER " hpet acpi_pm \n"),
        has_name);
    assert_false(otter_clock_counter_is_listed("hpet acpi_pm \n"));
    assert_false(otter_clock_counter_is_listed("hv_" OTTER_CLOCK_COUNTER
                                               "_page " OTTER_CLOCK_COUNTER
                                               "-early x" OTTER_CLOCK_COUNTER "\n"));
    assert_false(otter_clock_counter_is_listed(""));
}

static void without_the_counter_ticks_are_nanoseconds(void **state)
{
    otter_clock_use_counter(false);
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    uint64_t now = otter_clock_now();
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert_in_range(now, (uint64_t)before.tv_sec * 1000 * NS_PER_MS + (uint64_t)before.tv_nsec,
                    (uint64_t)after.tv_sec * 1000 * NS_PER_MS + (uint64_t)after.tv_nsec);
}

static void time_does_not_go_back(void **state)
{
    for (int use = 0; use < 2; use++) {
        otter_clock_use_counter(use);
        uint64_t last = 0;
        for (int i = 0; i < 100000; i++) {
            uint64_t now = otter_clock_now();
            assert_true(now >= last);
            last = now;
        }
    }
    otter_clock_use_counter(false);
}

static void a_reading_is_of_one_moment(void **state)
{
    for (int use = 0; use < 2; use++) {
        otter_clock_use_counter(use);
        time_t earliest = time(NULL);
        uint64_t ticks = otter_clock_now(), monotonic_ns = otter_clock_monotonic_ns();
        struct otter_clock_reading read = otter_clock_read();
        assert_true(read.ticks >= ticks && read.ticks <= otter_clock_now());
        assert_true(read.monotonic_ns >= monotonic_ns &&
                    read.monotonic_ns <= otter_clock_monotonic_ns());
        assert_in_range(read.realtime_ns / 1000 / NS_PER_MS, earliest, time(NULL) + 1);
    }
    otter_clock_use_counter(false);
}

static void resolution_follows_from_two_readings(void **state)
{
    assert_int_equal(resolution(reading(1000, 0), reading(1000 + 2500000, NS_PER_MS)),
                     UINT64_C(2500000000));
    assert_int_equal(resolution(reading(7, 5), reading(7 + 3 * NS_PER_MS, 5 + 3 * NS_PER_MS)),
                     UINT64_C(1000000000));
}

static void readings_too_close_to_tell_give_nanoseconds(void **state)
{
    assert_int_equal(resolution(reading(5, 5), reading(5, 6)), UINT64_C(1000000000));
    assert_int_equal(resolution(reading(5, 5), reading(6, 5)), UINT64_C(1000000000));
    assert_int_equal(resolution(reading(5, 5), reading(4, 9)), UINT64_C(1000000000));
    assert_int_equal(resolution(reading(5, 5), reading(9, 4)), UINT64_C(1000000000));
    assert_int_equal(resolution(reading(5, 5), reading(0, 0)), UINT64_C(1000000000));
}

static void resolution_of_a_long_run_is_exact_to_a_millionth(void **state)
{
    uint64_t day_ns = UINT64_C(86400) * 1000 * NS_PER_MS;
    uint64_t got = resolution(reading(1, 1), reading(1 + day_ns / 10 * 27, 1 + day_ns));
    assert_in_range(got, UINT64_C(2699998000), UINT64_C(2700002000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_counter_is_used_where_it_may_be),
        cmocka_unit_test(the_counter_is_trusted_where_the_system_lists_it),
        cmocka_unit_test(without_the_counter_ticks_are_nanoseconds),
        cmocka_unit_test(time_does_not_go_back),
        cmocka_unit_test(a_reading_is_of_one_moment),
        cmocka_unit_test(resolution_follows_from_two_readings),
        cmocka_unit_test(readings_too_close_to_tell_give_nanoseconds),
        cmocka_unit_test(resolution_of_a_long_run_is_exact_to_a_millionth),
    };
    return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
