// Whether a record is recognised as having all fields that OTF2 will read.
#include "unit.h"

#include "trace/read/checked/formats.h"

enum { ENTER = 12, METRIC = 31, TASK_CREATE = 59, ATTRIBUTES = 6, FLUSH = 10 };
enum { STRING = 10, REGION = 15, GROUP = 18, LOCATION_PROPERTY = 29, IO_PARADIGM = 8 };
enum { MAPPING_TABLE = 5, MARKER_KIND = 5, SOMETHING_NEW = 200 };

#define IS_WHOLE(file, type, ...)                                                                  \
    otter_record_is_whole(file, type, (const unsigned char[]){__VA_ARGS__},                        \
                          sizeof((const unsigned char[]){__VA_ARGS__}), false)
#define EVENT(type, ...) IS_WHOLE(OTTER_FILE_EVENTS, type, __VA_ARGS__)
#define DEFINITION(type, ...) IS_WHOLE(OTTER_FILE_GLOBAL_DEFINITIONS, type, __VA_ARGS__)

static void numbers_have_as_many_bytes_as_they_say(void **state)
{
    assert_true(EVENT(ENTER, 1, 5));
    assert_true(EVENT(ENTER, 0));
    assert_true(EVENT(ENTER, 0xff)); // undefined
    assert_false(EVENT(ENTER, 2, 5));
    assert_false(EVENT(ENTER, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9)); // numbers never have so many bytes
    assert_true(EVENT(TASK_CREATE, 0, 1, 3, 2, 0, 1));
    assert_false(EVENT(TASK_CREATE, 0, 1, 3, 2, 0));
    assert_false(EVENT(TASK_CREATE, 0, 1, 3));
    assert_true(EVENT(FLUSH, 1, 2, 3, 4, 5, 6, 7, 8));
    assert_false(EVENT(FLUSH, 1, 2, 3, 4, 5, 6, 7));
}

static void lists_have_as_many_items_as_they_say(void **state)
{
    assert_true(EVENT(METRIC, 1, 4, 2, 3, 1, 7, 3, 0));
    assert_false(EVENT(METRIC, 1, 4, 3, 3, 1, 7, 3, 0));
    assert_true(DEFINITION(GROUP, 0, 0, 4, 1, 2, 0, 1, 1, 2, 3, 0));
    assert_false(DEFINITION(GROUP, 0, 0, 4, 1, 9, 0, 1, 1, 2, 3, 0));
    assert_false(
        DEFINITION(GROUP, 0, 0, 4, 4, 0xff, 0xff, 0xff, 0xff, 0, 0)); // OTF2 would reserve 32 GiB
    assert_false(DEFINITION(GROUP, 0, 0, 4, 0xff, 0, 0));
}

static void texts_end(void **state)
{
    assert_true(DEFINITION(STRING, 1, 1, 'a', 'b', 0));
    assert_false(DEFINITION(STRING, 1, 1, 'a', 'b'));
    assert_true(IS_WHOLE(OTTER_FILE_MARKERS, MARKER_KIND, 0, 'a', 0, 'b', 0, 1));
    assert_false(IS_WHOLE(OTTER_FILE_MARKERS, MARKER_KIND, 0, 'a', 0, 'b', 1));
}

static void values_are_of_their_types(void **state)
{
    assert_true(EVENT(ATTRIBUTES, 1, 1, 0, 1, 7));                       // one byte
    assert_false(EVENT(ATTRIBUTES, 1, 1, 0, 2, 7));                      // of two
    assert_true(EVENT(ATTRIBUTES, 1, 1, 0, 10, 1, 2, 3, 4, 5, 6, 7, 8)); // double
    assert_false(EVENT(ATTRIBUTES, 1, 1, 0, 10, 1, 2, 3, 4, 5, 6, 7));
    assert_true(EVENT(ATTRIBUTES, 1, 1, 0, 11, 1, 7)); // text, by its number
    assert_true(DEFINITION(IO_PARADIGM, 1, 0, 0, 1, 0, 1, 3, 1, 7));
    assert_false(DEFINITION(IO_PARADIGM, 1, 0, 0, 1, 0, 2, 3, 1, 7));
}

static void what_came_with_later_versions_may_be_missing(void **state)
{
    assert_true(DEFINITION(REGION, 0, 0, 0, 1, 0, 0, 0));
    assert_true(DEFINITION(REGION, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 0));
    assert_false(DEFINITION(REGION, 0, 0, 0, 1, 0, 0, 0, 0, 1));
    assert_false(DEFINITION(REGION, 0, 0, 0, 1, 0, 0));
    assert_true(DEFINITION(LOCATION_PROPERTY, 0, 0, 0));
    assert_false(DEFINITION(LOCATION_PROPERTY, 0, 0, 0, 4));
}

static void tables_of_ids_have_as_many_as_they_say(void **state)
{
    assert_true(
        IS_WHOLE(OTTER_FILE_LOCAL_DEFINITIONS, MAPPING_TABLE, 2, 1, 2, 0, 0, 1, 3));      // dense
    assert_true(IS_WHOLE(OTTER_FILE_LOCAL_DEFINITIONS, MAPPING_TABLE, 2, 1, 1, 1, 0, 0)); // pairs
    assert_false(IS_WHOLE(OTTER_FILE_LOCAL_DEFINITIONS, MAPPING_TABLE, 2, 1, 1, 1, 0));
    assert_false(
        IS_WHOLE(OTTER_FILE_LOCAL_DEFINITIONS, MAPPING_TABLE, 2, 1, 2, 7, 0, 0)); // neither
    assert_false(IS_WHOLE(OTTER_FILE_LOCAL_DEFINITIONS, MAPPING_TABLE, 99, 1, 2, 0, 0,
                          0)); // of an unknown kind
    assert_false(IS_WHOLE(OTTER_FILE_LOCAL_DEFINITIONS, MAPPING_TABLE, 2, 0xff, 1, 0));
}

static void numbers_of_big_endian_files_are_read_so(void **state)
{
    static const unsigned char group[] = {0, 0, 4, 2, 0, 1, 0, 1, 2, 0};
    assert_true(
        otter_record_is_whole(OTTER_FILE_GLOBAL_DEFINITIONS, GROUP, group, sizeof group, true));
    assert_false(
        otter_record_is_whole(OTTER_FILE_GLOBAL_DEFINITIONS, GROUP, group, sizeof group, false));
}

static void unknown_records_pass(void **state)
{
    assert_true(EVENT(SOMETHING_NEW, 0xff, 0xff));
    assert_true(DEFINITION(SOMETHING_NEW, 0xff, 0xff));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_as_many_bytes_as_they_say),
        cmocka_unit_test(lists_have_as_many_items_as_they_say),
        cmocka_unit_test(texts_end),
        cmocka_unit_test(values_are_of_their_types),
        cmocka_unit_test(what_came_with_later_versions_may_be_missing),
        cmocka_unit_test(tables_of_ids_have_as_many_as_they_say),
        cmocka_unit_test(numbers_of_big_endian_files_are_read_so),
        cmocka_unit_test(unknown_records_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
