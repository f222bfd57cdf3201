#include "unit.h"

#include <string.h>

#include "failing.h"
#include "graph/group.h"
#include "small_graph.h"

// A task that creates `n` tasks of one place, each of which creates one of another; a taskwait for all.
struct family {
    struct small_graph small;
    struct otter_labels labels;
    uint32_t parent, wait;
};

static void add_child(struct family *family, uint32_t region, uint32_t other_region)
{
    struct small_graph *small = &family->small;
    uint32_t child_task = small_graph_task(small, OTTER_TASK_KIND_EXPLICIT, 0, 1);
    uint32_t grandchild_task = small_graph_task(small, OTTER_TASK_KIND_EXPLICIT, child_task, 2);
    uint32_t child = small_graph_node(small, OTTER_NODE_TASK, child_task, region);
    uint32_t grandchild = small_graph_node(small, OTTER_NODE_TASK, grandchild_task, other_region);
    small_graph_edge(small, family->parent, child, OTTER_EDGE_CREATION);
    small_graph_edge(small, child, grandchild, OTTER_EDGE_CREATION);
    small_graph_edge(small, child, family->wait, OTTER_EDGE_JOIN);
}

static int set_up(void **state)
{
    static struct family family;
    struct small_graph *small = &family.small;
    small_graph_init(small, 300, 300);
    uint32_t initial = small_graph_region(small, OTTER_CONSTRUCT_INITIAL_TASK, "!$omp initial task",
                                          "!$omp initial task");
    uint32_t wait = small_graph_region(small, OTTER_CONSTRUCT_TASKWAIT, "!$omp taskwait @a+1",
                                       "!$omp taskwait");
    // two regions that a person cannot tell apart
    uint32_t task =
        small_graph_region(small, OTTER_CONSTRUCT_TASK, "!$omp task @a+2", "!$omp task");
    uint32_t same =
        small_graph_region(small, OTTER_CONSTRUCT_TASK, "!$omp task @a+2", "!$omp task");
    uint32_t other =
        small_graph_region(small, OTTER_CONSTRUCT_TASK, "!$omp task @a+3", "!$omp task");
    small_graph_task(small, OTTER_TASK_KIND_INITIAL, OTTER_NONE, 0);
    family.parent = small_graph_node(small, OTTER_NODE_TASK, 0, initial);
    family.wait = small_graph_node(small, OTTER_NODE_SYNC, 0, wait);
    for (unsigned i = 0; i < 100; i++) {
        add_child(&family, i % 2 ? task : same, other);
    }
    small->graph.nodes[family.wait].end += 5000;
    small_graph_seal(small);
    assert_int_equal(otter_labels_init(&family.labels, &small->definitions), OTTER_OK);
    *state = &family;
    return 0;
}

static int tear_down(void **state)
{
    struct family *family = *state;
    otter_labels_finish(&family->labels);
    small_graph_finish(&family->small);
    return 0;
}

static void nodes_of_one_kind_and_label_are_one_group(void **state)
{
    struct family *family = *state;
    struct otter_groups *groups = otter_groups_create(&family->small.graph, &family->labels);
    assert_int_equal(groups->n_groups, 4);
    static const uint32_t sizes[] = {1, 1, 100, 100};
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(groups->groups[i].first_node, i);
        assert_int_equal(groups->groups[i].n_nodes, sizes[i]);
    }
    otter_groups_destroy(groups);
}

static void edges_of_one_kind_between_groups_are_one_edge(void **state)
{
    struct family *family = *state;
    struct otter_groups *groups = otter_groups_create(&family->small.graph, &family->labels);
    static const struct otter_group_edge expected[] = {
        {0, 2, 100, OTTER_EDGE_CREATION},
        {2, 3, 100, OTTER_EDGE_CREATION},
        {2, 1, 100, OTTER_EDGE_JOIN},
    };
    assert_int_equal(groups->n_edges, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(groups->edges[i].from, expected[i].from);
        assert_int_equal(groups->edges[i].to, expected[i].to);
        assert_int_equal(groups->edges[i].n_edges, expected[i].n_edges);
        assert_int_equal(groups->edges[i].kind, expected[i].kind);
    }
    otter_groups_destroy(groups);
}

static void times_of_a_group_are_added_and_the_longest_is_known(void **state)
{
    struct family *family = *state;
    family->small.graph.nodes[2].end += 10;
    struct otter_groups *groups = otter_groups_create(&family->small.graph, &family->labels);
    assert_int_equal(groups->groups[1].total, 6000);
    assert_int_equal(groups->groups[2].total, 100010);
    assert_int_equal(groups->groups[2].longest, 1010);
    otter_groups_destroy(groups);
}

