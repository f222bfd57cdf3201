// The graph builder when memory runs out, and with meaningless events. Graphs of meaningful events
// are in golden/.
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "failing.h"
#include "graph/build/build.h"

enum { N_LOCATIONS = 4, N_EVENTS = 300 };

// ---- definitions

enum {
    PARALLEL,
    INITIAL,
    TASK,
    UNTIED,
    UNDEFERRED,
    TARGET,
    SINGLE,
    LOOP,
    GROUP,
    GROUP_WAIT,
    WAIT,
    WAIT_DEPEND,
    BARRIER,
    JOIN_BARRIER,
    TEAMS,
    KERNEL,
    REDUCTION,
    CRITICAL,
    N_REGIONS
};

static const struct otter_region regions[N_REGIONS] = {
    [PARALLEL] = {.construct = OTTER_CONSTRUCT_PARALLEL, .description = ""},
    [INITIAL] = {.construct = OTTER_CONSTRUCT_INITIAL_TASK, .description = ""},
    [TASK] = {.construct = OTTER_CONSTRUCT_TASK, .description = ""},
    [UNTIED] = {.construct = OTTER_CONSTRUCT_TASK, .description = "untied"},
    [UNDEFERRED] = {.construct = OTTER_CONSTRUCT_TASK, .description = "undeferred"},
    [TARGET] = {.construct = OTTER_CONSTRUCT_TASK, .description = "untied, target"},
    [SINGLE] = {.construct = OTTER_CONSTRUCT_SINGLE, .description = ""},
    [LOOP] = {.construct = OTTER_CONSTRUCT_LOOP, .description = ""},
    [GROUP] = {.construct = OTTER_CONSTRUCT_TASKGROUP, .description = ""},
    [GROUP_WAIT] = {.construct = OTTER_CONSTRUCT_TASKGROUP_WAIT, .description = ""},
    [WAIT] = {.construct = OTTER_CONSTRUCT_TASKWAIT, .description = ""},
    [WAIT_DEPEND] = {.construct = OTTER_CONSTRUCT_TASKWAIT_DEPEND, .description = ""},
    [BARRIER] = {.construct = OTTER_CONSTRUCT_BARRIER_EXPLICIT, .description = ""},
    [JOIN_BARRIER] = {.construct = OTTER_CONSTRUCT_BARRIER_PARALLEL, .description = ""},
    [TEAMS] = {.construct = OTTER_CONSTRUCT_TEAMS, .description = ""},
    [KERNEL] = {.construct = OTTER_CONSTRUCT_KOKKOS_FOR, .description = ""},
    [REDUCTION] = {.construct = OTTER_CONSTRUCT_REDUCTION, .description = ""},
    [CRITICAL] = {.construct = OTTER_CONSTRUCT_CRITICAL, .description = ""},
};

enum { ALL_THREADS, TEAM, LARGE_TEAM, INNER_TEAM, N_COMMS };

static const uint32_t members[] = {0, 1, 2, 3};
static const struct otter_comm comms[N_COMMS] = {
    [ALL_THREADS] = {.name = "", .parent = OTTER_NONE, .members = members, .n_members = 4},
    [TEAM] = {.name = "", .parent = ALL_THREADS, .members = members, .n_members = 2},
    [LARGE_TEAM] = {.name = "", .parent = ALL_THREADS, .members = members, .n_members = 4},
    [INNER_TEAM] = {.name = "", .parent = TEAM, .members = members + 1, .n_members = 2},
};

static const struct otter_location locations[N_LOCATIONS];
static struct otter_parameter_definition parameters[OTTER_N_PARAMETERS];

static const struct otter_definitions definitions = {
    .locations = locations,
    .n_locations = N_LOCATIONS,
    .regions = regions,
    .n_regions = N_REGIONS,
    .comms = comms,
    .n_comms = N_COMMS,
    .parameters = parameters,
    .n_parameters = OTTER_N_PARAMETERS,
};

static int set_up(void **state)
{
    for (unsigned i = 0; i < OTTER_N_PARAMETERS; i++) {
        parameters[i] = (struct otter_parameter_definition){"", (enum otter_parameter)i};
    }
    return 0;
}

// ---- a program with all kinds of events

