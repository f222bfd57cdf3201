// Settings from the environment and from arguments.
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/settings.h"
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

static size_t count(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, what)); at += strlen(what)) {
        n++;
    }
    return n;
}

static size_t n_messages(const char *said)
{
    return count(said, "\n|");
}

static void each_row_is_complete_and_its_default_is_valid(void **state)
{
    size_t n;
    const struct otter_setting *table = otter_settings_table(&n);
    assert_true(n > 5);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(otter_settings_set(table[i].name, table[i].default_value), OTTER_OK);
        assert_true(strlen(table[i].help) > 0);
        assert_null(strchr(table[i].help, '\n'));
        assert_ptr_equal(otter_settings_find(table[i].environment), &table[i]);
        assert_int_equal(table[i].type == OTTER_SETTING_CHOICE, table[i].choices != NULL);
    }
}

static void a_name_is_known_in_every_spelling(void **state)
{
    const struct otter_setting *setting = otter_settings_find("trace-path");
    assert_non_null(setting);
    assert_ptr_equal(otter_settings_find("--trace-path"), setting);
    assert_ptr_equal(otter_settings_find("OTTER_TRACE_PATH"), setting);
    assert_ptr_equal(otter_settings_find("trace_path"), setting);
    assert_ptr_equal(otter_settings_find("Trace-Path"), setting);
    assert_null(otter_settings_find("trace"));
    assert_null(otter_settings_find(""));
    assert_null(otter_settings_find("--"));
    assert_null(otter_settings_find("OTTER_"));
    char name[300];
    memset(name, 'a', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    assert_null(otter_settings_find(name));
}

static void the_nearest_row_differs_by_few_letters(void **state)
{
    assert_ptr_equal(otter_settings_nearest("trace-nam"), otter_settings_find("trace-name"));
    assert_ptr_equal(otter_settings_nearest("--Trce_pth"), otter_settings_find("trace-path"));
    assert_ptr_equal(otter_settings_nearest("OTTER_CLOK"), otter_settings_find("clock"));
    assert_ptr_equal(otter_settings_nearest("skip"), otter_settings_find("skip"));
    assert_null(otter_settings_nearest("skp-s"));
    assert_null(otter_settings_nearest("out"));
    assert_null(otter_settings_nearest(""));
}

static void the_environment_overrides_the_default(void **state)
{
    assert_string_equal(otter_settings_get("trace-path"), ".");
    assert_false(otter_settings_get_bool("quiet"));
    setenv("OTTER_TRACE_PATH", "/there", 1);
    setenv("OTTER_QUIET", "yes", 1);
    setenv("OTTER_CHUNK_SIZE", "2M", 1);
    assert_string_equal(stderr_of(otter_settings_load), "");
    assert_string_equal(otter_settings_get("trace-path"), "/there");
    assert_true(otter_settings_get_bool("quiet"));
    assert_int_equal(otter_settings_get_size("chunk-size"), 2 << 20);
}

static void loading_again_forgets_what_was_set(void **state)
{
    assert_int_equal(otter_settings_set("trace-path", "/there"), OTTER_OK);
    otter_settings_load();
    assert_string_equal(otter_settings_get("trace-path"), ".");
}

static void each_unknown_variable_is_one_warning(void **state)
{
    setenv("OTTER_TRACE_PAHT", "x", 1);
    setenv("OTTER_COLOUR", "x", 1);
    setenv("OTTERS", "x", 1); // not a variable of Otter's
    const char *said = stderr_of(otter_settings_load);
    assert_int_equal(n_messages(said), 2);
    assert_int_equal(count(said, "OTTER_TRACE_PAHT"), 1);
    assert_int_equal(count(said, "OTTER_COLOUR"), 1);
    assert_int_equal(count(said, "did you mean OTTER_TRACE_PATH?"), 1);
    assert_int_equal(count(said, "did you mean"), 1);
}

static void variables_between_launcher_and_recorder_are_no_settings(void **state)
{
    setenv("OTTER_REPORT_FILE", "/there", 1);
    assert_string_equal(stderr_of(otter_settings_load), "");
    setenv("OTTER_REPORT_FILES", "/there", 1);
    assert_int_equal(n_messages(stderr_of(otter_settings_load)), 1);
}

static void what_was_told_for_all_is_not_told_again(void **state)
{
    setenv("OTTER_COLOUR", "x", 1);
    setenv("OTTER_CLOCK", "sundial", 1);
    assert_int_equal(n_messages(stderr_of(otter_settings_warn_for_all)), 2);
    assert_string_equal(stderr_of(otter_settings_warn_for_all), "");
    assert_string_equal(stderr_of(otter_settings_load), "");
    setenv("OTTER_COLOUR", "xy", 1);
    setenv("OTTER_FORM", "y", 1);
    assert_int_equal(n_messages(stderr_of(otter_settings_load)), 2);
    assert_int_equal(n_messages(stderr_of(otter_settings_warn_for_all)), 2);
    assert_string_equal(stderr_of(otter_settings_load), "");
    assert_string_equal(otter_settings_get("clock"), "auto");
}

static void quiet_silences_what_is_amiss(void **state)
{
    setenv("OTTER_COLOUR", "x", 1);
    setenv("OTTER_QUIET", "on", 1);
    assert_string_equal(stderr_of(otter_settings_load), "");
}

static void bad_values_warn_once_and_change_nothing(void **state)
{
    static const struct {
        const char *variable, *value;
    } rows[] = {
        {"OTTER_QUIET", "maybe"},
        {"OTTER_QUIET", ""},
        {"OTTER_DEPENDENCES", "aut"},
        {"OTTER_DEPENDENCES", ""},
        {"OTTER_DEPENDENCES", "on|off"},
        {"OTTER_CHUNK_SIZE", "1"},
        {"OTTER_CHUNK_SIZE", "-1M"},
        {"OTTER_CHUNK_SIZE", "1M2"},
        {"OTTER_CHUNK_SIZE", "17M"},
        {"OTTER_CHUNK_SIZE", ""},
        {"OTTER_CHUNK_SIZE", " 1M"},
        {"OTTER_CHUNK_SIZE", "99999999999999999999G"},
        {"OTTER_CHUNK_SIZE", "17179869185G"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        forget_all(NULL);
        const struct otter_setting *setting = otter_settings_find(rows[i].variable);
        setenv(rows[i].variable, rows[i].value, 1);
        const char *said = stderr_of(otter_settings_load);
        assert_int_equal(n_messages(said), 1);
        assert_non_null(strstr(said, rows[i].variable));
        assert_non_null(strstr(said, setting->default_value)); // the value in force
        assert_string_equal(otter_settings_get(setting->name), setting->default_value);
    }
}

static void a_bad_value_leaves_the_value_before(void **state)
{
    assert_int_equal(otter_settings_set("clock", "monotonic"), OTTER_OK);
    assert_int_equal(otter_settings_set("clock", "sundial"), OTTER_BAD_VALUE);
    assert_int_equal(otter_settings_set("clocks", "auto"), OTTER_NOT_FOUND);
    assert_string_equal(otter_settings_get("clock"), "monotonic");
}

static void truth_has_many_spellings(void **state)
{
    static const char *const yes[] = {"on", "yes", "true", "1", "ON", "Yes"};
    static const char *const no[] = {"off", "no", "false", "0", "Off", "FALSE"};
    for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
        assert_int_equal(otter_settings_set("quiet", yes[i]), OTTER_OK);
        assert_true(otter_settings_get_bool("quiet"));
        assert_int_equal(otter_settings_set("quiet", no[i]), OTTER_OK);
        assert_false(otter_settings_get_bool("quiet"));
    }
}

static void sizes_take_units_and_bounds_are_inclusive(void **state)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } rows[] = {
        {"262144", 262144}, {"256K", 262144}, {"256k", 262144}, {"16M", 16 << 20}, {"3m", 3 << 20}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_int_equal(otter_settings_set("chunk-size", rows[i].text), OTTER_OK);
        assert_int_equal(otter_settings_get_size("chunk-size"), rows[i].bytes);
    }
    assert_int_equal(otter_settings_set("chunk-size", "262143"), OTTER_BAD_VALUE);
    assert_int_equal(otter_settings_set("chunk-size", "16777217"), OTTER_BAD_VALUE);
}

