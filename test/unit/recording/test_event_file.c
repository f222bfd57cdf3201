// Sealing event files: complete chunks, cut chunks, and the remains of a killed recorder.
#include "unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "chunks.h"
#include "failing.h"
#include "folder.h"
#include "recording/finish/event_balance.h"
#include "recording/event_file.h"
#include "recording/event_seal.h"
#include "trace/event_chunk.h"

// The bytes of both files that a recorder left, copied before each event and after the last.
struct left {
    uint8_t *chunk, *events;
    size_t chunk_size, events_size;
};

static struct left chunk_and_file(uint8_t *chunk, uint8_t *events, size_t events_size)
{
    return (struct left){
        .chunk = chunk, .chunk_size = TEST_CHUNK, .events = events, .events_size = events_size};
}

static struct left look(const struct recording *recording)
{
    char path[4096];
    struct left left = {.chunk = NULL};
    snprintf(path, sizeof(path), "%s/0.chunk", recording->events);
    left.chunk = read_file(path, &left.chunk_size);
    snprintf(path, sizeof(path), "%s/0.evt", recording->events);
    left.events = read_file(path, &left.events_size);
    return left;
}

// Records the first `n` events.
static struct recording record_events(const char *name, bool is_mapped, uint64_t n)
{
    struct recording recording = start_recording(name, is_mapped);
    for (uint64_t i = 1; i <= n; i++) {
        write_nth_event(recording.location, i);
    }
    return recording;
}

static void forget(struct left *left)
{
    free(left->chunk);
    free(left->events);
}

struct sealed {
    enum otter_status status;
    uint64_t n_events, last_time, n_in_file;
};

// Seals a copy of the remains.
static struct sealed seal(const struct left *left)
{
    const char *folder = in_test_folder("seal");
    mkdir(folder, 0777);
    if (left->chunk) {
        write_file(in_test_folder("seal/0.chunk"), left->chunk, left->chunk_size);
    }
    unlink(in_test_folder("seal/0.evt"));
    if (left->events) {
        write_file(in_test_folder("seal/0.evt"), left->events, left->events_size);
    }
    struct sealed sealed = {.n_events = 0};
    sealed.status =
        otter_event_file_seal(folder, 0, TEST_CHUNK, &sealed.n_events, &sealed.last_time, NULL);
    sealed.n_in_file = events_of_sealed_file(in_test_folder("seal/0.evt"), TEST_CHUNK);
    return sealed;
}

static void expect_events(const struct left *left, uint64_t n)
{
    struct sealed sealed = seal(left);
    assert_int_equal(sealed.status, n > 0 ? OTTER_OK : OTTER_NOT_FOUND);
    assert_int_equal(sealed.n_events, n);
    assert_int_equal(exists(in_test_folder("seal/0.evt")), n > 0);
    if (n > 0) {
        assert_int_equal(sealed.n_in_file, n);
        assert_int_equal(sealed.last_time, time_of_nth_event(n));
        assert_false(exists(in_test_folder("seal/0.chunk")));
    }
}

static void after_each_event_of_a_chunk_all_are_found(void **state)
{
    struct recording recording = start_recording("each", true);
    for (uint64_t n = 1; n <= 400; n++) {
        write_nth_event(recording.location, n);
        struct left left = look(&recording);
        assert_null(left.events);
        expect_events(&left, n);
        forget(&left);
    }
}

// Restores the chunk to what it was when `cut` bytes of a record at `begin` had been written. OTF2
// writes the type, 0 and the content, and then replaces the 0 by the length. A time that precedes
// the record is complete. Enter and Leave have no length.
static void forget_length(uint8_t *chunk, size_t begin, size_t cut)
{
    size_t at = chunk[begin] == 5 ? begin + 9 : begin;
    if (at + 1 < cut && chunk[at] != 12 && chunk[at] != 13) {
        chunk[at + 1] = 0;
    }
}