#define ENTER(r) {.kind = OTTER_RECORD_ENTER, .region = (r)}
#define LEAVE(r) {.kind = OTTER_RECORD_LEAVE, .region = (r)}
#define TEAM_BEGIN(c) {.kind = OTTER_RECORD_TEAM_BEGIN, .comm = (c)}
#define TEAM_END(c) {.kind = OTTER_RECORD_TEAM_END, .comm = (c)}
#define FORK {.kind = OTTER_RECORD_FORK, .threads = 2}
#define JOIN {.kind = OTTER_RECORD_JOIN}
#define ABOUT(record, l, n)                                                                        \
    {                                                                                              \
        .kind = OTTER_RECORD_TASK_##record, .task = { 0, (l), (n) }                                \
    }
#define TOLD(p, v)                                                                                 \
    {                                                                                              \
        .kind = OTTER_RECORD_PARAMETER, .parameter = { OTTER_PARAMETER_##p, (v) }                  \
    }
#define ID(l, n) ((uint64_t)(l) << 32 | (n))

static const struct otter_event of_location_0[] = {
    ENTER(INITIAL),
    FORK,
    TEAM_BEGIN(TEAM),
    ENTER(PARALLEL),
    ENTER(SINGLE),
    // two tasks with dependences, and a task that waits for them in its own taskgroup
    ABOUT(CREATE, 0, 1),
    TOLD(DEPEND_OUT, 8),
    TOLD(DEPEND_IN, 16),
    ABOUT(CREATE, 0, 2),
    TOLD(DEPEND_IN, 8),
    TOLD(DEPEND_MUTEXINOUTSET, 16),
    ENTER(GROUP),
    ABOUT(CREATE, 0, 3),
    TOLD(DEPEND_INOUT_ALL_MEMORY, 0),
    ENTER(GROUP_WAIT),
    LEAVE(GROUP_WAIT),
    LEAVE(GROUP),
    // if(0) with dependences, then a plain undeferred task
    ENTER(WAIT_DEPEND),
    TOLD(DEPEND_IN, 8),
    LEAVE(WAIT_DEPEND),
    ABOUT(CREATE, 0, 4),
    ABOUT(SWITCH, 0, 4),
    ENTER(UNDEFERRED),
    LEAVE(UNDEFERRED),
    ABOUT(COMPLETE, 0, 4),
    ABOUT(SWITCH, 0, 0),
    // an untied task that starts here
    ABOUT(CREATE, 0, 5),
    ABOUT(CREATE, 0, 6),
    LEAVE(SINGLE),
    ENTER(BARRIER),
    ABOUT(SWITCH, 0, 5),
    ENTER(UNTIED),
    ENTER(GROUP),
    ABOUT(CREATE, 0, 7),
    LEAVE(GROUP),
    LEAVE(UNTIED),
    ABOUT(SWITCH, 0, 0),
    LEAVE(BARRIER),
    ENTER(LOOP),
    TOLD(DEPEND_SOURCE, 1),
    TOLD(DEPEND_SOURCE, 2),
    LEAVE(LOOP),
    ENTER(JOIN_BARRIER),
    LEAVE(JOIN_BARRIER),
    LEAVE(PARALLEL),
    TEAM_END(TEAM),
    JOIN,
    LEAVE(INITIAL),
};

static const struct otter_event of_location_1[] = {
    TEAM_BEGIN(TEAM),
    ENTER(PARALLEL),
    ENTER(BARRIER),
    ABOUT(SWITCH, 0, 1),
    ENTER(TASK),
    LEAVE(TASK),
    ABOUT(COMPLETE, 0, 1),
    ABOUT(SWITCH, 0, 2),
    ENTER(TASK),
    LEAVE(TASK),
    TOLD(TASK_DETACHED, ID(0, 2)),
    ABOUT(SWITCH, 0, 3),
    ENTER(TASK),
    ENTER(KERNEL),
    LEAVE(KERNEL),
    LEAVE(TASK),
    ABOUT(COMPLETE, 0, 3),
    ABOUT(COMPLETE, 0, 2),
    // a region in a task; the untied task continues here
    ABOUT(SWITCH, 0, 6),
    ENTER(TASK),
    FORK,
    TEAM_BEGIN(INNER_TEAM),
    ENTER(PARALLEL),
    ENTER(JOIN_BARRIER),
    LEAVE(JOIN_BARRIER),
    LEAVE(PARALLEL),
    TEAM_END(INNER_TEAM),
    JOIN,
    LEAVE(TASK),
    ABOUT(COMPLETE, 0, 6),
    ABOUT(SWITCH, 0, 5),
    ENTER(UNTIED),
    ENTER(GROUP),
    ENTER(GROUP_WAIT),
    TOLD(TASK_NEVER_RAN, TASK),
    TOLD(TASK_CANCELLED, ID(0, 7)),
    ABOUT(COMPLETE, 0, 7),
    LEAVE(GROUP_WAIT),
    LEAVE(GROUP),
    LEAVE(UNTIED),
    ABOUT(COMPLETE, 0, 5),
    ABOUT(SWITCH, 1, 0),
    LEAVE(BARRIER),
    ENTER(LOOP),
    TOLD(DEPEND_SINK, 1),
    TOLD(DEPEND_SINK, 2),
    LEAVE(LOOP),
    ENTER(JOIN_BARRIER),
    LEAVE(JOIN_BARRIER),
    LEAVE(PARALLEL),
    TEAM_END(TEAM),
};

static const struct otter_event of_location_2[] = {
    TEAM_BEGIN(INNER_TEAM), ENTER(PARALLEL), ENTER(JOIN_BARRIER),
    LEAVE(JOIN_BARRIER),    LEAVE(PARALLEL), TEAM_END(INNER_TEAM),
};

// The locations alternate, so that all of them are active at the same time.
static bool add_location(struct otter_builder *builder, uint32_t location,
                         const struct otter_event *events, size_t n, uint64_t first)
{
    for (size_t i = 0; i < n; i++) {
        struct otter_event event = events[i];
        event.location = location;
        event.time = first + 3 * i + location;
        if (!otter_builder_add(builder, &event)) {
            return false;
        }
    }
    return true;
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool add_program(struct otter_builder *builder)
{
    return add_location(builder, 0, of_location_0, COUNT(of_location_0), 10) &&
           add_location(builder, 1, of_location_1, COUNT(of_location_1), 20) &&
           add_location(builder, 2, of_location_2, COUNT(of_location_2), 90);
}

// *Returns* NULL: memory ran out.
static struct otter_graph *build(enum otter_graph_view view)
{
    struct otter_builder *builder = otter_builder_create(&definitions, view);
    if (!builder) {
        return NULL;
    }
    if (!add_program(builder)) {
        otter_builder_destroy(builder);
        return NULL;
    }
    struct otter_graph *graph = NULL;
    struct otter_build_findings findings;
    enum otter_status status = otter_builder_finish(builder, &graph, &findings);
    assert_true(status == OTTER_OK || status == OTTER_NO_MEMORY);
    assert_int_equal(status == OTTER_OK, graph != NULL);
    return graph;
}

static void assert_same(const struct otter_graph *graph, const struct otter_graph *whole)
{
    assert_int_equal(graph->n_nodes, whole->n_nodes);
    assert_int_equal(graph->n_edges, whole->n_edges);
    assert_int_equal(graph->n_tasks, whole->n_tasks);
    assert_memory_equal(graph->nodes, whole->nodes, whole->n_nodes * sizeof *whole->nodes);
    assert_memory_equal(graph->edge_to, whole->edge_to, whole->n_edges * sizeof *whole->edge_to);
    assert_memory_equal(graph->edge_kind, whole->edge_kind, whole->n_edges);
}

static void without_memory_there_is_no_graph_or_the_whole(enum otter_graph_view view)
{
    fail_allocation(0);
    struct otter_graph *whole = build(view);
    size_t n = n_allocations();
    assert_non_null(whole);
    assert_int_equal(whole->n_tasks, 12);
    assert_true(n > 20);
    size_t n_refused = 0;
    for (size_t i = 1; i <= n; i++) {
        fail_allocation(i);
        struct otter_graph *graph = build(view);
        fail_allocation(0);
        if (graph) {
            assert_same(graph, whole); // only releasing memory failed
            otter_graph_destroy(graph);
        }
        n_refused += !graph;
    }
    assert_true(n_refused > 20);
    otter_graph_destroy(whole);
}

static void without_memory_there_is_no_structure_or_the_whole(void **state)
{
    without_memory_there_is_no_graph_or_the_whole(OTTER_VIEW_STRUCTURE);
}

static void without_memory_there_are_no_fragments_or_all(void **state)
{
    without_memory_there_is_no_graph_or_the_whole(OTTER_VIEW_FRAGMENTS);
}

static void a_builder_may_be_destroyed_at_any_time(void **state)
{
    otter_builder_destroy(NULL);
    otter_builder_destroy(otter_builder_create(&definitions, OTTER_VIEW_STRUCTURE));
    struct otter_builder *builder = otter_builder_create(&definitions, OTTER_VIEW_FRAGMENTS);
    assert_true(add_program(builder));
    otter_builder_destroy(builder);
}

static void no_events_make_an_empty_graph(void **state)
{
    struct otter_builder *builder = otter_builder_create(&definitions, OTTER_VIEW_STRUCTURE);
    struct otter_graph *graph;
    assert_int_equal(otter_builder_finish(builder, &graph, NULL), OTTER_OK);
    assert_int_equal(graph->n_nodes, 0);
    assert_int_equal(graph->n_edges, 0);
    otter_graph_destroy(graph);
}

// ---- meaningless events

static uint64_t seed;

static uint32_t any(uint32_t n)
{
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(seed >> 33) % n;
}

// Returns a number below `n`; sometimes OTTER_NONE, or a number that is too large.
static uint32_t any_index(uint32_t n)
{
    uint32_t draw = any(40);
    return draw == 0 ? OTTER_NONE : draw == 1 ? n + any(3) : any(n);
}

static struct otter_event any_event(uint32_t location, uint64_t time)
{
    static const enum otter_record kinds[] = {
        OTTER_RECORD_ENTER,       OTTER_RECORD_ENTER,         OTTER_RECORD_ENTER,
        OTTER_RECORD_LEAVE,       OTTER_RECORD_LEAVE,         OTTER_RECORD_LEAVE,
        OTTER_RECORD_TASK_CREATE, OTTER_RECORD_TASK_CREATE,   OTTER_RECORD_TASK_SWITCH,
        OTTER_RECORD_TASK_SWITCH, OTTER_RECORD_TASK_COMPLETE, OTTER_RECORD_PARAMETER,
        OTTER_RECORD_PARAMETER,   OTTER_RECORD_FORK,          OTTER_RECORD_JOIN,
        OTTER_RECORD_TEAM_BEGIN,  OTTER_RECORD_TEAM_END,      OTTER_RECORD_OTHER,
    };
    struct otter_event event = {.time = time, .location = location, .kind = kinds[any(18)]};
    switch (event.kind) {
    case OTTER_RECORD_ENTER:
    case OTTER_RECORD_LEAVE: event.region = any_index(N_REGIONS); break;
    case OTTER_RECORD_TEAM_BEGIN:
    case OTTER_RECORD_TEAM_END: event.comm = any_index(N_COMMS); break;
    case OTTER_RECORD_TASK_CREATE:
    case OTTER_RECORD_TASK_SWITCH:
    case OTTER_RECORD_TASK_COMPLETE:
        event.task.comm = any_index(N_COMMS);
        event.task.creator = any_index(N_LOCATIONS);
        event.task.number = any(100) ? any(12) : any(UINT32_MAX);
        break;
    case OTTER_RECORD_PARAMETER:
        event.parameter.definition = any_index(OTTER_N_PARAMETERS);
        event.parameter.value = any(2) ? ID(any(N_LOCATIONS), any(12)) : any(UINT32_MAX);
        break;
    default: break;
    }
    return event;
}

static bool is_node(const struct otter_graph *graph, uint32_t node)
{
    return node < graph->n_nodes || node == OTTER_NONE;
}

static void assert_nodes_are_there(const struct otter_graph *graph)
{
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        const struct otter_node *node = &graph->nodes[i];
        assert_true(node->start <= node->end);
        assert_true(node->task < graph->n_tasks);
        assert_true(is_node(graph, node->scope));
        assert_true(node->location < N_LOCATIONS);
        assert_in_range(node->kind, 1, OTTER_N_NODE_KINDS - 1);
        assert_true(graph->first_edge[i] <= graph->first_edge[i + 1]);
    }
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        assert_true(is_node(graph, graph->tasks[i].first_node));
        assert_true(is_node(graph, graph->tasks[i].last_node));
    }
}

