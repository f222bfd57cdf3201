// Finishing recordings of complete runs, of killed runs, and damaged ones.
#include "unit.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "chunks.h"
#include "failing.h"
#include "folder.h"
#include "listing.h"
#include "otter/event.h"
#include "recording/finish/finish.h"
#include "recording/folder.h"
#include "recording/journal.h"
#include "trace/read/reader.h"
#include "recording/totals.h"

enum { N_LOCATIONS = 3, REGION = 2 };

// Results of the recording child, in memory that the test shares.
static struct {
    _Atomic uint64_t n_events[N_LOCATIONS];
} *shared;

static struct otter_writer *writer;
static struct otter_journal *journal;
static struct otter_location_writer *locations[N_LOCATIONS];

static _Thread_local size_t longest_read; // 0: no limit

// Replaces the C library's function: file systems in user space or in a network may return fewer
// bytes than requested.
ssize_t pread(int file, void *to, size_t size, off_t offset)
{
    size_t asked = longest_read && longest_read < size ? longest_read : size;
    return syscall(SYS_pread64, file, to, asked, offset);
}

static bool has_chunk_lines = true, is_killed_at_chunk = false;

static void on_chunk_begun(uint32_t location, uint64_t n_events)
{
    if (is_killed_at_chunk && n_events > 0) {
        raise(SIGKILL);
    }
    if (has_chunk_lines) {
        otter_journal_add(journal, "chunk %u %llu", (unsigned)location,
                          (unsigned long long)n_events);
    }
}

// Begins a recording in <name>.recording, as the session does.
static void begin_recording(const char *name)
{
    const char *folder = strdup(in_test_folder("%s.recording", name));
    struct otter_writer_options options = {.folder = folder,
                                           .chunk_size = TEST_CHUNK,
                                           .is_mapped = true,
                                           .chunk_begun = on_chunk_begun};
    mkdir(folder, 0777);
    if (otter_journal_create(in_test_folder("%s.recording/journal", name), true, &journal) ||
        otter_writer_open(&options, &writer)) {
        abort();
    }
    otter_journal_add(journal, "otter 1");
    otter_journal_add(journal, "clock monotonic");
    otter_journal_add(journal, "start 1000 1000 1700000000000000000");
    otter_journal_add(journal, "files mapped %d", TEST_CHUNK);
    otter_journal_add(journal, "describe PROGRAM /bin/true");
    otter_journal_add(journal, "region %d %d 0 0", REGION, OTTER_CONSTRUCT_TASKWAIT);
    otter_journal_add(journal, "team 1 0 2");
    for (int i = 0; i < N_LOCATIONS; i++) {
        otter_journal_add(journal, "location %d 2 %d", i, 100 + i);
        if (otter_writer_open_location(writer, (uint32_t)i, &locations[i])) {
            abort();
        }
    }
    otter_journal_add(journal, "member 1 0 0");
    otter_journal_add(journal, "member 1 1 2");
}

// Records Enter and Leave, and counts them in `shared` when they are stored.
static void record(int location, uint64_t n_pairs)
{
    for (uint64_t i = 0; i < n_pairs; i++) {
        uint64_t n = shared->n_events[location];
        otter_write_enter(locations[location], 2000 + n, REGION);
        shared->n_events[location] = n + 1;
        otter_write_leave(locations[location], 2000 + n + 1, REGION);
        shared->n_events[location] = n + 2;
    }
}

static void forget_told(void)
{
    memset(shared, 0, sizeof(*shared));
}

static struct otter_finish_result finish(const char *name, enum otter_status expected)
{
    struct otter_finish_result result;
    const char *recording = in_test_folder("%s.recording", name),
               *folder = in_test_folder("%s", name);
    assert_int_equal(otter_finish(recording, folder, &result), expected);
    assert_int_equal(exists(folder), expected == OTTER_OK);
    assert_int_equal(exists(recording), expected != OTTER_OK);
    return result;
}

static void count_all_events(const char *name, const struct otter_finish_result *result)
{
    const char *archive = in_test_folder("%s", name);
    uint64_t n_found[N_LOCATIONS] = {0}, n_all = 0;
    assert_int_equal(count_locations(archive, n_found, N_LOCATIONS), N_LOCATIONS);
    for (int i = 0; i < N_LOCATIONS; i++) {
        // the uncounted event, and the end of the construct that it left open
        assert_in_range(n_found[i], shared->n_events[i], shared->n_events[i] + 2);
        n_all += n_found[i];
    }
    assert_int_equal(result->n_events, n_all);
    assert_int_equal(result->n_locations, N_LOCATIONS);
    assert_int_equal(result->n_missing, 0);
}

// Returns whether a line contains all of `text`, in the output of an OTF2 tool about the archive.
static bool tool_says(const char *tool, const char *archive, const char *text)
{
    char command[512], line[1024];
    bool is_said = false;
    snprintf(command, sizeof(command), "%s '%s/traces.otf2'", tool, archive);
    FILE *output = popen(command, "r");
    while (output && fgets(line, sizeof(line), output)) {
        is_said |= strstr(line, text) != NULL;
    }
    return output && pclose(output) == 0 && is_said;
}

static void expect_all_events(const char *name, const struct otter_finish_result *result)
{
    assert_true(is_valid_for_otf2(in_test_folder("%s", name)));
    count_all_events(name, result);
}

