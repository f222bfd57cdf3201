// The writer of event files: chunks, memory limits and full disks.
#include "unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "chunks.h"
#include "failing.h"
#include "folder.h"
#include "recording/event_seal.h"
#include "trace/write/layout_probe.h"
#include "trace/write/record_parts.h"

static void the_layout_of_this_otf2_is_known(void **state)
{
    assert_true(otter_layout_is_known());
    assert_true(otter_layout_is_known()); // and the question leaves no file
}

static uint64_t sealed_events(const char *events, uint32_t location)
{
    uint64_t n = 0, time = 0;
    assert_int_equal(otter_event_file_seal(events, location, TEST_CHUNK, &n, &time, NULL),
                     OTTER_OK);
    char path[4096];
    snprintf(path, sizeof(path), "%s/%u.evt", events, (unsigned)location);
    assert_int_equal(events_of_sealed_file(path, TEST_CHUNK), n);
    return n;
}

static void each_location_has_a_file_of_its_own(void **state)
{
    struct recording recording = start_recording("several", true);
    struct otter_location_writer *others[3] = {recording.location};
    for (uint32_t id = 1; id < 3; id++) {
        assert_int_equal(otter_writer_open_location(recording.writer, id, &others[id]), OTTER_OK);
    }
    for (uint64_t n = 1; n <= 30; n++) {
        for (uint32_t id = 0; id <= n % 3; id++) {
            write_nth_event(others[id], n);
        }
    }
    assert_int_equal(end_and_save(recording.writer, 3), OTTER_OK);
    assert_int_equal(sealed_events(recording.events, 0), 30);
    assert_int_equal(sealed_events(recording.events, 1), 20);
    assert_int_equal(sealed_events(recording.events, 2), 10);
}

static void time_that_goes_back_is_refused(void **state)
{
    struct recording recording = start_recording("back", true);
    otter_write_enter(recording.location, 10, 2);
    otter_write_leave(recording.location, 10, 2);
    otter_write_enter(recording.location, 9, 2); // an earlier time is refused
    otter_write_enter(recording.location, 11, 2);
    assert_int_equal(sealed_events(recording.events, 0), 3);
}

// Writes a task's switch and the Enter of its region, as two records or as one.
static size_t write_start(uint8_t *chunk, bool is_together, uint32_t creator, uint32_t number)
{
    struct otter_location_writer location = {0};
    const uint32_t region = number % 70000 + 1;
    otter_location_begin_chunk(&location, chunk, TEST_CHUNK);
    if (is_together) {
        uint8_t *at = otter_records_begin(&location, 7);
        at = otter_put_task(at, RECORD_TASK_SWITCH, creator, number);
        otter_records_end(&location, 7, otter_put_region(at, RECORD_ENTER, region), 2);
    } else {
        otter_write_task_switch(&location, 7, creator, number);
        otter_write_enter(&location, 7, region);
    }
    otter_write_task_create(&location, 7, creator, number); // continues after both
    otter_location_end_chunk(&location, chunk);
    return (size_t)(location.at - chunk);
}

static void records_written_together_have_the_same_bytes(void **state)
{
    static const uint32_t creators[] = {0, 1, 255, 256, OTTER_MAX_LOCATIONS - 1};
    static const uint32_t numbers[] = {0,     1,       255,     256,           65535,
                                       65536, 1 << 24, 1 << 31, UINT32_MAX - 1};
    for (size_t i = 0; i < sizeof(creators) / sizeof(*creators); i++) {
        for (size_t j = 0; j < sizeof(numbers) / sizeof(*numbers); j++) {
            uint8_t apart[TEST_CHUNK] = {0}, together[TEST_CHUNK] = {0};
            size_t n = write_start(apart, false, creators[i], numbers[j]);
            assert_int_equal(write_start(together, true, creators[i], numbers[j]), n);
            assert_memory_equal(together, apart, TEST_CHUNK);
        }
    }
}

static void records_written_together_need_room_and_a_later_time(void **state)
{
    static uint8_t chunk[TEST_CHUNK];
    struct otter_location_writer location = {0};
    otter_location_begin_chunk(&location, chunk, TEST_CHUNK);
    otter_write_enter(&location, 7, 2);
    assert_null(otter_records_begin(&location, 7));
    assert_non_null(otter_records_continue(&location, 7));
    assert_null(otter_records_continue(&location, 8));
    assert_non_null(otter_records_begin(&location, 8));
    location.at = location.last + 1;
    assert_null(otter_records_begin(&location, 8));
    assert_null(otter_records_continue(&location, 7));
}

