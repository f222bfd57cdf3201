// The records of devices: calls on host threads, and streams of operations that a device reports
// later. Each story is played in a process of its own.
#include "unit.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "failing.h"
#include "folder.h"
#include "listing.h"
#include "otter/record.h"
#include "record/device/device.h"
#include "record/process/state.h"
#include "recorded.h"
#include "set_clock.h"
#include "trace/read/reader.h"
#include "recording/writer.h"

static const char code[16]; // addresses of the program

static uint64_t base; // origin of the times in a story's records

// Returns when all times up to `n` have passed.
static void begin_time(uint64_t n)
{
    base = otter_now();
    while (otter_now() <= base + n) {
    }
}

static void (*to_play)(void);

static void play_later(void)
{
    begin_time(100000);
    to_play();
}

static const char *archive_of_device(void (*story)(void))
{
    to_play = story;
    return archive_of(play_later);
}

static void expect_archive(void (*function)(void), const char *lost)
{
    assert_true(is_valid_for_otf2(archive_of_device(function)));
    expect_property("OTTER::LOST", lost);
}

static size_t n_locations(void)
{
    uint64_t n_events[OTTER_MAX_STREAMS + 2];
    return count_locations(in_test_folder("trace"), n_events, OTTER_MAX_STREAMS + 2);
}

// Reports an operation of the device without a number, from one time to another. Operations differ
// by their bytes.
static void report(int device, uint64_t begin, uint64_t end, uint64_t bytes)
{
    struct otter_device_record record = {
        .construct = OTTER_CONSTRUCT_DEVICE_ALLOCATE,
        .device = device,
        .begin = base + begin,
        .end = base + end,
        .data = {.source_device = -1, .destination_device = -1, .bytes = bytes}};
    otter_device_record(&record);
}

#define REPORTED(bytes)                                                                            \
    "enter !$omp target alloc\nparameter bytes " #bytes "\nleave !$omp target alloc\n"

// ---- the host's side

static struct otter_data_op copy_to(int device)
{
    return (struct otter_data_op){.construct = OTTER_CONSTRUCT_TRANSFER_TO_DEVICE,
                                  .source = &code[1],
                                  .source_device = -1,
                                  .destination_device = device,
                                  .bytes = 800,
                                  .code = &code[2]};
}

static void play_target(void)
{
    struct otter_data_op op = copy_to(7);
    op.source = NULL;
    otter_target_begin(OTTER_CONSTRUCT_TARGET, 0, 7, 99, &code[0]);
    otter_data_op_begin(&op, 11);
    otter_data_op_end(op.construct);
    otter_submit_begin(0, 12, 4);
    otter_leave(OTTER_CONSTRUCT_TARGET_SUBMIT);
    op.construct = OTTER_CONSTRUCT_TRANSFER_FROM_DEVICE;
    op.source_device = 7;
    op.destination_device = -1;
    otter_data_op_mark(&op, 13);
    otter_leave(OTTER_CONSTRUCT_TARGET);
}

static void a_target_region_has_its_device_its_operations_and_its_launch(void **state)
{
    expect_archive(play_target, "0");
    expect_location(0,
                    "enter !$omp target\nparameter device 7\nparameter operation 99\n"
                    "enter !$omp target transfer to device\nput 800 bytes, window 0, rank 0\n"
                    "parameter operation 11\nparameter bytes 800\nparameter destination device 7\n"
                    "transfer complete\nleave !$omp target transfer to device\n"
                    "enter !$omp target submit\nparameter operation 12\nparameter device 7\n"
                    "parameter teams requested 4\nleave !$omp target submit\n"
                    "enter !$omp target transfer from device\nget 800 bytes, window 0, rank 0\n"
                    "parameter operation 13\nparameter bytes 800\nparameter source device 7\n"
                    "transfer complete\nleave !$omp target transfer from device\n"
                    "leave !$omp target\n");
    expect_location(1, "");
    expect_property("OTTER::REPAIRED", "0");
    expect_property("OTTER::UNBEGUN", "0");
}