static void a_recording_becomes_an_archive(void **state)
{
    forget_told();
    begin_recording("plain");
    record(0, 10);
    record(2, 30000); // more than a chunk
    otter_journal_add(journal, "count lost 3");
    otter_journal_add(journal, "end 90000 90000 1700000000000089000");
    struct otter_finish_result result = finish("plain", OTTER_OK);
    expect_all_events("plain", &result);

    const char *archive = in_test_folder("plain");
    assert_string_equal(property_of(archive, "OTTER::PROGRAM"), "/bin/true");
    assert_string_equal(property_of(archive, "OTTER::LOST"), "3");
    assert_string_equal(property_of(archive, "OTTER::SCHEMA"), "1");
    assert_string_equal(property_of(archive, "OTF2::THREAD_FORK_JOIN_EVENT_COMPLETE"), "false");
    assert_true(tool_says("otf2-marker", archive, "3 events could not be kept"));
    char *text = list_location(archive, 0);
    assert_memory_equal(text, "enter !$omp taskwait\nleave !$omp taskwait\n", 42);
    free(text);
    uint64_t n_bytes = 0;
    static const char *const files[] = {"traces.otf2",  "traces.def",   "traces.marker",
                                        "traces/0.evt", "traces/0.def", "traces/1.evt",
                                        "traces/1.def", "traces/2.evt", "traces/2.def"};
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        struct stat about;
        if (stat(in_test_folder("plain/%s", files[i]), &about) == 0) {
            n_bytes += (uint64_t)about.st_size;
        }
    }
    assert_int_equal(result.n_bytes, n_bytes);
}

static uint64_t most_pairs; // pairs that a thread records before it waits to be killed

static void *record_most(void *user)
{
    record(*(int *)user, most_pairs);
    for (;;) {
        pause();
    }
    return NULL;
}

static void record_until_killed(void)
{
    static int numbers[N_LOCATIONS];
    begin_recording("killed");
    for (int i = 1; i < N_LOCATIONS; i++) {
        pthread_t thread;
        numbers[i] = i;
        pthread_create(&thread, NULL, record_most, &numbers[i]);
    }
    record_most(&numbers[0]);
}

// The moment is random: after at least `n` events, with threads at any place. On a busy machine,
// the kill may be late; the threads then wait, so that the archive has a bounded length.
static void kill_after(uint64_t n)
{
    fflush(NULL);
    most_pairs = n + 20000;
    pid_t child = fork();
    if (child == 0) {
        record_until_killed();
    }
    while (shared->n_events[0] < n || shared->n_events[1] == 0 || shared->n_events[2] == 0) {
        sched_yield();
    }
    kill(child, SIGKILL);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
}

static void a_killed_recording_keeps_all_but_the_event_being_written(void **state)
{
    for (uint64_t n = 1; n < 200000; n = n * 3 + 17) {
        forget_told();
        kill_after(n);
        struct otter_finish_result result = finish("killed", OTTER_OK);
        expect_all_events("killed", &result);
        char command[256];
        snprintf(command, sizeof(command), "rm -rf '%s'", in_test_folder("killed"));
        assert_int_equal(system(command), 0);
    }
}

// The other locations ended long before.
static void a_recording_killed_between_two_chunks_has_all_times(void **state)
{
    forget_told();
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        is_killed_at_chunk = true;
        begin_recording("between");
        record(1, 1);
        record(2, 1);
        record(0, UINT64_MAX);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    struct otter_finish_result result = finish("between", OTTER_OK);
    expect_all_events("between", &result);
}

static void a_location_without_events_is_in_the_archive(void **state)
{
    forget_told();
    begin_recording("idle");
    record(1, 1);
    struct otter_finish_result result = finish("idle", OTTER_OK);
    expect_all_events("idle", &result);
}

// OTF2 3.0.2 uses freed memory for a location without events. This setting changes the content of
// freed memory.
static bool is_read_together(const char *archive)
{
    char command[512];
    snprintf(command, sizeof(command),
             "GLIBC_TUNABLES=glibc.malloc.perturb=165 otf2-print '%s/traces.otf2' > /dev/null",
             archive);
    return system("otf2-print --version > /dev/null 2>&1") != 0 || system(command) == 0;
}

static void each_location_has_an_event_for_those_who_read_all_together(void **state)
{
    forget_told();
    begin_recording("together");
    record(1, 1);
    finish("together", OTTER_OK);
    const char *archive = in_test_folder("together");
    assert_true(tool_says("otf2-print -G", archive, "Type: CPU_THREAD, # Events: 1"));
    assert_false(tool_says("otf2-print -G", archive, "Type: CPU_THREAD, # Events: 0"));
    assert_true(is_read_together(archive));
}

// The placeholders of an incomplete archive do not count as events.
static void an_event_that_was_not_recorded_is_not_counted(void **state)
{
    forget_told();
    has_chunk_lines = false;
    begin_recording("uncounted");
    has_chunk_lines = true;
    record(0, 5);
    size_t size;
    uint8_t *kept = read_file(in_test_folder("uncounted.recording/journal"), &size);
    finish("uncounted", OTTER_OK);
    assert_int_equal(mkdir(in_test_folder("uncounted.recording"), 0777), 0);
    assert_int_equal(
        rename(in_test_folder("uncounted"), in_test_folder("uncounted.recording/archive")), 0);
    write_file(in_test_folder("uncounted.recording/journal"), kept, size);
    free(kept);
    assert_int_equal(truncate(in_test_folder("uncounted.recording/archive/traces/2.evt"), 20), 0);
    struct otter_finish_result result = finish("uncounted", OTTER_OK);
    assert_int_equal(result.n_events, 10);
    expect_all_events("uncounted", &result);
}