static void a_location_beyond_the_last_is_unsupported(void **state)
{
    struct recording recording = start_recording("beyond", true);
    struct otter_location_writer *location = NULL;
    uint32_t beyond = OTTER_FIRST_STREAM + OTTER_MAX_STREAMS;
    assert_int_equal(otter_writer_open_location(recording.writer, beyond, &location),
                     OTTER_UNSUPPORTED);
    assert_null(location);
}

static struct {
    uint64_t n_chunks, n_full, n_failures, n_kept;
    uint32_t location;
    enum otter_status why;
    bool is_ordered;
} *shared; // with children

static void on_chunk(uint32_t location, uint64_t begin, uint64_t end)
{
    shared->n_chunks++;
    shared->location = location;
    shared->is_ordered = begin <= end;
}

static void on_failure(uint32_t location, enum otter_status why)
{
    shared->n_failures++;
    shared->location = location;
    shared->why = why;
}

static void on_full(void)
{
    shared->n_full++;
}

static struct otter_writer *open_limited_writer(const char *name, bool is_mapped, uint64_t max_size)
{
    struct otter_writer_options options = {.folder = in_test_folder("%s", name),
                                           .chunk_size = TEST_CHUNK,
                                           .max_size = max_size,
                                           .is_mapped = is_mapped,
                                           .chunk_written = on_chunk,
                                           .full = on_full,
                                           .location_failed = on_failure};
    struct otter_writer *writer = NULL;
    mkdir(options.folder, 0777);
    return otter_writer_open(&options, &writer) ? NULL : writer;
}

static struct otter_writer *open_telling_writer(const char *name, bool is_mapped)
{
    return open_limited_writer(name, is_mapped, 0);
}

// Opens a writer whose chunks together need at most `max_memory`.
static struct otter_writer *open_bounded_writer(const char *name, uint64_t max_memory)
{
    struct otter_writer_options options = {.folder = in_test_folder("%s", name),
                                           .chunk_size = TEST_CHUNK,
                                           .max_memory = max_memory,
                                           .is_mapped = true,
                                           .location_failed = on_failure};
    struct otter_writer *writer = NULL;
    mkdir(options.folder, 0777);
    return otter_writer_open(&options, &writer) ? NULL : writer;
}

static void when_the_size_is_reached_no_location_gets_a_further_chunk(void **state)
{
    memset(shared, 0, sizeof(*shared));
    struct otter_writer *writer = open_limited_writer("limited", true, 3 * TEST_CHUNK);
    struct otter_location_writer *first = NULL, *second = NULL, *third = NULL;
    assert_int_equal(otter_writer_open_location(writer, 0, &first), OTTER_OK);
    assert_int_equal(otter_writer_open_location(writer, 1, &second), OTTER_OK);
    uint64_t n = 0;
    while (shared->n_full == 0) {
        write_nth_event(first, ++n);
        assert_true(n < 200000);
    }
    assert_int_equal(shared->n_chunks, 1);
    write_nth_event(first, ++n); // an event of the same call
    write_nth_event(second, 1);  // is stored in the current chunk
    assert_int_equal(otter_writer_open_location(writer, 2, &third), OTTER_FULL);
    write_nth_event(third, 1); // is lost
    assert_int_equal(shared->n_full, 2);
    assert_int_equal(shared->n_failures, 0);
    assert_int_equal(otter_writer_n_events(writer), n + 1);
    assert_int_equal(end_and_save(writer, 3), OTTER_OK);
    assert_int_equal(sealed_events(in_test_folder("limited/events"), 0), n);
    assert_int_equal(sealed_events(in_test_folder("limited/events"), 1), 1);
}

