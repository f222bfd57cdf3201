// Folding: a program has one graph for any number of threads.
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "drawn_graph.h"
#include "failing.h"
#include "graph/fold/fold.h"
#include "graph/hash/hash.h"
#include "small_graph.h"

static void expect_text(const char *text, const char *edges)
{
    struct drawn_graph drawn;
    draw_graph(&drawn, text);
    struct otter_graph *folded = otter_graph_fold(&drawn.graph, &drawn.labels, NULL, NULL);
    assert_non_null(folded);
    assert_string_equal(drawn_edges(&drawn, folded), edges);
    otter_graph_destroy(folded);
    drawn_graph_finish(&drawn);
}

static void hash_folded(const char *text, char *hash_text)
{
    struct drawn_graph drawn;
    struct otter_hash hash;
    draw_graph(&drawn, text);
    struct otter_graph *folded = otter_graph_fold(&drawn.graph, &drawn.labels, NULL, NULL);
    assert_non_null(folded);
    assert_true(otter_graph_hash(folded, &drawn.labels, &hash));
    otter_hash_text(hash, hash_text);
    for (unsigned seed = 1; seed < 6; seed++) { // any member may be the first
        struct otter_graph *copy = drawn_shuffled(&drawn, seed);
        struct otter_graph *other = otter_graph_fold(copy, &drawn.labels, NULL, NULL);
        char other_text[OTTER_HASH_TEXT];
        assert_non_null(other);
        assert_true(otter_graph_hash(other, &drawn.labels, &hash));
        assert_string_equal(otter_hash_text(hash, other_text), hash_text);
        otter_graph_destroy(other);
        otter_graph_destroy(copy);
    }
    otter_graph_destroy(folded);
    drawn_graph_finish(&drawn);
}

static void expect_same(const char *a, const char *b)
{
    char left[OTTER_HASH_TEXT], right[OTTER_HASH_TEXT];
    hash_folded(a, left);
    hash_folded(b, right);
    assert_string_equal(left, right);
}

static void expect_other(const char *a, const char *b)
{
    char left[OTTER_HASH_TEXT], right[OTTER_HASH_TEXT];
    hash_folded(a, left);
    hash_folded(b, right);
    assert_string_not_equal(left, right);
}

// A parallel region from P to Q, without the members' chains. Y is the last barrier.
#define ONE_MEMBER                                                                                 \
    "task I initial -\ntask M implicit I\nteam P Q M\n"                                            \
    "i task initial_task@0 I - o:P\nP begin parallel@1 I - c:m\nQ end parallel@1 I P\n"
#define TWO_MEMBERS                                                                                \
    "task I initial -\ntask M implicit I\ntask N implicit I\nteam P Q M N\n"                       \
    "i task initial_task@0 I - o:P\nP begin parallel@1 I - c:m c:n\nQ end parallel@1 I P\n"
#define LAST_OF_ONE "Y implied parallel@1 M P j:Q\n"
#define LAST_OF_TWO "Y sync implicit_barrier@1 M P j:Q\n"

static void members_that_did_the_same_are_one(void **state)
{
    static const char two[] =
        TWO_MEMBERS "task A explicit M\ntask B explicit N\n"
                    "m task parallel@1 M P c:a o:B\n"
                    "n task parallel@1 N P c:b o:B\n"
                    "a task task@2 A P j:B\nb task task@2 B P j:B\n"
                    "B sync barrier@3 M P o:u o:v\n"
                    "u sync taskwait@4 M P o:Y\nv sync taskwait@4 N P o:Y\n" LAST_OF_TWO;
    expect_text(two, "i o:P\nP c:m\nQ\nm c:a o:B\na j:B\nB o:u\nu o:Y\nY j:Q\n");
}

static void members_that_did_not_the_same_are_kept(void **state)
{
    static const char two[] =
        TWO_MEMBERS "m task parallel@1 M P o:u\nn task parallel@1 N P o:v\n"
                    "u sync taskwait@4 M P o:Y\nv sync taskwait@5 N P o:Y\n" LAST_OF_TWO;
    expect_text(two, "i o:P\nP c:m\nQ\nm o:u o:v\nu o:Y\nv o:Y\nY j:Q\n");
}

