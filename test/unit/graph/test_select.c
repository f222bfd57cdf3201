// Selecting a task and the tasks that it created.
#include "unit.h"

#include "drawn_graph.h"
#include "failing.h"
#include "graph/select.h"
#include "graph/tasks.h"

// The initial task creates A, which creates B, which creates C. Then it forks members M and N; N
// creates D.
static const char family[] = "task I initial -\n"
                             "task A explicit I\n"
                             "task B explicit A\n"
                             "task C explicit B\n"
                             "task M implicit I\n"
                             "task N implicit I\n"
                             "task D explicit N\n"
                             "team P Q M N\n"
                             "i task initial_task@0 I - c:a o:w\n"
                             "a task task@1 A - c:b o:v\n"
                             "b task task@2 B - c:c\n"
                             "c task task@3 C - j:v\n"
                             "v sync taskwait@5 A - j:w\n"
                             "w sync taskwait@4 I - o:P\n"
                             "P begin parallel@6 I - c:m c:n\n"
                             "Q end parallel@6 I P\n"
                             "m task parallel@6 M P o:x\n"
                             "x sync taskwait@7 M P o:Y\n"
                             "n task parallel@6 N P c:d o:Y\n"
                             "d task task@8 D P j:Y\n"
                             "Y sync barrier@9 M P o:Z o:y\n"
                             "y sync taskwait@7 M P o:Z\n"
                             "Z sync implicit_barrier@6 M P j:Q\n";

static int draw(void **state)
{
    return draw_state(state, family);
}

static void expect(const struct drawn_graph *drawn, const char *task, uint32_t depth,
                   const char *edges)
{
    struct otter_graph *part = otter_graph_select(&drawn->graph, drawn_task(drawn, task), depth);
    assert_non_null(part);
    assert_string_equal(drawn_edges(drawn, part), edges);
    otter_graph_destroy(part);
}

static void depth_counts_generations(void **state)
{
    expect(*state, "A", 0, "a o:v\nv\n");
    expect(*state, "A", 1, "a c:b o:v\nb\nv\n");
    expect(*state, "A", 2, "a c:b o:v\nb c:c\nc j:v\nv\n");
    expect(*state, "A", UINT32_MAX, "a c:b o:v\nb c:c\nc j:v\nv\n");
    expect(*state, "C", UINT32_MAX, "c\n");
}

static void members_are_children_of_the_task_that_forked(void **state)
{
    struct drawn_graph *drawn = *state;
    struct otter_graph *part = otter_graph_select(&drawn->graph, 0, UINT32_MAX);
    assert_non_null(part);
    assert_int_equal(part->n_nodes, drawn->graph.n_nodes);
    assert_int_equal(part->n_edges, drawn->graph.n_edges);
    otter_graph_destroy(part);
    part = otter_graph_select(&drawn->graph, 0, 1);
    assert_non_null(part);
    assert_int_equal(part->n_nodes, drawn->graph.n_nodes - 3); // b, c, d
    otter_graph_destroy(part);
}

static void a_barrier_belongs_to_each_member(void **state)
{
    expect(*state, "M", UINT32_MAX, "m o:x\nx o:Y\nY o:Z o:y\ny o:Z\nZ\n");
    expect(*state, "N", UINT32_MAX,
           "n c:d o:Y\nd j:Y\nY o:Z\nZ\n"); // without y, which belongs to the other member
}

// The barrier's edge is not its member's first, and no earlier node leads to the barrier.
static void a_barrier_behind_a_creation_belongs_to_the_member(void **state)
{
    struct drawn_graph drawn;
    (void)state;
    draw_graph(&drawn, "task I initial -\n"
                       "task N implicit I\n"
                       "task M implicit I\n"
                       "task D explicit N\n"
                       "team P Q N M\n"
                       "i task initial_task@0 I - o:P\n"
                       "P begin parallel@6 I - c:n c:m\n"
                       "n task parallel@6 N P c:d o:Y\n"
                       "d task task@8 D P j:Y\n"
                       "m task parallel@6 M P o:Y\n"
                       "Y sync barrier@9 M P o:Q\n"
                       "Q end parallel@6 I P\n");
    expect(&drawn, "N", 0, "n o:Y\nY\n");
    drawn_graph_finish(&drawn);
}

