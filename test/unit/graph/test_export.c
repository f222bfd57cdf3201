// The export formats of graphs, and the files to which they are written.
#include "unit.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failing.h"
#include "folder.h"
#include "graph/export/export.h"
#include "graph/export/text.h"
#include "small_graph.h"

// A hostile name of a Kokkos kernel: all characters with a meaning in a format, and a byte that is
// not UTF-8.
static const char hostile[] = "a\"b,<c>&\\n\n\tü\xff\x01";

struct story {
    struct small_graph small;
    struct otter_labels labels;
    struct otter_export what;
};

// An initial task, a Kokkos region in it with a hostile label, and a task in this region.
static int set_up(void **state)
{
    static struct story story;
    struct small_graph *small = &story.small;
    small_graph_init(small, 10, 10);
    uint32_t initial = small_graph_region(small, OTTER_CONSTRUCT_INITIAL_TASK, "!$omp initial task",
                                          "!$omp initial task");
    uint32_t kokkos = small_graph_region(small, OTTER_CONSTRUCT_KOKKOS_REGION, hostile, hostile);
    uint32_t task =
        small_graph_region(small, OTTER_CONSTRUCT_TASK, "!$omp task @a+0x2", "!$omp task");
    small_graph_task(small, OTTER_TASK_KIND_INITIAL, OTTER_NONE, 0);
    small_graph_task(small, OTTER_TASK_KIND_EXPLICIT, 0, 17);
    small_graph_node(small, OTTER_NODE_TASK, 0, initial);
    uint32_t begin = small_graph_node(small, OTTER_NODE_BEGIN, 0, kokkos);
    uint32_t child = small_graph_node(small, OTTER_NODE_TASK, 1, task);
    uint32_t end = small_graph_node(small, OTTER_NODE_END, 0, kokkos);
    small->graph.nodes[child].scope = begin;
    small->graph.nodes[child].flags = OTTER_NODE_UNFINISHED | OTTER_NODE_DETACHED;
    small->graph.nodes[end].scope = begin;
    small_graph_edge(small, 0, begin, OTTER_EDGE_ORDER);
    small_graph_edge(small, begin, child, OTTER_EDGE_CREATION);
    small_graph_edge(small, begin, end, OTTER_EDGE_ORDER);
    small_graph_edge(small, child, end, OTTER_EDGE_JOIN);
    small_graph_seal(small);
    assert_int_equal(otter_labels_init(&story.labels, &small->definitions), OTTER_OK);
    story.what = (struct otter_export){.graph = &small->graph, .labels = &story.labels};
    *state = &story;
    return 0;
}

static int tear_down(void **state)
{
    struct story *story = *state;
    otter_labels_finish(&story->labels);
    small_graph_finish(&story->small);
    return 0;
}

// Returns the exported text. Valid until the next call.
static const char *text_of(otter_export_function *write, const struct otter_export *what)
{
    static char *text;
    size_t size;
    free(text);
    FILE *out = open_memstream(&text, &size);
    write(out, what);
    fclose(out);
    return text;
}

static bool has(const char *text, const char *part)
{
    return strstr(text, part) != NULL;
}

static enum otter_status write_to(const struct story *story, const char *format, const char *path,
                                  struct otter_complaint *complaint)
{
    return otter_export_write(otter_exporter_find(format), &story->what, path, complaint);
}

// ---- formats

static void an_exporter_is_found_by_its_name(void **state)
{
    size_t n;
    const struct otter_exporter *table = otter_exporters_table(&n);
    assert_int_equal(n, 4);
    for (size_t i = 0; i < n; i++) {
        assert_ptr_equal(otter_exporter_find(table[i].name), &table[i]);
    }
    assert_ptr_equal(otter_exporter_find("edge"), otter_exporter_find("csv"));
    assert_string_equal(otter_exporter_find("nodeattr")->ending, ".json");
    assert_null(otter_exporter_find("png"));
    assert_null(otter_exporter_find(""));
}

