// Grouping similar nodes of a graph, and the totals of labels.
#include "unit.h"

#include <string.h>

#include "failing.h"
#include "graph/group/group.h"
#include "small_graph.h"

// A task that creates `n` tasks at one place, each of which creates a task at another place. Then
// the first task waits for all.
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
    // two regions that look the same to a user
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
        {0, 2, 100, OTTER_EDGE_CREATION, false},
        {2, 3, 100, OTTER_EDGE_CREATION, false},
        {2, 1, 100, OTTER_EDGE_JOIN, false},
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

// More pairs of groups than the table of edges initially has room for.
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

// ---- labels

// An initial task that launches kernels one after the other. Each is a parallel region of one
// place, with a task or without.
struct kernels {
    struct small_graph small;
    struct otter_labels labels;
    uint32_t parallel, task; // regions of code that all kernels share
    uint32_t last;           // node
    uint32_t scope;          // scope of new nodes
};

static void init_kernels(struct kernels *kernels)
{
    struct small_graph *small = &kernels->small;
    small_graph_init(small, 100, 20);
    kernels->parallel = small_graph_region(small, OTTER_CONSTRUCT_PARALLEL, "!$omp parallel @a+1",
                                           "!$omp parallel");
    kernels->task =
        small_graph_region(small, OTTER_CONSTRUCT_TASK, "!$omp task @a+2", "!$omp task");
    small_graph_task(small, OTTER_TASK_KIND_INITIAL, OTTER_NONE, 0);
    kernels->last = small_graph_node(small, OTTER_NODE_TASK, 0, OTTER_NONE);
    kernels->scope = OTTER_NONE;
}

static uint32_t label_region(struct kernels *kernels, enum otter_construct construct,
                             const char *label)
{
    return small_graph_region(&kernels->small, construct, label, label);
}

// Adds the next node of the initial task.
static uint32_t add_step(struct kernels *kernels, enum otter_node_kind kind, uint32_t region)
{
    uint32_t node = small_graph_node(&kernels->small, kind, 0, region);
    kernels->small.graph.nodes[node].scope = kernels->scope;
    small_graph_edge(&kernels->small, kernels->last, node, OTTER_EDGE_ORDER);
    kernels->last = node;
    return node;
}

static void begin_scope(struct kernels *kernels, uint32_t region)
{
    kernels->scope = add_step(kernels, OTTER_NODE_BEGIN, region);
}

static void end_scope(struct kernels *kernels, uint32_t region)
{
    uint32_t around = kernels->small.graph.nodes[kernels->scope].scope;
    add_step(kernels, OTTER_NODE_END, region);
    kernels->scope = around;
}

static void launch(struct kernels *kernels, uint32_t region, bool has_task)
{
    struct small_graph *small = &kernels->small;
    begin_scope(kernels, region);
    begin_scope(kernels, kernels->parallel);
    if (has_task) {
        uint32_t number = small_graph_task(small, OTTER_TASK_KIND_EXPLICIT, 0, 1);
        uint32_t node = small_graph_node(small, OTTER_NODE_TASK, number, kernels->task);
        small->graph.nodes[node].scope = kernels->scope;
        small_graph_edge(small, kernels->last, node, OTTER_EDGE_CREATION);
    }
    end_scope(kernels, kernels->parallel);
    end_scope(kernels, region);
}

static struct otter_groups *group_kernels(struct kernels *kernels)
{
    small_graph_seal(&kernels->small);
    assert_int_equal(otter_labels_init(&kernels->labels, &kernels->small.definitions), OTTER_OK);
    struct otter_groups *groups = otter_groups_create(&kernels->small.graph, &kernels->labels);
    assert_non_null(groups);
    return groups;
}

static void finish_kernels(struct kernels *kernels, struct otter_groups *groups)
{
    otter_groups_destroy(groups);
    otter_labels_finish(&kernels->labels);
    small_graph_finish(&kernels->small);
}

