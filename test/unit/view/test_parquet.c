// Parquet files: their encodings byte by byte, and the folder that they are in.
// test/export/test_parquet.py reads whole files.
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/output/new_folder.h"
#include "export/encode/parquet_column.h"
#include "export/encode/thrift.h"
#include "failing.h"
#include "folder.h"

static void expect_bytes(struct otter_bytes *bytes, const char *expected, size_t n)
{
    assert_int_equal(bytes->n, n);
    assert_memory_equal(bytes->items, expected, n);
    otter_bytes_finish(bytes);
}

// ---- encodings

static void a_width_holds_the_largest_index(void **state)
{
    assert_int_equal(otter_parquet_width(1), 1);
    assert_int_equal(otter_parquet_width(2), 1);
    assert_int_equal(otter_parquet_width(3), 2);
    assert_int_equal(otter_parquet_width(65536), 16);
    assert_int_equal(otter_parquet_width(65537), 17);
    assert_int_equal(otter_parquet_width(UINT32_MAX), 32);
}

static void eight_equal_values_are_a_run(void **state)
{
    uint32_t values[300] = {0};
    struct otter_bytes bytes = {0};
    for (unsigned i = 0; i < 300; i++) {
        values[i] = 0x1234;
    }
    otter_parquet_add_runs(&bytes, values, 300, 13);
    expect_bytes(&bytes, "\xd8\x04\x34\x12", 4);
}

static void other_values_are_packed_in_groups_of_eight(void **state)
{
    uint32_t values[] = {0, 1, 2, 3, 4, 5, 6, 7, 5}; // the first eight: the example of the format
    struct otter_bytes bytes = {0};
    otter_parquet_add_runs(&bytes, values, 9, 3);
    expect_bytes(&bytes, "\x05\x88\xc6\xfa\x05\x00\x00", 7);
}

static void a_run_ends_packed_values(void **state)
{
    uint32_t values[24] = {1, 0, 1, 0, 1, 0, 1, 0};
    struct otter_bytes bytes = {0};
    otter_parquet_add_runs(&bytes, values, 24, 1);
    expect_bytes(&bytes, "\x03\x55\x20\x00", 4);
}

static void thrift_has_small_numbers_of_either_sign(void **state)
{
    struct otter_thrift thrift = {0};
    otter_thrift_i32(&thrift, 1, -1);
    otter_thrift_open(&thrift, 3);
    otter_thrift_i64(&thrift, 2, INT64_MIN);
    otter_thrift_close(&thrift);
    otter_thrift_text(&thrift, 4, "ab");
    otter_thrift_list(&thrift, 5, OTTER_THRIFT_I32, 15);
    otter_thrift_close(&thrift);
    expect_bytes(&thrift.bytes,
                 "\x15\x01\x2c\x26\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00\x18\x02"
                 "ab\x19\xf5\x0f\x00",
                 23);
}

// ---- folders

static bool is_replaceable(const char *path)
{
    return !exists(in_test_folder("%s/mine", strrchr(path, '/') + 1));
}

// Returns 0 or errno.
static int make_folder(const char *path, const char *name)
{
    struct otter_new_folder folder;
    int error = otter_new_folder_create(&folder, path, is_replaceable);
    if (!error) {
        char inner[1024];
        snprintf(inner, sizeof inner, "%s/%s", folder.temporary, name);
        write_file(inner, "", 0);
        error = otter_new_folder_publish(&folder);
    }
    otter_new_folder_finish(&folder);
    return error;
}

static void a_folder_is_replaced_unless_it_has_other_files(void **state)
{
    const char *path = in_test_folder("tables");
    assert_int_equal(make_folder(path, "a"), 0);
    assert_int_equal(make_folder(path, "mine"), 0);
    assert_false(exists(in_test_folder("tables/a")));
    assert_int_equal(make_folder(path, "b"), EEXIST);
    assert_true(exists(in_test_folder("tables/mine")));
}

static void without_memory_the_folder_is_whole_or_absent(void **state)
{
    const char *path = in_test_folder("whole");
    fail_allocation(0);
    assert_int_equal(make_folder(path, "a"), 0);
    size_t n = n_allocations();
    for (size_t i = 1; i <= n; i++) {
        fail_allocation(i);
        int error = make_folder(path, "a");
        assert_true(error == 0 || error == ENOMEM);
        assert_true(exists(in_test_folder("whole/a")));
    }
    fail_allocation(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_width_holds_the_largest_index),
        cmocka_unit_test(eight_equal_values_are_a_run),
        cmocka_unit_test(other_values_are_packed_in_groups_of_eight),
        cmocka_unit_test(a_run_ends_packed_values),
        cmocka_unit_test(thrift_has_small_numbers_of_either_sign),
        cmocka_unit_test(a_folder_is_replaced_unless_it_has_other_files),
        cmocka_unit_test(without_memory_the_folder_is_whole_or_absent),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