// The recorder was killed after its chunk had begun, before the first event.
static void a_location_whose_first_event_is_not_whole_has_none(void **state)
{
    forget_told();
    begin_recording("torn");
    record(0, 5);
    otter_write_enter(locations[1], 2000, REGION);
    size_t size;
    uint8_t *chunk = read_file(in_test_folder("torn.recording/events/1.chunk"), &size);
    memset(chunk + 18 + 9, 0, 1); // after the header and the time
    write_file(in_test_folder("torn.recording/events/1.chunk"), chunk, size);
    free(chunk);
    struct otter_finish_result result = finish("torn", OTTER_OK);
    assert_int_equal(result.n_events, 10);
    expect_all_events("torn", &result);
    assert_false(tool_says("otf2-print -G", in_test_folder("torn"), "# Events: 0"));
}

static void what_a_pause_hid_is_counted_from_what_a_killed_recording_speaks_of(void **state)
{
    forget_told();
    begin_recording("paused");
    otter_write_task_create(locations[0], 2000, 0, 1);
    otter_write_task_create(locations[0], 2001, 0, 2);
    otter_write_measurement(locations[0], 2002, false);
    otter_write_measurement(locations[0], 2003, true);
    otter_write_task_create(locations[0], 2004, 0, 300);
    otter_write_task_switch(locations[1], 2005, 0, 70000); // created in the pause
    otter_write_task_complete(locations[1], 2006, 2, 255); // likewise
    otter_write_task_switch(locations[1], 2007, 4711, 9);  // of no creator
    finish("paused", OTTER_OK);
    char expected[32];
    snprintf(expected, sizeof(expected), "%d", 70000 - 3 + 255);
    assert_string_equal(property_of(in_test_folder("paused"), "OTTER::UNRECORDED"), expected);
}

static void without_a_pause_a_killed_recording_hides_no_task(void **state)
{
    forget_told();
    begin_recording("unpaused");
    otter_write_task_switch(locations[1], 2005, 0, 7); // its creation has not been written yet
    finish("unpaused", OTTER_OK);
    assert_string_equal(property_of(in_test_folder("unpaused"), "OTTER::UNRECORDED"), "0");
}

static void an_end_in_good_order_tells_what_pauses_hid(void **state)
{
    forget_told();
    begin_recording("shared");
    otter_write_measurement(locations[0], 2002, true);
    otter_write_task_switch(locations[1], 2005, 0, 70000);
    otter_journal_add(journal, "count lost 1");
    otter_journal_add(journal, "count unrecorded 5");
    otter_journal_add(journal, "end 90000 90000 1700000000000089000");
    finish("shared", OTTER_OK);
    assert_string_equal(property_of(in_test_folder("shared"), "OTTER::UNRECORDED"), "5");
}

// A chunk in memory that could not be saved; a file that was removed.
static void events_that_were_recorded_and_are_not_there_are_lost(void **state)
{
    forget_told();
    begin_recording("gone");
    record(0, 5);
    otter_write_enter(locations[0], 3000, REGION); // the event that entered is missing
    otter_journal_add(journal, "count recorded 40");
    otter_journal_add(journal, "count lost 2");
    otter_journal_add(journal, "end 90000 90000 1700000000000089000");
    struct otter_finish_result result = finish("gone", OTTER_OK);
    assert_int_equal(result.n_events, 12);
    assert_int_equal(result.n_lost, 2 + 40 - 11);
    assert_string_equal(property_of(in_test_folder("gone"), "OTTER::LOST"), "31");
    assert_true(is_valid_for_otf2(in_test_folder("gone")));
}

static void when_all_that_was_recorded_is_there_nothing_is_lost(void **state)
{
    forget_told();
    begin_recording("found");
    record(0, 5);
    otter_journal_add(journal, "count recorded 10");
    otter_journal_add(journal, "end 90000 90000 1700000000000089000");
    assert_int_equal(finish("found", OTTER_OK).n_lost, 0);
    assert_string_equal(property_of(in_test_folder("found"), "OTTER::LOST"), "0");
}

// The number of lost events of a killed recorder is unknown: at least one.
static void a_killed_recorder_that_was_losing_has_lost_at_least_one(void **state)
{
    static const struct {
        const char *name, *line;
        uint64_t n_lost;
    } cases[] = {{"losing", NULL, 1},
                 {"losing and shared", "count lost 3", 3},
                 {"losing and ended", "end 90000 90000 1700000000000089000", 0}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        forget_told();
        begin_recording(cases[i].name);
        record(0, 5);
        otter_journal_add(journal, "describe LOSING 2500");
        if (cases[i].line) {
            otter_journal_add(journal, "%s", cases[i].line);
        }
        assert_int_equal(finish(cases[i].name, OTTER_OK).n_lost, cases[i].n_lost);
    }
}

static void the_time_of_an_archive_ends_with_the_last_event_of_all(void **state)
{
    forget_told();
    begin_recording("latest");
    record(0, 50);
    record(2, 1);
    otter_journal_note_clock(journal, &(struct otter_clock_reading){.ticks = 5, .monotonic_ns = 5});
    finish("latest", OTTER_OK);
    struct otter_archive *archive = NULL;
    struct otter_complaint complaint;
    assert_int_equal(otter_archive_open(in_test_folder("latest"), &archive, &complaint), OTTER_OK);
    const struct otter_clock *clock = &otter_archive_definitions(archive)->clock;
    assert_in_range(clock->offset + clock->length, 2099, 2100);
    otter_archive_close(archive);
}

// Events recorded before the limit are in the archive, and no file is left over.
static void what_totals_tell_is_in_the_archive(void **state)
{
    forget_told();
    begin_recording("totals");
    struct otter_total_file *file =
        otter_total_file_create(in_test_folder("totals.recording"), true);
    struct otter_total_block *block = otter_total_file_add(file, 0, 0);
    assert_non_null(block);
    block->totals[REGION] = (struct otter_total){.n_visits = 7, .inclusive = 70, .exclusive = 60};
    otter_total_file_destroy(file);
    assert_true(exists(in_test_folder("totals.recording/totals")));
    assert_int_equal(finish("totals", OTTER_OK).n_events, 0); // there is still an archive
}

