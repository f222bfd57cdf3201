// Tests that the first difference of two graphs is found.
#include "unit.h"

#include <string.h>

#include "drawn_graph.h"
#include "failing.h"
#include "graph/hash/difference.h"

// The initial task creates two tasks and waits; the second depends on the first.
static const char original[] = "task I initial -\n"
                               "task T explicit I\n"
                               "task U explicit I\n"
                               "task V explicit U\n"
                               "i task initial_task@0 I - c:t c:u o:w\n"
                               "t task task@1 T - d:u\n"
                               "u task task@2 U - c:v j:w\n"
                               "v task task@3 V - j:w\n"
                               "w sync taskwait@4 I -\n";

struct pair {
    struct drawn_graph drawn[2];
    struct otter_difference difference;
};

// Compares the original with a copy in which the first `old` is replaced.
static void compare(struct pair *pair, const char *old, const char *replacement)
{
    char text[2048];
    const char *place = strstr(original, old);
    assert_non_null(place);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(place - original), original, replacement,
             place + strlen(old));
    draw_graph(&pair->drawn[0], original);
    draw_graph(&pair->drawn[1], text);
    const struct otter_graph *graphs[2] = {&pair->drawn[0].graph, &pair->drawn[1].graph};
    const struct otter_labels *labels[2] = {&pair->drawn[0].labels, &pair->drawn[1].labels};
    assert_true(otter_graph_differ(graphs, labels, &pair->difference));
}

static void finish(struct pair *pair)
{
    drawn_graph_finish(&pair->drawn[0]);
    drawn_graph_finish(&pair->drawn[1]);
}

// Expects these two nodes; "-" for none.
static void expect_nodes(const struct pair *pair, const uint32_t nodes[2], const char *first,
                         const char *second)
{
    const char *names[2] = {first, second};
    for (unsigned i = 0; i < 2; i++) {
        uint32_t expected =
            strcmp(names[i], "-") == 0 ? OTTER_NONE : drawn_node(&pair->drawn[i], names[i]);
        assert_int_equal(nodes[i], expected);
    }
}

static void equal_graphs_do_not_differ(void **state)
{
    struct pair pair;
    compare(&pair, "t task", "t task");
    assert_int_equal(pair.difference.kind, OTTER_DIFFERENCE_NONE);
    finish(&pair);
}

static void numbers_and_times_are_no_difference(void **state)
{
    struct pair pair;
    compare(&pair, "t task", "t task");
    for (unsigned seed = 1; seed < 20; seed++) {
        struct otter_graph *copy = drawn_shuffled(&pair.drawn[0], seed);
        const struct otter_graph *graphs[2] = {&pair.drawn[0].graph, copy};
        const struct otter_labels *labels[2] = {&pair.drawn[0].labels, &pair.drawn[0].labels};
        struct otter_difference difference;
        assert_true(otter_graph_differ(graphs, labels, &difference));
        assert_int_equal(difference.kind, OTTER_DIFFERENCE_NONE);
        otter_graph_destroy(copy);
    }
    finish(&pair);
}

static void a_missing_task_is_named_with_its_creator(void **state)
{
    struct pair pair;
    compare(&pair, "c:v j:w\nv task task@3 V - j:w\n", "j:w\n");
    assert_int_equal(pair.difference.kind, OTTER_DIFFERENCE_NODE);
    expect_nodes(&pair, pair.difference.parents, "u", "u");
    expect_nodes(&pair, pair.difference.nodes, "v", "-");
    assert_int_equal(pair.difference.n_tasks[0], 1);
    assert_int_equal(pair.difference.n_tasks[1], 0);
    finish(&pair);
}

static void an_added_wait_is_named(void **state)
{
    struct pair pair;
    compare(&pair, "w sync taskwait@4 I -\n", "w sync taskwait@4 I - o:x\nx sync taskwait@5 I -\n");
    assert_int_equal(pair.difference.kind, OTTER_DIFFERENCE_NODE);
    expect_nodes(&pair, pair.difference.parents, "w", "w");
    expect_nodes(&pair, pair.difference.nodes, "-", "x");
    finish(&pair);
}

static void another_label_at_one_place_is_a_pair(void **state)
{
    struct pair pair;
    compare(&pair, "task@2", "task@7");
    assert_int_equal(pair.difference.kind, OTTER_DIFFERENCE_LABEL);
    expect_nodes(&pair, pair.difference.nodes, "u", "u");
    finish(&pair);
}

static void another_kind_of_wait_is_a_pair(void **state)
{
    struct pair pair;
    compare(&pair, "w sync taskwait@4", "w sync barrier@4");
    assert_int_equal(pair.difference.kind, OTTER_DIFFERENCE_LABEL);
    expect_nodes(&pair, pair.difference.nodes, "w", "w");
    finish(&pair);
}