static void what_tasks_did_below_counts(void **state)
{
    static const char two[] =
        TWO_MEMBERS "task A explicit M\ntask B explicit N\ntask C explicit B\n"
                    "m task parallel@1 M P c:a o:Y\n"
                    "n task parallel@1 N P c:b o:Y\n"
                    "a task task@2 A P j:Y\nb task task@2 B P c:c\n"
                    "c task task@3 C P j:Y\n" LAST_OF_TWO;
    expect_text(two, "i o:P\nP c:m\nQ\nm c:a c:b o:Y\na j:Y\nb c:c\nc j:Y\nY j:Q\n");
}

static void who_does_less_of_the_same_vanishes(void **state)
{
    static const char two[] =
        TWO_MEMBERS "task A explicit M\ntask B explicit N\n"
                    "m task parallel@1 M P o:X\n"
                    "X begin masked@2 M P o:Z\nZ end masked@2 M X c:a o:u\n"
                    "a task task@3 A P j:u\nu sync taskwait@4 M P o:Y\n"
                    "n task parallel@1 N P c:b o:v\n"
                    "b task task@3 B P j:v\nv sync taskwait@4 N P o:Y\n" LAST_OF_TWO;
    expect_text(two, "i o:P\nP c:m\nQ\nm o:X\nX o:Z\nZ c:a o:u\na j:u\nu o:Y\nY j:Q\n");
}

// Two iterations of one member. The second reuses the stack of the first.
#define ITERATIONS                                                                                 \
    ONE_MEMBER "task A explicit M\ntask B explicit M\ntask C explicit M\ntask D explicit M\n"      \
               "m task parallel@1 M P o:L\n"                                                       \
               "L begin for@2 M P o:u c:a\nu sync taskwait@3 M L o:v c:b c:c\n"                    \
               "v sync taskwait@3 M L o:W c:d\nW end for@2 M L o:Y\n"                              \
               "a task task@4 A P j:u\nb task task@5 B P d:c j:v\n"                                \
               "c task task@4 C P j:v\nd task task@5 D P j:Y\n" LAST_OF_ONE

// The first iteration begins after node L, the second after task B. Times and numbers are indexes.
static struct otter_graph *fold_iterations(struct drawn_graph *drawn, bool are_known,
                                           struct otter_fold_findings *findings)
{
    draw_graph(drawn, ITERATIONS);
    uint32_t before = drawn_task(drawn, "A") - 1;
    struct otter_iteration_start starts[] = {
        {drawn_node(drawn, "L"), before, 0},
        {drawn_node(drawn, "v"), before + 2, 1},
        {drawn_node(drawn, "W"), before + 4, OTTER_NONE},
    };
    struct otter_iteration_starts locations[3];
    for (int i = 0; i < 3; i++) {
        locations[i] = (struct otter_iteration_starts){.items = starts, .n = 3};
    }
    const struct otter_iterations iterations = {locations, 3};
    struct otter_graph *folded =
        otter_graph_fold(&drawn->graph, &drawn->labels, are_known ? &iterations : NULL, findings);
    assert_non_null(folded);
    return folded;
}

static void an_iteration_is_in_order_and_apart_from_the_next(void **state)
{
    struct drawn_graph drawn;
    struct otter_fold_findings findings;
    struct otter_graph *folded = fold_iterations(&drawn, true, &findings);
    assert_string_equal(drawn_edges(&drawn, folded),
                        "i o:P\nP c:m\nQ\nm o:L\nL o:u o:v c:a c:c\nu o:W c:b\nv o:W c:d\nW o:Y\n"
                        "a j:u\nb j:Y\nc j:v\nd j:Y\nY j:Q\n");
    assert_int_equal(findings.n_unordered, 0);
    assert_int_equal(findings.n_split, 0);
    otter_graph_destroy(folded);
    drawn_graph_finish(&drawn);
}

static void an_order_that_is_lost_is_counted(void **state)
{
    struct drawn_graph drawn;
    struct otter_fold_findings findings;
    struct otter_graph *folded = fold_iterations(&drawn, false, &findings);
    assert_string_equal(drawn_edges(&drawn, folded),
                        "i o:P\nP c:m\nQ\nm o:L\nL o:u o:v c:a c:b c:c c:d\nu o:W\nv o:W\nW o:Y\n"
                        "a j:u\nb j:v d:c\nc j:v\nd j:Y\nY j:Q\n");
    assert_int_equal(findings.n_unordered, 1);
    assert_int_equal(findings.n_split, 4);
    otter_graph_destroy(folded);
    drawn_graph_finish(&drawn);
}