static void what_one_call_records_is_kept_when_the_size_is_reached_unless_it_is_huge(void **state)
{
    memset(shared, 0, sizeof(*shared));
    struct otter_writer *writer = open_limited_writer("reserve", true, TEST_CHUNK);
    struct otter_location_writer *location = NULL;
    assert_int_equal(otter_writer_open_location(writer, 0, &location), OTTER_OK);
    uint64_t n = 0;
    for (; shared->n_full == 0; n++) {
        write_nth_event(location, n + 1);
    }
    uint64_t n_before = n;
    for (; shared->n_failures == 0 && n < 200000; n++) {
        write_nth_event(location, n + 1);
    }
    assert_true(n > n_before + 200);
    assert_int_equal(shared->n_full, 1);
    assert_int_equal(shared->why, OTTER_FULL);
    assert_int_equal(end_and_save(writer, 1), OTTER_OK);
    assert_int_equal(sealed_events(in_test_folder("reserve/events"), 0), n - 1);
}

static struct {
    uint64_t n_enters, n_leaves, time;
    uint32_t region;
} summed;

static void sum_up(void *totals, uint64_t time, uint32_t region, bool is_enter)
{
    assert_ptr_equal(totals, &summed);
    *(is_enter ? &summed.n_enters : &summed.n_leaves) += 1;
    summed.time = time;
    summed.region = region;
}

static void who_wants_to_know_hears_of_what_is_not_kept_of_a_location_that_has_ended(void **state)
{
    memset(shared, 0, sizeof(*shared));
    struct otter_writer *writer = open_limited_writer("ended", true, 0);
    struct otter_location_writer *location = NULL;
    assert_int_equal(otter_writer_open_location(writer, 0, &location), OTTER_OK);
    otter_write_enter(location, 100, 7);
    assert_int_equal(otter_writer_end_location(writer, 0, sum_up, &summed), 100);
    otter_write_enter(location, 200, 8);
    otter_write_parameter(location, 200, 1, 2);
    otter_write_leave(location, 300, 8);
    otter_write_leave(location, 300, 7);
    assert_int_equal(summed.n_enters, 1);
    assert_int_equal(summed.n_leaves, 2);
    assert_int_equal(summed.time, 300);
    assert_int_equal(summed.region, 7);
    assert_int_equal(end_and_save(writer, 1), OTTER_OK);
    assert_int_equal(sealed_events(in_test_folder("ended/events"), 0), 1);
}

static void without_room_for_its_chunk_a_location_is_not_opened_until_another_ends(void **state)
{
    memset(shared, 0, sizeof(*shared));
    struct otter_writer *writer = open_bounded_writer("bounded", 2 * TEST_CHUNK);
    struct otter_location_writer *location = NULL;
    for (uint32_t id = 0; id < 2; id++) {
        assert_int_equal(otter_writer_open_location(writer, id, &location), OTTER_OK);
        write_nth_event(location, 1);
    }
    assert_int_equal(otter_writer_open_location(writer, 2, &location), OTTER_NO_MEMORY);
    assert_int_equal(shared->n_failures, 1);
    assert_int_equal(shared->why, OTTER_NO_MEMORY);
    assert_true(otter_writer_end_writing(writer, 0));
    assert_int_equal(otter_writer_seal_location(writer, 0), OTTER_OK);
    assert_int_equal(otter_writer_open_location(writer, 3, &location), OTTER_OK);
}

// Limits the bytes of a file; 0: removes the limit.
static void limit_files(rlim_t size)
{
    static struct rlimit before;
    if (size > 0) {
        getrlimit(RLIMIT_FSIZE, &before);
    }
    struct rlimit limit = {.rlim_cur = size ? size : before.rlim_cur, .rlim_max = before.rlim_max};
    signal(SIGXFSZ, size > 0 ? SIG_IGN : SIG_DFL);
    setrlimit(RLIMIT_FSIZE, &limit);
}

static void a_location_that_cannot_be_opened_keeps_no_memory(void **state)
{
    memset(shared, 0, sizeof(*shared));
    struct otter_writer *writer = open_bounded_writer("unopened", TEST_CHUNK);
    struct otter_location_writer *location = NULL;
    limit_files(TEST_CHUNK / 2);
    enum otter_status status = otter_writer_open_location(writer, 0, &location);
    limit_files(0);
    assert_int_equal(status, OTTER_NO_SPACE);
    assert_int_equal(otter_writer_open_location(writer, 1, &location), OTTER_OK);
}

