// Hashes: equal graphs have equal hashes, and different graphs different hashes.
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "drawn_graph.h"
#include "failing.h"
#include "graph/hash/hash.h"

// Two members. One creates two tasks in a single; the second task depends on the first.
static const char original[] = "task I initial -\n"
                               "task M implicit I\n"
                               "task N implicit I\n"
                               "task T explicit M\n"
                               "task U explicit M\n"
                               "team P Q M N\n"
                               "i task initial_task@0 I - o:P\n"
                               "P begin parallel@1 I - c:m c:n\n"
                               "Q end parallel@1 I P\n"
                               "m task parallel@1 M P o:S\n"
                               "S begin single@2 M P o:Z c:t c:u\n"
                               "Z end single@2 M S o:B\n"
                               "t task task@3 T P d:u\n"
                               "u task task@4 U P j:B\n"
                               "n task parallel@1 N P o:B\n"
                               "B sync implicit_barrier@5 M P j:Q\n";

static struct otter_hash hash_of(const struct otter_graph *graph, const struct otter_labels *labels)
{
    struct otter_hash hash;
    assert_true(otter_graph_hash(graph, labels, &hash));
    return hash;
}

static struct otter_hash hash_of_text(const char *text)
{
    struct drawn_graph drawn;
    draw_graph(&drawn, text);
    struct otter_hash hash = hash_of(&drawn.graph, &drawn.labels);
    drawn_graph_finish(&drawn);
    return hash;
}

// Returns the hash of the original, with the first `old` replaced.
static struct otter_hash hash_with(const char *old, const char *replacement)
{
    char text[2048];
    const char *place = strstr(original, old);
    assert_non_null(place);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(place - original), original, replacement,
             place + strlen(old));
    return hash_of_text(text);
}

static void expect_same(struct otter_hash a, struct otter_hash b)
{
    char left[OTTER_HASH_TEXT], right[OTTER_HASH_TEXT];
    assert_string_equal(otter_hash_text(a, left), otter_hash_text(b, right));
}

static void expect_other(struct otter_hash a, struct otter_hash b)
{
    assert_false(otter_hash_is_equal(a, b));
    assert_true(a.high != b.high && a.low != b.low); // each half alone suffices
}

static void numbers_times_and_locations_do_not_count(void **state)
{
    struct drawn_graph drawn;
    draw_graph(&drawn, original);
    struct otter_hash expected = hash_of(&drawn.graph, &drawn.labels);
    for (unsigned seed = 1; seed <= 20; seed++) {
        struct otter_graph *copy = drawn_shuffled(&drawn, seed);
        expect_same(hash_of(copy, &drawn.labels), expected);
        otter_graph_destroy(copy);
    }
    drawn_graph_finish(&drawn);
}

static void kinds_of_nodes_tasks_and_edges_count(void **state)
{
    struct otter_hash expected = hash_of_text(original);
    expect_other(hash_with("t task", "t fulfil"), expected);
    expect_other(hash_with("task T explicit", "task T target"), expected);
    expect_other(hash_with("d:u", "j:u"), expected);
}

static void edges_count(void **state)
{
    struct otter_hash expected = hash_of_text(original);
    expect_other(hash_with(" d:u", ""), expected);
    expect_other(hash_with(" d:u", " d:u j:B"), expected);
    expect_other(hash_with("c:t c:u", "c:t"), expected);
}

static void what_and_where_count(void **state)
{
    struct otter_hash expected = hash_of_text(original);
    expect_other(hash_with("task@3", "task@4"), expected);
    expect_other(hash_with("S begin single@2", "S begin masked@2"), expected);
}

