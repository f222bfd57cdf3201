// Profile sections as bars: overlaps, other threads, ends without begins.
#include "unit.h"

#include "view/lane/sections.h"

enum { SECTION_A = 1, SECTION_B, KERNEL, N_REGIONS, START = 0, STOP, BYTES, N_PARAMETERS };

static struct otter_region regions[N_REGIONS] = {
    [SECTION_A] = {.construct = OTTER_CONSTRUCT_KOKKOS_SECTION},
    [SECTION_B] = {.construct = OTTER_CONSTRUCT_KOKKOS_SECTION},
    [KERNEL] = {.construct = OTTER_CONSTRUCT_KOKKOS_FOR},
};
static struct otter_parameter_definition parameters[N_PARAMETERS] = {
    [START] = {.kind = OTTER_PARAMETER_SECTION_START},
    [STOP] = {.kind = OTTER_PARAMETER_SECTION_STOP},
    [BYTES] = {.kind = OTTER_PARAMETER_BYTES},
};
static struct otter_location locations[2];
static const struct otter_definitions definitions = {.regions = regions,
                                                     .n_regions = N_REGIONS,
                                                     .parameters = parameters,
                                                     .n_parameters = N_PARAMETERS,
                                                     .locations = locations,
                                                     .n_locations = 2};

static struct otter_view_events events;

static void add(uint32_t location, uint64_t time, uint32_t parameter, uint32_t region)
{
    struct otter_event event = {.location = location,
                                .time = time,
                                .kind = OTTER_RECORD_PARAMETER,
                                .parameter = {.definition = parameter, .value = region}};
    assert_true(otter_view_events_add(&events, &event));
}

static int begin(void **state)
{
    (void)state;
    otter_view_events_init(&events, &definitions);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    otter_view_events_finish(&events);
    return 0;
}

static void assert_bar(uint32_t index, uint32_t region, uint16_t row, uint64_t from, uint64_t to)
{
    assert_true(index < events.bars.n);
    const struct otter_bar *bar = &events.bars.items[index];
    assert_int_equal(bar->region, region);
    assert_int_equal(bar->row, row);
    assert_int_equal(bar->begin, from);
    assert_int_equal(bar->end, to);
    assert_int_equal(bar->location, OTTER_BAR_OF_PROCESS);
}

static void overlapping_sections_have_rows_of_their_own(void **state)
{
    (void)state;
    add(0, 10, START, SECTION_A);
    add(0, 20, START, SECTION_B);
    add(0, 30, STOP, SECTION_A);
    add(0, 40, START, SECTION_A);
    add(0, 50, STOP, SECTION_B);
    add(0, 60, STOP, SECTION_A);
    otter_view_events_end(&events);
    otter_sections_add(&events);
    assert_int_equal(events.bars.n, 3);
    assert_bar(0, SECTION_A, 1, 10, 30);
    assert_bar(1, SECTION_B, 2, 20, 50);
    assert_bar(2, SECTION_A, 1, 40, 60);
}

static void a_section_may_stop_on_another_thread(void **state)
{
    (void)state;
    add(0, 30, STOP, SECTION_A);
    add(0, 50, START, SECTION_A);
    add(1, 10, START, SECTION_A);
    add(1, 70, STOP, SECTION_A);
    otter_view_events_end(&events);
    otter_sections_add(&events);
    assert_int_equal(events.bars.n, 2);
    assert_bar(0, SECTION_A, 1, 10, 30);
    assert_bar(1, SECTION_A, 1, 50, 70);
}

static void a_section_without_stop_lasts_until_the_last_event(void **state)
{
    (void)state;
    add(0, 5, STOP, SECTION_B); // stops a section that began before the recording
    add(0, 10, START, SECTION_A);
    add(0, 20, START, SECTION_A);
    add(0, 30, STOP, SECTION_A); // stops the older section
    add(1, 90, BYTES, 4096);
    otter_view_events_end(&events);
    otter_sections_add(&events);
    assert_int_equal(events.bars.n, 2);
    assert_bar(0, SECTION_A, 1, 10, 30);
    assert_bar(1, SECTION_A, 2, 20, 90);
}

static void values_that_are_no_section_are_ignored(void **state)
{
    (void)state;
    add(0, 10, START, KERNEL);
    add(0, 20, START, N_REGIONS);
    add(0, 30, BYTES, SECTION_A);
    add(0, 40, N_PARAMETERS, SECTION_A);
    otter_view_events_end(&events);
    otter_sections_add(&events);
    assert_int_equal(events.bars.n, 0);
}

static void sections_beyond_all_rows_are_counted(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < OTTER_MAX_BARS + 3; i++) {
        add(0, 10 + i, START, SECTION_A);
    }
    otter_view_events_end(&events);
    otter_sections_add(&events);
    assert_int_equal(events.bars.n, OTTER_MAX_BARS);
    assert_int_equal(events.n_too_deep, 3);
    assert_bar(OTTER_MAX_BARS - 1, SECTION_A, OTTER_MAX_BARS, 9 + OTTER_MAX_BARS,
               12 + OTTER_MAX_BARS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(overlapping_sections_have_rows_of_their_own, begin, finish),
        cmocka_unit_test_setup_teardown(a_section_may_stop_on_another_thread, begin, finish),
        cmocka_unit_test_setup_teardown(a_section_without_stop_lasts_until_the_last_event, begin,
                                        finish),
        cmocka_unit_test_setup_teardown(values_that_are_no_section_are_ignored, begin, finish),
        cmocka_unit_test_setup_teardown(sections_beyond_all_rows_are_counted, begin, finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