static void the_edge_list_has_two_columns(void **state)
{
    struct story *story = *state;
    assert_string_equal(text_of(otter_exporter_find("csv")->write, &story->what),
                        "parent_node_id,child_node_id\n0,1\n1,2\n1,3\n2,3\n");
}

static void the_table_of_edges_has_their_kinds(void **state)
{
    struct story *story = *state;
    assert_string_equal(text_of(otter_exporter_find("csv")->companions[1].write, &story->what),
                        "source,target,kind\n0,1,order\n1,2,creation\n1,3,order\n2,3,join\n");
}

static void the_table_of_nodes_is_quoted_where_it_must_be(void **state)
{
    struct story *story = *state;
    assert_string_equal(
        text_of(otter_exporter_find("csv")->companions[0].write, &story->what),
        "id,kind,construct,what,where,function,file,line,task,task_index,task_kind,scope,start_ns,end_ns,"
        "duration_ns,location,thread,flags\n"
        "0,task,,initial task,,,,,,0,initial,,0,1000,1000,0,Initial thread 0,\n"
        "1,begin,Kokkos region,\"a\"\"b,<c>&\\n\n\tüÿ\x01\",,,,,,0,initial,,1000,2000,1000,0,Initial thread 0,\n"
        "2,task,,task,a+0x2,,,,0:17,1,explicit,1,2000,3000,1000,0,Initial thread 0,"
        "unfinished detached\n"
        "3,end,Kokkos region,\"a\"\"b,<c>&\\n\n\tüÿ\x01\",,,,,,0,initial,1,3000,4000,3000,0,Initial thread 0,\n");
}

static void json_says_the_same(void **state)
{
    struct story *story = *state;
    story->what.title = "./a \"b\"";
    const char *text = text_of(otter_exporter_find("json")->write, &story->what);
    assert_true(has(text, "\"graph\": {\"view\": \"structure\", \"title\": \"./a \\\"b\\\"\"}"));
    assert_true(has(text, "\"what\": \"a\\\"b,<c>&\\\\n\\u000a\\u0009üÿ\\u0001\""));
    assert_true(has(text,
                    "{\"id\": 2, \"kind\": \"task\", \"what\": \"task\", \"where\": \"a+0x2\", "
                    "\"task\": \"0:17\", \"task_index\": 1, "));
    assert_true(has(text, "{\"source\": 2, \"target\": 3, \"kind\": \"join\"}"));
    assert_true(has(text,
                    "{\"index\": 1, \"id\": \"0:17\", \"kind\": \"explicit\", \"creator\": 0, "
                    "\"location\": 0, \"first_node\": 2, \"last_node\": 2}"));
    assert_true(has(text, "\"teams\": []"));
}

static void node_attributes_are_the_nodes_of_json(void **state)
{
    struct story *story = *state;
    char *nodes = strdup(text_of(otter_exporter_find("nodeattr")->write, &story->what));
    assert_int_equal(strncmp(nodes, "{\"nodes\": [\n  {\"id\": 0, ", 24), 0);
    assert_string_equal(nodes + strlen(nodes) - 5, "}\n]}\n");
    nodes[strlen(nodes) - 2] = '\0';
    assert_true(has(text_of(otter_exporter_find("json")->write, &story->what), nodes + 1));
    free(nodes);
}

static void graphml_escapes_what_xml_must_not_hold(void **state)
{
    struct story *story = *state;
    const char *text = text_of(otter_exporter_find("graphml")->write, &story->what);
    assert_true(has(text, "<data key=\"n3\">a&quot;b,&lt;c&gt;&amp;\\n&#10;&#9;üÿ\xef\xbf\xbd"
                          "</data>"));
    assert_true(has(text, "<edge source=\"2\" target=\"3\"><data key=\"e2\">join</data></edge>"));
}