static void who_depends_on_whom_counts(void **state)
{
    // a chain of three, and a task with two dependences: the same nodes, the same number of edges
    static const char chain[] = "task I initial -\ntask A explicit I\ntask B explicit I\n"
                                "task C explicit I\n"
                                "i task initial_task@0 I - c:a c:b c:c\n"
                                "a task task@1 A - d:b\nb task task@1 B - d:c\nc task task@1 C -\n";
    static const char fork[] = "task I initial -\ntask A explicit I\ntask B explicit I\n"
                               "task C explicit I\n"
                               "i task initial_task@0 I - c:a c:b c:c\n"
                               "a task task@1 A - d:b d:c\nb task task@1 B -\nc task task@1 C -\n";
    static const char meet[] = "task I initial -\ntask A explicit I\ntask B explicit I\n"
                               "task C explicit I\n"
                               "i task initial_task@0 I - c:a c:b c:c\n"
                               "a task task@1 A - d:c\nb task task@1 B - d:c\nc task task@1 C -\n";
    expect_other(hash_of_text(chain), hash_of_text(fork));
    expect_other(hash_of_text(fork), hash_of_text(meet));
    expect_other(hash_of_text(meet), hash_of_text(chain));
}

static void how_many_are_alike_counts(void **state)
{
    static const char two[] = "task I initial -\ntask A explicit I\ntask B explicit I\n"
                              "i task initial_task@0 I - c:a c:b\n"
                              "a task task@1 A -\nb task task@1 B -\n";
    static const char three[] = "task I initial -\ntask A explicit I\ntask B explicit I\n"
                                "task C explicit I\ni task initial_task@0 I - c:a c:b c:c\n"
                                "a task task@1 A -\nb task task@1 B -\nc task task@1 C -\n";
    expect_other(hash_of_text(two), hash_of_text(three));
}

// Members arrive at a barrier from different code, and some runtimes omit the last member.
static void of_a_barrier_only_counts_whether_it_is_explicit(void **state)
{
    struct otter_hash expected = hash_of_text(original);
    expect_same(hash_with("implicit_barrier@5", "implicit_barrier@77"), expected);
    expect_same(hash_with("implicit_barrier@5", "implementation_barrier@5"), expected);
    expect_same(hash_with("sync implicit_barrier@5", "implied parallel@1"), expected);
    expect_other(hash_with("implicit_barrier@5", "barrier@5"), expected);
    expect_other(hash_with("implicit_barrier@5", "taskwait@5"), expected);
}

static void a_task_that_was_undeferred_or_cancelled_is_the_same_task(void **state)
{
    struct drawn_graph drawn;
    draw_graph(&drawn, original);
    struct otter_hash expected = hash_of(&drawn.graph, &drawn.labels);
    uint32_t region = drawn.graph.nodes[drawn_node(&drawn, "t")].region;
    uint32_t other = (uint32_t)drawn.definitions.n_regions;
    otter_labels_finish(&drawn.labels);
    drawn.regions[other] = drawn.regions[region];
    drawn.regions[other].description = "undeferred";
    drawn.definitions.n_regions++;
    assert_int_equal(otter_labels_init(&drawn.labels, &drawn.definitions), OTTER_OK);
    drawn.graph.nodes[drawn_node(&drawn, "t")].region = other;
    drawn.graph.nodes[drawn_node(&drawn, "t")].flags =
        OTTER_NODE_NEVER_RAN | OTTER_NODE_CANCELLED | OTTER_NODE_UNFINISHED | OTTER_NODE_DETACHED;
    expect_same(hash_of(&drawn.graph, &drawn.labels), expected);
    drawn_graph_finish(&drawn);
}

static void nodes_without_a_region_and_empty_graphs_have_hashes_too(void **state)
{
    struct drawn_graph drawn;
    draw_graph(&drawn, original);
    struct otter_hash whole = hash_of(&drawn.graph, &drawn.labels);
    drawn.graph.nodes[0].region = OTTER_NONE;
    expect_other(hash_of(&drawn.graph, &drawn.labels), whole);
    drawn.graph.n_nodes = 0;
    drawn.graph.n_edges = 0;
    expect_other(hash_of(&drawn.graph, &drawn.labels), whole);
    drawn_graph_finish(&drawn);
}

static void a_cycle_is_no_trap(void **state)
{
    static const char cycle[] = "task I initial -\ni task initial_task@0 I - o:a\n"
                                "a sync taskwait@1 I - o:b\nb sync taskwait@2 I - o:a\n";
    expect_same(hash_of_text(cycle), hash_of_text(cycle));
}

