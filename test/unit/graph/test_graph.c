// Properties of all graphs: order, ends of scopes, times of edges, parts.
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "drawn_graph.h"
#include "failing.h"

// An initial task with a single in a parallel region; a task in the single.
static const char small[] = "task I initial -\n"
                            "task M implicit I\n"
                            "task T explicit M\n"
                            "team P Q M\n"
                            "i task initial_task@0 I - o:P\n"
                            "P begin parallel@1 I - c:m\n"
                            "Q end parallel@1 I P\n"
                            "m task parallel@1 M P o:S\n"
                            "S begin single@2 M P o:Z c:t\n"
                            "Z end single@2 M S o:B\n"
                            "t task task@3 T P j:B\n"
                            "B sync implicit_barrier@1 M P j:Q\n";

static int draw(void **state)
{
    return draw_state(state, small);
}

static void each_node_comes_after_its_predecessors(void **state)
{
    struct drawn_graph *drawn = *state;
    const struct otter_graph *graph = &drawn->graph;
    uint32_t place[DRAWN_NAMES];
    uint32_t n;
    uint32_t *order = otter_graph_sort(graph, &n);
    assert_non_null(order);
    assert_int_equal(n, graph->n_nodes);
    memset(place, 0xff, sizeof place);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(place[order[i]], OTTER_NONE);
        place[order[i]] = i;
    }
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        for (uint32_t e = graph->first_edge[i]; e < graph->first_edge[i + 1]; e++) {
            assert_true(place[i] < place[graph->edge_to[e]]);
        }
    }
    free(order);
}

static void nodes_on_a_cycle_and_behind_it_are_not_sorted(void **state)
{
    struct drawn_graph drawn;
    draw_graph(&drawn, "task I initial -\n"
                       "a task initial_task@0 I - o:b\n"
                       "b sync taskwait@1 I - o:c\n"
                       "c sync taskwait@2 I - o:b o:d\n"
                       "d sync taskwait@3 I -\n");
    uint32_t n;
    uint32_t *order = otter_graph_sort(&drawn.graph, &n);
    assert_non_null(order);
    assert_int_equal(n, 1);
    assert_int_equal(order[0], drawn_node(&drawn, "a"));
    free(order);
    drawn_graph_finish(&drawn);
}

static void each_begin_knows_its_end(void **state)
{
    struct drawn_graph *drawn = *state;
    uint32_t *ends = otter_graph_scope_ends(&drawn->graph);
    assert_non_null(ends);
    assert_int_equal(ends[drawn_node(drawn, "P")], drawn_node(drawn, "Q"));
    assert_int_equal(ends[drawn_node(drawn, "S")], drawn_node(drawn, "Z"));
    assert_int_equal(ends[drawn_node(drawn, "t")], OTTER_NONE);
    assert_int_equal(ends[drawn_node(drawn, "Z")], OTTER_NONE);
    free(ends);
}

static void what_a_task_does_leaves_at_its_start_and_what_waits_for_it_at_its_end(void **state)
{
    struct otter_node task = {.start = 10, .end = 20, .kind = OTTER_NODE_TASK};
    assert_int_equal(otter_edge_leaves(&task, OTTER_EDGE_CREATION), 10);
    assert_int_equal(otter_edge_leaves(&task, OTTER_EDGE_ORDER), 10);
    assert_int_equal(otter_edge_leaves(&task, OTTER_EDGE_NESTING), 10);
    assert_int_equal(otter_edge_leaves(&task, OTTER_EDGE_FULFIL), 10);
    assert_int_equal(otter_edge_leaves(&task, OTTER_EDGE_JOIN), 20);
    assert_int_equal(otter_edge_leaves(&task, OTTER_EDGE_DEPENDENCE), 20);
    assert_int_equal(otter_edge_leaves(&task, OTTER_EDGE_UNDEFERRED), 20);
}

static void any_other_node_is_left_at_its_end(void **state)
{
    struct otter_node node = {.start = 10, .end = 20};
    for (uint8_t kind = OTTER_NODE_BEGIN; kind < OTTER_N_NODE_KINDS; kind++) {
        node.kind = kind;
        for (unsigned edge = OTTER_EDGE_CREATION; edge < OTTER_N_EDGE_KINDS; edge++) {
            assert_int_equal(otter_edge_leaves(&node, (enum otter_edge_kind)edge), 20);
        }
    }
}

static void what_begins_is_reached_at_its_start_and_what_waits_at_its_end(void **state)
{
    static const uint64_t expected[OTTER_N_NODE_KINDS] = {
        [OTTER_NODE_TASK] = 10,   [OTTER_NODE_BEGIN] = 10,  [OTTER_NODE_FRAGMENT] = 10,
        [OTTER_NODE_END] = 20,    [OTTER_NODE_SYNC] = 20,   [OTTER_NODE_SOURCE] = 20,
        [OTTER_NODE_SINK] = 20,   [OTTER_NODE_FULFIL] = 20, [OTTER_NODE_OPERATION] = 20,
        [OTTER_NODE_DEVICE] = 10,
    };
    struct otter_node node = {.start = 10, .end = 20};
    for (uint8_t kind = OTTER_NODE_TASK; kind < OTTER_N_NODE_KINDS; kind++) {
        node.kind = kind;
        assert_int_equal(otter_edge_arrives(&node), expected[kind]);
    }
}