// The recorder dies while writing one record: the first `cut` bytes are stored, the others are
// still zero.
static void cut_at_any_byte_no_whole_event_is_lost_and_none_is_invented(void **state)
{
    enum { N = 100 };
    struct recording recording = start_recording("bytes", true);
    size_t end_of[N + 1];
    uint64_t time = 0, n_found = 0;
    for (uint64_t n = 0; n <= N; n++) {
        if (n > 0) {
            write_nth_event(recording.location, n);
        }
        struct left left = look(&recording);
        end_of[n] = otter_event_chunk_used(left.chunk, TEST_CHUNK, &n_found, &time);
        assert_int_equal(n_found, n);
        forget(&left);
    }
    struct left left = look(&recording);
    for (size_t cut = 18; cut <= end_of[N]; cut++) {
        uint8_t *chunk = calloc(1, TEST_CHUNK);
        memcpy(chunk, left.chunk, cut);
        uint64_t n_complete = 0;
        while (n_complete < N && end_of[n_complete + 1] <= cut) {
            n_complete++;
        }
        forget_length(chunk, end_of[n_complete], cut);
        time = 0;
        size_t used = otter_event_chunk_used(chunk, TEST_CHUNK, &n_found, &time);
        assert_in_range(used, 18, cut);
        assert_int_equal(n_found, n_complete);
        assert_int_equal(time, n_complete ? time_of_nth_event(n_complete) : 0);
        struct left died = {.chunk = chunk, .chunk_size = TEST_CHUNK};
        expect_events(&died, n_complete);
        free(chunk);
    }
    forget(&left);
}

// The file may be shorter than a chunk: it was copied while it grew, or a disk lost its end.
static void a_chunk_file_cut_anywhere_is_refused_or_its_beginning_is_found(void **state)
{
    struct recording recording = record_events("short", true, 1000);
    struct left left = look(&recording);
    for (size_t size = 0; size < TEST_CHUNK; size += size < 64 ? 1 : 1021) {
        left.chunk_size = size;
        struct sealed sealed = seal(&left);
        assert_true(sealed.status == OTTER_BAD_ARCHIVE || sealed.n_events <= 1000);
    }
    forget(&left);
}

static void any_bytes_in_a_chunk_are_survived(void **state)
{
    struct recording recording = record_events("noise", true, 300);
    struct left left = look(&recording);
    uint64_t noise = 88172645463325252U;
    for (int round = 0; round < 20000; round++) {
        size_t size =
            18 +
            (size_t)(noise % 600); // exactly this much memory: the next byte belongs to other data
        uint8_t *chunk = malloc(size);
        memcpy(chunk, left.chunk, size);
        for (int k = 0; k < 3; k++) {
            noise ^= noise << 13, noise ^= noise >> 7, noise ^= noise << 17;
            chunk[noise % size] = (uint8_t)(noise >> 32);
        }
        uint64_t n = 0, time = 0;
        assert_true(otter_event_chunk_used(chunk, size, &n, &time) <= size);
        free(chunk);
    }
    forget(&left);
}

static void what_is_too_short_for_a_chunk_is_none(void **state)
{
    uint8_t chunk[32] = {3, 1, 1};
    uint64_t n = 0, time = 0;
    for (size_t size = 0; size < 18; size++) {
        assert_int_equal(otter_event_chunk_used(chunk, size, &n, &time), 0);
    }
    assert_int_equal(otter_event_chunk_used(chunk, 18, &n, &time), 18);
    chunk[0] = 0;
    assert_int_equal(otter_event_chunk_used(chunk, sizeof(chunk), &n, &time), 0);
}

static void death_before_the_first_record_is_an_empty_location(void **state)
{
    struct recording recording = start_recording("empty", true);
    struct left left = look(&recording);
    assert_non_null(left.chunk);
    struct sealed sealed = seal(&left);
    assert_int_equal(sealed.n_events, 0);
    assert_int_equal(sealed.status, OTTER_NOT_FOUND);
    assert_false(exists(in_test_folder("seal/0.evt")));
    forget(&left);
}