static bool has_edge(const struct otter_groups *groups, uint32_t from, uint32_t to)
{
    bool has = false;
    for (uint32_t i = 0; i < groups->n_edges; i++) {
        has = has || (groups->edges[i].from == from && groups->edges[i].to == to);
    }
    return has;
}

static void a_kernel_is_one_group_with_what_its_runtime_does(void **state)
{
    struct kernels kernels;
    init_kernels(&kernels);
    uint32_t first = label_region(&kernels, OTTER_CONSTRUCT_KOKKOS_FOR, "first");
    uint32_t second = label_region(&kernels, OTTER_CONSTRUCT_KOKKOS_FOR, "second");
    launch(&kernels, first, false);
    launch(&kernels, second, false);
    struct otter_groups *groups = group_kernels(&kernels);
    assert_int_equal(groups->n_groups, 3);
    assert_true(groups->groups[1].is_whole && groups->groups[2].is_whole);
    assert_int_equal(groups->n_edges, 2);
    assert_true(has_edge(groups, 0, 1) && has_edge(groups, 1, 2));
    finish_kernels(&kernels, groups);
}

static void a_repeated_kernel_is_counted_and_leads_to_itself(void **state)
{
    struct kernels kernels;
    init_kernels(&kernels);
    uint32_t region = label_region(&kernels, OTTER_CONSTRUCT_KOKKOS_COPY, "again");
    for (unsigned i = 0; i < 3; i++) {
        launch(&kernels, region, false);
    }
    struct otter_groups *groups = group_kernels(&kernels);
    assert_int_equal(groups->n_groups, 2);
    assert_int_equal(groups->groups[1].n_nodes, 3);
    assert_int_equal(groups->groups[1].total, 3 * 4000); // four nodes of a microsecond each
    assert_int_equal(groups->groups[1].longest, 4000);
    assert_int_equal(groups->n_edges, 2);
    assert_int_equal(groups->edges[1].from, 1);
    assert_int_equal(groups->edges[1].to, 1);
    assert_true(groups->edges[1].is_back && !groups->edges[0].is_back);
    assert_int_equal(groups->edges[1].n_edges, 2);
    finish_kernels(&kernels, groups);
}

static void kernels_with_tasks_of_one_place_share_no_group(void **state)
{
    struct kernels kernels;
    init_kernels(&kernels);
    uint32_t first = label_region(&kernels, OTTER_CONSTRUCT_KOKKOS_FOR, "first");
    uint32_t second = label_region(&kernels, OTTER_CONSTRUCT_KOKKOS_FOR, "second");
    launch(&kernels, first, true);
    launch(&kernels, second, true);
    struct otter_groups *groups = group_kernels(&kernels);
    assert_int_equal(groups->n_groups, 1 + 2 * 5); // each: two begins, a task, two ends
    assert_int_equal(groups->n_places, 3);
    for (uint32_t i = 0; i < groups->n_groups; i++) {
        assert_int_equal(groups->groups[i].place, (i + 4) / 5);
        assert_false(groups->groups[i].is_whole);
    }
    for (uint32_t i = 0; i < groups->n_edges; i++) {
        assert_true(groups->edges[i].from < groups->edges[i].to);
    }
    finish_kernels(&kernels, groups);
}

static void one_label_of_a_region_and_of_kernels_is_several_groups(void **state)
{
    static const enum otter_construct constructs[] = {
        OTTER_CONSTRUCT_KOKKOS_FOR, OTTER_CONSTRUCT_KOKKOS_REDUCE, OTTER_CONSTRUCT_KOKKOS_SCAN,
        OTTER_CONSTRUCT_KOKKOS_REGION, OTTER_CONSTRUCT_KOKKOS_COPY};
    enum { N = sizeof constructs / sizeof *constructs };
    struct kernels kernels;
    init_kernels(&kernels);
    for (unsigned i = 0; i < N; i++) {
        uint32_t region = label_region(&kernels, constructs[i], "sum");
        begin_scope(&kernels, region);
        end_scope(&kernels, region);
    }
    struct otter_groups *groups = group_kernels(&kernels);
    assert_int_equal(groups->n_groups, 1 + N + 1); // the region has two groups
    assert_int_equal(groups->n_edges, 1 + N);
    finish_kernels(&kernels, groups);
}