// A thread that ended uses no more memory than its records.
static void a_location_that_is_closed_gives_back_what_it_did_not_use(void **state)
{
    memset(shared, 0, sizeof(*shared));
    struct otter_writer *writer = open_limited_writer("returned", true, 2 * TEST_CHUNK);
    for (uint32_t id = 0; id < 50; id++) {
        struct otter_location_writer *location = NULL;
        assert_int_equal(otter_writer_open_location(writer, id, &location), OTTER_OK);
        write_nth_event(location, 1);
        assert_true(otter_writer_end_writing(writer, id));
        assert_int_equal(otter_writer_seal_location(writer, id), OTTER_OK);
    }
    assert_int_equal(shared->n_failures, 0);
}

static void each_full_chunk_is_told_to_its_thread(void **state)
{
    memset(shared, 0, sizeof(*shared));
    static struct otter_writer *writer; // never closed
    writer = open_telling_writer("shared", true);
    struct otter_location_writer *location = NULL;
    assert_int_equal(otter_writer_open_location(writer, 0, &location), OTTER_OK);
    shared->location = 99;
    uint64_t n = 0;
    while (shared->n_chunks < 3) {
        write_nth_event(location, ++n);
        assert_true(n < 200000);
    }
    assert_int_equal(shared->location, 0);
    assert_true(shared->is_ordered);
    assert_int_equal(shared->n_failures, 0);
    struct stat about;
    assert_int_equal(stat(in_test_folder("shared/events/0.evt"), &about), 0);
    assert_int_equal(about.st_size, 3 * TEST_CHUNK);
}

static void limit_files_to(rlim_t size)
{
    struct rlimit limit = {.rlim_cur = size, .rlim_max = RLIM_INFINITY};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
}

enum { N_TRIED = 100000 };

// The limit allows files of two and a half chunks.
static void write_until_full(bool is_mapped)
{
    limit_files_to(5 * TEST_CHUNK / 2);
    struct otter_writer *writer =
        open_telling_writer(is_mapped ? "full mapped" : "full memory", is_mapped);
    struct otter_location_writer *location = NULL;
    if (!writer || otter_writer_open_location(writer, 0, &location)) {
        _exit(2);
    }
    for (uint64_t n = 1; n <= N_TRIED && shared->n_failures == 0; n++) {
        shared->n_kept = n - 1; // the n-th call failed
        write_nth_event(location, n);
    }
    for (uint64_t n = 1; n <= 1000; n++) { // other events of the same call, which has begun
        write_nth_event(location, N_TRIED + n);
    }
    limit_files_to(RLIM_INFINITY);
    _exit(end_and_save(writer, 1) ? 3 : 0);
}

static void write_until_full_mapped(void)
{
    write_until_full(true);
}

static void write_until_full_in_memory(void)
{
    write_until_full(false);
}

static void on_a_full_disk_the_location_fails_once_and_nothing_before_is_lost(void **state)
{
    for (int is_mapped = 0; is_mapped < 2; is_mapped++) {
        memset(shared, 0, sizeof(*shared));
        shared->location = 99;
        int status =
            status_of_child(is_mapped ? write_until_full_mapped : write_until_full_in_memory);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
        assert_int_equal(shared->n_failures, 1);
        assert_int_equal(shared->location, 0);
        assert_int_equal(shared->why, OTTER_NO_SPACE);
        assert_true(shared->n_kept > 40000);
        const char *events =
            in_test_folder("%s", is_mapped ? "full mapped/events" : "full memory/events");
        assert_int_equal(sealed_events(events, 0), shared->n_kept);
    }
}

// There is no room for the first chunk.
static void find_no_room(void)
{
    limit_files_to(4096);
    struct otter_writer *writer = open_telling_writer("no room", true);
    struct otter_location_writer *location = NULL;
    enum otter_status status = otter_writer_open_location(writer, 0, &location);
    _exit(status == OTTER_NO_SPACE && !location ? 0 : 1);
}

static void a_location_without_its_first_chunk_is_not_opened(void **state)
{
    memset(shared, 0, sizeof(*shared));
    int status = status_of_child(find_no_room);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(shared->n_failures, 1);
    struct stat about;
    assert_true(stat(in_test_folder("no room/events/0.chunk"), &about) < 0 || about.st_size == 0);
}