// OTF2 writes the mark of a chunk before the number of its first event.
static void death_inside_the_first_header_invents_no_events(void **state)
{
    struct recording recording = start_recording("header", true);
    struct left left = look(&recording);
    for (size_t cut = 0; cut < 18; cut++) {
        uint8_t *chunk = calloc(1, TEST_CHUNK);
        memcpy(chunk, left.chunk, cut);
        struct left died = {.chunk = chunk, .chunk_size = TEST_CHUNK};
        struct sealed sealed = seal(&died);
        if (sealed.n_events != 0) {
            fail_msg("%llu events when the header is cut at %zu",
                     (unsigned long long)sealed.n_events, cut);
        }
        free(chunk);
    }
    forget(&left);
}

static uint64_t first_of(const uint8_t *chunk)
{
    uint64_t number;
    memcpy(&number, chunk + 2, sizeof(number));
    return number;
}

struct two_chunks {
    uint8_t *first, *second; // full, and begun
    uint64_t n_first, n_all;
};

static struct two_chunks *two_chunks(void)
{
    static struct two_chunks chunks;
    if (chunks.first) {
        return &chunks;
    }
    struct recording recording = start_recording("two", true);
    char path[4096];
    snprintf(path, sizeof(path), "%s/0.evt", recording.events);
    while (!exists(path)) {
        write_nth_event(recording.location, ++chunks.n_all);
    }
    for (int i = 0; i < 10; i++) {
        write_nth_event(recording.location, ++chunks.n_all);
    }
    struct left left = look(&recording);
    chunks.first = left.events;
    chunks.second = left.chunk;
    chunks.n_first = first_of(left.chunk) - 1;
    return &chunks;
}

static void two_chunks_and_more_become_one_file(void **state)
{
    struct recording recording = start_recording("many", true);
    uint64_t n = 0;
    for (int n_full = 0; n_full < 4; n_full++) {
        for (int i = 0; i < 25000; i++) {
            write_nth_event(recording.location, ++n);
        }
        struct left left = look(&recording);
        expect_events(&left, n);
        forget(&left);
    }
    struct left left = look(&recording);
    assert_true(left.events_size >= 3 * TEST_CHUNK);
    forget(&left);
}

static void death_while_a_chunk_is_appended_loses_nothing(void **state)
{
    const struct two_chunks *two = two_chunks();
    for (size_t appended = 0; appended < TEST_CHUNK; appended += appended < 40 ? 1 : 4099) {
        struct left died = chunk_and_file(two->first, two->first, appended);
        expect_events(&died, two->n_first);
    }
}

static void death_between_append_and_clear_counts_the_chunk_once(void **state)
{
    const struct two_chunks *two = two_chunks();
    struct left died = chunk_and_file(two->first, two->first, TEST_CHUNK);
    expect_events(&died, two->n_first);
}

// memset() may clear memory in any order: from the front, from the back, or from both ends.
static void death_while_a_chunk_is_cleared_loses_nothing(void **state)
{
    const struct two_chunks *two = two_chunks();
    uint8_t *chunk = malloc(TEST_CHUNK);
    for (size_t cleared = 0; cleared <= TEST_CHUNK; cleared += TEST_CHUNK / 16) {
        memcpy(chunk, two->first, TEST_CHUNK);
        memset(chunk, 0, cleared);
        struct left died = chunk_and_file(chunk, two->first, TEST_CHUNK);
        expect_events(&died, two->n_first);
        memcpy(chunk, two->first, TEST_CHUNK);
        memset(chunk + TEST_CHUNK - cleared, 0, cleared);
        expect_events(&died, two->n_first);
    }
    free(chunk);
}

static void death_after_the_clear_loses_nothing(void **state)
{
    const struct two_chunks *two = two_chunks();
    uint8_t *chunk = calloc(1, TEST_CHUNK);
    for (size_t cut = 0; cut <= 18; cut++) { // and inside the header of the next
        memcpy(chunk, two->second, cut);
        struct left died = chunk_and_file(chunk, two->first, TEST_CHUNK);
        struct sealed sealed = seal(&died);
        if (sealed.n_in_file != two->n_first || sealed.n_events != two->n_first) {
            fail_msg("%llu of %llu events when the next header is cut at %zu",
                     (unsigned long long)sealed.n_events, (unsigned long long)two->n_first, cut);
        }
    }
    free(chunk);
}