// ---- equal hashes mean equal graphs

// Returns whether a pair is set: two different numbers below `n`, one bit of `pairs` for each pair.
static bool has_pair(unsigned pairs, int n, int from, int to)
{
    return from != to && pairs >> (from * (n - 1) + to - (to > from)) & 1;
}

static void relabel_as_untied(struct drawn_graph *drawn)
{
    for (size_t i = 0; i < drawn->definitions.n_regions; i++) {
        drawn->regions[i].description = "untied";
    }
}

// Draws tasks of one creator. Bit i * n + k of `edges`: task k depends on task i.
static void draw_tasks(struct drawn_graph *drawn, int n, uint64_t edges)
{
    char text[4096];
    size_t at = (size_t)sprintf(text, "task I initial -\n");
    for (int i = 0; i < n; i++) {
        at += (size_t)sprintf(text + at, "task T%d explicit I\n", i);
    }
    at += (size_t)sprintf(text + at, "i task initial_task@0 I -");
    for (int i = 0; i < n; i++) {
        at += (size_t)sprintf(text + at, " c:t%d", i);
    }
    for (int i = 0; i < n; i++) {
        at += (size_t)sprintf(text + at, "\nt%d task task@1 T%d -", i, i);
        for (int k = i + 1; k < n; k++) {
            if (edges >> (i * n + k) & 1) {
                at += (size_t)sprintf(text + at, " d:t%d", k);
            }
        }
    }
    assert_true(at < sizeof text);
    draw_graph(drawn, text);
}

static struct otter_hash hash_of_tasks(int n, uint64_t edges)
{
    struct drawn_graph drawn;
    draw_tasks(&drawn, n, edges);
    struct otter_hash hash = hash_of(&drawn.graph, &drawn.labels);
    struct otter_graph *copy = drawn_shuffled(&drawn, (unsigned)edges + 1);
    expect_same(hash_of(copy, &drawn.labels), hash);
    otter_graph_destroy(copy);
    drawn_graph_finish(&drawn);
    return hash;
}

enum { N_NUMBERED = 4 };

// The order of creation names the tasks of one creator, so each set of dependences is a different
// graph.
static void each_set_of_dependences_has_a_hash(void **state)
{
    struct otter_hash hashes[1 << (N_NUMBERED * (N_NUMBERED - 1) / 2)];
    unsigned n = 0;
    for (uint64_t edges = 0; edges < UINT64_C(1) << (N_NUMBERED * N_NUMBERED); edges++) {
        bool is_forward = true;
        for (int i = 0; i < N_NUMBERED * N_NUMBERED; i++) {
            is_forward = is_forward && (!(edges >> i & 1) || i % N_NUMBERED > i / N_NUMBERED);
        }
        if (is_forward) {
            hashes[n++] = hash_of_tasks(N_NUMBERED, edges);
        }
    }
    assert_int_equal(n, sizeof hashes / sizeof *hashes);
    for (unsigned i = 0; i < n; i++) {
        for (unsigned k = 0; k < i; k++) {
            expect_other(hashes[i], hashes[k]);
        }
    }
}

// Writers precede readers. Each reader depends on its own writer and on the next writer of its
// ring.
static uint64_t rings_of(int n, int length)
{
    uint64_t edges = 0;
    for (int i = 0; i < n; i++) {
        int next = i / length * length + (i + 1) % length;
        edges |= UINT64_C(1) << (i * 2 * n + n + i) | UINT64_C(1) << (next * 2 * n + n + i);
    }
    return edges;
}

static void one_ring_is_not_two(void **state)
{
    expect_other(hash_of_tasks(8, rings_of(4, 4)), hash_of_tasks(8, rings_of(4, 2)));
}