// Asserts that all indexes name existing elements.
static void assert_whole(const struct otter_graph *graph)
{
    assert_nodes_are_there(graph);
    for (uint32_t e = 0; e < graph->n_edges; e++) {
        assert_true(graph->edge_to[e] < graph->n_nodes);
        assert_in_range(graph->edge_kind[e], 1, OTTER_N_EDGE_KINDS - 1);
    }
    for (uint32_t i = 0; i < graph->n_teams; i++) {
        const struct otter_graph_team *team = &graph->teams[i];
        assert_true(is_node(graph, team->begin_node) && is_node(graph, team->end_node));
        assert_true(team->first_member + team->n_members <= graph->n_members);
    }
    for (uint32_t i = 0; i < graph->n_members; i++) {
        assert_true(graph->members[i] < graph->n_tasks);
    }
}

static void play_nonsense(enum otter_graph_view view)
{
    struct otter_builder *builder = otter_builder_create(&definitions, view);
    for (uint32_t location = 0; location < N_LOCATIONS; location++) {
        uint64_t time = any(50);
        for (unsigned i = 0; i < N_EVENTS; i++) {
            struct otter_event event = any_event(location, time);
            assert_true(otter_builder_add(builder, &event));
            time += any(3);
        }
    }
    struct otter_graph *graph;
    assert_int_equal(otter_builder_finish(builder, &graph, NULL), OTTER_OK);
    assert_int_equal(graph->n_events, N_EVENTS * N_LOCATIONS);
    assert_whole(graph);
    otter_graph_destroy(graph);
}