static void a_kernel_in_two_regions_is_two_groups(void **state)
{
    struct kernels kernels;
    init_kernels(&kernels);
    uint32_t sum = label_region(&kernels, OTTER_CONSTRUCT_KOKKOS_REDUCE, "sum");
    uint32_t outer[] = {label_region(&kernels, OTTER_CONSTRUCT_KOKKOS_REGION, "set up"),
                        label_region(&kernels, OTTER_CONSTRUCT_KOKKOS_REGION, "time step")};
    for (unsigned i = 0; i < 2; i++) {
        begin_scope(&kernels, outer[i]);
        launch(&kernels, sum, false);
        end_scope(&kernels, outer[i]);
    }
    struct otter_groups *groups = group_kernels(&kernels);
    assert_int_equal(groups->n_groups, 1 + 2 * 3);
    assert_int_equal(groups->n_places, 1 + 2 * 2);
    // the task; a start, the kernel, the end; the same again
    for (uint32_t i = 1; i < groups->n_groups; i++) {
        const struct otter_group_place *place = &groups->places[groups->groups[i].place];
        assert_int_equal(groups->groups[i].is_whole, i % 3 == 2);
        assert_int_equal(place->begin, i % 3 == 2 ? i : i < 4 ? 1 : 4);
        assert_true(has_edge(groups, i - 1, i));
    }
    assert_int_equal(groups->n_edges, groups->n_groups - 1);
    finish_kernels(&kernels, groups);
}

// Inner calls count, and their times are part of the outer times.
static void time_of_what_is_in_itself_counts_once(void **state)
{
    struct kernels kernels;
    init_kernels(&kernels);
    uint32_t solve = label_region(&kernels, OTTER_CONSTRUCT_KOKKOS_REGION, "solve");
    uint32_t step = label_region(&kernels, OTTER_CONSTRUCT_KOKKOS_REGION, "step");
    for (unsigned i = 0; i < 2; i++) {
        begin_scope(&kernels, solve);
        begin_scope(&kernels, kernels.parallel);
        begin_scope(&kernels, step);
        begin_scope(&kernels, solve);
        begin_scope(&kernels, kernels.parallel);
        end_scope(&kernels, kernels.parallel);
        end_scope(&kernels, solve);
        end_scope(&kernels, step);
        end_scope(&kernels, kernels.parallel);
        end_scope(&kernels, solve);
    }
    struct otter_groups *groups = group_kernels(&kernels);
    const struct otter_graph *graph = &kernels.small.graph;
    uint64_t totals[4] = {0};
    for (uint32_t i = 0; i < groups->n_groups; i++) {
        const struct otter_node *node = &graph->nodes[groups->groups[i].first_node];
        if (node->kind == OTTER_NODE_END) {
            assert_int_equal(groups->groups[i].n_nodes, node->region == step ? 2 : 4);
            totals[node->region] += groups->groups[i].total;
        }
    }
    assert_int_equal(totals[solve], 2 * 10000); // ten nodes of a microsecond each
    assert_int_equal(totals[kernels.parallel], 2 * 8000);
    assert_int_equal(totals[step], 2 * 6000);
    finish_kernels(&kernels, groups);
}

// No barrier is recorded at the end of teams of one thread: the reader adds it.
static void an_implied_barrier_goes_with_those_that_were_recorded(void **state)
{
    struct kernels kernels;
    init_kernels(&kernels);
    uint32_t barrier = small_graph_region(&kernels.small, OTTER_CONSTRUCT_BARRIER_IMPLICIT,
                                          "!$omp implicit barrier @a+1", "!$omp implicit barrier");
    begin_scope(&kernels, kernels.parallel);
    add_step(&kernels, OTTER_NODE_SYNC, barrier);
    uint32_t implied = add_step(&kernels, OTTER_NODE_SYNC, kernels.parallel);
    kernels.small.graph.nodes[implied].flags = OTTER_NODE_IMPLIED;
    end_scope(&kernels, kernels.parallel);
    struct otter_groups *groups = group_kernels(&kernels);
    assert_int_equal(groups->n_groups, 4);
    assert_int_equal(groups->groups[2].n_nodes, 2);
    finish_kernels(&kernels, groups);
}