static void each_choice_is_taken_whole(void **state)
{
    static const char *const good[] = {"auto", "on", "off"};
    static const char *const bad[] = {"o", "auto|", "|on", "ON", "|"};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        assert_int_equal(otter_settings_set("dependences", good[i]), OTTER_OK);
        assert_string_equal(otter_settings_get("dependences"), good[i]);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_int_equal(otter_settings_set("dependences", bad[i]), OTTER_BAD_VALUE);
    }
    assert_string_equal(otter_settings_get("dependences"), "off");
}

static void a_value_is_copied(void **state)
{
    char value[] = "/there";
    assert_int_equal(otter_settings_set("trace-path", value), OTTER_OK);
    const char *got = otter_settings_get("trace-path");
    value[1] = 'T';
    assert_string_equal(got, "/there");
    assert_int_equal(otter_settings_set("trace-path", "/other"), OTTER_OK);
    assert_string_equal(got, "/there"); // other code may still read the value
}

static void a_text_is_kept_once(void **state)
{
    assert_int_equal(otter_settings_set("trace-path", "/there"), OTTER_OK);
    const char *first = otter_settings_get("trace-path");
    assert_int_equal(otter_settings_set("trace-path", "/other"), OTTER_OK);
    assert_int_equal(otter_settings_set("trace-path", "/there"), OTTER_OK);
    assert_ptr_equal(otter_settings_get("trace-path"), first);
}

