// The end of a recording while a thread is inside a callback. This file replaces functions of the C
// library that Otter calls there. The replacements stop a thread where a slow disk might stop it,
// or interrupt it where a signal might. No test depends on durations.
#include "unit.h"

#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "folder.h"
#include "listing.h"
#include "otter/record.h"
#include "record/thread/thread.h"
#include "recorded.h"

static const char code[4]; // addresses of the program

// ---- replacements of C library functions

static _Thread_local unsigned n_until_stall; // the n-th large write of this thread stalls; 0: none
static sem_t has_stalled, may_go_on, has_rested;
static bool goes_on_when_waited_for;
static _Thread_local void (*at_clock)(void), (*at_getpid)(void), (*at_key)(void);

static void call_once(void (**hook)(void))
{
    void (*function)(void) = *hook;
    *hook = NULL;
    if (function) {
        function();
    }
}

ssize_t pwrite(int file, const void *data, size_t size, off_t offset)
{
    if (size >= 100000 && n_until_stall > 0 && --n_until_stall == 0) {
        sem_post(&has_stalled);
        sem_wait(&may_go_on);
    }
    return syscall(SYS_pwrite64, file, data, size, offset);
}

int nanosleep(const struct timespec *time, struct timespec *rest)
{
    if (goes_on_when_waited_for) {
        goes_on_when_waited_for = false;
        sem_post(&may_go_on);
        sem_wait(&has_rested);
    }
    return (int)syscall(SYS_nanosleep, time, rest);
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    call_once(&at_clock);
    return (int)syscall(SYS_clock_gettime, clock, time);
}

pid_t getpid(void)
{
    call_once(&at_getpid);
    return (pid_t)syscall(SYS_getpid);
}

int pthread_setspecific(pthread_key_t key, const void *value)
{
    static int (*original)(pthread_key_t key, const void *value);
    if (!original) {
        original = (int (*)(pthread_key_t, const void *))dlsym(RTLD_NEXT, "pthread_setspecific");
    }
    call_once(&at_key);
    return original(key, value);
}

// ---- a thread held while it appends a chunk

enum { N_RECORDS_OF_MARK = 2 };

static _Atomic uint64_t
    *n_marks; // number of marks before the held mark; shared with the parent process

static void mark(void)
{
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]);
}

static void *record_until_held(void *nth)
{
    otter_thread_begin(OTTER_THREAD_WORKER);
    n_until_stall = *(unsigned *)nth;
    while (n_until_stall > 0) {
        mark();
        atomic_fetch_add(n_marks, n_until_stall > 0);
    }
    sem_post(&has_rested);
    return NULL;
}

// Returns when the thread is held at its `nth` chunk.
static pthread_t begin_and_hold(unsigned nth)
{
    static unsigned kept;
    pthread_t thread;
    kept = nth;
    sem_init(&has_stalled, 0, 0);
    sem_init(&may_go_on, 0, 0);
    sem_init(&has_rested, 0, 0);
    mark();
    assert_int_equal(pthread_create(&thread, NULL, record_until_held, &kept), 0);
    sem_wait(&has_stalled);
    return thread;
}

static void close_without(unsigned nth_chunk)
{
    pthread_t thread = begin_and_hold(nth_chunk);
    otter_detach("test");
    sem_post(&may_go_on);
    pthread_join(thread, NULL);
}

static void play_first_chunk(void)
{
    close_without(1);
}

static void play_third_chunk(void)
{
    close_without(3);
}

static uint64_t n_events_of(void (*story)(void), size_t location)
{
    uint64_t n[4] = {0};
    atomic_store(n_marks, 0);
    const char *archive = archive_of(story);
    assert_true(is_valid_for_otf2(archive));
    assert_true(count_locations(archive, n, 4) == 2);
    return n[location];
}

// The records of the mark that needs the new chunk are lost. Each chunk that was appended before
// counts as an event.
static void expect_all_before_the_write(void (*story)(void), unsigned nth_chunk)
{
    uint64_t n = n_events_of(story, 1);
    uint64_t n_whole = atomic_load(n_marks) * N_RECORDS_OF_MARK + nth_chunk - 1;
    assert_true(n >= n_whole && n <= n_whole + N_RECORDS_OF_MARK);
    expect_property("OTTER::ABANDONED", "1");
    expect_property("OTTER::LOST", "1");
}

static void a_write_that_comes_after_the_end_harms_no_archive(void **state)
{
    expect_all_before_the_write(play_first_chunk, 1);
}

static void play_first_chunk_aloud(void)
{
    otter_log_set_quiet(false);
    close_without(1);
}

static void record_first_chunk_aloud(void)
{
    archive_of(play_first_chunk_aloud);
}

static void a_late_thread_is_reported_with_the_time_that_it_had(void **state)
{
    assert_non_null(strstr(stderr_of(record_first_chunk_aloud),
                           "1 thread did not stop within 2 s: the archive contains the events that "
                           "it had recorded until then (abandoned)"));
}

static void a_late_write_of_a_later_chunk_harms_no_archive(void **state)
{
    expect_all_before_the_write(play_third_chunk, 3);
}

static void a_late_write_of_a_chunk_in_memory_harms_no_archive(void **state)
{
    setenv("OTTER_CHUNKS", "memory", 1);
    expect_all_before_the_write(play_third_chunk, 3);
    unsetenv("OTTER_CHUNKS");
}