static struct otter_graph *without(const struct drawn_graph *drawn, const char *names)
{
    bool keep[DRAWN_NAMES];
    memset(keep, true, sizeof keep);
    for (const char *name = names; *name; name++) {
        keep[drawn_node(drawn, (char[]){*name, '\0'})] = false;
    }
    struct otter_graph *part = otter_graph_filter(&drawn->graph, keep);
    assert_non_null(part);
    return part;
}

static void a_part_has_the_edges_between_its_nodes(void **state)
{
    struct drawn_graph *drawn = *state;
    struct otter_graph *part = without(drawn, "iZ");
    assert_string_equal(drawn_edges(drawn, part), "P c:m\nQ\nm o:S\nS c:t\nt j:B\nB j:Q\n");
    assert_int_equal(part->n_nodes, 6);
    assert_int_equal(part->n_edges, 5);
    assert_int_equal(part->first_edge[6], 5);
    assert_int_equal(part->view, drawn->graph.view);
    assert_ptr_equal(part->definitions, drawn->graph.definitions);
    otter_graph_destroy(part);
}

static void a_scope_that_is_left_out_is_replaced_by_the_one_around_it(void **state)
{
    struct drawn_graph *drawn = *state;
    struct otter_graph *part = without(drawn, "i");
    assert_int_equal(part->nodes[3].scope, 0); // P contains S
    otter_graph_destroy(part);
    drawn->graph.nodes[drawn_node(drawn, "t")].scope = drawn_node(drawn, "S");
    part = without(drawn, "S");
    assert_int_equal(part->nodes[drawn_node(drawn, "t") - 1].scope, drawn_node(drawn, "P"));
    otter_graph_destroy(part);
    part = without(drawn, "SP");
    assert_int_equal(part->nodes[drawn_node(drawn, "t") - 2].scope, OTTER_NONE);
    otter_graph_destroy(part);
}

static void an_end_without_its_begin_has_no_scope(void **state)
{
    struct drawn_graph *drawn = *state;
    struct otter_graph *part = without(drawn, "S");
    assert_int_equal(part->nodes[4].kind, OTTER_NODE_END);
    assert_int_equal(part->nodes[4].scope, OTTER_NONE);
    assert_int_equal(part->nodes[2].scope, 1); // Q is still the end of P
    otter_graph_destroy(part);
}

static void all_tasks_and_teams_are_in_a_part(void **state)
{
    struct drawn_graph *drawn = *state;
    struct otter_graph *part = without(drawn, "Pt");
    assert_int_equal(part->n_tasks, 3);
    assert_int_equal(part->tasks[2].first_node, OTTER_NONE);
    assert_int_equal(part->tasks[2].last_node, OTTER_NONE);
    assert_int_equal(part->tasks[1].first_node, 2);
    assert_int_equal(part->tasks[1].last_node, 5);
    assert_int_equal(part->n_teams, 1);
    assert_int_equal(part->teams[0].begin_node, OTTER_NONE);
    assert_int_equal(part->teams[0].end_node, 1);
    assert_int_equal(part->n_members, 1);
    assert_int_equal(part->members[0], 1);
    otter_graph_destroy(part);
}

static void a_part_may_be_empty(void **state)
{
    struct drawn_graph *drawn = *state;
    struct otter_graph *part = without(drawn, "iPQmSZtB");
    assert_int_equal(part->n_nodes, 0);
    assert_int_equal(part->n_edges, 0);
    assert_int_equal(part->first_edge[0], 0);
    otter_graph_destroy(part);
}

static void short_memory_makes_no_part(void **state)
{
    struct drawn_graph *drawn = *state;
    bool keep[DRAWN_NAMES] = {true};
    struct otter_graph *part = NULL;
    size_t n = 0;
    while (!part) {
        fail_allocation(++n);
        part = otter_graph_filter(&drawn->graph, keep);
        assert_true(part || n_allocations() >= n);
    }
    fail_allocation(0);
    assert_true(n > 5);
    otter_graph_destroy(part);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_node_comes_after_its_predecessors, draw, erase_state),
        cmocka_unit_test(nodes_on_a_cycle_and_behind_it_are_not_sorted),
        cmocka_unit_test_setup_teardown(each_begin_knows_its_end, draw, erase_state),
        cmocka_unit_test(what_a_task_does_leaves_at_its_start_and_what_waits_for_it_at_its_end),
        cmocka_unit_test(any_other_node_is_left_at_its_end),
        cmocka_unit_test(what_begins_is_reached_at_its_start_and_what_waits_at_its_end),
        cmocka_unit_test_setup_teardown(a_part_has_the_edges_between_its_nodes, draw, erase_state),
        cmocka_unit_test_setup_teardown(a_scope_that_is_left_out_is_replaced_by_the_one_around_it,
                                        draw, erase_state),
        cmocka_unit_test_setup_teardown(an_end_without_its_begin_has_no_scope, draw, erase_state),
        cmocka_unit_test_setup_teardown(all_tasks_and_teams_are_in_a_part, draw, erase_state),
        cmocka_unit_test_setup_teardown(a_part_may_be_empty, draw, erase_state),
        cmocka_unit_test_setup_teardown(short_memory_makes_no_part, draw, erase_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