static void play_points(void)
{
    void *host[] = {(void *)16, NULL}, *device[] = {(void *)32, NULL};
    size_t bytes[] = {8, 0};
    unsigned flags[] = {3, 0};
    otter_device_mark(OTTER_CONSTRUCT_DEVICE_INITIALIZE, 2, NULL);
    otter_device_mark(OTTER_CONSTRUCT_DEVICE_LOAD, -1, NULL);
    otter_target_map(&(struct otter_mapping){2, host, device, bytes, flags}, &code[0]);
    otter_target_map(&(struct otter_mapping){.n = 1}, &code[0]);
    otter_submit_mark(0, 5, 0);
    otter_data_op_end(OTTER_CONSTRUCT_DEVICE_ALLOCATE); // without a start
}

static void what_is_not_known_is_not_written(void **state)
{
    expect_archive(play_points, "0");
    expect_location(0, "enter device initialize\nparameter device 2\nleave device initialize\n"
                       "enter device load\nleave device load\n"
                       "enter !$omp target map\nparameter bytes 8\nparameter source address 16\n"
                       "parameter destination address 32\nparameter map flags 3\n"
                       "parameter bytes 0\nleave !$omp target map\n"
                       "enter !$omp target map\nparameter bytes 0\nleave !$omp target map\n"
                       "enter !$omp target submit\nparameter operation 5\n"
                       "leave !$omp target submit\n");
    expect_property("OTTER::UNBEGUN", "1");
    assert_int_equal(n_locations(), 1); // no device did anything
}

static void play_modules(void)
{
    struct otter_device_module module = {.id = 5, .offset = -1};
    otter_device_mark(OTTER_CONSTRUCT_DEVICE_LOAD, 2, &module);
    module = (struct otter_device_module){6, "a file", 0, 300};
    otter_device_mark(OTTER_CONSTRUCT_DEVICE_LOAD, -1, &module);
    for (uint64_t i = 0; i < 300; i++) {
        module.id = 7 + i;
        otter_device_describe_module(2, &module);
    }
    otter_device_mark(OTTER_CONSTRUCT_DEVICE_UNLOAD, 2, &module);
}

static void code_that_is_loaded_is_known_as_far_as_it_is_told(void **state)
{
    expect_archive(play_modules, "0");
    expect_location(0, "enter device load\nparameter device 2\nparameter module 5\n"
                       "leave device load\n"
                       "enter device load\nparameter module 6\nparameter file offset 0\n"
                       "parameter bytes 300\nleave device load\n"
                       "enter device unload\nparameter device 2\nparameter module 306\n"
                       "parameter file offset 0\nparameter bytes 300\nleave device unload\n");
    expect_property("OTTER::DEVICE_MODULE::2::7", "a file");
    expect_property("OTTER::DEVICE_MODULE::2::262", "a file");
    expect_property("OTTER::DEVICE_MODULE::2::263", ""); // does not exist
}

// ---- streams

static void play_unordered(void)
{
    report(0, 500, 600, 5);
    report(0, 100, 200, 1);
    report(0, 300, 300, 3);
    report(0, 200, 300, 2);
    report(0, 300, 400, 4);
}

static void a_stream_is_in_order_of_time_whatever_the_order_of_its_records(void **state)
{
    expect_archive(play_unordered, "0");
    // A record without a duration comes after the record that begins at the same time, and overlaps
    // it.
    assert_int_equal(n_locations(), 2);
    expect_location(0, REPORTED(1) REPORTED(2) REPORTED(4) REPORTED(5));
    expect_location(1, REPORTED(3));
}

static void play_overlapping(void)
{
    report(3, 100, 900, 1);
    report(3, 200, 400, 2);
    report(3, 300, 500, 3);
    report(3, 400, 600, 4);
    report(3, 900, 950, 5);
    report(1, 200, 400, 6); // an operation of another device
}

static void what_overlaps_is_in_different_streams(void **state)
{
    expect_archive(play_overlapping, "0");
    assert_int_equal(n_locations(), 4);
    expect_location(0, REPORTED(1) REPORTED(5));
    expect_location(1, REPORTED(6));
    expect_location(2, REPORTED(2) REPORTED(4));
    expect_location(3, REPORTED(3));
}

static void play_late(void)
{
    report(0, 500, 600, 1);
    otter_device_flush(0);
    otter_device_flush(5); // does not exist
    report(0, 100, 200, 2);
    report(0, 700, 800, 3);
}