static void a_task_in_place_of_a_wait_is_a_pair(void **state)
{
    struct pair pair;
    compare(&pair, "c:t c:u o:w\nt task task@1 T - d:u\n",
            "c:t o:x\nx sync taskwait@5 I - c:u o:w\nt task task@1 T - d:u\n");
    assert_int_equal(pair.difference.kind, OTTER_DIFFERENCE_LABEL);
    expect_nodes(&pair, pair.difference.parents, "i", "i");
    expect_nodes(&pair, pair.difference.nodes, "u", "x");
    assert_int_equal(pair.difference.n_tasks[0], 2);
    assert_int_equal(pair.difference.n_tasks[1], 1);
    finish(&pair);
}

static void a_missing_dependence_has_both_ends(void **state)
{
    struct pair pair;
    compare(&pair, "d:u", "j:w");
    assert_int_equal(pair.difference.kind, OTTER_DIFFERENCE_EDGE);
    assert_int_equal(pair.difference.edge_kind, OTTER_EDGE_DEPENDENCE);
    expect_nodes(&pair, pair.difference.nodes, "t", "t");
    expect_nodes(&pair, pair.difference.targets, "u", "-");
    finish(&pair);
}

static void an_added_edge_has_its_end_in_the_second_graph(void **state)
{
    struct pair pair;
    compare(&pair, "d:u", "d:u j:w");
    assert_int_equal(pair.difference.kind, OTTER_DIFFERENCE_EDGE);
    assert_int_equal(pair.difference.edge_kind, OTTER_EDGE_JOIN);
    expect_nodes(&pair, pair.difference.targets, "-", "w");
    finish(&pair);
}

// Members have no numbers: members with equal subtrees cancel each other.
static void a_member_that_did_less_is_found_beside_its_equals(void **state)
{
#define TEAM                                                                                       \
    "task I initial -\ntask M implicit I\ntask N implicit I\n"                                     \
    "task T explicit M\ntask U explicit N\n"                                                       \
    "P begin parallel@1 I - c:m c:n\nm task parallel@1 M P c:t\nt task task@2 T P\n"
    struct drawn_graph drawn[2];
    draw_graph(&drawn[0], TEAM "n task parallel@1 N P c:u\nu task task@2 U P\n");
    draw_graph(&drawn[1], TEAM "n task parallel@1 N P\n");
    const struct otter_graph *graphs[2] = {&drawn[0].graph, &drawn[1].graph};
    const struct otter_labels *labels[2] = {&drawn[0].labels, &drawn[1].labels};
    struct otter_difference difference;
    assert_true(otter_graph_differ(graphs, labels, &difference));
    assert_int_equal(difference.kind, OTTER_DIFFERENCE_NODE);
    assert_int_equal(difference.parents[1], drawn_node(&drawn[1], "n"));
    assert_int_equal(difference.nodes[1], OTTER_NONE);
    assert_int_equal(difference.n_tasks[0], 1);
    assert_int_equal(difference.n_tasks[1], 0);
    drawn_graph_finish(&drawn[0]);
    drawn_graph_finish(&drawn[1]);
}

static void an_empty_graph_lacks_the_first_node(void **state)
{
    struct pair pair;
    compare(&pair, "t task", "t task");
    pair.drawn[1].graph.n_nodes = 0;
    pair.drawn[1].graph.n_edges = 0;
    const struct otter_graph *graphs[2] = {&pair.drawn[0].graph, &pair.drawn[1].graph};
    const struct otter_labels *labels[2] = {&pair.drawn[0].labels, &pair.drawn[1].labels};
    assert_true(otter_graph_differ(graphs, labels, &pair.difference));
    assert_int_equal(pair.difference.kind, OTTER_DIFFERENCE_NODE);
    expect_nodes(&pair, pair.difference.nodes, "i", "-");
    expect_nodes(&pair, pair.difference.parents, "-", "-");
    finish(&pair);
}

static void short_memory_finds_nothing(void **state)
{
    struct pair pair;
    compare(&pair, "d:u", "j:w");
    const struct otter_graph *graphs[2] = {&pair.drawn[0].graph, &pair.drawn[1].graph};
    const struct otter_labels *labels[2] = {&pair.drawn[0].labels, &pair.drawn[1].labels};
    size_t n = 0;
    bool is_good = false;
    while (!is_good) {
        fail_allocation(++n);
        is_good = otter_graph_differ(graphs, labels, &pair.difference);
        assert_true(is_good || n_allocations() >= n);
    }
    fail_allocation(0);
    assert_true(n > 10);
    assert_int_equal(pair.difference.kind, OTTER_DIFFERENCE_EDGE);
    finish(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_graphs_do_not_differ),
        cmocka_unit_test(numbers_and_times_are_no_difference),
        cmocka_unit_test(a_missing_task_is_named_with_its_creator),
        cmocka_unit_test(an_added_wait_is_named),
        cmocka_unit_test(another_label_at_one_place_is_a_pair),
        cmocka_unit_test(another_kind_of_wait_is_a_pair),
        cmocka_unit_test(a_task_in_place_of_a_wait_is_a_pair),
        cmocka_unit_test(a_missing_dependence_has_both_ends),
        cmocka_unit_test(an_added_edge_has_its_end_in_the_second_graph),
        cmocka_unit_test(a_member_that_did_less_is_found_beside_its_equals),
        cmocka_unit_test(an_empty_graph_lacks_the_first_node),
        cmocka_unit_test(short_memory_finds_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