static void too_many_labels_are_one_without_their_numbers(void **state)
{
    static const char *const names[] = {"step 1", "step 27", "sum 2"};
    struct kernels kernels;
    init_kernels(&kernels);
    for (unsigned i = 0; i < 3; i++) {
        launch(&kernels, label_region(&kernels, OTTER_CONSTRUCT_KOKKOS_FOR, names[i]), false);
        launch(&kernels, label_region(&kernels, OTTER_CONSTRUCT_KOKKOS_SCAN, names[i]), false);
    }
    struct otter_groups *groups = group_kernels(&kernels);
    assert_int_equal(groups->n_groups, 1 + 6);
    bool has_merged;
    const struct otter_graph *graph = &kernels.small.graph;
    otter_groups_destroy(groups);
    groups = otter_groups_create_few(graph, &kernels.labels, 7, &has_merged);
    assert_int_equal(groups->n_groups, 1 + 6);
    assert_false(has_merged);
    otter_groups_destroy(groups);
    groups = otter_groups_create_few(graph, &kernels.labels, 6, &has_merged);
    assert_int_equal(groups->n_groups, 1 + 4);
    assert_true(has_merged);
    uint32_t region = graph->nodes[groups->groups[1].first_node].region;
    assert_string_equal(otter_label_of(&kernels.labels, region)->what, "step #");
    region = graph->nodes[groups->groups[3].first_node].region;
    assert_string_equal(otter_label_of(&kernels.labels, region)->what, "sum 2");
    assert_int_equal(groups->groups[1].n_nodes, 2);
    finish_kernels(&kernels, groups);
}

// Kokkos has one label for its fences after all reductions.
static void a_fence_goes_with_the_kernel_before_it(void **state)
{
    struct kernels kernels;
    init_kernels(&kernels);
    uint32_t first = label_region(&kernels, OTTER_CONSTRUCT_KOKKOS_REDUCE, "first");
    uint32_t second = label_region(&kernels, OTTER_CONSTRUCT_KOKKOS_REDUCE, "second");
    uint32_t fence = label_region(&kernels, OTTER_CONSTRUCT_KOKKOS_FENCE, "result is a value");
    uint32_t other = label_region(&kernels, OTTER_CONSTRUCT_KOKKOS_FENCE, "free");
    launch(&kernels, first, false);
    add_step(&kernels, OTTER_NODE_SYNC, fence);
    launch(&kernels, second, false);
    for (unsigned i = 0; i < 3; i++) {
        add_step(&kernels, OTTER_NODE_SYNC, fence);
        add_step(&kernels, OTTER_NODE_SYNC, other);
    }
    struct otter_groups *groups = group_kernels(&kernels);
    assert_int_equal(groups->n_groups, 6);
    assert_int_equal(groups->groups[2].follows, 1);
    assert_int_equal(groups->groups[4].follows, 3);
    assert_int_equal(groups->groups[4].n_nodes, 3);
    assert_int_equal(groups->groups[5].n_nodes, 3);
    finish_kernels(&kernels, groups);
}