static void a_folder_in_which_nothing_can_be_made_says_so(void **state)
{
    struct otter_writer_options options = {
        .folder = "/proc", .chunk_size = TEST_CHUNK, .is_mapped = true};
    struct otter_writer *writer = NULL;
    assert_int_not_equal(otter_writer_open(&options, &writer), OTTER_OK);
    options.folder = in_test_folder("nowhere");
    assert_int_equal(otter_writer_open(&options, &writer), OTTER_NOT_FOUND);
    assert_null(writer);
}

static void a_recording_that_exists_is_left_alone(void **state)
{
    struct recording recording = start_recording("exists", true);
    struct otter_writer_options options = {
        .folder = recording.folder, .chunk_size = TEST_CHUNK, .is_mapped = true};
    struct otter_writer *writer = NULL;
    assert_int_equal(otter_writer_open(&options, &writer), OTTER_EXISTS);
    assert_null(writer);
    assert_true(exists(recording.events));
}

static void without_memory_there_is_no_writer_and_no_folder(void **state)
{
    struct otter_writer_options options = {
        .folder = "/", .chunk_size = TEST_CHUNK, .is_mapped = true};
    char folder[4096];
    snprintf(folder, sizeof(folder), "%s", in_test_folder("memory"));
    options.folder = folder;
    mkdir(folder, 0777);
    for (size_t nth = 1;; nth++) {
        static struct otter_writer *writer; // never closed
        writer = NULL;
        fail_allocation(nth);
        enum otter_status status = otter_writer_open(&options, &writer);
        size_t n = n_allocations();
        fail_allocation(0);
        if (!status) {
            assert_true(nth > n);
            return;
        }
        assert_int_equal(status, OTTER_NO_MEMORY);
        assert_null(writer);
        assert_false(exists(in_test_folder("memory/events")));
    }
}

static void without_memory_there_is_no_location_and_the_others_go_on(void **state)
{
    struct recording recording = start_recording("locations", true);
    uint64_t n = 0;
    uint32_t id = 1;
    for (size_t nth = 1;; nth++, id++) {
        struct otter_location_writer *location = NULL;
        fail_allocation(nth);
        enum otter_status status = otter_writer_open_location(recording.writer, id, &location);
        size_t n_asked = n_allocations();
        fail_allocation(0);
        write_nth_event(recording.location, ++n);
        if (nth > n_asked) {
            assert_int_equal(status, OTTER_OK);
            break;
        }
        assert_int_not_equal(status, OTTER_OK);
        assert_null(location);
    }
    assert_int_equal(sealed_events(recording.events, 0), n);
}

static int set_up(void **state)
{
    shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return shared == MAP_FAILED ? 1 : make_test_folder(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_layout_of_this_otf2_is_known),
        cmocka_unit_test(each_location_has_a_file_of_its_own),
        cmocka_unit_test(time_that_goes_back_is_refused),
        cmocka_unit_test(records_written_together_have_the_same_bytes),
        cmocka_unit_test(records_written_together_need_room_and_a_later_time),
        cmocka_unit_test(a_location_beyond_the_last_is_unsupported),
        cmocka_unit_test(each_full_chunk_is_told_to_its_thread),
        cmocka_unit_test(on_a_full_disk_the_location_fails_once_and_nothing_before_is_lost),
        cmocka_unit_test(a_location_without_its_first_chunk_is_not_opened),
        cmocka_unit_test(when_the_size_is_reached_no_location_gets_a_further_chunk),
        cmocka_unit_test(what_one_call_records_is_kept_when_the_size_is_reached_unless_it_is_huge),
        cmocka_unit_test(who_wants_to_know_hears_of_what_is_not_kept_of_a_location_that_has_ended),
        cmocka_unit_test(without_room_for_its_chunk_a_location_is_not_opened_until_another_ends),
        cmocka_unit_test(a_location_that_cannot_be_opened_keeps_no_memory),
        cmocka_unit_test(a_location_that_is_closed_gives_back_what_it_did_not_use),
        cmocka_unit_test(a_folder_in_which_nothing_can_be_made_says_so),
        cmocka_unit_test(a_recording_that_exists_is_left_alone),
        cmocka_unit_test(without_memory_there_is_no_writer_and_no_folder),
        cmocka_unit_test(without_memory_there_is_no_location_and_the_others_go_on),
    };
    return cmocka_run_group_tests_name("writer", tests, set_up, remove_test_folder);
}
