// The checker's verdict on a sound task graph, and on each way to break the graph.
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "graph/build/build.h"
#include "check/events.h"
#include "check/graph.h"
#include "small_graph.h"

// initial -> begin -> task -> end of a taskgroup, with a task in it.
struct story {
    struct small_graph small;
    struct otter_check_report report;
    struct otter_graph_checker checker;
    uint64_t fragment_time[1];
    uint32_t initial, begin, task, end;
};

static int set_up(void **state)
{
    struct story *story = calloc(1, sizeof *story);
    struct small_graph *small = &story->small;
    small_graph_init(small, 10, 10);
    uint32_t initial =
        small_graph_region(small, OTTER_CONSTRUCT_INITIAL_TASK, "initial", "initial");
    uint32_t group = small_graph_region(small, OTTER_CONSTRUCT_TASKGROUP, "taskgroup", "taskgroup");
    uint32_t task = small_graph_region(small, OTTER_CONSTRUCT_TASK, "task", "task");
    small_graph_task(small, OTTER_TASK_KIND_INITIAL, OTTER_NONE, 0);
    small_graph_task(small, OTTER_TASK_KIND_EXPLICIT, 0, 1);
    story->initial = small_graph_node(small, OTTER_NODE_TASK, 0, initial);
    story->begin = small_graph_node(small, OTTER_NODE_BEGIN, 0, group);
    story->task = small_graph_node(small, OTTER_NODE_TASK, 1, task);
    story->end = small_graph_node(small, OTTER_NODE_END, 0, group);
    struct otter_node *nodes = small->graph.nodes;
    nodes[story->initial].scope = nodes[story->begin].scope = OTTER_NONE;
    nodes[story->task].scope = nodes[story->end].scope = story->begin;
    story->checker = (struct otter_graph_checker){.report = &story->report,
                                                  .fragment_time = story->fragment_time};
    *state = story;
    return 0;
}

static int tear_down(void **state)
{
    struct story *story = *state;
    small_graph_finish(&story->small);
    free(story);
    return 0;
}

static void link_all(struct story *story)
{
    small_graph_edge(&story->small, story->initial, story->begin, OTTER_EDGE_ORDER);
    small_graph_edge(&story->small, story->begin, story->task, OTTER_EDGE_CREATION);
    small_graph_edge(&story->small, story->begin, story->end, OTTER_EDGE_ORDER);
}

static void check(struct story *story)
{
    small_graph_seal(&story->small);
    otter_check_graph(&story->checker, &story->small.graph);
}

static uint64_t n_of(const struct story *story, enum otter_check check_, enum otter_quirk quirk)
{
    return story->report.results[check_].deviations[quirk].n;
}

static uint64_t n_errors(const struct story *story)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < OTTER_N_CHECKS; i++) {
        n += otter_check_errors(&story->report.results[i]);
    }
    return n;
}

static void sound_graph_has_no_deviation(void **state)
{
    struct story *story = *state;
    link_all(story);
    small_graph_edge(&story->small, story->task, story->end, OTTER_EDGE_JOIN);
    check(story);
    assert_int_equal(n_errors(story), 0);
    assert_int_equal(story->report.n_nodes, 4);
    assert_int_equal(story->report.n_edges, 4);
    assert_int_equal(story->report.results[OTTER_CHECK_SCOPES].n_tested, 1);
}

static void task_whose_end_leads_to_nothing_in_its_scope_is_an_error(void **state)
{
    struct story *story = *state;
    struct small_graph *small = &story->small;
    link_all(story);
    uint32_t sync = small_graph_node(small, OTTER_NODE_SYNC, 1,
                                     small_graph_region(small, OTTER_CONSTRUCT_TASKWAIT, "w", "w"));
    small->graph.nodes[sync].scope = story->begin;
    small_graph_edge(small, story->task, sync, OTTER_EDGE_ORDER); // leaves at the task's start
    small_graph_edge(small, sync, story->end, OTTER_EDGE_JOIN);
    check(story);
    assert_int_equal(n_of(story, OTTER_CHECK_SCOPES, OTTER_QUIRK_NONE), 1);
    const struct otter_deviation *first =
        &story->report.results[OTTER_CHECK_SCOPES].deviations[OTTER_QUIRK_NONE].first[0];
    assert_non_null(strstr(first->text, "its end leads to nothing inside of it"));
}