// The order does not matter: the second step does something between two actions of the first.
static void only_the_repetition_of_a_loop_leads_back(void **state)
{
    struct kernels kernels;
    init_kernels(&kernels);
    uint32_t step = label_region(&kernels, OTTER_CONSTRUCT_KOKKOS_REGION, "step");
    uint32_t names[3] = {label_region(&kernels, OTTER_CONSTRUCT_KOKKOS_FOR, "move"),
                         label_region(&kernels, OTTER_CONSTRUCT_KOKKOS_FOR, "now and then"),
                         label_region(&kernels, OTTER_CONSTRUCT_KOKKOS_FOR, "push")};
    for (unsigned i = 0; i < 2; i++) {
        begin_scope(&kernels, step);
        for (unsigned k = 0; k < 3; k += i == 0 ? 2 : 1) {
            launch(&kernels, names[k], false);
        }
        end_scope(&kernels, step);
    }
    struct otter_groups *groups = group_kernels(&kernels);
    enum { BEGIN = 1, MOVE, PUSH, END, NOW_AND_THEN };
    assert_int_equal(groups->n_groups, 6);
    assert_int_equal(groups->n_edges, 7);
    for (uint32_t i = 0; i < groups->n_edges; i++) {
        bool is_repetition = groups->edges[i].from == END && groups->edges[i].to == BEGIN;
        assert_int_equal(groups->edges[i].is_back, is_repetition);
    }
    assert_true(has_edge(groups, NOW_AND_THEN, PUSH));
    finish_kernels(&kernels, groups);
}

// The levels of a recursive function share a place.
static void a_region_in_itself_is_one_place(void **state)
{
    struct kernels kernels;
    init_kernels(&kernels);
    uint32_t region = label_region(&kernels, OTTER_CONSTRUCT_KOKKOS_REGION, "divide");
    uint32_t kernel = label_region(&kernels, OTTER_CONSTRUCT_KOKKOS_FOR, "conquer");
    for (unsigned i = 0; i < 10; i++) {
        begin_scope(&kernels, region);
        launch(&kernels, kernel, false);
    }
    for (unsigned i = 0; i < 10; i++) {
        end_scope(&kernels, region);
    }
    struct otter_groups *groups = group_kernels(&kernels);
    assert_int_equal(groups->n_places, 3);
    assert_int_equal(groups->n_groups, 4);
    assert_int_equal(groups->groups[1].n_nodes, 10);
    assert_int_equal(groups->groups[2].n_nodes, 10);
    finish_kernels(&kernels, groups);
}

static void without_memory_there_are_no_groups_of_kernels(void **state)
{
    struct kernels kernels;
    init_kernels(&kernels);
    uint32_t region = label_region(&kernels, OTTER_CONSTRUCT_KOKKOS_FOR, "kernel");
    launch(&kernels, region, true);
    otter_groups_destroy(group_kernels(&kernels));
    fail_allocation(0);
    struct otter_groups *groups = otter_groups_create(&kernels.small.graph, &kernels.labels);
    size_t n = n_allocations();
    assert_true(n > 10);
    for (size_t i = 1; i <= n; i++) {
        fail_allocation(i);
        assert_null(otter_groups_create(&kernels.small.graph, &kernels.labels));
    }
    fail_allocation(0);
    finish_kernels(&kernels, groups);
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
        cmocka_unit_test(a_kernel_is_one_group_with_what_its_runtime_does),
        cmocka_unit_test(a_repeated_kernel_is_counted_and_leads_to_itself),
        cmocka_unit_test(kernels_with_tasks_of_one_place_share_no_group),
        cmocka_unit_test(one_label_of_a_region_and_of_kernels_is_several_groups),
        cmocka_unit_test(a_kernel_in_two_regions_is_two_groups),
        cmocka_unit_test(time_of_what_is_in_itself_counts_once),
        cmocka_unit_test(an_implied_barrier_goes_with_those_that_were_recorded),
        cmocka_unit_test(too_many_labels_are_one_without_their_numbers),
        cmocka_unit_test(a_fence_goes_with_the_kernel_before_it),
        cmocka_unit_test(only_the_repetition_of_a_loop_leads_back),
        cmocka_unit_test(a_region_in_itself_is_one_place),
        cmocka_unit_test(without_memory_there_are_no_groups_of_kernels),
        cmocka_unit_test(a_graph_without_nodes_has_no_groups),
        TEST_WITH_FAMILY(without_memory_there_are_no_groups),
    };
    return cmocka_run_group_tests_name("group", tests, NULL, NULL);
}
