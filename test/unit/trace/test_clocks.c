// The relation of the clocks of a job's processes, with numbers that are known.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
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
    assert_int_equal(map(1, 100), 10050); // 50 ns later by CLOCK_MONOTONIC, plus the offset
    assert_int_equal(related[1].deviation_ns, 50);
    offsets.n = 1;
    assert_int_equal(relate(&offsets), OTTER_BAD_VALUE);
    assert_non_null(strstr(complaint.text, "no line for host 'b'"));
}

static void unknown_times_of_day_begin_together(void **state)
{
    reset();
    items[1].clock.realtime = 0;
    assert_int_equal(relate(NULL), OTTER_OK);
    assert_int_equal(related[1].kind, OTTER_CLOCKS_UNKNOWN);
    assert_int_equal(map(1, 100), 5000);
    assert_int_equal(map(1, 2000100), 1005000); // at its own speed
}

static void measurements_of_mpi_are_better_than_times_of_day(void **state)
{
    static struct otter_property properties[] = {
        {"OTTER::MPI_OFFSET_BEGIN", "2000 9000 20"},
        {"OTTER::MPI_OFFSET_END", "2002000 -993000 40"}, // a slope of 0.499
    };
    reset();
    items[1].properties = properties;
    items[1].n_properties = 2;
    assert_int_equal(relate(NULL), OTTER_OK);
    assert_int_equal(related[1].kind, OTTER_CLOCKS_MPI);
    assert_int_equal(map(1, 2000), 11000);
    assert_int_equal(map(1, 2002000), 1009000);
    assert_int_equal(related[1].deviation_ns, 20);

    items[1].n_properties = 1; // a recording that was cut off
    assert_int_equal(relate(NULL), OTTER_OK);
    assert_int_equal(map(1, 2000), 11000);
    assert_int_equal(map(1, 2002000), 1011000);

    items[0].rank = 1; // the offset refers to rank 0, which is absent
    assert_int_equal(relate(NULL), OTTER_OK);
    assert_int_equal(related[1].kind, OTTER_CLOCKS_REALTIME);
}

static void impossible_measurements_are_ignored(void **state)
{
    static struct otter_property properties[] = {
        {"OTTER::MPI_OFFSET_BEGIN", "2000 9223372036854775807 18446744073709551615"}};
    reset();
    items[1].properties = properties;
    items[1].n_properties = 1;
    assert_int_equal(relate(NULL), OTTER_OK);
    assert_int_equal(related[1].kind, OTTER_CLOCKS_REALTIME);
}

static void no_time_is_before_tick_1(void **state)
{
    reset();
    items[1].clock.realtime = 6999000000; // 1 ms before the first
    assert_int_equal(relate(NULL), OTTER_OK);
    assert_int_equal(map(1, 100), 1);
    assert_int_equal(map(0, 5000), 1000001);
}

static enum otter_status read_offsets(const char *line, struct otter_host_offsets *offsets)
{
    char text[4096];
    const char *file = in_test_folder("offsets");
    int n =
        snprintf(text, sizeof text, "rank hostname offset_median offset_mean offset_std\n%s", line);
    write_file(file, text, (size_t)n);
    *offsets = (struct otter_host_offsets){.n = 0};
    return otter_host_offsets_read(offsets, file, &complaint);
}

static void offsets_of_a_file_are_checked(void **state)
{
    static const char *const refused[] = {
        "0 a 99999999999999999999 0 1\n",
        "0 a 1 0 nan\n",
        "0 a nan 0 1\n",
        "0 a 1 0 -1\n",
        "0 a 1 0 1e300\n",
        "0 a 1 0 1\n1 a 2 0 1\n",
        "0 a 1 0\n",
    };
    struct otter_host_offsets offsets;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_int_equal(read_offsets(refused[i], &offsets), OTTER_BAD_VALUE);
        free(offsets.items);
    }
    assert_int_equal(read_offsets("0 a 10 11 2.5\n1 b -20 21 3\n", &offsets), OTTER_OK);
    assert_int_equal(offsets.n, 2);
    assert_int_equal(offsets.items[1].offset_ns, -20);
    free(offsets.items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_boot_changes_no_tick),
        cmocka_unit_test(times_of_day_relate_two_hosts),
        cmocka_unit_test(offsets_relate_two_hosts),
        cmocka_unit_test(unknown_times_of_day_begin_together),
        cmocka_unit_test(measurements_of_mpi_are_better_than_times_of_day),
        cmocka_unit_test(impossible_measurements_are_ignored),
        cmocka_unit_test(no_time_is_before_tick_1),
        cmocka_unit_test(offsets_of_a_file_are_checked),
    };
    return cmocka_run_group_tests_name("clocks", tests, make_test_folder, remove_test_folder);
}