// A thread got a number, and died before its file existed.
static void a_location_without_a_file_is_in_the_archive(void **state)
{
    forget_told();
    has_chunk_lines = false;
    begin_recording("fileless");
    has_chunk_lines = true;
    record(0, 5);
    assert_int_equal(unlink(in_test_folder("fileless.recording/events/1.chunk")), 0);
    struct otter_finish_result result = finish("fileless", OTTER_OK);
    expect_all_events("fileless", &result);
}

// A thread died before OTF2 had written into its file.
static void a_location_whose_chunk_was_never_begun_does_not_cost_the_others(void **state)
{
    forget_told();
    has_chunk_lines = false;
    begin_recording("unbegun");
    has_chunk_lines = true;
    record(0, 5);
    uint8_t *zeros = calloc(1, TEST_CHUNK);
    write_file(in_test_folder("unbegun.recording/events/1.chunk"), zeros, TEST_CHUNK);
    free(zeros);
    struct otter_finish_result result = finish("unbegun", OTTER_OK);
    expect_all_events("unbegun", &result);
}

// ---- files of a killed recorder that others removed or damaged

enum { N_MANY = 60000 };

// Location 0 has 10 events, location 2 has N_MANY in several chunks.
static void begin_large_recording(const char *name)
{
    forget_told();
    begin_recording(name);
    record(0, 5);
    record(2, N_MANY / 2);
    assert_true(exists(in_test_folder("%s.recording/events/2.evt", name)));
}

static struct otter_finish_result finish_kept(const char *name, bool is_kept)
{
    struct otter_finish_result result;
    enum otter_status status =
        otter_finish(in_test_folder("%s.recording", name), in_test_folder("%s", name), &result);
    assert_int_equal(status, OTTER_OK);
    assert_int_equal(result.is_kept, is_kept);
    assert_int_equal(exists(in_test_folder("%s.recording", name)), is_kept);
    assert_true(is_valid_for_otf2(in_test_folder("%s", name)));
    return result;
}

static void expect_exactly_missing(const struct otter_finish_result *result, uint64_t n)
{
    assert_int_equal(result->n_missing, 1);
    assert_int_equal(result->least_missing, n);
    assert_int_equal(result->most_missing, n);
    assert_int_equal(result->n_lost, n);
}

static void events_of_a_removed_event_file_are_missing(void **state)
{
    begin_large_recording("without_evt");
    assert_int_equal(unlink(in_test_folder("without_evt.recording/events/2.evt")), 0);
    struct otter_finish_result result = finish_kept("without_evt", true);
    expect_exactly_missing(&result, N_MANY);
    assert_int_equal(result.n_events, 10);
    const char *archive = in_test_folder("without_evt");
    assert_string_equal(property_of(archive, "OTTER::MISSING::2"), "60000 60000");
    assert_string_equal(property_of(archive, "OTTER::LOST"), "60000");
    assert_true(tool_says("otf2-marker", archive, "at least 60000 and at most 60000 events"));
    assert_non_null(strstr(marker_of(archive, "missing events"), "at least 60000"));
    assert_true(exists(in_test_folder("without_evt.recording/events/2.rest"))); // has events
}

static void events_of_a_zeroed_event_file_are_missing(void **state)
{
    begin_large_recording("zeroed_evt");
    const char *path = in_test_folder("zeroed_evt.recording/events/2.evt");
    size_t size;
    uint8_t *bytes = read_file(path, &size);
    memset(bytes, 0, size);
    write_file(path, bytes, size);
    free(bytes);
    struct otter_finish_result result = finish_kept("zeroed_evt", true);
    expect_exactly_missing(&result, N_MANY);
}

static void events_of_a_cut_event_file_are_missing(void **state)
{
    begin_large_recording("cut_evt");
    assert_int_equal(truncate(in_test_folder("cut_evt.recording/events/2.evt"), TEST_CHUNK), 0);
    struct otter_finish_result result = finish_kept("cut_evt", true);
    uint64_t n_found = result.n_events - result.n_events % 2; // without the end of an open Enter
    assert_true(n_found > 10 + N_MANY / 4);
    assert_in_range(result.least_missing, N_MANY + 10 - result.n_events, N_MANY + 11 - n_found);
    assert_int_equal(result.most_missing, result.least_missing);
}

static void expect_between(const struct otter_finish_result *result, uint64_t n)
{
    assert_int_equal(result->n_missing, 1);
    assert_true(result->least_missing > 0 && result->least_missing <= n);
    assert_in_range(result->most_missing, n, N_MANY + TEST_CHUNK);
    assert_int_equal(result->n_lost, result->least_missing);
}

static void events_of_a_removed_or_zeroed_chunk_are_missing(void **state)
{
    uint8_t *zeros = calloc(1, TEST_CHUNK);
    static const char *const names[] = {"without_chunk", "zeroed_chunk", "empty_chunk"};
    static const size_t sizes[] = {0, TEST_CHUNK, 0};
    for (size_t i = 0; i < 3; i++) {
        begin_large_recording(names[i]);
        const char *path = in_test_folder("%s.recording/events/2.chunk", names[i]);
        assert_int_equal(unlink(path), 0);
        if (i > 0) {
            write_file(path, zeros, sizes[i]);
        }
        struct otter_finish_result result = finish_kept(names[i], false);
        assert_true(result.n_events > 10 + N_MANY / 4);
        expect_between(&result, N_MANY + 10 - result.n_events);
    }
    free(zeros);
}