static void node_that_leads_to_nothing_in_its_scope_is_an_error(void **state)
{
    struct story *story = *state;
    link_all(story);
    check(story);
    assert_int_equal(n_of(story, OTTER_CHECK_SCOPES, OTTER_QUIRK_NONE), 1);
    assert_int_equal(n_errors(story), 1);
    const struct otter_deviation *deviation =
        &story->report.results[OTTER_CHECK_SCOPES].deviations[OTTER_QUIRK_NONE].first[0];
    assert_int_equal(deviation->number, 1);
    assert_non_null(strstr(deviation->text, "task task is in taskgroup"));
}

static void edge_that_goes_back_in_time_is_an_error(void **state)
{
    struct story *story = *state;
    link_all(story);
    small_graph_edge(&story->small, story->task, story->end, OTTER_EDGE_JOIN);
    story->small.graph.nodes[story->task].end = story->small.graph.nodes[story->end].end + 3;
    check(story);
    assert_int_equal(n_of(story, OTTER_CHECK_ORDER, OTTER_QUIRK_NONE), 1);
    assert_non_null(
        strstr(story->report.results[OTTER_CHECK_ORDER].deviations[OTTER_QUIRK_NONE].first[0].text,
               "by join, 3 ticks earlier"));
}

static void worker_that_ends_a_tick_late_is_a_note(void **state)
{
    struct story *story = *state;
    link_all(story);
    small_graph_edge(&story->small, story->task, story->end, OTTER_EDGE_JOIN);
    story->small.graph.nodes[story->task].end = story->small.graph.nodes[story->end].end + 1;
    story->small.graph.nodes[story->task].location = 1;
    story->small.graph.tasks[1].kind = OTTER_TASK_KIND_IMPLICIT;
    check(story);
    assert_int_equal(n_of(story, OTTER_CHECK_ORDER, OTTER_QUIRK_LATE_END), 1);
    assert_int_equal(n_errors(story), 0);
}

static void source_that_is_told_late_is_a_note(void **state)
{
    struct story *story = *state;
    link_all(story);
    small_graph_edge(&story->small, story->task, story->end, OTTER_EDGE_DOACROSS);
    story->small.graph.nodes[story->task].end = story->small.graph.nodes[story->end].end + 726;
    check(story);
    assert_int_equal(n_of(story, OTTER_CHECK_ORDER, OTTER_QUIRK_DOACROSS), 1);
    assert_int_equal(n_errors(story), 0);
}

// A detached task with these flags: its successor begins before its event is fulfilled.
static void check_early_successor(struct story *story, uint8_t flags)
{
    struct otter_graph *graph = &story->small.graph;
    link_all(story);
    small_graph_edge(&story->small, story->task, story->end, OTTER_EDGE_DEPENDENCE);
    graph->nodes[story->task].kind = OTTER_NODE_FULFIL;
    graph->nodes[story->task].end = graph->nodes[story->end].end + 726;
    graph->tasks[1].flags = flags;
    check(story);
}

static void successor_that_precedes_the_event_of_an_undeferred_task_is_a_note(void **state)
{
    struct story *story = *state;
    check_early_successor(story, OTTER_NODE_DETACHED | OTTER_NODE_UNDEFERRED);
    assert_int_equal(n_of(story, OTTER_CHECK_ORDER, OTTER_QUIRK_EVENT), 1);
    assert_int_equal(n_errors(story), 0);
}

static void successor_that_precedes_the_event_of_a_deferred_task_is_an_error(void **state)
{
    struct story *story = *state;
    check_early_successor(story, OTTER_NODE_DETACHED);
    assert_int_equal(n_of(story, OTTER_CHECK_ORDER, OTTER_QUIRK_NONE), 1);
}

static void circle_is_an_error(void **state)
{
    struct story *story = *state;
    link_all(story);
    small_graph_edge(&story->small, story->task, story->end, OTTER_EDGE_JOIN);
    small_graph_edge(&story->small, story->task, story->begin, OTTER_EDGE_ORDER);
    check(story);
    assert_int_equal(n_of(story, OTTER_CHECK_ACYCLIC, OTTER_QUIRK_NONE), 1);
    assert_non_null(strstr(
        story->report.results[OTTER_CHECK_ACYCLIC].deviations[OTTER_QUIRK_NONE].first[0].text,
        "3 nodes"));
}

static void time_of_fragments_is_added_up(void **state)
{
    struct story *story = *state;
    struct otter_node *nodes = story->small.graph.nodes;
    nodes[story->initial].kind = nodes[story->task].kind = OTTER_NODE_FRAGMENT;
    link_all(story);
    small_graph_edge(&story->small, story->task, story->end, OTTER_EDGE_JOIN);
    check(story);
    assert_int_equal(story->fragment_time[0],
                     nodes[story->initial].end - nodes[story->initial].start +
                         nodes[story->task].end - nodes[story->task].start);
}