static void the_end_of_a_scope_lasts_as_long_as_the_scope(void **state)
{
    struct family *family = *state;
    struct otter_graph *graph = &family->small.graph;
    graph->nodes[2].kind = OTTER_NODE_BEGIN;
    graph->nodes[7].kind = OTTER_NODE_END;
    graph->nodes[7].scope = 2;
    assert_int_equal(otter_node_duration(graph, &graph->nodes[2]), 1000);
    assert_int_equal(otter_node_duration(graph, &graph->nodes[7]), 6000);
    graph->nodes[7].scope = OTTER_NONE;
    assert_int_equal(otter_node_duration(graph, &graph->nodes[7]), 1000);
}

static void tasks_of_another_kind_are_another_group(void **state)
{
    struct family *family = *state;
    family->small.graph.tasks[1].kind = OTTER_TASK_KIND_TARGET;
    struct otter_groups *groups = otter_groups_create(&family->small.graph, &family->labels);
    assert_int_equal(groups->n_groups, 5);
    otter_groups_destroy(groups);
}

// More pairs of groups than the table of edges has room for at first.
static void edges_are_found_again_while_their_table_grows(void **state)
{
    struct small_graph small;
    enum { N = 16 };
    char names[N][24];
    small_graph_init(&small, 200 * N, 1);
    small_graph_task(&small, OTTER_TASK_KIND_EXPLICIT, OTTER_NONE, 1);
    for (unsigned i = 0; i < N; i++) {
        snprintf(names[i], sizeof names[i], "!$omp task @a+%u", i);
        small_graph_region(&small, OTTER_CONSTRUCT_TASK, names[i], "!$omp task");
        small_graph_node(&small, OTTER_NODE_TASK, 0, i);
    }
    for (uint32_t i = 0; i < N * N * 2 * (OTTER_N_EDGE_KINDS - 1); i++) {
        small_graph_edge(&small, i / N % N, i % N,
                         (enum otter_edge_kind)(1 + i / N / N / 2)); // each twice
    }
    small_graph_seal(&small);
    struct otter_labels labels;
    assert_int_equal(otter_labels_init(&labels, &small.definitions), OTTER_OK);
    struct otter_groups *groups = otter_groups_create(&small.graph, &labels);
    assert_int_equal(groups->n_groups, N);
    assert_int_equal(groups->n_edges, N * N * (OTTER_N_EDGE_KINDS - 1));
    for (uint32_t i = 0; i < groups->n_edges; i++) {
        assert_int_equal(groups->edges[i].n_edges, 2);
    }
    otter_groups_destroy(groups);
    otter_labels_finish(&labels);
    small_graph_finish(&small);
}

static void a_graph_without_nodes_has_no_groups(void **state)
{
    struct small_graph small;
    struct otter_labels labels;
    small_graph_init(&small, 0, 0);
    small_graph_seal(&small);
    assert_int_equal(otter_labels_init(&labels, &small.definitions), OTTER_OK);
    struct otter_groups *groups = otter_groups_create(&small.graph, &labels);
    assert_int_equal(groups->n_groups, 0);
    assert_int_equal(groups->n_edges, 0);
    otter_groups_destroy(groups);
    otter_labels_finish(&labels);
    small_graph_finish(&small);
}

static void without_memory_there_are_no_groups(void **state)
{
    struct family *family = *state;
    fail_allocation(0);
    otter_groups_destroy(otter_groups_create(&family->small.graph, &family->labels));
    size_t n = n_allocations();
    assert_true(n > 5);
    for (size_t i = 1; i <= n; i++) {
        fail_allocation(i);
        assert_null(otter_groups_create(&family->small.graph, &family->labels));
    }
    fail_allocation(0);
}

#define TEST_WITH_FAMILY(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_WITH_FAMILY(nodes_of_one_kind_and_label_are_one_group),
        TEST_WITH_FAMILY(edges_of_one_kind_between_groups_are_one_edge),
        TEST_WITH_FAMILY(times_of_a_group_are_added_and_the_longest_is_known),
        TEST_WITH_FAMILY(the_end_of_a_scope_lasts_as_long_as_the_scope),
        TEST_WITH_FAMILY(tasks_of_another_kind_are_another_group),
        cmocka_unit_test(edges_are_found_again_while_their_table_grows),
        cmocka_unit_test(a_graph_without_nodes_has_no_groups),
        TEST_WITH_FAMILY(without_memory_there_are_no_groups),
    };
    return cmocka_run_group_tests_name("group", tests, NULL, NULL);
}