static void events_of_a_removed_only_chunk_are_missing(void **state)
{
    forget_told();
    begin_recording("without_only");
    record(0, 5);
    record(2, 8);
    assert_int_equal(unlink(in_test_folder("without_only.recording/events/2.chunk")), 0);
    struct otter_finish_result result = finish_kept("without_only", false);
    assert_int_equal(result.n_events, 10);
    expect_between(&result, 16);
}

static void a_recording_whose_files_were_removed_is_not_empty(void **state)
{
    begin_large_recording("emptied");
    static const char *const files[] = {"0.chunk", "1.chunk", "2.chunk", "2.evt"};
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        assert_int_equal(unlink(in_test_folder("emptied.recording/events/%s", files[i])), 0);
    }
    struct otter_finish_result result = finish_kept("emptied", false);
    assert_int_equal(result.n_events, 0);
    assert_int_equal(result.n_missing, N_LOCATIONS);
    assert_true(result.least_missing > N_MANY / 2);
    assert_true(result.most_missing >= N_MANY + 10);
}

static void a_pipe_in_place_of_a_chunk_may_have_events(void **state)
{
    (void)state;
    assert_int_equal(mkdir(in_test_folder("piped"), 0700), 0);
    assert_int_equal(mkfifo(in_test_folder("piped/0.chunk"), 0600), 0);
    assert_true(otter_recording_has_events(in_test_folder("piped")));
}

static void a_recorder_with_a_good_end_knows_how_many_events_are_missing(void **state)
{
    begin_large_recording("ended");
    otter_journal_add(journal, "count recorded %d", N_MANY + 10);
    otter_journal_add(journal, "end 90000 90000 1700000000000089000");
    assert_int_equal(unlink(in_test_folder("ended.recording/events/2.chunk")), 0);
    struct otter_finish_result result = finish_kept("ended", false);
    assert_int_equal(result.n_missing, 1);
    assert_int_equal(result.n_lost, N_MANY + 10 - result.n_events);
}

static void a_location_without_events_has_none_missing_however_often_it_is_finished(void **state)
{
    forget_told();
    begin_recording("eventless");
    for (int i = 0; i < 2; i++) {
        finish("eventless", OTTER_EMPTY);
    }
    record(0, 5);
    struct otter_finish_result result = finish("eventless", OTTER_OK);
    expect_all_events("eventless", &result);
}

static void streams_of_devices_follow_the_threads(void **state)
{
    struct otter_location_writer *streams[2];
    forget_told();
    begin_recording("device");
    record(0, 1);
    otter_journal_add(journal, "device 0 0 generic-64bit");
    otter_journal_add(journal, "device 1 3 -");
    for (uint32_t i = 0; i < 2; i++) {
        otter_journal_add(journal, "stream %d %d", i, i);
        assert_int_equal(otter_writer_open_location(writer, OTTER_FIRST_STREAM + i, &streams[i]),
                         OTTER_OK);
    }
    otter_write_get(streams[1], 3000, 1, OTTER_RANK_FIRST_THREAD + 2, 4096, 77);
    otter_write_transferred(streams[1], 3001, 1, 77);
    otter_journal_add(journal, "end 90000 90000 1700000000000089000");
    struct otter_finish_result result = finish("device", OTTER_OK);
    const char *archive = in_test_folder("device");
    uint64_t n_found[N_LOCATIONS + 2] = {0};
    assert_int_equal(result.n_locations, N_LOCATIONS);
    assert_true(is_valid_for_otf2(archive));
    assert_int_equal(count_locations(archive, n_found, N_LOCATIONS + 2), N_LOCATIONS + 2);
    assert_int_equal(n_found[0], 2);
    assert_int_equal(n_found[N_LOCATIONS], 0);
    assert_int_equal(n_found[N_LOCATIONS + 1], 2);
    assert_true(tool_says("otf2-print -G", archive, "Name: \"Device 3\" <"));
    assert_true(tool_says("otf2-print -G", archive, "\"Device 0: generic-64bit\""));
    assert_true(tool_says("otf2-print -G", archive, "Type: ACCELERATOR_STREAM, # Events: 2"));
}

static void nothing_recorded_makes_no_archive(void **state)
{
    begin_recording("nothing");
    finish("nothing", OTTER_EMPTY);
}

static void without_a_folder_for_the_archive_nothing_is_begun(void **state)
{
    forget_told();
    begin_recording("homeless");
    record(0, 10);
    struct otter_finish_result result;
    assert_int_equal(otter_finish(in_test_folder("homeless.recording"),
                                  in_test_folder("missing/archive"), &result),
                     OTTER_NOT_FOUND);
    assert_true(exists(in_test_folder("homeless.recording/events/0.chunk")));
    result = finish("homeless", OTTER_OK);
    expect_all_events("homeless", &result);
}

static void what_is_no_recording_is_refused(void **state)
{
    struct otter_finish_result result;
    assert_int_equal(otter_finish(in_test_folder("none"), in_test_folder("archive"), &result),
                     OTTER_NOT_FOUND);
    mkdir(in_test_folder("folder"), 0777);
    write_file(in_test_folder("folder/journal"), "nonsense", 8);
    assert_int_equal(otter_finish(in_test_folder("folder"), in_test_folder("archive"), &result),
                     OTTER_BAD_ARCHIVE);
    assert_true(exists(in_test_folder("folder/journal")));
    assert_false(exists(in_test_folder("archive")));
}