static bool refuse_room(struct otter_location_writer *location)
{
    return false;
}

// After its last record, Otter's writer reserves space for the mark of a file's end.
static void a_full_chunk_keeps_its_last_event(void **state)
{
    for (unsigned first = 1; first <= 64; first++) {
        static uint8_t chunk[TEST_CHUNK];
        struct otter_location_writer location = {.make_room = refuse_room};
        memset(chunk, 0, sizeof(chunk));
        otter_location_begin_chunk(&location, chunk, sizeof(chunk));
        for (unsigned i = 0; i < first; i++) {
            otter_write_enter(&location, 1000, 1); // three bytes each, except the first
        }
        while (location.at <= location.last) {
            otter_write_flush(&location, 1001 + location.n_events, UINT64_MAX);
        }
        struct left died = {.chunk = chunk, .chunk_size = TEST_CHUNK};
        struct sealed sealed = seal(&died);
        assert_int_equal(sealed.status, OTTER_OK);
        assert_int_equal(sealed.n_events, location.n_events);
        assert_int_equal(sealed.n_in_file, location.n_events);
    }
}

static void a_chunk_without_room_for_an_end_is_refused_and_stays(void **state)
{
    enum { FLUSH_SIZE = 9 + 2 + 8 }; // with its time
    static uint8_t chunk[TEST_CHUNK + OTTER_RECORD_ROOM];
    struct otter_location_writer location = {0};
    otter_location_begin_chunk(&location, chunk, sizeof(chunk));
    while ((chunk + TEST_CHUNK - 1 - location.at) % FLUSH_SIZE) {
        otter_write_enter(&location, 1001 + location.n_events, 1);
    }
    while (location.at < chunk + TEST_CHUNK - 1) {
        otter_write_flush(&location, 1001 + location.n_events, UINT64_MAX);
    }
    struct left died = {.chunk = chunk, .chunk_size = TEST_CHUNK};
    assert_int_equal(seal(&died).status, OTTER_BAD_ARCHIVE);
    assert_true(exists(in_test_folder("seal/0.chunk")));
    unlink(in_test_folder("seal/0.chunk"));
}

static void sealing_twice_finds_the_same(void **state)
{
    const struct two_chunks *two = two_chunks();
    struct left left = chunk_and_file(two->second, two->first, TEST_CHUNK);
    expect_events(&left, two->n_all);
    struct sealed again = {.status =
                               otter_event_file_seal(in_test_folder("seal"), 0, TEST_CHUNK,
                                                     &again.n_events, &again.last_time, NULL)};
    assert_int_equal(again.status, OTTER_OK);
    assert_int_equal(again.n_events, two->n_all);
    assert_int_equal(again.last_time, time_of_nth_event(two->n_all));
    assert_int_equal(events_of_sealed_file(in_test_folder("seal/0.evt"), TEST_CHUNK), two->n_all);
}

// The sealing process dies: the event file is complete, and the chunk still exists.
static void death_before_the_chunk_is_removed_changes_nothing(void **state)
{
    const struct two_chunks *two = two_chunks();
    struct left left = chunk_and_file(two->second, two->first, TEST_CHUNK);
    expect_events(&left, two->n_all);
    size_t size = 0;
    struct left sealed = {.chunk = two->second, .chunk_size = TEST_CHUNK};
    sealed.events = read_file(in_test_folder("seal/0.evt"), &size);
    for (sealed.events_size = TEST_CHUNK; sealed.events_size <= size;
         sealed.events_size++) { // or while it appends
        expect_events(&sealed, two->n_all);
    }
    free(sealed.events);
}

