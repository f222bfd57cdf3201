// The checks of a whole archive, including archives of other tools.
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "check/check.h"
#include "write_archive.h"

static struct otter_check_report report;

static const struct otter_check_result *check(const struct archive_options *options,
                                              const char *name)
{
    struct otter_archive *archive;
    struct otter_complaint complaint;
    struct otter_graph *fragments;
    const char *path = in_test_folder("%s", name);
    assert_true(write_archive(path, options));
    assert_int_equal(otter_archive_open(path, &archive, &complaint), OTTER_OK);
    assert_int_equal(otter_check_archive(archive, &report, &fragments, &complaint), OTTER_OK);
    otter_graph_destroy(fragments);
    otter_archive_close(archive);
    return &report.results[OTTER_CHECK_DEFINITIONS];
}

static bool has_error(const struct otter_check_result *result, const char *text)
{
    const struct otter_deviations *errors = &result->deviations[OTTER_QUIRK_NONE];
    bool is_there = false;
    for (size_t i = 0; i < errors->n && i < OTTER_MAX_DEVIATIONS_SHOWN; i++) {
        is_there = is_there || strcmp(errors->first[i].text, text) == 0;
    }
    return is_there;
}

static void each_member_of_each_communicator_is_a_location(void **state)
{
    const struct otter_check_result *result =
        check(&(struct archive_options){.n_tasks = 1}, "sound");
    assert_int_equal(otter_check_errors(result), 0);

    result = check(&(struct archive_options){.n_tasks = 1, .has_unknown_member = true}, "unknown");
    assert_true(has_error(result, "member 0 of \"All threads\" is not a location that is defined"));
    assert_true(has_error(result, "member 1 of \"\" is not a location that is defined"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_member_of_each_communicator_is_a_location),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