// In a stranger's recording, a folder may be a link to one of the user's folders, in which files
// would be written and removed.
static void a_recording_that_leads_elsewhere_is_refused(void **state)
{
    assert_int_equal(mkdir(in_test_folder("precious"), 0700), 0);
    assert_int_equal(mkdir(in_test_folder("precious/traces"), 0700), 0);
    write_file(in_test_folder("precious/traces.otf2"), "anchor", 6);
    write_file(in_test_folder("precious/traces/0.evt"), "events", 6);
    begin_recording("astray");
    record(0, 10);

    assert_int_equal(symlink("../precious", in_test_folder("astray.recording/archive")), 0);
    finish("astray", OTTER_BAD_ARCHIVE);
    assert_int_equal(unlink(in_test_folder("astray.recording/archive")), 0);
    assert_int_equal(mkdir(in_test_folder("astray.recording/archive"), 0700), 0);
    assert_int_equal(
        symlink("../../precious/traces", in_test_folder("astray.recording/archive/traces")), 0);
    finish("astray", OTTER_BAD_ARCHIVE);
    assert_int_equal(unlink(in_test_folder("astray.recording/archive/traces")), 0);
    const char *events = in_test_folder("astray.recording/events");
    assert_int_equal(rename(events, in_test_folder("astray.recording/away")), 0);
    assert_int_equal(symlink("../precious/traces", events), 0);
    finish("astray", OTTER_BAD_ARCHIVE);

    size_t size;
    char *content = (char *)read_file(in_test_folder("precious/traces/0.evt"), &size);
    assert_string_equal(content, "events");
    free(content);
    assert_true(exists(in_test_folder("precious/traces.otf2")));
    assert_int_equal(unlink(events), 0);
    assert_int_equal(rename(in_test_folder("astray.recording/away"), events), 0);
    finish("astray", OTTER_OK);
}

static void an_archive_of_that_name_is_left_alone_and_another_name_can_be_taken(void **state)
{
    forget_told();
    begin_recording("taken");
    record(0, 20000);
    mkdir(in_test_folder("taken"), 0777);
    struct otter_finish_result result;
    assert_int_equal(
        otter_finish(in_test_folder("taken.recording"), in_test_folder("taken"), &result),
        OTTER_EXISTS);
    assert_int_equal(rmdir(in_test_folder("taken")), 0); // it is still empty
    assert_true(exists(in_test_folder("taken.recording/journal")));
    result = finish("taken", OTTER_OK);
    expect_all_events("taken", &result);
}

// Runs in a child that may write only `room` bytes to each file.
static void try_to_finish(const char *name, rlim_t room)
{
    struct rlimit limit = {.rlim_cur = room, .rlim_max = RLIM_INFINITY};
    struct otter_finish_result result;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    enum otter_status status =
        otter_finish(in_test_folder("%s.recording", name), in_test_folder("%s", name), &result);
    _exit(status == OTTER_NO_SPACE ? 0 : 1);
}

static void finish_with_little_room(void)
{
    try_to_finish("room", 300);
}

static void finish_without_room_for_ends(void)
{
    try_to_finish("ends", 28000);
}

static void finishing_on_a_full_disk_can_be_repeated_when_there_is_room(void **state)
{
    forget_told();
    begin_recording("room");
    record(0, 10);
    record(1, 10);
    int status = status_of_child(finish_with_little_room);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_false(exists(in_test_folder("room")));
    struct otter_finish_result result = finish("room", OTTER_OK);
    expect_all_events("room", &result);
}

// Constructs that are still open have an unknown size in the file.
static void without_room_for_ends_finishing_can_be_repeated(void **state)
{
    enum { N_OPEN = 2000 };
    forget_told();
    begin_recording("ends");
    for (unsigned i = 0; i < N_OPEN; i++) {
        otter_write_enter(locations[0], 2000 + i, REGION);
    }
    int status = status_of_child(finish_without_room_for_ends);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    struct otter_finish_result result = finish("ends", OTTER_OK);
    assert_int_equal(result.n_events, 2 * N_OPEN);
    assert_true(is_valid_for_otf2(in_test_folder("ends")));
}

static void reads_that_come_short_cost_no_event(void **state)
{
    forget_told();
    begin_recording("read");
    record(0, 40000);
    record(1, 3000);
    otter_write_enter(locations[1], 2000000, REGION); // so that its end can be written
    longest_read = 20000;
    struct otter_finish_result result = finish("read", OTTER_OK);
    longest_read = 0;
    expect_all_events("read", &result);
}

// ---- the remains of an attempt that ended when its archive was complete

struct kept {
    uint8_t *journal, *chunk; // chunk: its content before location 0 was finished
    size_t journal_size, chunk_size;
};

static struct kept leave_moved_events(const char *name)
{
    struct kept kept;
    forget_told();
    begin_recording(name);
    record(0, 40000); // more than a chunk
    record(1, 1);
    record(2, 10);
    kept.journal = read_file(in_test_folder("%s.recording/journal", name), &kept.journal_size);
    kept.chunk = read_file(in_test_folder("%s.recording/events/0.chunk", name), &kept.chunk_size);
    finish(name, OTTER_OK);
    assert_int_equal(mkdir(in_test_folder("%s.recording", name), 0777), 0);
    assert_int_equal(
        rename(in_test_folder("%s", name), in_test_folder("%s.recording/archive", name)), 0);
    write_file(in_test_folder("%s.recording/journal", name), kept.journal, kept.journal_size);
    return kept;
}

static void forget_kept(struct kept *kept)
{
    free(kept->journal);
    free(kept->chunk);
}

// Copying tools may omit empty folders.
static void events_that_were_moved_are_found_without_the_folder_they_came_from(void **state)
{
    struct kept kept = leave_moved_events("moved");
    struct otter_finish_result result = finish("moved", OTTER_OK);
    expect_all_events("moved", &result);
    forget_kept(&kept);
}