// A single chunk is completed in place: its file is truncated before it gets the event file's name.
static void death_between_cut_and_rename_of_the_only_chunk_loses_nothing(void **state)
{
    struct recording recording = record_events("renamed", true, 50);
    struct left left = look(&recording);
    expect_events(&left, 50);
    size_t size = 0;
    struct left cut = {.chunk = read_file(in_test_folder("seal/0.evt"), &size)};
    cut.chunk_size = size;
    expect_events(&cut, 50);
    cut.chunk_size -= 2; // and without the mark of its end
    expect_events(&cut, 50);
    forget(&left);
    forget(&cut);
}

static void where_there_is_no_file_nothing_is_found(void **state)
{
    uint64_t n = 7, time = 7;
    assert_int_equal(
        otter_event_file_seal(in_test_folder("nothing"), 0, TEST_CHUNK, &n, &time, NULL),
        OTTER_NOT_FOUND);
    assert_int_equal(n, 0);
}

static void chunks_of_memory_are_saved_when_they_are_told_to(void **state)
{
    struct recording recording = record_events("memory", false, 40000);
    struct left left = look(&recording);
    assert_null(left.chunk);
    assert_true(left.events_size > 0 && left.events_size % TEST_CHUNK == 0);
    forget(&left);
    assert_int_equal(end_and_save(recording.writer, 1), OTTER_OK);
    left = look(&recording);
    expect_events(&left, 40000);
    forget(&left);
}