static void a_picture_has_names_times_and_a_legend(void **state)
{
    struct story *story = *state;
    const char *text = text_of(otter_exporter_find("dot")->write, &story->what);
    assert_true(has(text, "0 [label=\"initial task\\nthread 0 · 1.00 µs\""));
    assert_true(has(text, "1 [label=\"a\\\"b,<c>&amp;\\\\n\\n üÿ \\nregion\" shape=house"));
    assert_true(
        has(text, "2 [label=\"task a+0x2\\n0:17 · 1.00 µs\\nunfinished detached\" shape=ellipse"));
    assert_true(has(
        text, "3 [label=\"end a\\\"b,<c>&amp;\\\\n\\n üÿ \\nregion · 3.00 µs\" shape=invhouse"));
    assert_true(has(text, "2 -> 3 [color=\"#666666\" style=dashed"));
    assert_true(has(text, ">Kokkos: begin and end, or whole&#160;"));
    assert_false(has(text, ">barrier&#160;"));
    assert_true(has(text, ">join&#160;"));
    assert_false(has(text, ">dependence&#160;"));
}

static void a_kernel_drawn_whole_has_no_second_entry_in_the_legend(void **state)
{
    struct story *story = *state;
    struct otter_groups *groups = otter_groups_create(&story->small.graph, &story->labels);
    groups->groups[1].is_whole = true;
    story->what.groups = groups;
    const char *text = text_of(otter_exporter_find("dot")->write, &story->what);
    assert_true(has(text, "shape=box3d margin="));
    const char *entry = strstr(text, ">Kokkos");
    assert_non_null(entry);
    assert_null(strstr(entry + 1, ">Kokkos"));
    story->what.groups = NULL;
    otter_groups_destroy(groups);
}

static void a_long_label_is_cut_in_a_picture_and_whole_in_its_tooltip(void **state)
{
    struct story *story = *state;
    char label[101];
    memset(label, 'x', 100);
    label[100] = '\0';
    story->labels.regions[1].what = label;
    const char *text = text_of(otter_exporter_find("dot")->write, &story->what);
    assert_true(has(
        text, "[label=\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…\\nregion\" shape=house"));
    label[99] = '\0';
    assert_true(has(text, label));
}

static void groups_are_written_in_place_of_nodes(void **state)
{
    struct story *story = *state;
    struct otter_groups *groups = otter_groups_create(&story->small.graph, &story->labels);
    story->what.groups = groups;
    const struct otter_exporter *csv = otter_exporter_find("csv");
    assert_true(has(text_of(csv->companions[0].write, &story->what),
                    "id,kind,construct,what,where,function,file,line,task_kind,scope,n_nodes,"
                    "total_ns,longest_ns\n"
                    "0,task,,initial task,,,,,initial,,1,1000,1000\n"));
    assert_true(has(text_of(csv->companions[1].write, &story->what),
                    "source,target,kind,n_edges\n0,1,order,1\n"));
    const char *text = text_of(otter_exporter_find("json")->write, &story->what);
    assert_true(has(text, "\"grouped_by\": \"label\""));
    assert_false(has(text, "\"tasks\""));
    text = text_of(otter_exporter_find("dot")->write, &story->what);
    assert_true(has(text, "2 [label=\"task a+0x2\\n×1 · 1.00 µs\""));
    assert_true(has(text, "1 -> 2 [color=\"#0072b2\" style=solid]"));
    assert_true(has(text, ", grouped by label; times include waits</td>"));
    groups->edges[0].n_edges = 2;
    story->what.has_pauses = true;
    text = text_of(otter_exporter_find("dot")->write, &story->what);
    assert_true(has(text, "0 -> 1 [color=\"#666666\" style=solid weight=4 label=\" ×2\"]"));
    assert_true(has(text, ", grouped by label; times include waits and pauses</td>"));
    story->what.groups = NULL;
    otter_groups_destroy(groups);
}