// The line of a thread's location is damaged, but the lines that use the location's number are not.
static void damage_last_location(struct kept *kept)
{
    uint8_t *line = memmem(kept->journal, kept->journal_size, "location 2", 10);
    assert_non_null(line);
    *line = 'x';
}

static void events_of_a_thread_that_the_journal_lost_are_found(void **state)
{
    struct kept kept;
    forget_told();
    begin_recording("lost");
    record(0, 3);
    record(2, 40000); // more than a chunk
    kept.journal = read_file(in_test_folder("lost.recording/journal"), &kept.journal_size);
    damage_last_location(&kept);
    write_file(in_test_folder("lost.recording/journal"), kept.journal, kept.journal_size);
    struct otter_finish_result result = finish("lost", OTTER_OK);
    expect_all_events("lost", &result);
    assert_int_equal(result.n_unread, 1);
    assert_int_equal(result.n_unknown, 1);
    assert_string_equal(property_of(in_test_folder("lost"), "OTTER::UNREAD"), "1");
    free(kept.journal);
}

// The first attempt found the thread by its event file.
static void events_of_such_a_thread_that_were_moved_are_found(void **state)
{
    struct kept kept = leave_moved_events("again");
    damage_last_location(&kept);
    write_file(in_test_folder("again.recording/journal"), kept.journal, kept.journal_size);
    struct otter_finish_result result = finish("again", OTTER_OK);
    expect_all_events("again", &result);
    assert_int_equal(result.n_unknown, 1);
    assert_false(result.is_kept);
    forget_kept(&kept);
}

static void events_that_cannot_be_moved_back_stay(void **state)
{
    struct kept kept = leave_moved_events("stay");
    write_file(in_test_folder("stay.recording/events"), "", 0); // a file where a folder should be
    finish("stay", OTTER_IO);
    assert_int_equal(unlink(in_test_folder("stay.recording/events")), 0);
    struct otter_finish_result result = finish("stay", OTTER_OK);
    expect_all_events("stay", &result);
    forget_kept(&kept);
}

static void events_that_were_moved_are_more_than_a_chunk_that_could_not_be_removed(void **state)
{
    struct kept kept = leave_moved_events("chunk");
    assert_int_equal(mkdir(in_test_folder("chunk.recording/events"), 0777), 0);
    write_file(in_test_folder("chunk.recording/events/0.chunk"), kept.chunk, kept.chunk_size);
    struct otter_finish_result result = finish("chunk", OTTER_OK);
    expect_all_events("chunk", &result);
    forget_kept(&kept);
}

// Finishes while the nth allocation fails. *Returns* the number of allocations.
static enum otter_status finish_without_memory(const char *name, size_t nth, size_t *n_asked,
                                               struct otter_finish_result *result)
{
    const char *recording = in_test_folder("%s.recording", name),
               *folder = in_test_folder("%s", name);
    fail_allocation(nth);
    enum otter_status status = otter_finish(recording, folder, result);
    *n_asked = n_allocations();
    fail_allocation(0);
    return status;
}

static void without_memory_moved_events_are_not_lost(void **state)
{
    for (size_t nth = 1, n_asked = 1; nth <= n_asked; nth++) {
        char name[32];
        snprintf(name, sizeof(name), "moved %zu", nth);
        struct kept kept = leave_moved_events(name);
        struct otter_finish_result result;
        if (finish_without_memory(name, nth, &n_asked, &result)) {
            result = finish(name, OTTER_OK);
            n_asked = nth + 1; // at least
        }
        count_all_events(name, &result);
        forget_kept(&kept);
    }
}

static void finish_and_die(void)
{
    struct otter_finish_result result;
    otter_finish(in_test_folder("interrupted.recording"), in_test_folder("interrupted"), &result);
}

// The finishing process is killed, later each time, until it ends by itself.
static void finishing_can_be_interrupted_at_any_moment(void **state)
{
    forget_told();
    begin_recording("interrupted");
    record(0, 40000);
    record(1, 40000);
    for (unsigned tries = 0; tries < 40 && !exists(in_test_folder("interrupted")); tries++) {
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            finish_and_die();
            _exit(0);
        }
        for (unsigned i = 0; i < tries * 10; i++) {
            sched_yield();
        }
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    struct otter_finish_result result = {.n_locations = N_LOCATIONS};
    if (!exists(in_test_folder("interrupted"))) {
        result = finish("interrupted", OTTER_OK);
    } else {
        result.n_events = shared->n_events[0] + shared->n_events[1];
    }
    expect_all_events("interrupted", &result);
}

static void a_hostile_journal_makes_an_archive_or_a_refusal(void **state)
{
    forget_told();
    begin_recording("hostile");
    record(0, 5);
    otter_journal_add(journal, "member 1 1 4294967295");
    otter_journal_add(journal, "team 2 1 65536");
    otter_journal_add(journal, "region 4095 4294967295 4294967295 ffffffffffffffff");
    otter_journal_add(journal, "module 0 ffffffffffffffff ffffffffffffffff - -");
    otter_journal_add(journal, "describe %0300d x", 1);
    otter_journal_add(journal, "describe NO-NAME x");
    otter_journal_add(journal, "describe NONE:: x");
    otter_journal_add(journal, "describe ::NONE x");
    otter_journal_add(journal, "describe NONE::::NONE x");
    otter_journal_add(journal, "start 18446744073709551615 0 0");
    otter_journal_add(journal, "end 0 0 0");
    struct otter_finish_result result = finish("hostile", OTTER_OK);
    expect_all_events("hostile", &result);
}