#define SINGLES(first, second, orders)                                                             \
    "task A explicit " first "\ntask B explicit " second "\n" orders                               \
    "a task task@4 A P j:Y\nb task task@5 B P j:Y\n"

static void who_executes_a_single_does_not_matter(void **state)
{
    static const char one[] =
        ONE_MEMBER SINGLES("M", "M",
                           "m task parallel@1 M P o:S\n"
                           "S begin single@2 M P c:a o:Z\nZ end single@2 M S o:T\n"
                           "T begin single@3 M P c:b o:W\nW end single@3 M T o:Y\n") LAST_OF_ONE;
    static const char one_of_two[] =
        TWO_MEMBERS SINGLES("M", "M",
                            "m task parallel@1 M P o:S\nn task parallel@1 N P o:Y\n"
                            "S begin single@2 M P c:a o:Z\nZ end single@2 M S o:T\n"
                            "T begin single@3 M P c:b o:W\nW end single@3 M T o:Y\n") LAST_OF_TWO;
    static const char each_one[] =
        TWO_MEMBERS SINGLES("N", "M",
                            "m task parallel@1 M P o:T\nn task parallel@1 N P o:S\n"
                            "S begin single@2 N P c:a o:Z\nZ end single@2 N S o:Y\n"
                            "T begin single@3 M P c:b o:W\nW end single@3 M T o:Y\n") LAST_OF_TWO;
    expect_same(one, one_of_two);
    expect_same(one, each_one);
    expect_text(each_one, "i o:P\nP c:m\nQ\nm o:S o:T\nS o:Z c:a\nZ o:Y\nT o:W c:b\nW o:Y\n"
                          "a j:Y\nb j:Y\nY j:Q\n");
}

static void what_comes_behind_a_single_is_created_by_all(void **state)
{
    static const char one[] =
        ONE_MEMBER "task A explicit M\n"
                   "m task parallel@1 M P o:S\nS begin single@2 M P o:Z\n"
                   "Z end single@2 M S c:a o:Y\na task task@4 A P j:Y\n" LAST_OF_ONE;
    static const char two[] =
        TWO_MEMBERS "task A explicit M\ntask B explicit N\n"
                    "m task parallel@1 M P o:S\nS begin single@2 M P o:Z\n"
                    "Z end single@2 M S c:a o:Y\na task task@4 A P j:Y\n"
                    "n task parallel@1 N P c:b o:Y\nb task task@4 B P j:Y\n" LAST_OF_TWO;
    expect_same(one, two);
    expect_text(two, "i o:P\nP c:m\nQ\nm o:S c:a\nS o:Z\nZ o:Y\na j:Y\nY j:Q\n");
}

static void a_single_stays_in_the_scope_around_it(void **state)
{
    static const char two[] = TWO_MEMBERS
        "m task parallel@1 M P o:G\nn task parallel@1 N P o:H\n"
        "G begin taskgroup@2 M P o:J\nJ end taskgroup@2 M G o:Y\n"
        "H begin taskgroup@2 N P o:S\nS begin single@3 N H o:Z\nZ end single@3 N S o:K\n"
        "K end taskgroup@2 N H o:Y\n" LAST_OF_TWO;
    expect_text(two, "i o:P\nP c:m\nQ\nm o:G\nG o:S\nJ o:Y\nS o:Z\nZ o:J\nY j:Q\n");
}