// Three pauses: inside the operation, at its end, and on another thread.
static void pauses_in_an_operation_are_no_time_of_its_thread(void **state)
{
    struct story *story = *state;
    struct otter_node *nodes = story->small.graph.nodes;
    struct otter_node *operation = &nodes[story->task];
    uint64_t start = operation->start = 5000, end = operation->end = 6000;
    const struct otter_pause_span pauses[] = {{0, start - 200, start - 100},
                                              {0, start + 100, start + 300},
                                              {0, end - 50, end},
                                              {1, start + 400, start + 500}};
    story->checker.pauses = pauses;
    story->checker.n_pauses = sizeof pauses / sizeof *pauses;
    story->small.graph.view = OTTER_VIEW_FRAGMENTS;
    operation->kind = OTTER_NODE_OPERATION;
    link_all(story);
    check(story);
    assert_int_equal(story->fragment_time[0], 1000 - 200 - 50);
}

// The last recorded Leave of a barrier may belong to a member that was paused.
static void barrier_that_ends_with_the_only_pause_is_a_note(void **state)
{
    struct story *story = *state;
    struct otter_node *nodes = story->small.graph.nodes;
    nodes[story->task].kind = OTTER_NODE_SYNC;
    nodes[story->task].end = nodes[story->end].end + 50;
    const struct otter_pause_span pause = {1, nodes[story->end].start - 1, nodes[story->task].end};
    story->checker.pauses = &pause;
    story->checker.n_pauses = 1;
    link_all(story);
    small_graph_edge(&story->small, story->task, story->end, OTTER_EDGE_JOIN);
    check(story);
    assert_int_equal(n_of(story, OTTER_CHECK_ORDER, OTTER_QUIRK_PAUSED), 1);
    assert_int_equal(n_errors(story), 0);
}

static void findings_of_the_builder_are_deviations(void **state)
{
    struct story *story = *state;
    const struct otter_build_findings findings = {
        .n_unfinished_tasks = 2, .n_uneven_barriers = 3, .n_unknown_fulfillers = 4};
    otter_check_findings(&story->checker, &findings);
    assert_int_equal(n_of(story, OTTER_CHECK_GRAPH, OTTER_QUIRK_NONE), 5);
    assert_int_equal(n_of(story, OTTER_CHECK_GRAPH, OTTER_QUIRK_FULFILLER), 4);
    assert_string_equal(
        story->report.results[OTTER_CHECK_GRAPH].deviations[OTTER_QUIRK_NONE].first[0].text,
        "2 tasks without an end");
}

static void one_deviation_is_told_in_singular(void **state)
{
    struct story *story = *state;
    const struct otter_build_findings findings = {.n_unfinished_tasks = 1};
    otter_check_findings(&story->checker, &findings);
    assert_string_equal(
        story->report.results[OTTER_CHECK_GRAPH].deviations[OTTER_QUIRK_NONE].first[0].text,
        "1 task without an end");
}

static void what_the_program_explains_is_a_note(void **state)
{
    struct story *story = *state;
    const struct otter_build_findings findings = {.n_unfinished_tasks = 2, .n_uneven_barriers = 3};
    story->checker.excuse = OTTER_QUIRK_UNFINISHED;
    story->checker.was_cancelled = true;
    otter_check_findings(&story->checker, &findings);
    assert_int_equal(n_errors(story), 0);
    assert_int_equal(n_of(story, OTTER_CHECK_GRAPH, OTTER_QUIRK_UNFINISHED), 2);
    assert_int_equal(n_of(story, OTTER_CHECK_GRAPH, OTTER_QUIRK_CANCELLED_BARRIER), 3);
}

#define STORY(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        STORY(sound_graph_has_no_deviation),
        STORY(node_that_leads_to_nothing_in_its_scope_is_an_error),
        STORY(task_whose_end_leads_to_nothing_in_its_scope_is_an_error),
        STORY(edge_that_goes_back_in_time_is_an_error),
        STORY(worker_that_ends_a_tick_late_is_a_note),
        STORY(source_that_is_told_late_is_a_note),
        STORY(successor_that_precedes_the_event_of_an_undeferred_task_is_a_note),
        STORY(successor_that_precedes_the_event_of_a_deferred_task_is_an_error),
        STORY(circle_is_an_error),
        STORY(time_of_fragments_is_added_up),
        STORY(pauses_in_an_operation_are_no_time_of_its_thread),
        STORY(barrier_that_ends_with_the_only_pause_is_a_note),
        STORY(findings_of_the_builder_are_deviations),
        STORY(one_deviation_is_told_in_singular),
        STORY(what_the_program_explains_is_a_note),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