static void expect_definition(const char *name, const char *text)
{
    size_t size = 0;
    uint8_t *bytes = read_file(in_test_folder("%s/traces.def", name), &size);
    assert_non_null(bytes);
    assert_non_null(memmem(bytes, size, text, strlen(text)));
    free(bytes);
}

static void expect_everything_in(const char *name, const struct otter_finish_result *result)
{
    count_all_events(name, result);
    assert_string_equal(property_of(in_test_folder("%s", name), "OTTER::PROGRAM"), "/bin/true");
    char *text = list_location(in_test_folder("%s", name), 0);
    assert_memory_equal(text, "enter !$omp taskwait\n", 21);
    free(text);
    expect_definition(name, "memory in use: Host");
    expect_definition(name, "memory high water: Host");
}

// After any failure, either there is no archive, and the recording can still be finished, or the
// archive is complete.
static void without_memory_nothing_is_lost(void **state)
{
    for (size_t nth = 1, n_asked = 1; nth <= n_asked; nth++) {
        char name[32];
        snprintf(name, sizeof(name), "memory %zu", nth);
        forget_told();
        begin_recording(name);
        record(0, 3);
        otter_journal_add(journal, "space 0 Host");
        struct otter_finish_result result;
        if (finish_without_memory(name, nth, &n_asked, &result)) {
            assert_true(exists(in_test_folder("%s.recording", name)));
            assert_false(exists(in_test_folder("%s", name)));
            result = finish(name, OTTER_OK);
            n_asked = nth + 1; // at least
        }
        expect_everything_in(name, &result);
    }
}

static int set_up(void **state)
{
    shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return shared == MAP_FAILED ? 1 : make_test_folder(state);
}

static int run_tests_of_missing_events(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_of_a_removed_event_file_are_missing),
        cmocka_unit_test(events_of_a_zeroed_event_file_are_missing),
        cmocka_unit_test(events_of_a_cut_event_file_are_missing),
        cmocka_unit_test(events_of_a_removed_or_zeroed_chunk_are_missing),
        cmocka_unit_test(events_of_a_removed_only_chunk_are_missing),
        cmocka_unit_test(a_recording_whose_files_were_removed_is_not_empty),
        cmocka_unit_test(a_pipe_in_place_of_a_chunk_may_have_events),
        cmocka_unit_test(a_recorder_with_a_good_end_knows_how_many_events_are_missing),
        cmocka_unit_test(a_location_without_events_has_none_missing_however_often_it_is_finished),
    };
    return cmocka_run_group_tests_name("missing events", tests, NULL, remove_test_folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recording_becomes_an_archive),
        cmocka_unit_test(a_killed_recording_keeps_all_but_the_event_being_written),
        cmocka_unit_test(a_recording_killed_between_two_chunks_has_all_times),
        cmocka_unit_test(a_location_without_events_is_in_the_archive),
        cmocka_unit_test(each_location_has_an_event_for_those_who_read_all_together),
        cmocka_unit_test(an_event_that_was_not_recorded_is_not_counted),
        cmocka_unit_test(a_location_whose_first_event_is_not_whole_has_none),
        cmocka_unit_test(what_a_pause_hid_is_counted_from_what_a_killed_recording_speaks_of),
        cmocka_unit_test(without_a_pause_a_killed_recording_hides_no_task),
        cmocka_unit_test(an_end_in_good_order_tells_what_pauses_hid),
        cmocka_unit_test(events_that_were_recorded_and_are_not_there_are_lost),
        cmocka_unit_test(when_all_that_was_recorded_is_there_nothing_is_lost),
        cmocka_unit_test(a_killed_recorder_that_was_losing_has_lost_at_least_one),
        cmocka_unit_test(the_time_of_an_archive_ends_with_the_last_event_of_all),
        cmocka_unit_test(what_totals_tell_is_in_the_archive),
        cmocka_unit_test(a_location_without_a_file_is_in_the_archive),
        cmocka_unit_test(a_location_whose_chunk_was_never_begun_does_not_cost_the_others),
        cmocka_unit_test(streams_of_devices_follow_the_threads),
        cmocka_unit_test(nothing_recorded_makes_no_archive),
        cmocka_unit_test(without_a_folder_for_the_archive_nothing_is_begun),
        cmocka_unit_test(what_is_no_recording_is_refused),
        cmocka_unit_test(a_recording_that_leads_elsewhere_is_refused),
        cmocka_unit_test(an_archive_of_that_name_is_left_alone_and_another_name_can_be_taken),
        cmocka_unit_test(finishing_on_a_full_disk_can_be_repeated_when_there_is_room),
        cmocka_unit_test(without_room_for_ends_finishing_can_be_repeated),
        cmocka_unit_test(reads_that_come_short_cost_no_event),
        cmocka_unit_test(events_that_were_moved_are_found_without_the_folder_they_came_from),
        cmocka_unit_test(events_of_a_thread_that_the_journal_lost_are_found),
        cmocka_unit_test(events_of_such_a_thread_that_were_moved_are_found),
        cmocka_unit_test(events_that_cannot_be_moved_back_stay),
        cmocka_unit_test(events_that_were_moved_are_more_than_a_chunk_that_could_not_be_removed),
        cmocka_unit_test(without_memory_moved_events_are_not_lost),
        cmocka_unit_test(finishing_can_be_interrupted_at_any_moment),
        cmocka_unit_test(a_hostile_journal_makes_an_archive_or_a_refusal),
        cmocka_unit_test(without_memory_nothing_is_lost),
    };
    int n_failed = cmocka_run_group_tests_name("finish", tests, set_up, NULL);
    return n_failed + run_tests_of_missing_events();
}