// Four iterations. Each creates a task, and one waits for its task.
static void how_a_loop_is_shared_out_does_not_matter(void **state)
{
    static const char one[] = ONE_MEMBER
        "task A explicit M\ntask B explicit M\ntask C explicit M\n"
        "m task parallel@1 M P o:L\nL begin for@2 M P c:a o:w\nw sync taskwait@4 M L c:b c:c o:K\n"
        "K end for@2 M L o:B\na task task@3 A P j:w\nb task task@3 B P j:B\nc task task@3 C P j:B\n"
        "B sync implicit_barrier@2 M P o:Y\n" LAST_OF_ONE;
    static const char two[] = TWO_MEMBERS
        "task A explicit N\ntask B explicit N\ntask C explicit M\n"
        "m task parallel@1 M P o:L\nL begin for@2 M P c:c o:K\nK end for@2 M L o:B\n"
        "n task parallel@1 N P o:D\nD begin for@2 N P c:a o:w\nw sync taskwait@4 N D c:b o:E\n"
        "E end for@2 N D o:B\na task task@3 A P j:w\nb task task@3 B P j:B\nc task task@3 C P j:B\n"
        "B sync implicit_barrier@2 M P o:Y\n" LAST_OF_TWO;
    expect_same(one, two);
    expect_text(two, "i o:P\nP c:m\nQ\nm o:L\nL o:w c:a c:b c:c\nK o:B\nw o:K\n"
                     "a j:w\nb j:B\nc j:B\nB o:Y\nY j:Q\n");
}

static void a_doacross_loop_is_a_loop(void **state)
{
    static const char one[] = ONE_MEMBER "m task parallel@1 M P o:L\nL begin for@2 M P o:K\n"
                                         "K end for@2 M L o:Y\n" LAST_OF_ONE;
    static const char two[] = TWO_MEMBERS
        "m task parallel@1 M P o:L\nL begin for@2 M P o:s\ns source for@2 M L x:t o:K\n"
        "K end for@2 M L o:Y\nn task parallel@1 N P o:D\nD begin for@2 N P o:t\n"
        "t sink for@2 N D o:u\nu source for@2 N D o:E\nE end for@2 N D o:Y\n" LAST_OF_TWO;
    expect_same(one, two);
}

// A team of one has a reduction and the runtime's barrier; larger teams have only the barrier.
static void reductions_and_their_barriers_are_left_out(void **state)
{
    static const char one[] =
        ONE_MEMBER "task A explicit M\nm task parallel@1 M P c:a o:L\na task task@5 A P j:R\n"
                   "L begin for@2 M P o:K\nK end for@2 M L o:r\n"
                   "r sync reduction@1 M P o:R\nR sync implementation_barrier@3 M P o:B\n"
                   "B sync implicit_barrier@2 M P o:Y\n" LAST_OF_ONE;
    static const char two[] = TWO_MEMBERS
        "task A explicit M\ntask C explicit N\nm task parallel@1 M P c:a o:L\na task task@5 A P j:R\n"
        "L begin for@2 M P o:K\nK end for@2 M L o:R\nn task parallel@1 N P c:c o:D\n"
        "c task task@5 C P j:R\nD begin for@2 N P o:E\nE end for@2 N D o:R\n"
        "R sync implementation_barrier@3 M P o:B\nB sync implicit_barrier@2 M P o:Y\n" LAST_OF_TWO;
    // the tree method of large teams; the loop itself has `nowait`
    static const char nowait_one[] = ONE_MEMBER
        "m task parallel@1 M P o:r\nr sync reduction@1 M P o:u\nu sync taskwait@4 M P o:Y\n" LAST_OF_ONE;
    static const char nowait_two[] = TWO_MEMBERS
        "m task parallel@1 M P o:r\nr sync reduction@1 M P o:R\nn task parallel@1 N P o:R\n"
        "R sync implementation_barrier@3 M P o:u o:v\n"
        "u sync taskwait@4 M P o:Y\nv sync taskwait@4 N P o:Y\n" LAST_OF_TWO;
    expect_same(one, two);
    expect_text(two, "i o:P\nP c:m\nQ\nm c:a o:L\na j:B\nL o:K\nK o:B\nB o:Y\nY j:Q\n");
    expect_same(nowait_one, nowait_two);
}

