// The definitions of a merged archive: archives that change while they are read.
#include "unit.h"

#include <string.h>

#include "folder.h"
#include "trace/merge/merge.h"
#include "write_archive.h"

static enum otter_status merge(size_t n_locations, struct otter_complaint *complaint)
{
    static const char *const hosts[] = {"host"};
    struct otter_merge_rank rank = {.archive = in_test_folder("a"),
                                    .name = "process",
                                    .n_locations = n_locations,
                                    .clock = {.resolution = 1}};
    struct otter_merge_plan plan = {.ranks = &rank,
                                    .n_ranks = 1,
                                    .hosts = hosts,
                                    .n_hosts = 1,
                                    .machine = "host",
                                    .description = "",
                                    .clock = {.resolution = 1},
                                    .n_locations = n_locations,
                                    .event_chunk = 1 << 18,
                                    .definition_chunk = otter_merge_definition_chunk(0)};
    return otter_merge_write(in_test_folder("merged-%zu", n_locations), &plan, complaint);
}

static void an_archive_that_changes_is_refused(void **state)
{
    (void)state;
    struct otter_complaint complaint;
    assert_true(write_archive(in_test_folder("a"), &(struct archive_options){.n_tasks = 10}));
    assert_int_equal(merge(3, &complaint), OTTER_OK);
    assert_int_equal(merge(2, &complaint), OTTER_BAD_ARCHIVE);
    assert_non_null(strstr(complaint.text, "has changed"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_archive_that_changes_is_refused),
    };
    return cmocka_run_group_tests_name("merge", tests, make_test_folder, remove_test_folder);
}
