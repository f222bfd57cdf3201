// The arguments that Kokkos passes to a tool.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "folder.h"

// Removes Otter's variables before each test.
static int forget_all(void **state)
{
    extern char **environ;
    static char *nothing[] = {NULL};
    environ = nothing;
    otter_settings_load();
    return 0;
}

// The arguments for functions that stderr_of calls.
static char *given[8];
static enum otter_setting_time now;
static bool is_changed;

static void take_given(void)
{
    size_t n = 0;
    while (given[n]) {
        n++;
    }
    is_changed = otter_arguments_apply(n, given, now);
    otter_arguments_warn(n, given);
}

// Returns the messages about one or two arguments.
static const char *take_at(enum otter_setting_time time, const char *first, const char *second)
{
    static char copies[2][300];
    snprintf(copies[0], sizeof(copies[0]), "%s", first);
    snprintf(copies[1], sizeof(copies[1]), "%s", second ? second : "");
    given[0] = copies[0];
    given[1] = second ? copies[1] : NULL;
    now = time;
    return stderr_of(take_given);
}

static const char *take(const char *token)
{
    return take_at(OTTER_SETTING_UNTIL_START, token, NULL);
}

static size_t n_messages(const char *said)
{
    size_t n = 0;
    for (const char *at = said; (at = strstr(at, "\n|")); at += 2) {
        n++;
    }
    return n;
}

static void an_argument_overrides_the_environment(void **state)
{
    static const char *const rows[][2] = {{"trace-path=/elsewhere", "/elsewhere"},
                                          {"--trace-path=/at=last", "/at=last"},
                                          {"OTTER_TRACE_PATH=/x", "/x"},
                                          {"trace_path=", ""}};
    setenv("OTTER_TRACE_PATH", "/there", 1);
    otter_settings_load();
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_string_equal(take(rows[i][0]), "");
        assert_true(is_changed);
        assert_string_equal(otter_settings_get("trace-path"), rows[i][1]);
    }
    assert_string_equal(take("trace_path="), "");
    assert_false(is_changed);
}

static void what_does_not_look_like_a_setting_is_left_alone(void **state)
{
    static const char *const rows[] = {"", "-", "./program", "/a=b/c", "dir/name=x"};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_string_equal(take(rows[i]), "");
        assert_false(is_changed);
    }
}

static void a_word_is_told_once_what_a_setting_looks_like(void **state)
{
    static const char *const rows[][2] = {{"0.5", "name=value"},
                                          {"trace-path", "trace-path=a text"}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *said = take_at(OTTER_SETTING_UNTIL_START, rows[i][0], rows[i][0]);
        assert_int_equal(n_messages(said), 1);
        assert_non_null(strstr(said, rows[i][1]));
        assert_string_equal(take(rows[i][0]), "");
    }
}

static void an_unknown_name_is_told_once_with_the_right_ones(void **state)
{
    static const char *const rows[] = {"--chunk-sise=1M", "chunk-sise=1M", "--chunk-sise", "-c"};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *said = take_at(OTTER_SETTING_UNTIL_START, rows[i], rows[i]);
        assert_int_equal(n_messages(said), 1);
        assert_int_equal(strstr(said, "did you mean chunk-size?") != NULL, strlen(rows[i]) > 2);
        assert_string_equal(take(rows[i]), "");
    }
    assert_string_equal(otter_settings_get("chunk-size"), "256K");
}

static void a_name_of_any_length_is_unknown(void **state)
{
    char token[300];
    memset(token, 'a', sizeof(token) - 1);
    token[sizeof(token) - 1] = '\0';
    assert_int_equal(n_messages(take(token)), 1);
    memcpy(token, "trace-path", 10); // only the beginning of the setting's name
    token[sizeof(token) - 2] = '=';
    assert_int_equal(n_messages(take(token)), 1);
    assert_string_equal(otter_settings_get("trace-path"), ".");
}

static void a_setting_without_a_value_is_told_what_it_takes(void **state)
{
    const char *said = take("--dependences");
    assert_int_equal(n_messages(said), 1);
    assert_non_null(strstr(said, "auto|on|off"));
}

static void a_bad_value_is_told_once_and_changes_nothing(void **state)
{
    const char *said = take("clock=sundial");
    assert_int_equal(n_messages(said), 1);
    assert_non_null(strstr(said, "auto|tsc|monotonic"));
    assert_false(is_changed);
    assert_string_equal(take("clock=sundial"), "");
}

static void what_is_unknown_may_be_the_further_tools(void **state)
{
    assert_string_equal(take_at(OTTER_SETTING_UNTIL_OPEN, "--other=1", "chain=libother.so"), "");
}

static void a_setting_is_too_late_when_its_time_is_over(void **state)
{
    const char *said = take_at(OTTER_SETTING_UNTIL_OPEN, "clock=monotonic", "trace-name=x");
    assert_int_equal(n_messages(said), 1);
    assert_non_null(strstr(said, "OTTER_CLOCK"));
    assert_string_equal(otter_settings_get("clock"), "auto");
    assert_string_equal(otter_settings_get("trace-name"), "x");
    said = take_at(OTTER_SETTING_UNTIL_END, "trace-name=y", "task-graph-output=z");
    assert_int_equal(n_messages(said), 1);
    assert_non_null(strstr(said, "OTTER_TRACE_NAME"));
    assert_string_equal(otter_settings_get("trace-name"), "x");
    assert_string_equal(otter_settings_get("task-graph-output"), "z");
    assert_string_equal(take_at(OTTER_SETTING_UNTIL_END, "trace-name=y", NULL), "");
}

static void what_is_in_force_is_not_late(void **state)
{
    assert_string_equal(take_at(OTTER_SETTING_UNTIL_OPEN, "trace-name=x", "trace-name=y"), "");
    assert_string_equal(otter_settings_get("trace-name"), "y");
    assert_string_equal(take_at(OTTER_SETTING_UNTIL_END, "trace-name=x", "trace-name=y"), "");
    assert_string_equal(take_at(OTTER_SETTING_UNTIL_END, "chunk-size=262144", NULL), "");
    assert_int_equal(n_messages(take_at(OTTER_SETTING_UNTIL_END, "trace-name=y", "trace-name=x")),
                     1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(an_argument_overrides_the_environment, forget_all),
        cmocka_unit_test_setup(what_does_not_look_like_a_setting_is_left_alone, forget_all),
        cmocka_unit_test_setup(a_word_is_told_once_what_a_setting_looks_like, forget_all),
        cmocka_unit_test_setup(an_unknown_name_is_told_once_with_the_right_ones, forget_all),
        cmocka_unit_test_setup(a_name_of_any_length_is_unknown, forget_all),
        cmocka_unit_test_setup(a_setting_without_a_value_is_told_what_it_takes, forget_all),
        cmocka_unit_test_setup(a_bad_value_is_told_once_and_changes_nothing, forget_all),
        cmocka_unit_test_setup(what_is_unknown_may_be_the_further_tools, forget_all),
        cmocka_unit_test_setup(a_setting_is_too_late_when_its_time_is_over, forget_all),
        cmocka_unit_test_setup(what_is_in_force_is_not_late, forget_all),
    };
    return cmocka_run_group_tests_name("arguments", tests, NULL, NULL);
}