// Code of GCC has only this kind of barrier.
static void a_barrier_of_the_runtime_that_separates_something_stays(void **state)
{
    static const char two[] =
        TWO_MEMBERS "m task parallel@1 M P o:R\nn task parallel@1 N P o:R\n"
                    "R sync implementation_barrier@3 M P o:u o:v\n"
                    "u sync taskwait@4 M P o:Y\nv sync taskwait@4 N P o:Y\n" LAST_OF_TWO;
    static const char none[] =
        TWO_MEMBERS "m task parallel@1 M P o:u\nn task parallel@1 N P o:v\n"
                    "u sync taskwait@4 M P o:Y\nv sync taskwait@4 N P o:Y\n" LAST_OF_TWO;
    expect_other(two, none);
    expect_text(two, "i o:P\nP c:m\nQ\nm o:R\nR o:u\nu o:Y\nY j:Q\n");
}

static void a_barrier_behind_which_tasks_were_created_stays(void **state)
{
    static const char two[] = TWO_MEMBERS
        "task A explicit M\nm task parallel@1 M P o:R\nn task parallel@1 N P o:R\n"
        "R sync implementation_barrier@3 M P c:a o:Y\na task task@4 A P j:Y\n" LAST_OF_TWO;
    expect_text(two, "i o:P\nP c:m\nQ\nm o:R\nR c:a o:Y\na j:Y\nY j:Q\n");
}

static void inner_teams_are_folded_first(void **state)
{
    static const char one[] = ONE_MEMBER
        "task X implicit M\nteam F G X\nm task parallel@1 M P o:F\n"
        "F begin parallel@2 M P c:x\nG end parallel@2 M F o:Y\nx task parallel@2 X F o:y\n"
        "y implied parallel@2 X F j:G\n" LAST_OF_ONE;
    static const char two[] = TWO_MEMBERS
        "task X implicit M\ntask V implicit M\ntask U implicit N\nteam F G X V\nteam H J U\n"
        "m task parallel@1 M P o:F\nF begin parallel@2 M P c:x c:v\nG end parallel@2 M F o:Y\n"
        "x task parallel@2 X F o:y\nv task parallel@2 V F o:y\n"
        "y sync implicit_barrier@2 X F j:G\n"
        "n task parallel@1 N P o:H\nH begin parallel@2 N P c:u\nJ end parallel@2 N H o:Y\n"
        "u task parallel@2 U H o:w\nw implied parallel@2 U H j:J\n" LAST_OF_TWO;
    expect_same(one, two);
    expect_text(two, "i o:P\nP c:m\nQ\nm o:F\nF c:x\nG o:Y\nx o:y\ny j:G\nY j:Q\n");
}

// U is undeferred. In a team of one all tasks are undeferred, and have no such edge.
static void returns_are_left_out(void **state)
{
    static const char one[] =
        ONE_MEMBER "task U explicit M\ntask A explicit M\nm task parallel@1 M P c:u c:a o:Y\n"
                   "u task task@2 U P j:Y\na task task@3 A P j:Y\n" LAST_OF_ONE;
    static const char two[] = TWO_MEMBERS
        "task U explicit M\ntask A explicit M\nm task parallel@1 M P c:u c:a o:Y\n"
        "u task task@2 U P u:a j:Y\na task task@3 A P j:Y\nn task parallel@1 N P o:Y\n" LAST_OF_TWO;
    expect_same(one, two);
    expect_text(two, "i o:P\nP c:m\nQ\nm c:u c:a o:Y\nu j:Y\na j:Y\nY j:Q\n");
}

// The team's size decides which of the runtime's splitter tasks creates which other.
static void tasks_that_part_a_taskloop_are_left_out(void **state)
{
    static const char whole[] =
        ONE_MEMBER "task A explicit M\ntask B explicit M\ntask C explicit M\n"
                   "m task parallel@1 M P o:L\nL begin taskloop@2 M P c:a c:b c:c o:K\n"
                   "K end taskloop@2 M L o:Y\na task task@2 A P j:Y\nb task task@2 B P j:Y\n"
                   "c task task@2 C P j:Y\n" LAST_OF_ONE;
    static const char parted[] = ONE_MEMBER
        "task A explicit M\ntask S explicit M\ntask B explicit S\ntask Z explicit S\n"
        "task C explicit Z\n"
        "m task parallel@1 M P o:L\nL begin taskloop@2 M P c:a c:s o:K\n"
        "K end taskloop@2 M L o:Y\na task task@2 A P j:Y\ns task task@2 S P c:b c:z j:Y\n"
        "b task task@2 B P j:Y\nz task task@2 Z P c:c j:Y\nc task task@2 C P j:Y\n" LAST_OF_ONE;
    static const char recursive[] =
        ONE_MEMBER "task A explicit M\ntask B explicit A\nm task parallel@1 M P o:L\n"
                   "L begin taskloop@2 M P c:a o:K\nK end taskloop@2 M L o:Y\n"
                   "a task task@2 A P c:b j:Y\nb task task@3 B P j:Y\n" LAST_OF_ONE;
    expect_same(whole, parted);
    expect_text(recursive, "i o:P\nP c:m\nQ\nm o:L\nL o:K c:a\nK o:Y\na c:b j:Y\nb j:Y\nY j:Q\n");
}