static void nonsense_makes_a_graph_that_is_whole(void **state)
{
    fail_allocation(0);
    for (unsigned i = 1; i <= 200; i++) {
        seed = i;
        play_nonsense(i % 2 ? OTTER_VIEW_STRUCTURE : OTTER_VIEW_FRAGMENTS);
    }
}

// An archive may claim that anything is missing. Memory is reserved for all numbers up to the
// largest.
static void numbers_that_no_task_can_have_are_refused(void **state)
{
    struct otter_location many[64] = {{.n_held = 10}};
    struct otter_definitions claimed = {.locations = many, .n_locations = 64};
    assert_true(otter_graph_may_be_task(&claimed, 0, 10));
    assert_true(otter_graph_may_be_task(&claimed, 63, 1 << 16)); // tasks whose numbers were lost
    assert_false(otter_graph_may_be_task(&claimed, 0, 0));
    assert_false(otter_graph_may_be_task(&claimed, 64, 1));
    assert_false(otter_graph_may_be_task(&claimed, 0, 1 << 20));
    claimed.n_unrecorded = 1 << 20;
    assert_true(otter_graph_may_be_task(&claimed, 0, 1 << 20));
    claimed.n_unrecorded = UINT64_MAX;
    assert_true(otter_graph_may_be_task(&claimed, 0, 1 << 26));
    assert_false(otter_graph_may_be_task(&claimed, 0, 1 << 27));
    claimed.n_unrecorded = 0;
    many[0].n_events = UINT64_MAX;
    assert_false(otter_graph_may_be_task(&claimed, 0, 1 << 27));
}

