// The costs of labels, from events in any disorder that an archive may contain.
#include "unit.h"

#include "analysis/kokkos/kokkos.h"

enum { KERNEL, REGION, TASK, UNTIED_TASK, ALLOCATION, N_REGIONS };
enum { BYTES, N_PARAMETERS };

static const struct otter_region regions[N_REGIONS] = {
    [KERNEL] = {.description = "Kokkos parallel_for, OpenMP",
                .construct = OTTER_CONSTRUCT_KOKKOS_FOR},
    [REGION] = {.description = "Kokkos region", .construct = OTTER_CONSTRUCT_KOKKOS_REGION},
    [TASK] = {.description = "", .construct = OTTER_CONSTRUCT_TASK},
    [UNTIED_TASK] = {.description = "untied", .construct = OTTER_CONSTRUCT_TASK},
    [ALLOCATION] = {.description = "Kokkos allocate, Host",
                    .construct = OTTER_CONSTRUCT_KOKKOS_ALLOCATE},
};
static const struct otter_parameter_definition parameters[N_PARAMETERS] = {
    {"bytes", OTTER_PARAMETER_BYTES},
};
static const struct otter_metric metrics[] = {{.space = "Host", .n_values = 2},
                                              {.space = "", .n_values = 1}};
static const struct otter_definitions definitions = {
    .regions = regions,
    .n_regions = N_REGIONS,
    .parameters = parameters,
    .n_parameters = N_PARAMETERS,
    .metrics = metrics,
    .n_metrics = 2,
};

static struct otter_kokkos kokkos;

static int start(void **state)
{
    return otter_kokkos_init(&kokkos, &definitions) != OTTER_OK;
}

static int stop(void **state)
{
    otter_kokkos_finish(&kokkos);
    return 0;
}

static void enter(uint64_t time, uint32_t region)
{
    otter_kokkos_add(
        &kokkos, &(struct otter_event){.time = time, .kind = OTTER_RECORD_ENTER, .region = region});
}

static void leave(uint64_t time, uint32_t region)
{
    otter_kokkos_add(
        &kokkos, &(struct otter_event){.time = time, .kind = OTTER_RECORD_LEAVE, .region = region});
}

static void switch_task(uint64_t time)
{
    otter_kokkos_add(&kokkos,
                     &(struct otter_event){.time = time, .kind = OTTER_RECORD_TASK_SWITCH});
}

static void measure(uint64_t time, bool is_on)
{
    otter_kokkos_add(&kokkos, &(struct otter_event){
                                  .time = time, .kind = OTTER_RECORD_MEASUREMENT, .is_on = is_on});
}

static void add_parameter(uint64_t time, uint32_t parameter, uint64_t value)
{
    otter_kokkos_add(&kokkos, &(struct otter_event){.time = time,
                                                    .kind = OTTER_RECORD_PARAMETER,
                                                    .parameter = {parameter, value}});
}

static void sample(uint64_t time, uint32_t metric, uint32_t n_values, uint64_t in_use,
                   uint64_t high_water)
{
    otter_kokkos_add(&kokkos,
                     &(struct otter_event){.time = time,
                                           .kind = OTTER_RECORD_METRIC,
                                           .metric = {metric, n_values, {in_use, high_water}}});
}

static void time_inside_itself_counts_once(void **state)
{
    enter(100, REGION);
    enter(110, REGION);
    leave(120, REGION);
    leave(200, REGION);

    const struct otter_kokkos_cost *cost = &kokkos.costs[REGION];
    assert_int_equal(cost->n, 2);
    assert_int_equal(cost->total, 100);
    assert_int_equal(cost->min, 10);
    assert_int_equal(cost->max, 100);
}

static void a_pause_is_nobodys_time(void **state)
{
    enter(10, REGION);
    enter(11, KERNEL);
    measure(12, false);
    measure(112, true);
    leave(112, KERNEL); // ended in the meantime
    enter(113, KERNEL);
    leave(115, KERNEL);
    leave(116, REGION);
    measure(120, false);
    otter_kokkos_end_location(&kokkos);
    enter(10, REGION); // on another thread, which was not paused
    leave(13, REGION);
    assert_int_equal(kokkos.costs[KERNEL].total, 3);
    assert_int_equal(kokkos.costs[KERNEL].min, 1);
    assert_int_equal(kokkos.costs[REGION].total, 9);
}

// The section may continue on another thread that comes earlier in the archive.
static void what_goes_on_in_an_untied_task_is_one(void **state)
{
    switch_task(200);
    enter(200, UNTIED_TASK);
    enter(200, REGION);
    enter(200, KERNEL);
    leave(210, KERNEL);
    enter(211, KERNEL);
    leave(212, KERNEL);
    leave(220, REGION);
    leave(221, UNTIED_TASK);
    otter_kokkos_end_location(&kokkos);
    switch_task(100);
    enter(100, UNTIED_TASK);
    enter(110, REGION);
    enter(120, KERNEL);
    leave(150, KERNEL); // and all the others: it leaves this thread
    leave(150, REGION);
    leave(150, UNTIED_TASK);
    otter_kokkos_conclude(&kokkos);

    assert_int_equal(kokkos.costs[REGION].n, 1);
    assert_int_equal(kokkos.costs[REGION].n_ended, 1);
    assert_int_equal(kokkos.costs[REGION].total, 60);
    assert_int_equal(kokkos.costs[KERNEL].n, 2);
    assert_int_equal(kokkos.costs[KERNEL].n_ended, 2);
    assert_int_equal(kokkos.costs[KERNEL].total, 41);
}

