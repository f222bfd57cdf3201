// The task graph at the end of a recording: the name of its file, and failures.
#include "unit.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/settings.h"
#include "failing.h"
#include "folder.h"
#include "otter/record.h"
#include "record/after.h"
#include "record/process/host.h"

static const char code[16]; // addresses of the program

static void record(void)
{
    setenv("OTTER_FOLDER", in_test_folder("trace"), 1);
    setenv("OTTER_QUIET", "on", 1);
    if (!otter_attach("test")) {
        _exit(2);
    }
    otter_initial_task_begin();
    for (int i = 0; i < 3; i++) {
        otter_task task = otter_task_create(NULL, 0, &code[3]);
        otter_parameter(OTTER_PARAMETER_DEPEND_INOUT, 5);
        otter_task_switch(NULL, &task);
        otter_task_end(&task, OTTER_TASK_END_COMPLETE, NULL);
    }
    otter_enter(OTTER_CONSTRUCT_TASKWAIT, 0, &code[5]);
    otter_leave(OTTER_CONSTRUCT_TASKWAIT);
    otter_implicit_task_end();
    otter_detach("test");
}

static int set_up(void **state)
{
    if (make_test_folder(state) || status_of_child(record) || chdir(in_test_folder("."))) {
        return 1;
    }
    otter_host_note_start();
    return !exists(in_test_folder("trace"));
}

static int tear_down(void **state)
{
    return chdir("/") || remove_test_folder(state);
}

static void ask_for(const char *output, const char *format, const char *nodes)
{
    otter_settings_set("task-graph-output", output);
    otter_settings_set("task-graph-format", format);
    otter_settings_set("task-graph-nodeattr", nodes);
}

static void end_program(void)
{
    otter_after_archive(in_test_folder("trace"));
}

static size_t n_files(const char *pattern)
{
    glob_t found;
    size_t n = glob(in_test_folder("%s", pattern), 0, NULL, &found) ? 0 : found.gl_pathc;
    globfree(&found);
    return n;
}

// Returns whether there is a file in the test's folder whose name contains this process's id.
static bool is_there(const char *name, const char *ending)
{
    const char *path = in_test_folder("%s.%ld%s", name, (long)getpid(), ending);
    return exists(path) && unlink(path) == 0;
}

static void nothing_is_done_when_nobody_asks(void **state)
{
    ask_for("", "dot", "");
    fail_allocation(0);
    assert_string_equal(stderr_of(end_program), "");
    assert_int_equal(n_allocations(), 0);
    assert_int_equal(n_files("*"), 1);
}

static void a_name_gets_process_and_ending(void **state)
{
    static const struct {
        const char *output, *format, *name, *ending;
    } cases[] = {
        {"graph", "dot", "graph", ".gv"},         {"graph.gv", "dot", "graph", ".gv"},
        {"graph.csv", "dot", "graph.csv", ".gv"}, {"graph", "json", "graph", ".json"},
        {"a/b/graph", "dot", "a/b/graph", ".gv"}, {".gv", "graphml", ".gv", ".graphml"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ask_for(cases[i].output, cases[i].format, "");
        assert_non_null(strstr(stderr_of(end_program), "otter: task graph: "));
        assert_true(is_there(cases[i].name, cases[i].ending));
    }
}

static void edges_come_with_tables_beside_them(void **state)
{
    ask_for("graph", "edge", "nodes");
    const char *said = stderr_of(end_program);
    assert_non_null(strstr(said, ".csv"));
    assert_non_null(strstr(said, ".json"));
    assert_true(is_there("graph", ".csv"));
    assert_true(is_there("graph", ".nodes.csv"));
    assert_true(is_there("graph", ".edges.csv"));
    assert_true(is_there("nodes", ".json"));
}

static void a_device_is_written_to_as_it_is(void **state)
{
    ask_for("/dev/null", "dot", "/dev/full");
    const char *said = stderr_of(end_program);
    assert_non_null(strstr(said, "task graph: /dev/null\n"));
    assert_non_null(strstr(said, "cannot write graph '/dev/full': No space left"));
    glob_t found;
    assert_int_equal(glob("/dev/*.gv", 0, NULL, &found), GLOB_NOMATCH);
}

static void a_damaged_archive_is_one_warning(void **state)
{
    const char *anchor = in_test_folder("trace/traces.otf2"), *aside = in_test_folder("aside");
    ask_for("graph", "dot", "nodes");
    assert_int_equal(rename(anchor, aside), 0);
    const char *said = stderr_of(end_program);
    assert_non_null(strstr(said, "otter graph can write the graph later"));
    assert_ptr_equal(strchr(said, '|'), said + strlen(said) - 1);
    assert_int_equal(rename(aside, anchor), 0);
    assert_int_equal(n_files("graph*"), 0);
}

static void a_graph_that_cannot_be_written_is_told_in_quiet_mode_too(void **state)
{
    ask_for("trace/traces.otf2/graph", "dot", ""); // below a file
    otter_log_set_quiet(true);
    const char *said = stderr_of(end_program);
    otter_log_set_quiet(false);
    assert_non_null(strstr(said, "cannot write graph"));
}

static void a_name_that_is_too_long_is_one_warning(void **state)
{
    char name[5000];
    memset(name, 'x', sizeof name);
    for (size_t length = 4070; length < sizeof name; length += 1 + (length > 4100) * 100) {
        char end = name[length];
        name[length] = '\0';
        ask_for(name, "dot", "");
        const char *said = stderr_of(end_program);
        assert_non_null(strstr(said, "cannot write graph"));
        assert_string_equal(strchr(said, '\n'), "\n|");
        name[length] = end;
    }
}

static void without_memory_there_is_a_warning_and_no_part_of_a_file(void **state)
{
    ask_for("graph", "dot", "");
    fail_allocation(0);
    stderr_of(end_program);
    size_t n = n_allocations();
    assert_true(n > 20 && is_there("graph", ".gv"));
    for (size_t i = 1; i <= n; i++) {
        fail_allocation(i);
        const char *said = stderr_of(end_program);
        fail_allocation(0);
        bool is_written = is_there("graph", ".gv"); // not all memory is necessary
        assert_non_null(strstr(said, is_written ? "task graph: " : "the archive is complete"));
        assert_ptr_equal(strchr(said, '|'), said + strlen(said) - 1);
        assert_int_equal(n_files("graph*"), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_done_when_nobody_asks),
        cmocka_unit_test(a_name_gets_process_and_ending),
        cmocka_unit_test(edges_come_with_tables_beside_them),
        cmocka_unit_test(a_device_is_written_to_as_it_is),
        cmocka_unit_test(a_damaged_archive_is_one_warning),
        cmocka_unit_test(a_graph_that_cannot_be_written_is_told_in_quiet_mode_too),
        cmocka_unit_test(a_name_that_is_too_long_is_one_warning),
        cmocka_unit_test(without_memory_there_is_a_warning_and_no_part_of_a_file),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
