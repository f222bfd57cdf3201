// Predictions for a run of three tasks, whose schedules can be drawn by hand.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../golden/scene.h"
#include "analysis/replay/replay.h"

// Two tasks of 300 and 200 ticks, and one of 200 after the second. The team takes a few more ticks.
static char text[] = "threads 1\n"
                     "team 1 parent 0 members 0\n"
                     "@100\n0 enter initial\n"
                     "@101\n0 fork 1\n"
                     "@102\n0 team 1 begin; enter parallel@a.c:3\n"
                     "@103\n0 create 0:1\n"
                     "@104\n0 create 0:2; out x\n"
                     "@105\n0 create 0:3; in x\n"
                     "@106\n0 enter barrier_parallel@a.c:3\n"
                     "@106\n0 switch 0:1; enter task@a.c:5\n"
                     "@406\n0 leave; complete 0:1; switch 0:0\n"
                     "@406\n0 switch 0:2; enter task@a.c:6\n"
                     "@606\n0 leave; complete 0:2; switch 0:0\n"
                     "@606\n0 switch 0:3; enter task@a.c:6\n"
                     "@806\n0 leave; complete 0:3; switch 0:0\n"
                     "@806\n0 leave\n"
                     "@806\n0 leave; team 1 end\n"
                     "@807\n0 join\n"
                     "@808\n0 leave initial\n";
enum { AROUND = 8 }; // ticks of the run outside of the tasks

static struct scene scene;
static struct otter_analysis analysis;
static struct otter_replay *replay;

void scene_give_up(void)
{
    abort();
}

static int begin(void **state)
{
    FILE *file = fmemopen(text, sizeof text - 1, "r");
    assert_non_null(file);
    scene_read(&scene, "text", file);
    fclose(file);
    assert_int_equal(otter_analysis_begin(&analysis, &scene.definitions), OTTER_OK);
    for (size_t i = 0; i < scene.n_events; i++) {
        assert_true(otter_analysis_add(&analysis, &scene.events[i]));
    }
    assert_int_equal(otter_analysis_end(&analysis), OTTER_OK);
    replay = otter_replay_create(&analysis, NULL);
    assert_non_null(replay);
    return 0;
}

static int finish(void **state)
{
    otter_replay_destroy(replay);
    otter_analysis_finish(&analysis);
    return 0;
}

static uint64_t ticks(uint32_t n_threads, enum otter_replay_policy policy)
{
    uint64_t found = 0;
    assert_int_equal(otter_replay_run_policy(replay, n_threads, policy, &found), OTTER_OK);
    return found;
}

static void expect_ticks(uint64_t found, uint64_t of_tasks)
{
    assert_in_range(found, of_tasks, of_tasks + AROUND);
}

static uint32_t region(const char *name)
{
    for (uint32_t i = 0; i < scene.definitions.n_regions; i++) {
        if (strcmp(scene_region(&scene, i), name) == 0) {
            return i;
        }
    }
    fail_msg("no region %s", name);
    return OTTER_NONE;
}

static void one_thread_executes_all(void **state)
{
    for (unsigned i = 0; i < OTTER_N_REPLAY_POLICIES; i++) {
        expect_ticks(ticks(1, (enum otter_replay_policy)i), 700);
    }
}

static void the_dependence_is_the_longest_path(void **state)
{
    uint64_t bound = 0;
    expect_ticks(ticks(2, OTTER_REPLAY_FIFO), 400);
    expect_ticks(ticks(2, OTTER_REPLAY_CRITICAL), 400);
    assert_int_equal(otter_replay_bound(replay, 2, &bound), OTTER_OK);
    expect_ticks(bound, 400);
    expect_ticks(ticks(8, OTTER_REPLAY_FIFO), 400);
}

static void times_are_within_their_bounds(void **state)
{
    struct otter_replay_times times;
    assert_int_equal(otter_replay_run(replay, 2, &times), OTTER_OK);
    assert_true(otter_replay_is_in_bounds(&times));
    expect_ticks(times.least, 400);
    assert_true(times.most >= 400); // two threads may share caches and memory
    times.least = times.lower - 1;
    assert_false(otter_replay_is_in_bounds(&times));
}

static void a_factor_shortens_its_label_only(void **state)
{
    double factors[MAX_REGIONS + 1];
    for (unsigned i = 0; i <= MAX_REGIONS; i++) {
        factors[i] = 1;
    }
    factors[region("task@a.c:6")] = 0.25;
    const struct otter_replay_changes changes = {.factors = factors};
    assert_int_equal(otter_replay_change(replay, &changes), OTTER_OK);
    expect_ticks(ticks(1, OTTER_REPLAY_FIFO), 300 + 50 + 50);
    expect_ticks(ticks(2, OTTER_REPLAY_FIFO), 300);
    assert_int_equal(otter_replay_change(replay, NULL), OTTER_OK);
    expect_ticks(ticks(1, OTTER_REPLAY_FIFO), 700);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_thread_executes_all, begin, finish),
        cmocka_unit_test_setup_teardown(the_dependence_is_the_longest_path, begin, finish),
        cmocka_unit_test_setup_teardown(times_are_within_their_bounds, begin, finish),
        cmocka_unit_test_setup_teardown(a_factor_shortens_its_label_only, begin, finish),
    };
    return cmocka_run_group_tests_name("replay", tests, NULL, NULL);
}