// Tasks of an untied creator have no numbers.
static struct otter_hash hash_of_untied_rings(int length, unsigned seed)
{
    struct drawn_graph drawn;
    draw_tasks(&drawn, 8, rings_of(4, length));
    relabel_as_untied(&drawn);
    for (uint32_t i = 1; i < drawn.graph.n_tasks; i++) {
        drawn.graph.tasks[i].number = 1 + (i * 5 + seed * 7) % 8;
    }
    struct otter_graph *copy = drawn_shuffled(&drawn, seed);
    struct otter_hash hash = hash_of(copy, &drawn.labels);
    otter_graph_destroy(copy);
    drawn_graph_finish(&drawn);
    return hash;
}

static void rings_without_numbers_are_told_apart_too(void **state)
{
    struct otter_hash one = hash_of_untied_rings(4, 1), two = hash_of_untied_rings(2, 1);
    expect_other(one, two);
    for (unsigned seed = 2; seed < 20; seed++) {
        expect_same(hash_of_untied_rings(4, seed), one);
        expect_same(hash_of_untied_rings(2, seed), two);
    }
}

// The second task depends on the first.
static struct otter_hash hash_of_creator(bool is_folded, bool is_reversed)
{
    struct drawn_graph drawn;
    draw_tasks(&drawn, 3, 1 << 1);
    drawn.graph.is_folded = is_folded;
    for (uint32_t i = 1; i < drawn.graph.n_tasks; i++) {
        drawn.graph.tasks[i].number = is_reversed ? drawn.graph.n_tasks - i : i;
    }
    struct otter_hash hash = hash_of(&drawn.graph, &drawn.labels);
    drawn_graph_finish(&drawn);
    return hash;
}

// Folding moves the tasks of several creators to one node.
static void numbers_of_tasks_count_until_the_graph_is_folded(void **state)
{
    expect_other(hash_of_creator(false, false), hash_of_creator(false, true));
    expect_same(hash_of_creator(true, false), hash_of_creator(true, true));
}

enum { N_MEMBERS = 4, N_PAIRS = N_MEMBERS * (N_MEMBERS - 1) };

// A team whose members fulfil each other's events: only its actions identify a member.
static struct otter_hash hash_of_team(unsigned pairs)
{
    char text[4096];
    struct drawn_graph drawn;
    size_t at = (size_t)sprintf(text, "task I initial -\n");
    for (int i = 0; i < N_MEMBERS; i++) {
        at += (size_t)sprintf(text + at, "task M%d implicit I\n", i);
    }
    at += (size_t)sprintf(text + at, "P begin parallel@1 I - c:m0 c:m1 c:m2 c:m3\n");
    for (int i = 0; i < N_MEMBERS; i++) {
        at += (size_t)sprintf(text + at, "m%d task parallel@1 M%d P o:w%d", i, i, i);
        for (int k = 0; k < N_MEMBERS; k++) {
            at += has_pair(pairs, N_MEMBERS, i, k) ? (size_t)sprintf(text + at, " f:w%d", k) : 0;
        }
        at += (size_t)sprintf(text + at, "\nw%d sync taskwait@2 M%d P o:B\n", i, i);
    }
    sprintf(text + at, "B sync implicit_barrier@3 M0 P\n");
    draw_graph(&drawn, text);
    struct otter_hash hash = hash_of(&drawn.graph, &drawn.labels);
    drawn_graph_finish(&drawn);
    return hash;
}

static unsigned permuted(unsigned pairs, const int *names)
{
    unsigned result = 0;
    for (int i = 0; i < N_MEMBERS; i++) {
        for (int k = 0; k < N_MEMBERS; k++) {
            int from = names[i], to = names[k];
            if (has_pair(pairs, N_MEMBERS, i, k)) {
                result |= 1U << (from * (N_MEMBERS - 1) + to - (to > from));
            }
        }
    }
    return result;
}

// Returns the smallest of all sets of pairs that differ only in the names of members.
static unsigned least(unsigned pairs)
{
    unsigned best = pairs;
    for (int i = 0; i < N_MEMBERS * N_MEMBERS * N_MEMBERS * N_MEMBERS; i++) {
        int names[N_MEMBERS] = {i & 3, i >> 2 & 3, i >> 4 & 3, i >> 6};
        unsigned seen = 0;
        for (int k = 0; k < N_MEMBERS; k++) {
            seen |= 1U << names[k];
        }
        unsigned other = seen == 15 ? permuted(pairs, names) : best;
        best = other < best ? other : best;
    }
    return best;
}