// At 3 GHz, most times are not whole nanoseconds. Exported times count from tick 1000.
static void a_duration_is_the_difference_of_the_times_beside_it(void **state)
{
    struct story *story = *state;
    story->small.definitions.clock.resolution = UINT64_C(3000000000);
    story->small.graph.nodes[2].start = 3002; // 667.33 ns
    story->small.graph.nodes[2].end = 4003;   // 1001.00 ns, 333.67 ns later
    story->small.graph.nodes[1].start = 2001; // 333.67 ns
    story->small.graph.nodes[3].end = 5003;   // 1334.33 ns, 1000.67 ns later
    const char *text = text_of(otter_exporter_find("csv")->companions[0].write, &story->what);
    assert_true(has(text, ",667,1001,334,"));
    assert_true(has(text, ",1334,1001,"));
    story->small.definitions.clock.resolution = UINT64_C(1000000000);
}

static void an_empty_graph_is_valid(void **state)
{
    struct small_graph small;
    struct otter_labels labels;
    small_graph_init(&small, 0, 0);
    small_graph_seal(&small);
    assert_int_equal(otter_labels_init(&labels, &small.definitions), OTTER_OK);
    const struct otter_export what = {.graph = &small.graph, .labels = &labels};
    assert_string_equal(text_of(otter_exporter_find("csv")->write, &what),
                        "parent_node_id,child_node_id\n");
    assert_string_equal(text_of(otter_exporter_find("nodeattr")->write, &what),
                        "{\"nodes\": []}\n");
    assert_true(has(text_of(otter_exporter_find("json")->write, &what),
                    "\"nodes\": [],\n\"edges\": [],\n\"tasks\": [],\n\"teams\": []}\n"));
    otter_labels_finish(&labels);
    small_graph_finish(&small);
}

static void ticks_are_not_nanoseconds(void **state)
{
    struct story *story = *state;
    struct small_graph *small = &story->small;
    small->definitions.clock.resolution = UINT64_C(2500000000);
    small->graph.nodes[0].start = 0; // before the clock's offset
    small->graph.nodes[0].end = UINT64_C(1000) + (UINT64_C(1) << 60);
    const char *text = text_of(otter_exporter_find("csv")->companions[0].write, &story->what);
    assert_true(has(text, ",-400,461168601842738790,461168601842739190,0,"));
    assert_true(has(text, ",0:17,1,explicit,1,800,1200,400,0,"));
}

// ---- texts and numbers

static void duration(FILE *out, const struct otter_export *what)
{
    static const uint64_t times[] = {0,      1,      999,     1000,      9994,      9996, 99960,
                                     999499, 999600, 1000000, 123400000, 999600000, 61e9, 3600e9};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        otter_put_duration(out, times[i]);
        otter_put(out, "|");
    }
}

static void times_have_three_digits_and_a_unit(void **state)
{
    assert_string_equal(text_of(duration, NULL),
                        "0 ns|1 ns|999 ns|1.00 µs|9.99 µs|10.0 µs|100 µs|999 µs|1.00 ms|1.00 ms|"
                        "123 ms|1.00 s|61.0 s|3600 s|");
}

static void numbers(FILE *out, const struct otter_export *what)
{
    static const int64_t values[] = {0, 7, -7, 1234567890123456789, INT64_MIN, INT64_MAX};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        otter_put_number(out, values[i]);
        otter_put(out, "|");
    }
}

static void numbers_have_all_digits(void **state)
{
    assert_string_equal(text_of(numbers, NULL), "0|7|-7|1234567890123456789|-9223372036854775808|"
                                                "9223372036854775807|");
}

// ---- files

static unsigned n_files(void)
{
    char command[512];
    unsigned n = 0;
    snprintf(command, sizeof command, "ls -A '%s' | wc -l", in_test_folder("%s", "."));
    FILE *list = popen(command, "r");
    assert_non_null(list);
    assert_int_equal(fscanf(list, "%u", &n), 1);
    pclose(list);
    return n;
}

static int remove_files(void **state)
{
    char command[512];
    snprintf(command, sizeof command, "rm -rf '%s'/*", in_test_folder("%s", "."));
    assert_int_equal(system(command), 0);
    return tear_down(state);
}