static void what_comes_after_later_ones_were_written_has_a_stream_of_its_own(void **state)
{
    expect_archive(play_late, "0");
    expect_location(0, REPORTED(1) REPORTED(3));
    expect_location(1, REPORTED(2));
}

enum { N_MANY = 20000 };

static void play_many(void)
{
    begin_time(4 * N_MANY);
    for (uint64_t i = 0; i < N_MANY; i++) { // each pair in reverse order
        report(0, 4 * (i ^ 1), 4 * (i ^ 1) + 2, 1 + (i ^ 1));
    }
}

static void more_records_than_are_kept_are_written_one_by_one(void **state)
{
    uint64_t n_events[2];
    expect_archive(play_many, "0");
    assert_int_equal(count_locations(in_test_folder("trace"), n_events, 2), 1);
    assert_int_equal(n_events[0], 3 * N_MANY);
}

// The first chunk of the stream fits, but the second does not.
static void play_on_a_full_disk(void)
{
    struct rlimit before, limit;
    getrlimit(RLIMIT_FSIZE, &before);
    limit = (struct rlimit){.rlim_cur = 400 * 1024, .rlim_max = before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    play_many();
    otter_device_flush(0);
    setrlimit(RLIMIT_FSIZE, &before);
}

static void what_a_stream_has_no_room_for_is_counted_as_lost(void **state)
{
    uint64_t n_events = 0;
    setenv("OTTER_CHUNK_SIZE", "256K", 1);
    assert_true(is_valid_for_otf2(archive_of_device(play_on_a_full_disk)));
    unsetenv("OTTER_CHUNK_SIZE");
    count_locations(in_test_folder("trace"), &n_events, 1);
    uint64_t n_lost = strtoull(property_of(in_test_folder("trace"), "OTTER::LOST"), NULL, 10);
    assert_true(n_events > 0 && n_lost > 0);
    assert_in_range(n_events / 3 + n_lost, N_MANY, N_MANY + 1); // the last may be stored in part
}

enum { N_TOO_MANY = OTTER_MAX_STREAMS + 44 };

static void play_too_many_at_once(void)
{
    for (unsigned i = 0; i < N_TOO_MANY; i++) {
        report(0, i, 10000, 1);
    }
}

static void what_no_stream_is_left_for_is_counted_as_lost(void **state)
{
    expect_archive(play_too_many_at_once, "44");
    assert_int_equal(n_locations(), OTTER_MAX_STREAMS);
}

static void play_too_many_devices(void)
{
    for (int i = 0; i < OTTER_MAX_DEVICES + 3; i++) {
        report(i, 100, 200, 1);
        otter_target_begin(OTTER_CONSTRUCT_TARGET, 0, i, 0, &code[0]);
        otter_submit_mark(0, 1, 0);
        otter_leave(OTTER_CONSTRUCT_TARGET);
    }
}

static void devices_that_there_is_no_place_for_lose_what_they_tell(void **state)
{
    expect_archive(play_too_many_devices, "3");
    assert_int_equal(n_locations(), OTTER_MAX_DEVICES + 1);
}

static void play_nonsense(void)
{
    report(0, 100, 50, 1);
    report(0, (uint64_t)0 - (UINT64_C(1) << 40), 200, 1); // before the run
    report(0, 100, UINT64_C(1) << 50, 1);                 // not yet
    report(-1, 100, 200, 1);
    otter_device_refuse(0);
    report(0, 100, 200, 7);
}

static void what_makes_no_sense_is_refused_and_counted(void **state)
{
    expect_archive(play_nonsense, "0");
    expect_property("OTTER::DEVICE_REFUSED", "5");
    expect_location(0, REPORTED(7));
}

enum { MS = 1000000 }; // ticks with clock=monotonic

// Makes the run's start the origin, and stops the clock, so that the run has no other end while
// records are reported.
static void stop_the_clock(void)
{
    begin_time(MS);
    set_clock(otter_now());
    base = otter_session_start().ticks;
}

static void play_a_little_outside(void)
{
    stop_the_clock();
    report(0, (uint64_t)0 - 15 * MS, 200, 5);
    report(0, (uint64_t)0 - 15 * MS, (uint64_t)0 - 5 * MS, 6); // all of it is before the run
    report(0, 100, otter_now() - base + 10 * MS, 7);           // not yet
    set_clock(0);
}

static void what_lies_a_little_outside_the_run_is_moved_to_its_edge_and_counted(void **state)
{
    setenv("OTTER_CLOCK", "monotonic", 1);
    expect_archive(play_a_little_outside, "0");
    unsetenv("OTTER_CLOCK");
    expect_property("OTTER::DEVICE_MOVED", "3");
    expect_location(0, REPORTED(5));
    expect_location(1, REPORTED(6) REPORTED(7));
}

// The clock's stated rate is inexact.
static void play_at_the_bound(void)
{
    stop_the_clock();
    report(0, (uint64_t)0 - 70 * MS, 200, 5);
    report(0, (uint64_t)0 - 150 * MS, 200, 6);
    report(0, 300, otter_now() - base + 70 * MS, 7);
    set_clock(0);
}

static void a_little_outside_the_run_is_a_tenth_of_a_second(void **state)
{
    setenv("OTTER_CLOCK", "monotonic", 1);
    assert_true(is_valid_for_otf2(archive_of(play_at_the_bound)));
    unsetenv("OTTER_CLOCK");
    expect_property("OTTER::DEVICE_MOVED", "2");
    expect_property("OTTER::DEVICE_REFUSED", "1");
    expect_location(0, REPORTED(5) REPORTED(7));
}

// ---- host and device

static void play_both(void)
{
    struct otter_data_op op = copy_to(4);
    otter_devices_begin(-1, true);
    otter_device_describe(4, "fast one");
    otter_target_begin(OTTER_CONSTRUCT_TARGET, 0, 4, 0, &code[9]);
    uint64_t copy = otter_data_op_begin(&op, 0);
    otter_data_op_end(op.construct);
    uint64_t kernel = otter_submit_begin(0, 0, 2);
    otter_leave(OTTER_CONSTRUCT_TARGET_SUBMIT);
    otter_leave(OTTER_CONSTRUCT_TARGET);
    struct otter_device_record of_copy = {.construct = op.construct,
                                          .device = 4,
                                          .operation = copy,
                                          .begin = base + 100,
                                          .end = base + 200,
                                          .data = op};
    struct otter_device_record of_kernel = {.construct = OTTER_CONSTRUCT_DEVICE_KERNEL,
                                            .device = 4,
                                            .operation = kernel,
                                            .begin = base + 200,
                                            .end = base + 300,
                                            .teams_requested = 2,
                                            .teams_granted = 1};
    otter_device_record(&of_kernel);
    otter_device_record(&of_copy);
    of_copy.operation = UINT64_MAX; // looks like an id of Otter's
    of_copy.begin = of_copy.end = base + 400;
    otter_device_record(&of_copy);
}

static uint64_t operations[8]; // values of the parameter "operation" of one location, in order
static size_t n_operations;
static char names[8][128]; // of the regions that were entered

struct note {
    const struct otter_definitions *definitions;
};

static bool note_operation(void *user, const struct otter_event *event)
{
    const struct otter_definitions *definitions = ((const struct note *)user)->definitions;
    if (event->kind == OTTER_RECORD_ENTER && n_operations < 8) {
        snprintf(names[n_operations], sizeof(names[0]), "%s",
                 definitions->regions[event->region].name);
    } else if (event->kind == OTTER_RECORD_PARAMETER &&
               strcmp(definitions->parameters[event->parameter.definition].name, "operation") ==
                   0) {
        operations[n_operations++] = event->parameter.value;
    }
    return true;
}

static void read_operations(size_t location)
{
    struct otter_archive *archive = NULL;
    struct otter_complaint complaint;
    assert_int_equal(otter_archive_open(in_test_folder("trace"), &archive, &complaint), OTTER_OK);
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    n_operations = 0;
    struct note note = {definitions};
    assert_int_equal(otter_archive_read(archive, location, note_operation, &note, NULL, &complaint),
                     OTTER_OK);
    otter_archive_close(archive);
}

static void
an_operation_has_one_number_at_both_ends_and_a_kernel_the_place_of_its_construct(void **state)
{
    expect_archive(play_both, "0");
    char *text = list_location(in_test_folder("trace"), 1);
    assert_null(strstr(text, "\nget ")); // the thread has the transfer
    assert_non_null(strstr(text, "parameter teams requested 2\nparameter teams granted 1\n"));
    free(text);
    read_operations(0);
    assert_int_equal(n_operations, 3); // the first belongs to the construct itself
    uint64_t copy = operations[1], kernel = operations[2];
    assert_int_not_equal(copy, kernel);
    const char *place = strchr(names[2], '@');
    assert_non_null(place);
    char launched_from[128];
    snprintf(launched_from, sizeof(launched_from), "!$omp target kernel %s", place);
    read_operations(1);
    assert_int_equal(n_operations, 3);
    assert_int_equal(operations[0], copy);
    assert_int_equal(operations[1], kernel);
    assert_string_equal(names[1], launched_from);
    assert_non_null(strchr(names[2], '@')); // the address in the record itself
}

static void play_silent_host(void)
{
    struct otter_data_op op = copy_to(4);
    op.source = op.code = NULL;
    otter_target_begin(OTTER_CONSTRUCT_TARGET, 0, 4, 8, NULL);
    otter_leave(OTTER_CONSTRUCT_TARGET);
    otter_device_record(&(struct otter_device_record){.construct = op.construct,
                                                      .device = 4,
                                                      .operation = 31,
                                                      .begin = base + 100,
                                                      .end = base + 200,
                                                      .data = op});
}

static void a_transfer_that_no_thread_is_told_of_is_that_of_the_stream(void **state)
{
    expect_archive(play_silent_host, "0");
    expect_location(0, "enter !$omp target\nparameter device 4\nparameter operation 8\n"
                       "leave !$omp target\n");
    expect_location(1, "enter !$omp target transfer to device\nget 800 bytes, window 0, rank 1\n"
                       "parameter operation 31\nparameter bytes 800\n"
                       "parameter destination device 4\n"
                       "transfer complete\nleave !$omp target transfer to device\n");
}

static void play_on_host(void)
{
    struct otter_data_op op = copy_to(7);
    otter_devices_begin(7, true);
    otter_data_op_begin(&op, 1);
    otter_data_op_end(op.construct);
    op.destination_device = -5; // OpenMP does not assign this number
    otter_data_op_mark(&op, 2);
}

static void play_on_no_host(void)
{
    struct otter_data_op op = copy_to(7);
    otter_devices_begin(7, true);
    otter_device_describe(7, "counted late");
    otter_data_op_begin(&op, 1);
    otter_data_op_end(op.construct);
}

static void the_host_is_no_device_unless_it_is_described_as_one(void **state)
{
    expect_archive(play_on_host, "0");
    assert_int_equal(n_locations(), 1);
    expect_archive(play_on_no_host, "0");
    assert_int_equal(n_locations(), 2);
}

// ---- the end of a session, and memory

static void play_after_the_end(void)
{
    report(0, 100, 200, 1);
    otter_detach("test");
    report(0, 300, 400, 2);
    otter_device_refuse(0);
    otter_device_flush(0);
    otter_device_describe(3, "late");
    otter_attach("test");
}

static void what_a_device_tells_after_the_end_is_ignored(void **state)
{
    expect_archive(play_after_the_end, "0");
    expect_location(0, REPORTED(1));
    expect_property("OTTER::DEVICE_REFUSED", "");
}

static void play_fork(void)
{
    report(0, 100, 200, 1);
    pid_t child = fork();
    if (child == 0) {
        report(0, 300, 400, 2);
        otter_device_flush(0);
        otter_detach("test");
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

static void a_child_writes_nothing_of_devices(void **state)
{
    expect_archive(play_fork, "0");
    expect_location(0, REPORTED(1));
}

static void play_discarded(void)
{
    play_overlapping();
    otter_device_flush(3);
    otter_discard();
}

static void a_session_that_nobody_wants_leaves_no_stream(void **state)
{
    archive_of_device(play_discarded);
    assert_false(exists(in_test_folder("trace")));
}

static void *tell_much(void *user)
{
    int device = *(int *)user;
    for (uint64_t i = 0; i < 1000; i++) {
        report(device / 2, 20 * i + (uint64_t)(device % 2) * 11, 20 * i + 10, 1);
        struct otter_data_op op = copy_to(device);
        otter_data_op_mark(&op, 0);
    }
    return NULL;
}

static void play_threads(void)
{
    enum { N = 4 };
    static int devices[N] = {0, 1, 2, 3};
    pthread_t threads[N];
    for (size_t i = 0; i < N; i++) {
        pthread_create(&threads[i], NULL, tell_much, &devices[i]);
    }
    for (size_t i = 0; i < N; i++) {
        pthread_join(threads[i], NULL);
    }
}

static void many_threads_may_tell_of_many_devices(void **state)
{
    expect_archive(play_threads, "0");
    expect_property("OTTER::DEVICE_REFUSED",
                    "2000"); // all records of threads 1 and 3 end before they begin
}

static size_t failing_allocation;

static void play_short_of_memory(void)
{
    report(2, 100, 200, 1); // creates the output
    fail_allocation(failing_allocation);
    play_overlapping();
    otter_device_flush(3);
    size_t n = n_allocations();
    fail_allocation(0);
    write_file(in_test_folder("allocations"), &n, sizeof(n));
}

// Whichever allocation fails, each of the story's six records and the record before them is either
// written or lost. *Returns* the number of allocations.
static size_t play_with_failing(size_t allocation)
{
    size_t size, n;
    uint64_t n_events[8] = {0}, sum = 0;
    failing_allocation = allocation;
    assert_true(is_valid_for_otf2(archive_of_device(play_short_of_memory)));
    uint8_t *told = read_file(in_test_folder("allocations"), &size);
    memcpy(&n, told, sizeof(n));
    free(told);
    size_t n_streams = count_locations(in_test_folder("trace"), n_events, 8);
    for (size_t i = 0; i < n_streams; i++) {
        sum += n_events[i] / 3;
    }
    sum += strtoull(property_of(in_test_folder("trace"), "OTTER::LOST"), NULL, 10);
    assert_int_equal(sum, 7);
    return n;
}

static void each_failing_allocation_loses_records_and_counts_them(void **state)
{
    size_t n = play_with_failing(0);
    assert_true(n >= 2 + 3); // memory of two devices, and three streams
    for (size_t i = 1; i <= n; i++) {
        play_with_failing(i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_target_region_has_its_device_its_operations_and_its_launch),
        cmocka_unit_test(what_is_not_known_is_not_written),
        cmocka_unit_test(code_that_is_loaded_is_known_as_far_as_it_is_told),
        cmocka_unit_test(a_stream_is_in_order_of_time_whatever_the_order_of_its_records),
        cmocka_unit_test(what_overlaps_is_in_different_streams),
        cmocka_unit_test(what_comes_after_later_ones_were_written_has_a_stream_of_its_own),
        cmocka_unit_test(more_records_than_are_kept_are_written_one_by_one),
        cmocka_unit_test(what_a_stream_has_no_room_for_is_counted_as_lost),
        cmocka_unit_test(what_no_stream_is_left_for_is_counted_as_lost),
        cmocka_unit_test(devices_that_there_is_no_place_for_lose_what_they_tell),
        cmocka_unit_test(what_makes_no_sense_is_refused_and_counted),
        cmocka_unit_test(what_lies_a_little_outside_the_run_is_moved_to_its_edge_and_counted),
        cmocka_unit_test(a_little_outside_the_run_is_a_tenth_of_a_second),
        cmocka_unit_test(
            an_operation_has_one_number_at_both_ends_and_a_kernel_the_place_of_its_construct),
        cmocka_unit_test(a_transfer_that_no_thread_is_told_of_is_that_of_the_stream),
        cmocka_unit_test(the_host_is_no_device_unless_it_is_described_as_one),
        cmocka_unit_test(what_a_device_tells_after_the_end_is_ignored),
        cmocka_unit_test(a_child_writes_nothing_of_devices),
        cmocka_unit_test(a_session_that_nobody_wants_leaves_no_stream),
        cmocka_unit_test(many_threads_may_tell_of_many_devices),
        cmocka_unit_test(each_failing_allocation_loses_records_and_counts_them),
    };
    return cmocka_run_group_tests_name("device", tests, make_test_folder, remove_test_folder);
}