// The main thread fills the archive while the other thread is held in its first write. Both fail,
// and only the main thread is at rest.
static void play_failed_amid_a_write(void)
{
    pthread_t thread = begin_and_hold(1);
    while (atomic_load(&otter_current_thread->stop) == OTTER_STOP_NONE) {
        mark();
    }
    otter_detach("test");
    sem_post(&may_go_on);
    pthread_join(thread, NULL);
}

static void a_failed_thread_is_not_closed_before_it_is_at_rest(void **state)
{
    setenv("OTTER_MAX_SIZE", "1M", 1);
    setenv("OTTER_WHEN_FULL", "stop", 1);
    assert_true(n_events_of(play_failed_amid_a_write, 1) > 0);
    expect_property("OTTER::ABANDONED", "1");
    unsetenv("OTTER_MAX_SIZE");
    unsetenv("OTTER_WHEN_FULL");
}

static void play_that_waits(void)
{
    pthread_t thread = begin_and_hold(1);
    goes_on_when_waited_for = true;
    otter_detach("test");
    if (goes_on_when_waited_for) {
        _exit(3); // nobody waited, and the thread is still held
    }
    pthread_join(thread, NULL);
}

static void a_thread_amid_a_record_is_waited_for(void **state)
{
    uint64_t n = n_events_of(play_that_waits, 1);
    assert_true(n >= (atomic_load(n_marks) + 1) * N_RECORDS_OF_MARK);
    expect_property("OTTER::ABANDONED", "");
    expect_property("OTTER::LOST", "0");
}

// ---- signal handlers

static void on_signal_mark(int number)
{
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[1]);
}

static void on_signal_end(int number)
{
    otter_detach("test");
}

static void interrupt(void)
{
    raise(SIGUSR1);
}

static void play_mark_in_handler(void)
{
    signal(SIGUSR1, on_signal_mark);
    mark();
    at_clock = interrupt;
    mark();
    mark();
}

static void events_of_a_handler_amid_a_record_are_told_apart(void **state)
{
    setenv("OTTER_CLOCK", "monotonic", 1);
    assert_true(is_valid_for_otf2(archive_of(play_mark_in_handler)));
    expect_location(0,
                    "enter !$omp flush\nleave !$omp flush\nenter !$omp flush\nleave !$omp flush\n"
                    "enter !$omp flush\nleave !$omp flush\n");
    expect_property("OTTER::LOST", "1");
    expect_property("OTTER::LOST_IN_HANDLERS", "1");
    expect_property("OTTER::ABANDONED", "");
    unsetenv("OTTER_CLOCK");
}

static void play_end_in_handler(void)
{
    signal(SIGUSR1, on_signal_end);
    mark();
    at_clock = interrupt;
    mark();
}

static void a_handler_may_end_the_recording_amid_a_record(void **state)
{
    setenv("OTTER_CLOCK", "monotonic", 1);
    assert_true(is_valid_for_otf2(archive_of(play_end_in_handler)));
    expect_location(0, "enter !$omp flush\nleave !$omp flush\n");
    expect_property("OTTER::LOST", "1");
    expect_property("OTTER::ABANDONED", "1");
    unsetenv("OTTER_CLOCK");
}

static void play_handler_in_first_record(void)
{
    signal(SIGUSR1, on_signal_mark);
    at_getpid = interrupt;
    mark();
    at_getpid = NULL;
}

static void a_thread_whose_first_record_is_interrupted_has_one_location(void **state)
{
    uint64_t n[4] = {0};
    assert_int_equal(count_locations(archive_of(play_handler_in_first_record), n, 4), 1);
    assert_int_equal(n[0], 2 * N_RECORDS_OF_MARK);
    expect_property("OTTER::LOST", "0");
}

static void play_handler_before_first_record(void)
{
    signal(SIGUSR1, on_signal_mark);
    at_key = interrupt;
    mark();
}

static void a_thread_that_is_interrupted_while_it_attaches_has_one_location(void **state)
{
    uint64_t n[4] = {0};
    assert_int_equal(count_locations(archive_of(play_handler_before_first_record), n, 4), 1);
    assert_int_equal(n[0], 2 * N_RECORDS_OF_MARK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_write_that_comes_after_the_end_harms_no_archive),
        cmocka_unit_test(a_late_thread_is_reported_with_the_time_that_it_had),
        cmocka_unit_test(a_late_write_of_a_later_chunk_harms_no_archive),
        cmocka_unit_test(a_late_write_of_a_chunk_in_memory_harms_no_archive),
        cmocka_unit_test(a_failed_thread_is_not_closed_before_it_is_at_rest),
        cmocka_unit_test(a_thread_amid_a_record_is_waited_for),
        cmocka_unit_test(events_of_a_handler_amid_a_record_are_told_apart),
        cmocka_unit_test(a_handler_may_end_the_recording_amid_a_record),
        cmocka_unit_test(a_thread_whose_first_record_is_interrupted_has_one_location),
        cmocka_unit_test(a_thread_that_is_interrupted_while_it_attaches_has_one_location),
    };
    setenv("OTTER_CHUNK_SIZE", "256K", 1);
    n_marks =
        mmap(NULL, sizeof(*n_marks), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