// ---- memory

// *Returns* the most bytes in use while the graph of `n` tasks is built, which one task creates.
static size_t bytes_of_tasks(uint32_t region, uint32_t n)
{
    fail_allocation(0);
    struct otter_builder *builder = otter_builder_create(&definitions, OTTER_VIEW_FRAGMENTS);
    for (uint32_t i = 1; i <= n; i++) {
        const struct otter_event of_task[] = {ABOUT(CREATE, 0, i),   ABOUT(SWITCH, 0, i),
                                              ENTER(region),         LEAVE(region),
                                              ABOUT(COMPLETE, 0, i), ABOUT(SWITCH, 0, 0)};
        assert_true(add_location(builder, 0, of_task, COUNT(of_task), 18 * i));
    }
    struct otter_graph *graph;
    assert_int_equal(otter_builder_finish(builder, &graph, NULL), OTTER_OK);
    assert_int_equal(graph->n_tasks, n + 1);
    otter_graph_destroy(graph);
    return most_bytes();
}

// The steps of untied tasks are stored until all events have been read.
static void steps_of_untied_tasks_need_few_bytes(void **state)
{
    enum { N = 500000 };
    size_t tied = bytes_of_tasks(TASK, N), untied = bytes_of_tasks(UNTIED, N);
    if (tied == 0) {
        skip(); // the C library does not count the bytes
    }
    assert_true(untied <= tied + N * (size_t)60);
    assert_true(bytes_of_tasks(UNTIED, 1) <= bytes_of_tasks(TASK, 1) + ((size_t)64 << 10));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_memory_there_is_no_structure_or_the_whole),
        cmocka_unit_test(without_memory_there_are_no_fragments_or_all),
        cmocka_unit_test(a_builder_may_be_destroyed_at_any_time),
        cmocka_unit_test(no_events_make_an_empty_graph),
        cmocka_unit_test(nonsense_makes_a_graph_that_is_whole),
        cmocka_unit_test(numbers_that_no_task_can_have_are_refused),
        cmocka_unit_test(steps_of_untied_tasks_need_few_bytes),
    };
    return cmocka_run_group_tests_name("builder", tests, set_up, NULL);
}