// Edges to a dropped member's tasks become edges to their representatives.
static void edges_of_dropped_tasks_go_to_their_representatives(void **state)
{
    static const char two[] = TWO_MEMBERS
        "task A explicit M\ntask B explicit N\ntask C explicit N\n"
        "m task parallel@1 M P c:a o:Y\nn task parallel@1 N P c:b o:S\n"
        "S begin single@2 N P c:c o:Z\nZ end single@2 N S o:Y\n"
        "a task task@3 A P o:u\nu sync taskwait@5 A P j:Y\n"
        "b task task@3 B P o:v\nv sync taskwait@5 B P d:c\nc task task@4 C P j:Y\n" LAST_OF_TWO;
    expect_text(two, "i o:P\nP c:m\nQ\nm o:S c:a\nS o:Z c:c\nZ o:Y\na o:u\nu d:c j:Y\nc j:Y\n"
                     "Y j:Q\n");
}

static void one_task_stands_for_the_team(void **state)
{
    struct drawn_graph drawn;
    draw_graph(&drawn, TWO_MEMBERS "task A explicit N\nm task parallel@1 M P o:Y\n"
                                   "n task parallel@1 N P o:S\nS begin single@2 N P c:a o:Z\n"
                                   "Z end single@2 N S o:Y\na task task@3 A P j:Y\n" LAST_OF_TWO);
    struct otter_graph *folded = otter_graph_fold(&drawn.graph, &drawn.labels, NULL, NULL);
    assert_non_null(folded);
    uint32_t member = drawn_task(&drawn, "M");
    assert_int_equal(folded->n_tasks, drawn.graph.n_tasks);
    assert_int_equal(folded->tasks[drawn_task(&drawn, "N")].first_node, OTTER_NONE);
    assert_int_equal(folded->tasks[drawn_task(&drawn, "N")].last_node, OTTER_NONE);
    assert_int_equal(folded->tasks[drawn_task(&drawn, "A")].creator, member);
    assert_int_equal(folded->n_teams, 1);
    assert_int_equal(folded->n_members, 1);
    assert_int_equal(folded->teams[0].n_members, 1);
    assert_int_equal(folded->members[0], member);
    for (uint32_t i = 0; i < folded->n_nodes; i++) {
        assert_int_not_equal(folded->nodes[i].task, drawn_task(&drawn, "N"));
    }
    otter_graph_destroy(folded);
    drawn_graph_finish(&drawn);
}

static void a_node_lasts_as_long_as_all_that_it_stands_for(void **state)
{
    struct drawn_graph drawn;
    draw_graph(&drawn,
               TWO_MEMBERS "m task parallel@1 M P o:Y\nn task parallel@1 N P o:Y\n" LAST_OF_TWO);
    drawn.graph.nodes[drawn_node(&drawn, "m")].end = 50;
    drawn.graph.nodes[drawn_node(&drawn, "n")].end = 70;
    struct otter_graph *folded = otter_graph_fold(&drawn.graph, &drawn.labels, NULL, NULL);
    assert_non_null(folded);
    assert_int_equal(folded->n_nodes, drawn.graph.n_nodes - 1);
    assert_int_equal(folded->nodes[3].start, drawn_node(&drawn, "m"));
    assert_int_equal(folded->nodes[3].end, 70);
    otter_graph_destroy(folded);
    drawn_graph_finish(&drawn);
}