static void tasks_without_nodes_can_be_dropped(void **state)
{
    struct drawn_graph *drawn = *state;
    struct otter_graph *part = otter_graph_select(&drawn->graph, drawn_task(drawn, "N"), 0);
    uint32_t n_tasks = part->n_tasks;
    fail_allocation(1);
    assert_false(otter_graph_drop_tasks(part));
    fail_allocation(0);
    assert_int_equal(part->n_tasks, n_tasks);
    assert_true(otter_graph_drop_tasks(part));
    assert_int_equal(part->n_tasks, 2); // N itself, and M, which has the barrier's node
    const struct otter_graph_task *wanted = &drawn->graph.tasks[drawn_task(drawn, "N")];
    bool is_found = false;
    for (uint32_t i = 0; i < part->n_nodes; i++) {
        uint32_t task = part->nodes[i].task;
        assert_true(task < part->n_tasks);
        is_found =
            is_found || (part->tasks[task].first_node == i &&
                         part->nodes[i].start == drawn->graph.nodes[wanted->first_node].start);
        assert_int_equal(part->tasks[task].creator,
                         OTTER_NONE); // the initial task is not part of it
    }
    assert_true(is_found);
    assert_int_equal(part->n_members, 2);
    assert_true(part->members[0] < 2 && part->members[1] < 2);
    otter_graph_destroy(part);
}

static void tasks_are_found_by_their_id(void **state)
{
    struct drawn_graph *drawn = *state;
    uint32_t task = drawn_task(drawn, "B");
    const struct otter_graph_task *wanted = &drawn->graph.tasks[task];
    assert_int_equal(otter_graph_find_task(&drawn->graph, wanted->location, wanted->number), task);
    assert_int_equal(otter_graph_find_task(&drawn->graph, wanted->location + 1u, wanted->number),
                     OTTER_NONE);
    assert_int_equal(otter_graph_find_task(&drawn->graph, 0, 0),
                     OTTER_NONE); // not the initial task
}

static void nodes_know_their_task(void **state)
{
    struct drawn_graph *drawn = *state;
    assert_int_equal(otter_graph_task_of(&drawn->graph, drawn_node(drawn, "v")),
                     drawn_task(drawn, "A"));
    assert_int_equal(otter_graph_task_of(&drawn->graph, drawn->graph.n_nodes), OTTER_NONE);
    assert_int_equal(otter_graph_task_of(&drawn->graph, OTTER_NONE), OTTER_NONE);
}

static void a_circle_of_creators_is_no_trap(void **state)
{
    struct drawn_graph *drawn = *state;
    drawn->graph.tasks[drawn_task(drawn, "B")].creator = drawn_task(drawn, "C");
    expect(drawn, "A", UINT32_MAX, "a o:v\nv\n");
}

static void short_memory_selects_nothing(void **state)
{
    struct drawn_graph *drawn = *state;
    struct otter_graph *part = NULL;
    size_t n = 0;
    while (!part) {
        fail_allocation(++n);
        part = otter_graph_select(&drawn->graph, 0, UINT32_MAX);
        assert_true(part || n_allocations() >= n);
    }
    fail_allocation(0);
    assert_true(n > 10);
    otter_graph_destroy(part);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(depth_counts_generations, draw, erase_state),
        cmocka_unit_test_setup_teardown(members_are_children_of_the_task_that_forked, draw,
                                        erase_state),
        cmocka_unit_test_setup_teardown(a_barrier_belongs_to_each_member, draw, erase_state),
        cmocka_unit_test(a_barrier_behind_a_creation_belongs_to_the_member),
        cmocka_unit_test_setup_teardown(tasks_without_nodes_can_be_dropped, draw, erase_state),
        cmocka_unit_test_setup_teardown(tasks_are_found_by_their_id, draw, erase_state),
        cmocka_unit_test_setup_teardown(nodes_know_their_task, draw, erase_state),
        cmocka_unit_test_setup_teardown(a_circle_of_creators_is_no_trap, draw, erase_state),
        cmocka_unit_test_setup_teardown(short_memory_selects_nothing, draw, erase_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