static enum otter_status save_with_room(const struct recording *recording, rlim_t room)
{
    struct rlimit before, limit;
    getrlimit(RLIMIT_FSIZE, &before);
    limit = (struct rlimit){.rlim_cur = room, .rlim_max = before.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    enum otter_status status = end_and_save(recording->writer, 1);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
    return status;
}

static void what_was_saved_stays_when_saving_more_fails(void **state)
{
    struct recording recording = record_events("saved", false, 1000);
    assert_true(otter_writer_flush_location(recording.writer, 0));
    write_nth_event(recording.location, 1001);
    assert_int_equal(save_with_room(&recording, 100), OTTER_NO_SPACE);
    struct left left = look(&recording);
    expect_events(&left, 1000);
    forget(&left);
}

// The file of an earlier saved chunk is reused for another, shorter chunk.
static void a_saved_chunk_has_nothing_of_the_one_before(void **state)
{
    struct recording recording = start_recording("resaved", false);
    uint64_t n = 0;
    struct left left = {.events = NULL};
    while (!left.events) { // until the first chunk is full
        forget(&left);
        for (unsigned i = 0; i < 2000; i++) {
            write_nth_event(recording.location, ++n);
        }
        assert_true(otter_writer_flush_location(recording.writer, 0));
        left = look(&recording);
    }
    expect_events(&left, n);
    forget(&left);
}

// Full chunks survive the process even if the last chunk does not.
static void full_chunks_of_memory_are_found_without_the_last(void **state)
{
    struct recording recording = record_events("killed", false, 40000);
    struct left left = look(&recording);
    struct sealed sealed = seal(&left);
    uint64_t n_full = 0, time = 0;
    assert_true(left.events_size > 0 && left.events_size % TEST_CHUNK == 0);
    otter_event_chunk_used(left.events + left.events_size - TEST_CHUNK, TEST_CHUNK, &n_full, &time);
    assert_true(n_full > 10000);
    assert_int_equal(sealed.status, OTTER_OK);
    assert_int_equal(sealed.n_events, n_full);
    assert_int_equal(sealed.n_in_file, n_full);
    forget(&left);
}

static void a_chunk_that_cannot_be_opened_is_not_passed_over(void **state)
{
    const struct two_chunks *two = two_chunks();
    uint64_t n = 0, time = 0;
    mkdir(in_test_folder("seal"), 0777);
    write_file(in_test_folder("seal/0.evt"), two->first, TEST_CHUNK);
    mkdir(in_test_folder("seal/0.chunk"), 0777); // nobody can open these
    assert_int_equal(otter_event_file_seal(in_test_folder("seal"), 0, TEST_CHUNK, &n, &time, NULL),
                     OTTER_IO);
    rmdir(in_test_folder("seal/0.chunk"));
    write_file(in_test_folder("seal/0.chunk"), two->second, TEST_CHUNK);
    assert_int_equal(otter_event_file_seal(in_test_folder("seal"), 0, TEST_CHUNK, &n, &time, NULL),
                     OTTER_OK);
    assert_int_equal(n, two->n_all);
}

static void an_event_file_that_stayed_empty_is_removed(void **state)
{
    uint64_t n = 0, time = 0;
    mkdir(in_test_folder("seal"), 0777);
    write_file(in_test_folder("seal/0.evt"), "", 0);
    assert_int_equal(otter_event_file_seal(in_test_folder("seal"), 0, TEST_CHUNK, &n, &time, NULL),
                     OTTER_NOT_FOUND);
    assert_false(exists(in_test_folder("seal/0.evt")));
}

static void files_of_others_are_left_alone(void **state)
{
    mkdir(in_test_folder("others"), 0777);
    write_file(in_test_folder("others/0.chunk"), "precious", 8);
    struct otter_event_file *file =
        otter_event_file_create(in_test_folder("others"), 0, TEST_CHUNK, true);
    void *chunk = NULL;
    assert_int_equal(otter_event_file_next_chunk(file, &chunk), OTTER_EXISTS);
    assert_null(chunk);
    otter_event_file_destroy(file);
    size_t size;
    uint8_t *bytes = read_file(in_test_folder("others/0.chunk"), &size);
    assert_string_equal((char *)bytes, "precious");
    free(bytes);
}

static void without_memory_there_is_no_file(void **state)
{
    for (size_t nth = 1; nth <= 3; nth++) {
        fail_allocation(nth);
        struct otter_event_file *file =
            otter_event_file_create(in_test_folder("none"), 0, TEST_CHUNK, true);
        fail_allocation(0);
        assert_null(file);
    }
    otter_event_file_destroy(NULL);
}

static void without_memory_nothing_is_sealed_and_nothing_is_lost(void **state)
{
    const struct two_chunks *two = two_chunks();
    mkdir(in_test_folder("seal"), 0777);
    write_file(in_test_folder("seal/0.evt"), two->first, TEST_CHUNK);
    write_file(in_test_folder("seal/0.chunk"), two->second, TEST_CHUNK);
    for (size_t nth = 1;; nth++) {
        uint64_t n = 0, time = 0;
        fail_allocation(nth);
        enum otter_status status =
            otter_event_file_seal(in_test_folder("seal"), 0, TEST_CHUNK, &n, &time, NULL);
        size_t n_asked = n_allocations();
        fail_allocation(0);
        if (nth > n_asked) {
            assert_int_equal(status, OTTER_OK);
            assert_int_equal(n, two->n_all);
            return;
        }
        assert_int_equal(status, OTTER_NO_MEMORY);
    }
}

static void store_behind_the_end(void)
{
    void *chunk = NULL;
    const char *folder = in_test_folder("abandoned");
    mkdir(folder, 0777);
    struct otter_event_file *file = otter_event_file_create(folder, 0, TEST_CHUNK, true);
    otter_event_file_next_chunk(file, &chunk);
    if (otter_event_file_abandon(file)) {
        _exit(2);
    }
    if (truncate(in_test_folder("abandoned/0.chunk"), 10) == 0) {
        memset(chunk, 1, TEST_CHUNK);
        _exit(7);
    }
    _exit(1);
}

static void the_chunk_of_an_abandoned_thread_may_be_cut_and_written(void **state)
{
    int status = status_of_child(store_behind_the_end);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 7);
}

static void a_chunk_that_is_memory_has_what_was_in_it_when_it_was_abandoned(void **state)
{
    struct recording recording = record_events("memory_abandoned", false, 100);
    assert_int_equal(otter_writer_abandon_location(recording.writer, 0), OTTER_OK);
    write_nth_event(recording.location, 101);
    assert_int_equal(otter_writer_save(recording.writer), OTTER_OK);
    struct left left = look(&recording);
    expect_events(&left, 100);
    forget(&left);
}