static void folding_twice_is_folding_once(void **state)
{
    struct drawn_graph drawn;
    draw_graph(&drawn, TWO_MEMBERS "task A explicit M\ntask B explicit N\n"
                                   "m task parallel@1 M P c:a o:u\nu sync taskwait@4 M P o:Y\n"
                                   "n task parallel@1 N P c:b o:Y\na task task@2 A P j:u\n"
                                   "b task task@2 B P j:Y\n" LAST_OF_TWO);
    struct otter_graph *folded = otter_graph_fold(&drawn.graph, &drawn.labels, NULL, NULL);
    struct otter_graph *again = folded ? otter_graph_fold(folded, &drawn.labels, NULL, NULL) : NULL;
    assert_non_null(again);
    char expected[DRAWN_TEXT];
    strcpy(expected, drawn_edges(&drawn, folded));
    assert_string_equal(drawn_edges(&drawn, again), expected);
    otter_graph_destroy(again);
    otter_graph_destroy(folded);
    drawn_graph_finish(&drawn);
}

// A program that ended inside its region: no barrier, no ends.
static void what_never_ended_is_folded_as_far_as_it_goes(void **state)
{
    expect_text(TWO_MEMBERS "task A explicit M\nm task parallel@1 M P c:a o:S\n"
                            "S begin single@2 M P o:u\nu sync taskwait@3 M S\n"
                            "n task parallel@1 N P\na task task@4 A P\n",
                "i o:P\nP c:m\nQ\nm o:S c:a\nS o:u\nu\na\n");
    expect_text("task I initial -\ni task initial_task@0 I -\n", "i\n");
}

// Makes any node, edge and creator, as in the graph of a damaged archive, or worse.
static void make_nonsense(struct drawn_graph *drawn, unsigned *seed)
{
    struct otter_graph *graph = &drawn->graph;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        struct otter_node *node = &graph->nodes[i];
        node->kind = (uint8_t)(rand_r(seed) % OTTER_N_NODE_KINDS);
        node->region = (uint32_t)rand_r(seed) % (uint32_t)drawn->definitions.n_regions;
        node->task = (uint32_t)rand_r(seed) % graph->n_tasks;
        bool has_scope =
            i > 0 && rand_r(seed) % 2; // scopes precede their nodes, so there is no cycle
        node->scope = has_scope ? (uint32_t)rand_r(seed) % i : OTTER_NONE;
    }
    for (uint32_t e = 0; e < graph->n_edges; e++) {
        graph->edge_to[e] = (uint32_t)rand_r(seed) % graph->n_nodes;
        graph->edge_kind[e] = (uint8_t)(1 + rand_r(seed) % (OTTER_N_EDGE_KINDS - 1));
    }
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        graph->tasks[i].creator = (uint32_t)rand_r(seed) % graph->n_tasks;
        graph->tasks[i].first_node = (uint32_t)rand_r(seed) % graph->n_nodes;
        graph->tasks[i].last_node = (uint32_t)rand_r(seed) % graph->n_nodes;
    }
}

static void nonsense_is_no_trap(void **state)
{
    for (unsigned seed = 1; seed <= 500; seed++) {
        unsigned random = seed;
        struct drawn_graph drawn;
        struct otter_hash hash;
        draw_graph(&drawn,
                   TWO_MEMBERS "task A explicit M\ntask B explicit N\ntask X implicit M\n"
                               "team G H X\nm task parallel@1 M P c:a o:S c:b\n"
                               "S begin single@2 M P o:Z\nZ end single@2 M S o:G\n"
                               "G begin parallel@3 M P c:x\nH end parallel@3 M G o:L\n"
                               "x task parallel@3 X G o:B\nB sync barrier@4 X G j:H\n"
                               "L begin for@5 M P o:s o:K\ns sink for@5 M L o:K\n"
                               "K end for@5 M L o:R\nR sync reduction@1 M P o:E\n"
                               "E sync implementation_barrier@6 M P o:Y c:a\n"
                               "n task parallel@1 N P o:Y o:T\nT begin taskloop@7 N P c:b\n"
                               "a task task@7 A P j:Y\nb task task@7 B P j:Y\n" LAST_OF_TWO);
        make_nonsense(&drawn, &random);
        struct otter_graph *folded = otter_graph_fold(&drawn.graph, &drawn.labels, NULL, NULL);
        assert_non_null(folded);
        assert_true(folded->n_nodes <= drawn.graph.n_nodes);
        assert_true(otter_graph_hash(folded, &drawn.labels, &hash));
        otter_graph_destroy(folded);
        drawn_graph_finish(&drawn);
    }
}