static void a_value_may_be_in_force_in_other_words(void **state)
{
    const struct otter_setting *quiet = otter_settings_find("quiet");
    const struct otter_setting *size = otter_settings_find("chunk-size");
    assert_true(otter_setting_is(quiet, "no"));
    assert_false(otter_setting_is(quiet, "yes"));
    assert_false(otter_setting_is(quiet, "maybe"));
    assert_true(otter_setting_is(size, "262144"));
    assert_false(otter_setting_is(size, "1M"));
    assert_true(otter_setting_is(otter_settings_find("clock"), "auto"));
    assert_false(otter_setting_is(otter_settings_find("clock"), "tsc"));
}

static void an_unknown_name_has_no_value(void **state)
{
    assert_string_equal(otter_settings_get("nothing"), "");
    assert_false(otter_settings_get_bool("nothing"));
    assert_int_equal(otter_settings_get_size("nothing"), 0);
}

static void the_limits_of_a_size_are_told_as_they_are(void **state)
{
    static const struct otter_setting sizes[] = {
        {.type = OTTER_SETTING_SIZE, .min = 1024, .max = UINT64_C(3) << 30},
        {.type = OTTER_SETTING_SIZE, .min = 0, .max = 1025},
    };
    char text[OTTER_SETTING_WANTED_SIZE];
    assert_string_equal(otter_setting_wanted(&sizes[0], text), "a size from 1K to 3G");
    assert_string_equal(otter_setting_wanted(&sizes[1], text), "a size from 0 to 1025");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(each_row_is_complete_and_its_default_is_valid, forget_all),
        cmocka_unit_test_setup(a_name_is_known_in_every_spelling, forget_all),
        cmocka_unit_test_setup(the_environment_overrides_the_default, forget_all),
        cmocka_unit_test_setup(loading_again_forgets_what_was_set, forget_all),
        cmocka_unit_test_setup(each_unknown_variable_is_one_warning, forget_all),
        cmocka_unit_test_setup(variables_between_launcher_and_recorder_are_no_settings, forget_all),
        cmocka_unit_test_setup(what_was_told_for_all_is_not_told_again, forget_all),
        cmocka_unit_test_setup(quiet_silences_what_is_amiss, forget_all),
        cmocka_unit_test_setup(bad_values_warn_once_and_change_nothing, forget_all),
        cmocka_unit_test_setup(a_bad_value_leaves_the_value_before, forget_all),
        cmocka_unit_test_setup(truth_has_many_spellings, forget_all),
        cmocka_unit_test_setup(sizes_take_units_and_bounds_are_inclusive, forget_all),
        cmocka_unit_test_setup(each_choice_is_taken_whole, forget_all),
        cmocka_unit_test_setup(a_value_is_copied, forget_all),
        cmocka_unit_test_setup(a_text_is_kept_once, forget_all),
        cmocka_unit_test_setup(a_value_may_be_in_force_in_other_words, forget_all),
        cmocka_unit_test_setup(an_unknown_name_has_no_value, forget_all),
        cmocka_unit_test(the_nearest_row_differs_by_few_letters),
        cmocka_unit_test(the_limits_of_a_size_are_told_as_they_are),
    };
    return cmocka_run_group_tests_name("settings", tests, NULL, NULL);
}
