// Tests how much a cause of lost time may cost at most.
#include "unit.h"

#include "analysis/findings/bounds.h"
#include "analysis/findings/conclude.h"

enum { TASK = 0, LOOP = 1, N_LABELS = 3, N_THREADS = 3, LOST = 400 };

static struct otter_graph no_graph;
static struct otter_thread_line lines[N_THREADS];
static uint64_t created[N_LABELS];
static uint64_t executed[N_LABELS] = {[TASK] = 100, [LOOP] = 50};

static struct otter_analysis an_analysis(void)
{
    return (struct otter_analysis){.graph = &no_graph,
                                   .timeline = {.lines = lines, .n_lines = N_THREADS},
                                   .account = {.n_threads = N_THREADS,
                                               .n_labels = N_LABELS,
                                               .executed = executed,
                                               .created = created,
                                               .tied = 40}};
}

static struct otter_losses some_losses(void)
{
    struct otter_losses losses;
    assert_int_equal(otter_losses_init(&losses, N_LABELS), OTTER_OK);
    return losses;
}

static void costs_within_their_bounds_stay(void **state)
{
    struct otter_analysis analysis = an_analysis();
    struct otter_losses losses = some_losses();
    struct otter_excess excess;
    otter_losses_add(&losses, OTTER_FINDING_CHAIN, TASK, 200);
    otter_losses_add(&losses, OTTER_FINDING_IMBALANCE, LOOP, 100);
    otter_losses_add(&losses, OTTER_FINDING_TIED, TASK, 40);
    assert_false(otter_bounds_apply(&analysis, LOST, &losses, &excess));
    assert_true(otter_losses_at(&losses, OTTER_FINDING_CHAIN, TASK) == 200);
    otter_losses_finish(&losses);
}

static void threads_wait_for_a_label_as_long_as_it_executes(void **state)
{
    struct otter_analysis analysis = an_analysis();
    struct otter_losses losses = some_losses();
    struct otter_excess excess;
    otter_losses_add(&losses, OTTER_FINDING_ORDER, TASK, 150);
    otter_losses_add(&losses, OTTER_FINDING_CHAIN, TASK, 80);
    assert_true(otter_bounds_apply(&analysis, LOST, &losses, &excess));
    assert_int_equal(excess.kind, OTTER_FINDING_CHAIN);
    assert_int_equal(excess.label, TASK);
    assert_true(excess.cost == 80 && excess.most == 50);
    assert_true(otter_losses_at(&losses, OTTER_FINDING_CHAIN, TASK) == 50);
    assert_true(otter_losses_of(&losses, OTTER_FINDING_UNEXPLAINED) == 30);
    otter_losses_finish(&losses);
}

static void all_causes_together_cost_at_most_the_losses(void **state)
{
    struct otter_analysis analysis = an_analysis();
    struct otter_losses losses = some_losses();
    struct otter_excess excess;
    otter_losses_add(&losses, OTTER_FINDING_CHAIN, TASK, 200);
    otter_losses_add(&losses, OTTER_FINDING_FORKING, LOOP, LOST);
    assert_true(otter_bounds_apply(&analysis, LOST, &losses, &excess));
    assert_int_equal(excess.kind, OTTER_FINDING_UNEXPLAINED);
    assert_true(excess.cost == LOST + 200 && excess.most == LOST);
    otter_losses_finish(&losses);
}

static void all_places_of_a_kind_have_a_bound(void **state)
{
    struct otter_analysis analysis = an_analysis();
    struct otter_losses losses = some_losses();
    struct otter_excess excess;
    otter_losses_add(&losses, OTTER_FINDING_TIED, TASK, 60);
    otter_losses_add(&losses, OTTER_FINDING_TIED, LOOP, 20);
    assert_true(otter_bounds_apply(&analysis, LOST, &losses, &excess));
    assert_int_equal(excess.label, OTTER_NONE);
    assert_true(otter_losses_at(&losses, OTTER_FINDING_TIED, TASK) == 30);
    assert_true(otter_losses_at(&losses, OTTER_FINDING_TIED, LOOP) == 10);
    otter_losses_finish(&losses);
}

static void tasks_that_never_waited_are_not_small(void **state)
{
    struct otter_analysis analysis = an_analysis();
    struct otter_task_use use = {.region = TASK, .n = 10};
    struct otter_node nodes[] = {
        {.kind = OTTER_NODE_FRAGMENT, .region = TASK, .start = 12, .end = 20},
        {.kind = OTTER_NODE_FRAGMENT, .region = LOOP, .start = 30, .end = 40},
    };
    uint64_t ready[] = {5, 20};
    uint32_t first_edge[] = {0, 0, 0};
    struct otter_graph graph = {.nodes = nodes, .n_nodes = 2, .first_edge = first_edge};
    analysis.graph = &graph;
    analysis.ready.times = ready;
    analysis.tasks.items = &use;
    analysis.tasks.n = 1;
    analysis.costs.creation = 1;
    struct otter_losses losses = some_losses();
    struct otter_excess excess;
    otter_losses_add(&losses, OTTER_FINDING_SMALL_TASKS, TASK, 49);
    assert_true(otter_bounds_apply(&analysis, LOST, &losses, &excess));
    double late = 12 - 5, slow = 10 * OTTER_SLOW_CREATION;
    assert_true(excess.most == late + slow);
    otter_losses_finish(&losses);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_within_their_bounds_stay),
        cmocka_unit_test(threads_wait_for_a_label_as_long_as_it_executes),
        cmocka_unit_test(all_causes_together_cost_at_most_the_losses),
        cmocka_unit_test(all_places_of_a_kind_have_a_bound),
        cmocka_unit_test(tasks_that_never_waited_are_not_small),
    };
    return cmocka_run_group_tests_name("bounds", tests, NULL, NULL);
}