// Each task was created by its predecessor: walking up from every task would need quadratic time.
static void a_million_tasks_below_each_other_are_folded(void **state)
{
    enum { N = 1000000 };
    struct small_graph small;
    struct otter_labels labels;
    small_graph_init(&small, N, N);
    uint32_t region = small_graph_region(&small, OTTER_CONSTRUCT_TASK, "!$omp task", "!$omp task");
    for (uint32_t i = 0; i < N; i++) {
        small_graph_task(&small, i ? OTTER_TASK_KIND_EXPLICIT : OTTER_TASK_KIND_INITIAL,
                         i ? i - 1 : OTTER_NONE, i);
        small_graph_node(&small, OTTER_NODE_TASK, i, region);
        if (i > 0) {
            small_graph_edge(&small, i - 1, i, OTTER_EDGE_CREATION);
        }
    }
    small_graph_seal(&small);
    assert_int_equal(otter_labels_init(&labels, &small.definitions), OTTER_OK);
    struct otter_graph *folded = otter_graph_fold(&small.graph, &labels, NULL, NULL);
    assert_non_null(folded);
    assert_int_equal(folded->n_nodes, N);
    otter_graph_destroy(folded);
    otter_labels_finish(&labels);
    small_graph_finish(&small);
}

static void short_memory_folds_nothing(void **state)
{
    struct drawn_graph drawn;
    draw_graph(&drawn, TWO_MEMBERS "task A explicit M\ntask B explicit N\n"
                                   "m task parallel@1 M P c:a o:L\nL begin for@2 M P o:K\n"
                                   "K end for@2 M L o:Y\nn task parallel@1 N P c:b o:Y\n"
                                   "a task task@2 A P j:Y\nb task task@2 B P j:Y\n" LAST_OF_TWO);
    struct otter_graph *folded = NULL;
    size_t n = 0;
    while (!folded) {
        fail_allocation(++n);
        folded = otter_graph_fold(&drawn.graph, &drawn.labels, NULL, NULL);
        assert_true(folded || n_allocations() >= n);
    }
    fail_allocation(0);
    assert_true(n > 50);
    otter_graph_destroy(folded);
    drawn_graph_finish(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_that_did_the_same_are_one),
        cmocka_unit_test(members_that_did_not_the_same_are_kept),
        cmocka_unit_test(what_tasks_did_below_counts),
        cmocka_unit_test(who_does_less_of_the_same_vanishes),
        cmocka_unit_test(an_iteration_is_in_order_and_apart_from_the_next),
        cmocka_unit_test(an_order_that_is_lost_is_counted),
        cmocka_unit_test(who_executes_a_single_does_not_matter),
        cmocka_unit_test(what_comes_behind_a_single_is_created_by_all),
        cmocka_unit_test(a_single_stays_in_the_scope_around_it),
        cmocka_unit_test(how_a_loop_is_shared_out_does_not_matter),
        cmocka_unit_test(a_doacross_loop_is_a_loop),
        cmocka_unit_test(reductions_and_their_barriers_are_left_out),
        cmocka_unit_test(a_barrier_of_the_runtime_that_separates_something_stays),
        cmocka_unit_test(a_barrier_behind_which_tasks_were_created_stays),
        cmocka_unit_test(inner_teams_are_folded_first),
        cmocka_unit_test(returns_are_left_out),
        cmocka_unit_test(tasks_that_part_a_taskloop_are_left_out),
        cmocka_unit_test(edges_of_dropped_tasks_go_to_their_representatives),
        cmocka_unit_test(one_task_stands_for_the_team),
        cmocka_unit_test(a_node_lasts_as_long_as_all_that_it_stands_for),
        cmocka_unit_test(folding_twice_is_folding_once),
        cmocka_unit_test(what_never_ended_is_folded_as_far_as_it_goes),
        cmocka_unit_test(nonsense_is_no_trap),
        cmocka_unit_test(a_million_tasks_below_each_other_are_folded),
        cmocka_unit_test(short_memory_folds_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
