// Tasks of pauses, counted from records that may be damaged.
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "recording/task_numbers.h"
#include "trace/event_layout.h"

static struct otter_task_numbers *numbers; // of two threads

static int set_up(void **state)
{
    return otter_task_numbers_create(2, &numbers) != OTTER_OK;
}

static int tear_down(void **state)
{
    otter_task_numbers_destroy(numbers);
    return 0;
}

// Notes a record with exactly these bytes after its head: a sanitizer detects if more are read.
static void note(uint8_t kind, const uint8_t *fields, size_t n)
{
    uint8_t *record = malloc(RECORD_HEAD_SIZE + n);
    record[0] = kind;
    record[1] = (uint8_t)n;
    memcpy(record + RECORD_HEAD_SIZE, fields, n);
    otter_task_numbers_note(numbers, record, RECORD_HEAD_SIZE + n);
    free(record);
}

#define NOTE(kind, ...)                                                                            \
    note(kind, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static void numbers_without_a_creation_are_tasks_of_a_pause(void **state)
{
    NOTE(RECORD_TASK_CREATE, 0, 1, 1, 1, 1);         // thread 1, number 1
    NOTE(RECORD_TASK_SWITCH, 0, 1, 1, 2, 0x01, 0x1); // number 257
    NOTE(RECORD_TASK_CREATE, 0, 0, 1, 1);            // thread 0, number 1
    assert_int_equal(otter_task_numbers_created(numbers), 2);
    assert_int_equal(otter_task_numbers_unrecorded(numbers), 0);
    NOTE(RECORD_MEASUREMENT, MEASUREMENT_OFF);
    assert_int_equal(otter_task_numbers_unrecorded(numbers), 256);
}

static void a_record_that_ends_within_a_field_is_left_out(void **state)
{
    NOTE(RECORD_MEASUREMENT, MEASUREMENT_OFF);
    NOTE(RECORD_TASK_CREATE, 0, 1, 1);          // without a number
    NOTE(RECORD_TASK_CREATE, 0, 1, 1, 2, 9);    // a number of two bytes, of which one is present
    NOTE(RECORD_TASK_CREATE, 0, 1, 1, 4, 9, 9); // likewise
    assert_int_equal(otter_task_numbers_created(numbers), 0);
    assert_int_equal(otter_task_numbers_unrecorded(numbers), 0);
}

static void a_field_that_is_too_long_is_left_out(void **state)
{
    NOTE(RECORD_TASK_CREATE, 0, 1, 1, 5, 9, 9, 9, 9, 9);
    NOTE(RECORD_TASK_CREATE, 5, 0, 0, 0, 0, 0, 1, 1, 1, 1);
    assert_int_equal(otter_task_numbers_created(numbers), 0);
}

static void an_unknown_thread_is_left_out(void **state)
{
    NOTE(RECORD_TASK_CREATE, 0, 1, 2, 1, 1);
    NOTE(RECORD_TASK_CREATE, 0, UINT8_MAX, 1, 1); // the largest number
    assert_int_equal(otter_task_numbers_created(numbers), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(numbers_without_a_creation_are_tasks_of_a_pause, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_record_that_ends_within_a_field_is_left_out, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_field_that_is_too_long_is_left_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_unknown_thread_is_left_out, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("task_numbers", tests, NULL, NULL);
}