static void teams_have_one_hash_exactly_if_they_differ_in_names_alone(void **state)
{
    static struct otter_hash hashes[1 << N_PAIRS];
    static unsigned kinds[1 << N_PAIRS];
    unsigned n_kinds = 0;
    for (unsigned pairs = 0; pairs < 1 << N_PAIRS; pairs++) {
        hashes[pairs] = hash_of_team(pairs);
        unsigned other = least(pairs);
        expect_same(hashes[pairs], hashes[other]);
        for (unsigned i = 0; other == pairs && i < n_kinds; i++) {
            expect_other(hashes[pairs], hashes[kinds[i]]);
        }
        if (other == pairs) {
            kinds[n_kinds++] = pairs;
        }
    }
    assert_int_equal(n_kinds, 218); // directed graphs with four nodes
}

// ---- units

static void edges_between_units_do_not_count(void **state)
{
    struct drawn_graph drawn;
    draw_graph(&drawn, "task I initial -\ntask A explicit I\ntask B explicit I\n"
                       "i task initial_task@0 I - c:a c:b o:w\n"
                       "a task task@1 A - d:b\nb task task@1 B - j:w\nw sync taskwait@2 I -\n");
    uint32_t apart[] = {0, 1, 2, OTTER_NONE}, together[] = {0, 1, 1, 0};
    struct otter_hash *alone = otter_graph_unit_hashes(&drawn.graph, &drawn.labels, apart, 3);
    struct otter_hash *both = otter_graph_unit_hashes(&drawn.graph, &drawn.labels, together, 2);
    assert_non_null(alone);
    assert_non_null(both);
    expect_same(alone[1], alone[2]);
    expect_other(alone[0], alone[1]);
    expect_other(both[1], otter_hash_add(alone[1], alone[2]));
    free(alone);
    free(both);
    drawn_graph_finish(&drawn);
}

static void the_text_is_32_digits(void **state)
{
    char text[OTTER_HASH_TEXT];
    assert_string_equal(otter_hash_text((struct otter_hash){0x12, 0xabcdef0000000001}, text),
                        "0000000000000012abcdef0000000001");
}

static void short_memory_makes_no_hash(void **state)
{
    struct drawn_graph drawn;
    draw_graph(&drawn, original);
    struct otter_hash hash;
    bool is_good = false;
    size_t n = 0;
    while (!is_good) {
        fail_allocation(++n);
        is_good = otter_graph_hash(&drawn.graph, &drawn.labels, &hash);
        assert_true(is_good || n_allocations() >= n);
    }
    fail_allocation(0);
    assert_true(n > 3);
    drawn_graph_finish(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_times_and_locations_do_not_count),
        cmocka_unit_test(kinds_of_nodes_tasks_and_edges_count),
        cmocka_unit_test(edges_count),
        cmocka_unit_test(what_and_where_count),
        cmocka_unit_test(who_depends_on_whom_counts),
        cmocka_unit_test(how_many_are_alike_counts),
        cmocka_unit_test(of_a_barrier_only_counts_whether_it_is_explicit),
        cmocka_unit_test(a_task_that_was_undeferred_or_cancelled_is_the_same_task),
        cmocka_unit_test(nodes_without_a_region_and_empty_graphs_have_hashes_too),
        cmocka_unit_test(a_cycle_is_no_trap),
        cmocka_unit_test(each_set_of_dependences_has_a_hash),
        cmocka_unit_test(one_ring_is_not_two),
        cmocka_unit_test(rings_without_numbers_are_told_apart_too),
        cmocka_unit_test(numbers_of_tasks_count_until_the_graph_is_folded),
        cmocka_unit_test(teams_have_one_hash_exactly_if_they_differ_in_names_alone),
        cmocka_unit_test(edges_between_units_do_not_count),
        cmocka_unit_test(the_text_is_32_digits),
        cmocka_unit_test(short_memory_makes_no_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