static void what_an_untied_task_began_in_a_pause_is_new(void **state)
{
    measure(100, false);
    measure(200, true);
    switch_task(200);
    enter(200, UNTIED_TASK);
    enter(200, REGION);
    leave(210, REGION);
    otter_kokkos_conclude(&kokkos);

    assert_int_equal(kokkos.costs[REGION].n, 1);
    assert_int_equal(kokkos.costs[REGION].n_ended, 1);
}

static void a_tied_task_begins_nothing_again(void **state)
{
    switch_task(100);
    enter(100, TASK);
    enter(100, REGION);
    switch_task(110);
    enter(110, REGION);
    leave(111, REGION);
    otter_kokkos_conclude(&kokkos);

    assert_int_equal(kokkos.costs[REGION].n, 2);
    assert_int_equal(kokkos.costs[REGION].n_ended, 1);
}

static void what_is_open_inside_an_end_never_ended(void **state)
{
    enter(100, REGION);
    enter(110, KERNEL);
    leave(150, REGION);
    leave(160, KERNEL); // its start is missing

    assert_int_equal(kokkos.costs[REGION].total, 50);
    assert_int_equal(kokkos.costs[KERNEL].n, 1);
    assert_int_equal(kokkos.costs[KERNEL].n_ended, 0);
    assert_int_equal(kokkos.costs[KERNEL].total, 0);
}

static void nothing_stays_open_from_one_thread_to_the_next(void **state)
{
    enter(100, KERNEL);
    otter_kokkos_end_location(&kokkos);
    leave(130, KERNEL);
    enter(140, KERNEL);
    leave(145, KERNEL);

    assert_int_equal(kokkos.costs[KERNEL].total, 5);
    assert_int_equal(kokkos.costs[KERNEL].n_ended, 1);
}

static void references_to_nothing_do_no_harm(void **state)
{
    enter(100, OTTER_NONE);
    enter(100, TASK);
    leave(100, N_REGIONS);
    add_parameter(100, N_PARAMETERS, 1);
    add_parameter(100, BYTES, 5); // without an operation
    sample(100, OTTER_NONE, 2, 1, 1);
    sample(100, 0, 1, 7, 0);
    sample(100, 1, 2, 7, 7);
    otter_kokkos_conclude(&kokkos);

    for (int i = 0; i < N_REGIONS; i++) {
        assert_int_equal(kokkos.costs[i].n + kokkos.costs[i].n_ended + kokkos.costs[i].bytes, 0);
    }
    assert_int_equal(kokkos.levels[0].n + kokkos.levels[1].n, 0);
}

static void memory_is_that_of_the_last_sample_of_any_thread(void **state)
{
    sample(100, 0, 2, 10, 10);
    sample(300, 0, 2, 5, 30);
    otter_kokkos_end_location(&kokkos);
    sample(200, 0, 2, 30, 30);
    enter(400, ALLOCATION);
    add_parameter(400, BYTES, 8);
    leave(400, ALLOCATION);

    assert_int_equal(kokkos.levels[0].in_use, 5);
    assert_int_equal(kokkos.levels[0].high_water, 30);
    assert_int_equal(kokkos.costs[ALLOCATION].n, 1);
    assert_int_equal(kokkos.costs[ALLOCATION].bytes, 8);
}

static void depth_without_end_is_counted_without_times(void **state)
{
    enum { DEEP = 70000 };
    for (int i = 0; i < DEEP; i++) {
        enter(100, REGION);
    }

    assert_int_equal(kokkos.costs[REGION].n, DEEP);
    assert_true(kokkos.open.n < DEEP);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(time_inside_itself_counts_once, start, stop),
        cmocka_unit_test_setup_teardown(a_pause_is_nobodys_time, start, stop),
        cmocka_unit_test_setup_teardown(what_goes_on_in_an_untied_task_is_one, start, stop),
        cmocka_unit_test_setup_teardown(what_an_untied_task_began_in_a_pause_is_new, start, stop),
        cmocka_unit_test_setup_teardown(a_tied_task_begins_nothing_again, start, stop),
        cmocka_unit_test_setup_teardown(what_is_open_inside_an_end_never_ended, start, stop),
        cmocka_unit_test_setup_teardown(nothing_stays_open_from_one_thread_to_the_next, start,
                                        stop),
        cmocka_unit_test_setup_teardown(references_to_nothing_do_no_harm, start, stop),
        cmocka_unit_test_setup_teardown(memory_is_that_of_the_last_sample_of_any_thread, start,
                                        stop),
        cmocka_unit_test_setup_teardown(depth_without_end_is_counted_without_times, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