static enum otter_status second_chunk_with_room(const char *name, rlim_t room)
{
    struct rlimit before, limit;
    void *chunk = NULL;
    const char *folder = in_test_folder("%s", name);
    assert_int_equal(mkdir(folder, 0777), 0);
    struct otter_event_file *file = otter_event_file_create(folder, 0, TEST_CHUNK, false);
    assert_int_equal(otter_event_file_next_chunk(file, &chunk), OTTER_OK);
    getrlimit(RLIMIT_FSIZE, &before);
    limit = (struct rlimit){.rlim_cur = room, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    enum otter_status status = otter_event_file_next_chunk(file, &chunk);
    setrlimit(RLIMIT_FSIZE, &before);
    otter_event_file_destroy(file);
    return status;
}

// Both chunks, and 4 KiB for the end of the file.
static void no_chunk_is_begun_that_could_not_be_appended(void **state)
{
    enum { ROOM = 2 * TEST_CHUNK + 4096 };
    assert_int_equal(second_chunk_with_room("enough", ROOM), OTTER_OK);
    assert_int_equal(second_chunk_with_room("a byte less", ROOM - 1), OTTER_NO_SPACE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_each_event_of_a_chunk_all_are_found),
        cmocka_unit_test(cut_at_any_byte_no_whole_event_is_lost_and_none_is_invented),
        cmocka_unit_test(a_chunk_file_cut_anywhere_is_refused_or_its_beginning_is_found),
        cmocka_unit_test(any_bytes_in_a_chunk_are_survived),
        cmocka_unit_test(what_is_too_short_for_a_chunk_is_none),
        cmocka_unit_test(death_before_the_first_record_is_an_empty_location),
        cmocka_unit_test(death_inside_the_first_header_invents_no_events),
        cmocka_unit_test(two_chunks_and_more_become_one_file),
        cmocka_unit_test(death_while_a_chunk_is_appended_loses_nothing),
        cmocka_unit_test(death_between_append_and_clear_counts_the_chunk_once),
        cmocka_unit_test(death_while_a_chunk_is_cleared_loses_nothing),
        cmocka_unit_test(death_after_the_clear_loses_nothing),
        cmocka_unit_test(a_full_chunk_keeps_its_last_event),
        cmocka_unit_test(a_chunk_without_room_for_an_end_is_refused_and_stays),
        cmocka_unit_test(sealing_twice_finds_the_same),
        cmocka_unit_test(death_before_the_chunk_is_removed_changes_nothing),
        cmocka_unit_test(death_between_cut_and_rename_of_the_only_chunk_loses_nothing),
        cmocka_unit_test(where_there_is_no_file_nothing_is_found),
        cmocka_unit_test(chunks_of_memory_are_saved_when_they_are_told_to),
        cmocka_unit_test(what_was_saved_stays_when_saving_more_fails),
        cmocka_unit_test(a_saved_chunk_has_nothing_of_the_one_before),
        cmocka_unit_test(full_chunks_of_memory_are_found_without_the_last),
        cmocka_unit_test(a_chunk_that_cannot_be_opened_is_not_passed_over),
        cmocka_unit_test(an_event_file_that_stayed_empty_is_removed),
        cmocka_unit_test(files_of_others_are_left_alone),
        cmocka_unit_test(without_memory_there_is_no_file),
        cmocka_unit_test(without_memory_nothing_is_sealed_and_nothing_is_lost),
        cmocka_unit_test(the_chunk_of_an_abandoned_thread_may_be_cut_and_written),
        cmocka_unit_test(a_chunk_that_is_memory_has_what_was_in_it_when_it_was_abandoned),
        cmocka_unit_test(no_chunk_is_begun_that_could_not_be_appended),
    };
    return cmocka_run_group_tests_name("event_file", tests, make_test_folder, remove_test_folder);
}