static void a_file_has_its_companions_beside_it_and_nothing_else(void **state)
{
    struct story *story = *state;
    struct otter_complaint complaint;
    assert_int_equal(write_to(story, "csv", in_test_folder("a.b.csv"), &complaint), OTTER_OK);
    assert_true(exists(in_test_folder("a.b.csv")));
    assert_true(exists(in_test_folder("a.b.nodes.csv")));
    assert_true(exists(in_test_folder("a.b.edges.csv")));
    assert_int_equal(n_files(), 3);
    assert_int_equal(write_to(story, "json", in_test_folder("a"), &complaint), OTTER_OK);
    assert_int_equal(n_files(), 4);
}

static void a_companion_is_named_after_its_file(void **state)
{
    static const char *const names[][2] = {
        {"fib.csv", "fib.nodes.csv"},     {"fib", "fib.nodes.csv"},
        {"fib.txt", "fib.txt.nodes.csv"}, {".csv", ".csv.nodes.csv"},
        {"/a/.csv", "/a/.nodes.csv"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = otter_export_companion_path(otter_exporter_find("csv"), 0, names[i][0]);
        assert_string_equal(path, names[i][1]);
        free(path);
    }
}

static void a_link_stays_a_link(void **state)
{
    struct story *story = *state;
    struct otter_complaint complaint;
    struct stat info;
    write_file(in_test_folder("file"), "old", 3);
    assert_int_equal(symlink("file", in_test_folder("link")), 0);
    assert_int_equal(write_to(story, "json", in_test_folder("link"), &complaint), OTTER_OK);
    assert_int_equal(lstat(in_test_folder("link"), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(stat(in_test_folder("file"), &info), 0);
    assert_true(info.st_size > 3);
}

static void a_link_that_somebody_planted_is_not_followed(void **state)
{
    struct story *story = *state;
    struct otter_complaint complaint;
    struct stat info;
    char name[64];
    snprintf(name, sizeof name, "graph.%ld.part", (long)getpid());
    write_file(in_test_folder("treasure"), "old", 3);
    assert_int_equal(symlink("treasure", in_test_folder("%s", name)), 0);
    assert_int_equal(write_to(story, "json", in_test_folder("graph"), &complaint), OTTER_OK);
    assert_int_equal(stat(in_test_folder("treasure"), &info), 0);
    assert_int_equal(info.st_size, 3);
    assert_int_equal(lstat(in_test_folder("graph"), &info), 0);
    assert_true(S_ISREG(info.st_mode));
}

// Only root can create a link that another user owns, if its user namespace has other users.
static void a_link_of_another_person_is_replaced(void **state)
{
    struct story *story = *state;
    struct otter_complaint complaint;
    struct stat info;
    write_file(in_test_folder("mine"), "old", 3);
    assert_int_equal(symlink("mine", in_test_folder("bait")), 0);
    if (geteuid() != 0 || (lchown(in_test_folder("bait"), 12345, 12345) < 0 && errno == EINVAL)) {
        skip();
    }
    assert_int_equal(write_to(story, "json", in_test_folder("bait"), &complaint), OTTER_OK);
    assert_int_equal(stat(in_test_folder("mine"), &info), 0);
    assert_int_equal(info.st_size, 3);
    assert_int_equal(lstat(in_test_folder("bait"), &info), 0);
    assert_true(S_ISREG(info.st_mode));
}

static void what_is_no_file_is_written_to_as_it_is(void **state)
{
    struct story *story = *state;
    struct otter_complaint complaint;
    struct stat info;
    assert_int_equal(write_to(story, "csv", "/dev/null", &complaint), OTTER_OK);
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

static void a_failure_says_what_and_why(void **state)
{
    struct story *story = *state;
    struct otter_complaint complaint;
    assert_int_equal(write_to(story, "csv", "/dev/full", &complaint), OTTER_NO_SPACE);
    assert_string_equal(complaint.text, "cannot write graph '/dev/full': No space left on device");
    assert_int_equal(write_to(story, "dot", in_test_folder("none/a.gv"), &complaint),
                     OTTER_NOT_FOUND);
    assert_true(has(complaint.text, "none/a.gv': No such file or directory"));
    assert_int_equal(write_to(story, "dot", in_test_folder("."), &complaint), OTTER_IO);
    assert_true(has(complaint.text, "Is a directory"));
    assert_int_equal(n_files(), 0);
}

// The limit allows a small file, but not a large one.
static void half_a_file_is_never_seen(void **state)
{
    struct story *story = *state;
    struct otter_complaint complaint;
    struct rlimit old, small = {.rlim_cur = 100, .rlim_max = RLIM_INFINITY};
    size_t size;
    write_file(in_test_folder("a.csv"), "old", 3);
    getrlimit(RLIMIT_FSIZE, &old);
    small.rlim_max = old.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    enum otter_status status = write_to(story, "csv", in_test_folder("a.csv"), &complaint);
    setrlimit(RLIMIT_FSIZE, &old);
    // no space for the table of nodes; there was room for the edges
    assert_int_equal(status, OTTER_NO_SPACE);
    assert_true(has(complaint.text, "a.nodes.csv"));
    char *content = (char *)read_file(in_test_folder("a.csv"), &size);
    assert_string_equal(content, "old");
    free(content);
    assert_int_equal(n_files(), 1);
}

static void without_memory_nothing_is_written(void **state)
{
    struct story *story = *state;
    struct otter_complaint complaint;
    const char *path = in_test_folder("a.csv");
    fail_allocation(0);
    assert_int_equal(write_to(story, "csv", path, &complaint), OTTER_OK);
    size_t n = n_allocations(), n_failed = 0;
    for (size_t i = 1; i <= n; i++) {
        unlink(path);
        fail_allocation(i);
        enum otter_status status = write_to(story, "csv", path, &complaint);
        assert_true(status == OTTER_NO_MEMORY ||
                    status == OTTER_OK); // the larger buffer is not needed
        assert_int_equal(exists(path), status == OTTER_OK);
        n_failed += status == OTTER_NO_MEMORY;
    }
    fail_allocation(0);
    assert_true(n_failed >= 6);
    assert_int_equal(n_files(), 3);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
#define TEST_OF_FILES(test) cmocka_unit_test_setup_teardown(test, set_up, remove_files)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exporter_is_found_by_its_name),
        TEST(the_edge_list_has_two_columns),
        TEST(the_table_of_edges_has_their_kinds),
        TEST(the_table_of_nodes_is_quoted_where_it_must_be),
        TEST(json_says_the_same),
        TEST(node_attributes_are_the_nodes_of_json),
        TEST(graphml_escapes_what_xml_must_not_hold),
        TEST(a_picture_has_names_times_and_a_legend),
        TEST(a_kernel_drawn_whole_has_no_second_entry_in_the_legend),
        TEST(a_long_label_is_cut_in_a_picture_and_whole_in_its_tooltip),
        TEST(groups_are_written_in_place_of_nodes),
        cmocka_unit_test_setup_teardown(a_duration_is_the_difference_of_the_times_beside_it, set_up,
                                        tear_down),
        cmocka_unit_test(an_empty_graph_is_valid),
        TEST(ticks_are_not_nanoseconds),
        cmocka_unit_test(times_have_three_digits_and_a_unit),
        cmocka_unit_test(numbers_have_all_digits),
        TEST_OF_FILES(a_file_has_its_companions_beside_it_and_nothing_else),
        cmocka_unit_test(a_companion_is_named_after_its_file),
        TEST_OF_FILES(a_link_stays_a_link),
        TEST_OF_FILES(a_link_that_somebody_planted_is_not_followed),
        TEST_OF_FILES(a_link_of_another_person_is_replaced),
        TEST_OF_FILES(what_is_no_file_is_written_to_as_it_is),
        TEST_OF_FILES(a_failure_says_what_and_why),
        TEST_OF_FILES(half_a_file_is_never_seen),
        TEST_OF_FILES(without_memory_nothing_is_written),
    };
    return cmocka_run_group_tests_name("export", tests, make_test_folder, remove_test_folder);
}
