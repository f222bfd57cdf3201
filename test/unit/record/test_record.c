// The records of each recording call of include/otter/record.h, as doc/archive.md promises. Each
// story is played in a process of its own, since a process has one session. Then the archive is
// read back.
#include "unit.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "folder.h"
#include "listing.h"
#include "otter/record.h"
#include "record/thread/thread.h"
#include "recorded.h"
#include "recording/finish/definitions.h"
#include "trace/read/reader.h"
#include "trace/schema.h"

static const char code[16]; // addresses of the program

static void expect_counts(const char *repaired, const char *unbegun, const char *unfinished)
{
    expect_property("OTTER::REPAIRED", repaired);
    expect_property("OTTER::UNBEGUN", unbegun);
    expect_property("OTTER::UNFINISHED", unfinished);
}

static void play_nested_constructs(void)
{
    otter_enter(OTTER_CONSTRUCT_SINGLE, 0, &code[0]);
    otter_enter(OTTER_CONSTRUCT_TASKGROUP, 0, NULL);
    otter_parameter(OTTER_PARAMETER_ITERATIONS, 7);
    otter_leave(OTTER_CONSTRUCT_TASKGROUP);
    otter_leave(OTTER_CONSTRUCT_SINGLE);
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[1]);
    otter_remark(OTTER_PARAMETER_ITERATION, UINT64_MAX);
}

static void constructs_nest(void **state)
{
    expect_story(play_nested_constructs,
                 "enter !$omp single\nenter !$omp taskgroup\nparameter iterations 7\n"
                 "leave !$omp taskgroup\nleave !$omp single\nenter !$omp flush\n"
                 "leave !$omp flush\nparameter iteration 18446744073709551615\n");
    expect_counts("0", "0", "0");
}

static void play_phase_that_is_to_end_in_a_loop(void)
{
    otter_label_begin(OTTER_CONSTRUCT_PHASE, "solve", NULL);
    otter_enter(OTTER_CONSTRUCT_LOOP, 0, &code[0]);
    assert_false(otter_leave_phase());
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[1]);
    otter_leave(OTTER_CONSTRUCT_LOOP);
    assert_true(otter_leave_phase());
    assert_false(otter_leave_phase());
}

static void a_phase_tears_no_loop(void **state)
{
    expect_story(play_phase_that_is_to_end_in_a_loop,
                 "enter solve\nenter !$omp for\nenter !$omp flush\nleave !$omp flush\n"
                 "leave !$omp for\nleave solve\n");
    expect_counts("0", "0", "0");
}

static void play_phase_that_ends_in_a_single(void)
{
    otter_label_begin(OTTER_CONSTRUCT_PHASE, "solve", NULL);
    otter_enter(OTTER_CONSTRUCT_SINGLE, 0, &code[0]);
    assert_true(otter_leave_phase());
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[1]);
}

static void a_phase_ends_a_single_whose_end_is_not_told(void **state)
{
    expect_story(play_phase_that_ends_in_a_single,
                 "enter solve\nenter !$omp single\nleave !$omp single\nleave solve\n"
                 "enter !$omp flush\nleave !$omp flush\n");
    expect_counts("1", "0", "0");
}

static void play_untied_that_is_gone(void)
{
    otter_enter(OTTER_CONSTRUCT_TASKGROUP, 0, &code[0]);
    otter_task task = otter_task_create(NULL, OTTER_TASK_UNTIED, &code[3]);
    otter_task_switch(NULL, &task);
    otter_leave(OTTER_CONSTRUCT_TASKGROUP);
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[1]);
}

static void an_untied_task_is_gone_when_a_construct_around_it_ends(void **state)
{
    expect_story(play_untied_that_is_gone,
                 "enter !$omp taskgroup\ncreate 0.1\nswitch 0.1\nenter !$omp task\n"
                 "leave !$omp task\nswitch 0.0\nleave !$omp taskgroup\n"
                 "enter !$omp flush\nleave !$omp flush\n");
}

static pthread_barrier_t has_begun, may_end;

struct other {
    enum otter_thread_kind kind;
    bool is_of_runtime; // in an implicit task whose region was not reported
};

static void *begin_and_wait(void *user)
{
    const struct other *other = user;
    otter_thread_begin(other->kind);
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]);
    if (other->is_of_runtime) {
        otter_implicit_task_begin(0, 2, 0);
    }
    pthread_barrier_wait(&has_begun);
    pthread_barrier_wait(&may_end);
    otter_thread_end();
    return NULL;
}

static bool others_run_in_child(void)
{
    pid_t child = fork();
    if (child == 0) {
        _exit(otter_thread_others_run());
    }
    int status = -1;
    return waitpid(child, &status, 0) != child || status != 0;
}

static bool others_run_beside(struct other other)
{
    pthread_t thread;
    pthread_create(&thread, NULL, begin_and_wait, &other);
    pthread_barrier_wait(&has_begun);
    bool others_run = otter_thread_others_run();
    assert_false(others_run_in_child());
    pthread_barrier_wait(&may_end);
    pthread_join(thread, NULL);
    return others_run;
}

static void play_threads_beside(void)
{
    pthread_barrier_init(&has_begun, NULL, 2);
    pthread_barrier_init(&may_end, NULL, 2);
    // A thread that has recorded nothing gets the same results.
    assert_true(others_run_beside((struct other){.kind = OTTER_THREAD_UNKNOWN}));
    otter_thread_begin(OTTER_THREAD_INITIAL);
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]);
    assert_true(others_run_beside((struct other){.kind = OTTER_THREAD_INITIAL}));
    assert_true(others_run_beside((struct other){.kind = OTTER_THREAD_UNKNOWN}));
    assert_false(others_run_beside((struct other){.kind = OTTER_THREAD_WORKER}));
    assert_false(others_run_beside((struct other){.kind = OTTER_THREAD_OTHER}));
    assert_false(
        others_run_beside((struct other){.kind = OTTER_THREAD_INITIAL, .is_of_runtime = true}));
    assert_false(otter_thread_others_run());
}

static void threads_of_no_team_run_besides(void **state)
{
    archive_of(play_threads_beside);
}

static void *record_a_construct(void *user)
{
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]);
    return NULL;
}

static void *record_until_nothing_is_kept(void *user)
{
    struct rlimit before, limit;
    getrlimit(RLIMIT_FSIZE, &before);
    limit = (struct rlimit){.rlim_cur = 300 << 10, .rlim_max = before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    for (int i = 0; i < 40000; i++) {
        otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]);
    }
    setrlimit(RLIMIT_FSIZE, &before);
    return NULL;
}

// There is memory for the chunk of only one thread: at first for the failing thread's, then for the
// other's.
static void play_a_failed_thread_and_another(void)
{
    static void *(*const functions[])(void *) = {record_until_nothing_is_kept, record_a_construct};
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, functions[i], NULL);
        pthread_join(thread, NULL);
    }
}

static otter_task lost[2];

static void *create_what_is_lost(void *user)
{
    lost[0] = otter_task_create(NULL, 0, &code[1]);
    lost[1] = otter_task_create(NULL, 0, &code[1]);
    return NULL;
}

// There is only memory for the first thread's chunk. Within its task, this thread runs tasks of
// another thread.
static void play_lost_tasks(void)
{
    otter_task implicit = 0, task = otter_task_create(&implicit, 0, &code[0]);
    otter_task_switch(&implicit, &task);
    pthread_t thread;
    pthread_create(&thread, NULL, create_what_is_lost, NULL);
    pthread_join(thread, NULL);
    otter_task_switch(&task, &lost[0]);
    otter_task_switch(&lost[0], &lost[1]);
    otter_task_end(&lost[1], OTTER_TASK_END_COMPLETE, &lost[0]);
    otter_task_end(&lost[0], OTTER_TASK_END_COMPLETE, &task);
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[2]);
    otter_task_end(&task, OTTER_TASK_END_COMPLETE, &implicit);
}

static void tasks_that_are_lost_end_no_other(void **state)
{
    setenv("OTTER_CHUNK_SIZE", "256K", 1);
    setenv("OTTER_MAX_MEMORY", "256K", 1);
    archive_of(play_lost_tasks);
    expect_location(
        0, "create 0.1\nswitch 0.1\nenter !$omp task\nenter !$omp flush\nleave !$omp flush\n"
           "leave !$omp task\ncomplete 0.1\nswitch 0.0\n");
    expect_counts("0", "0", "0");
    expect_property("OTTER::LOST", "2");
    unsetenv("OTTER_CHUNK_SIZE");
    unsetenv("OTTER_MAX_MEMORY");
}

static void a_thread_that_failed_and_ended_keeps_no_memory(void **state)
{
    setenv("OTTER_CHUNK_SIZE", "256K", 1);
    setenv("OTTER_MAX_MEMORY", "256K", 1);
    const char *archive = archive_of(play_a_failed_thread_and_another);
    unsetenv("OTTER_CHUNK_SIZE");
    unsetenv("OTTER_MAX_MEMORY");
    assert_string_not_equal(property_of(archive, "OTTER::LOST"), "0");
    assert_true(is_valid_for_otf2(archive));
    expect_location(1, "enter !$omp flush\nleave !$omp flush\n");
}

static void play_wrong_ends(void)
{
    otter_leave(OTTER_CONSTRUCT_SINGLE); // without a construct
    otter_enter(OTTER_CONSTRUCT_SINGLE, 0, &code[0]);
    otter_enter(OTTER_CONSTRUCT_MASKED, 0, &code[0]);
    otter_leave(OTTER_CONSTRUCT_SINGLE);              // with another construct open inside
    otter_enter(OTTER_CONSTRUCT_SINGLE, 0, &code[0]); // without an end
}

static void ends_without_beginning_and_beginnings_without_end_are_balanced_and_counted(void **state)
{
    expect_story(play_wrong_ends,
                 "enter !$omp single\nenter !$omp masked\nleave !$omp masked\nleave !$omp single\n"
                 "enter !$omp single\nleave !$omp single\n");
    expect_counts("1", "1", "1");
}

static void play_initial_task(void)
{
    otter_thread_begin(OTTER_THREAD_INITIAL);
    otter_initial_task_begin();
    otter_enter(OTTER_CONSTRUCT_SINGLE, 0, &code[0]);
    otter_leave(OTTER_CONSTRUCT_SINGLE);
    otter_implicit_task_end();
}

static void an_initial_task_is_written_with_the_first_record(void **state)
{
    expect_story(play_initial_task,
                 "enter !$omp initial task\nenter !$omp single\nleave !$omp single\n"
                 "leave !$omp initial task\n");
}

static void play_idle_thread(void)
{
    otter_thread_begin(OTTER_THREAD_INITIAL);
    otter_initial_task_begin();
    otter_implicit_task_end();
    otter_thread_end();
}

static void a_thread_that_does_nothing_makes_no_archive(void **state)
{
    const char *archive = archive_of(play_idle_thread);
    assert_false(exists(archive));
}

static otter_parallel region;
static pthread_barrier_t both;

static void *be_worker(void *user)
{
    otter_thread_begin(OTTER_THREAD_WORKER);
    otter_implicit_task_begin(region, 2, 1);
    otter_enter(OTTER_CONSTRUCT_BARRIER_PARALLEL, 0, NULL);
    pthread_barrier_wait(&both);
    pause(); // its end would be reported when the worker is used again, which never happens
    return NULL;
}

static void play_region(void)
{
    otter_initial_task_begin();
    region = otter_parallel_begin(OTTER_CONSTRUCT_PARALLEL, 2, &code[2]);
    otter_implicit_task_begin(region, 2, 0);
    pthread_t worker;
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&worker, NULL, be_worker, NULL);
    pthread_barrier_wait(&both);
    otter_implicit_task_end();
    otter_parallel_end(region);
    otter_implicit_task_end();
}

static void a_region_is_forked_worked_in_and_joined(void **state)
{
    expect_story(play_region,
                 "enter !$omp initial task\nfork 2\nteam begin 1\nenter !$omp parallel\n"
                 "leave !$omp parallel\nteam end 1\njoin\nleave !$omp initial task\n");
    expect_location(1, "team begin 1\nenter !$omp parallel\nenter !$omp implicit barrier\n"
                       "leave !$omp implicit barrier\nleave !$omp parallel\nteam end 1\n");
    expect_counts("0", "0", "0"); // the worker's end gets the time of the region's end
}

static void *die_in_region(void *user)
{
    otter_implicit_task_begin(region, 2, 1);
    otter_enter(OTTER_CONSTRUCT_BARRIER_PARALLEL, 0, NULL);
    return NULL;
}

static void play_dying_worker(void)
{
    region = otter_parallel_begin(OTTER_CONSTRUCT_PARALLEL, 2, &code[2]);
    pthread_t worker;
    pthread_create(&worker, NULL, die_in_region, NULL);
    pthread_join(worker, NULL);
    otter_parallel_end(region);
}

static void what_a_thread_leaves_open_when_it_dies_is_closed_and_counted(void **state)
{
    expect_story(play_dying_worker, "fork 2\njoin\n");
    expect_location(1, "team begin 1\nenter !$omp parallel\nenter !$omp implicit barrier\n"
                       "leave !$omp implicit barrier\nleave !$omp parallel\nteam end 1\n");
    expect_counts("0", "0", "2");
}

static void *fork_often(void *user)
{
    for (int i = 0; i < 5000; i++) {
        otter_parallel_end(otter_parallel_begin(OTTER_CONSTRUCT_PARALLEL, 1, &code[4]));
    }
    return NULL;
}

static void *join_region(void *user)
{
    otter_implicit_task_begin(region, 2, 1);
    otter_implicit_task_end();
    return NULL;
}

static void run_on_thread(void *(*function)(void *))
{
    pthread_t thread;
    pthread_create(&thread, NULL, function, NULL);
    pthread_join(thread, NULL);
}

static void play_worker_of_an_old_region(void)
{
    otter_parallel outer = otter_parallel_begin(OTTER_CONSTRUCT_PARALLEL, 2, &code[2]);
    otter_implicit_task_begin(outer, 2, 0);
    region = otter_parallel_begin(OTTER_CONSTRUCT_PARALLEL, 2, &code[3]);
    otter_implicit_task_begin(region, 2, 0);
    run_on_thread(fork_often);
    run_on_thread(join_region);
    otter_implicit_task_end();
    otter_parallel_end(region);
    otter_implicit_task_end();
    otter_parallel_end(outer);
}

static void a_worker_knows_its_team_however_many_regions_others_forked_before_it_began(void **state)
{
    expect_story(play_worker_of_an_old_region,
                 "fork 2\nteam begin 1\nenter !$omp parallel\nfork 2\nteam begin 2\n"
                 "enter !$omp parallel\nleave !$omp parallel\nteam end 2\njoin\n"
                 "leave !$omp parallel\nteam end 1\njoin\n");
    expect_location(2, "team begin 2\nenter !$omp parallel\nleave !$omp parallel\nteam end 2\n");
}

static void play_tasks(void)
{
    otter_initial_task_begin();
    otter_task first = otter_task_create(NULL, OTTER_TASK_UNTIED, &code[3]);
    otter_task second = otter_task_create(NULL, 0, &code[4]);
    otter_parameter(OTTER_PARAMETER_DEPEND_IN, 5);
    otter_enter(OTTER_CONSTRUCT_TASKWAIT, 0, &code[5]);
    otter_task_switch(NULL, &first);
    otter_task_end(&first, OTTER_TASK_END_COMPLETE, NULL);
    otter_task_switch(NULL, &second);
    otter_task_end(&second, OTTER_TASK_END_COMPLETE, NULL);
    otter_leave(OTTER_CONSTRUCT_TASKWAIT);
    otter_implicit_task_end();
}

static void a_switch_back_into_a_wait_is_written_only_when_something_follows(void **state)
{
    expect_story(
        play_tasks,
        "enter !$omp initial task\ncreate 0.1\ncreate 0.2\nparameter depend in 5\n"
        "enter !$omp taskwait\nswitch 0.1\nenter !$omp task\nleave !$omp task\ncomplete 0.1\n"
        "switch 0.2\nenter !$omp task\nleave !$omp task\ncomplete 0.2\nswitch 0.0\n"
        "leave !$omp taskwait\nleave !$omp initial task\n");
    expect_counts("0", "0", "0");
}

static void play_task_ends(void)
{
    otter_task never = otter_task_create(NULL, 0, &code[3]);
    otter_task_end(&never, OTTER_TASK_END_CANCELLED, NULL);
    otter_task detached = otter_task_create(NULL, 0, &code[3]);
    otter_task_switch(NULL, &detached);
    otter_enter(OTTER_CONSTRUCT_TASKGROUP, 0, NULL); // left open
    otter_task_end(&detached, OTTER_TASK_END_DETACHED, NULL);
    otter_task_fulfil(&detached, true);
    otter_task early = otter_task_create(NULL, 0, &code[3]);
    otter_task_fulfil(&early, false);
    otter_task_switch(NULL, &early);
    otter_task_end(&early, OTTER_TASK_END_COMPLETE, NULL);
    otter_task_fulfil(NULL, true);
}

static void tasks_end_in_many_ways_and_once(void **state)
{
    const char *archive = archive_of(play_task_ends);
    char *text = list_location(archive, 0);
    static const char *const expected[] = {
        "create 0.1\n", "parameter task never ran ",
        "parameter task cancelled 1\ncomplete 0.1\ncreate 0.2\nswitch 0.2\nenter !$omp task\n"
        "enter !$omp taskgroup\nleave !$omp taskgroup\nleave !$omp task\nparameter task detached 2\nswitch 0.0\n"
        "complete 0.2\ncreate 0.3\nparameter task fulfilled 3\nswitch 0.3\nenter !$omp task\nleave !$omp task\n"
        "complete 0.3\nswitch 0.0\n"};
    const char *at = text;
    for (size_t i = 0; i < 3; i++) {
        at = strstr(at, expected[i]);
        assert_non_null(at);
        at += strlen(expected[i]);
    }
    assert_string_equal(at, "");
    free(text);
    expect_counts("1", "1", "0");
}

static void play_untied(void)
{
    otter_task task = otter_task_create(NULL, OTTER_TASK_UNTIED, &code[3]);
    otter_task_switch(NULL, &task);
    otter_enter(OTTER_CONSTRUCT_TASKWAIT, 0, NULL);
    otter_task_switch(&task, NULL); // leaves
    otter_enter(OTTER_CONSTRUCT_SINGLE, 0, &code[1]);
    otter_leave(OTTER_CONSTRUCT_SINGLE);
    otter_task_switch(NULL, &task); // resumes
    otter_leave(OTTER_CONSTRUCT_TASKWAIT);
    otter_task_end(&task, OTTER_TASK_END_COMPLETE, NULL);
}

static void an_untied_task_closes_what_it_had_open_and_opens_it_where_it_resumes(void **state)
{
    expect_story(play_untied, "create 0.1\nswitch 0.1\nenter !$omp task\nenter !$omp taskwait\n"
                              "leave !$omp taskwait\nleave !$omp task\nswitch 0.0\n"
                              "enter !$omp single\nleave !$omp single\n"
                              "switch 0.1\nenter !$omp task\nenter !$omp taskwait\n"
                              "leave !$omp taskwait\nleave !$omp task\ncomplete 0.1\nswitch 0.0\n");
    expect_counts("0", "0", "0");
}

static void play_mutexes(void)
{
    for (uint64_t mutex = 100; mutex < 102; mutex++) {
        otter_mutex_acquire(OTTER_CONSTRUCT_SET_LOCK, 0, mutex, &code[6]);
        otter_mutex_acquired(OTTER_CONSTRUCT_SET_LOCK, 0, mutex, &code[6]);
    }
    otter_mutex_released(OTTER_CONSTRUCT_SET_LOCK, 0, 100, &code[6]); // not in the order of nesting
    otter_mutex_released(OTTER_CONSTRUCT_SET_LOCK, 0, 101, &code[6]);
    otter_mutex_acquire(OTTER_CONSTRUCT_TEST_LOCK, 0, 100, &code[6]); // failed
    otter_mutex_acquire(OTTER_CONSTRUCT_CRITICAL, 0, 100, &code[7]);
    otter_mutex_acquired(OTTER_CONSTRUCT_CRITICAL, 0, 100, &code[7]);
    otter_mutex_released(OTTER_CONSTRUCT_CRITICAL, 0, 100, &code[7]);
}

enum { N_TESTS = 100000 };

static void play_spin(void)
{
    for (int i = 0; i < N_TESTS; i++) {
        otter_mutex_acquire(OTTER_CONSTRUCT_TEST_LOCK, 0, 100, &code[6]);
    }
    otter_mutex_acquired(OTTER_CONSTRUCT_TEST_LOCK, 0, 100, &code[6]);
    otter_mutex_released(OTTER_CONSTRUCT_TEST_LOCK, 0, 100, &code[6]);
}

static void mutexes_are_numbered_and_so_are_their_acquisitions(void **state)
{
    expect_story(
        play_mutexes,
        "enter omp_set_lock\nacquire 1.1\nleave omp_set_lock\nenter omp_set_lock\nacquire 2.1\n"
        "leave omp_set_lock\nenter omp_unset_lock\nrelease 1.1\nleave omp_unset_lock\n"
        "enter omp_unset_lock\nrelease 2.1\nleave omp_unset_lock\nenter omp_test_lock\nleave omp_test_lock\n"
        "enter !$omp critical\nacquire 1.2\nenter !$omp critical sblock\nleave !$omp critical sblock\n"
        "release 1.2\nleave !$omp critical\n");
    expect_counts("0", "0", "0");
}

static void tests_of_a_thread_that_spins_are_one(void **state)
{
    const char *archive = archive_of(play_spin);
    uint64_t n = 0;
    assert_int_equal(count_locations(archive, &n, 1), 1);
    assert_in_range(n, 6, N_TESTS / 2); // a test later than 5 us begins a new one
    expect_counts("0", "0", "0");
}

static void play_hidden(void)
{
    otter_enter(OTTER_CONSTRUCT_SINGLE, 0, &code[0]);
    otter_implicit_task_begin(0, 1, 0);
    otter_enter(OTTER_CONSTRUCT_BARRIER, 0, NULL);
    otter_leave(OTTER_CONSTRUCT_BARRIER);
    otter_implicit_task_end();
    otter_leave(OTTER_CONSTRUCT_SINGLE);
}

static void tasks_of_the_runtimes_own_threads_are_not_recorded(void **state)
{
    expect_story(play_hidden, "enter !$omp single\nleave !$omp single\n");
}

static void play_deep(void)
{
    for (unsigned i = 0; i < 10000; i++) {
        otter_task task = otter_task_create(NULL, OTTER_TASK_UNDEFERRED, &code[i % 8]);
        otter_task_switch(NULL, &task);
        otter_enter(OTTER_CONSTRUCT_TASKGROUP, 0, NULL);
    }
}

static void stacks_grow_and_all_is_closed_at_the_end(void **state)
{
    const char *archive = archive_of(play_deep);
    uint64_t n = 0;
    assert_int_equal(count_locations(archive, &n, 1), 1);
    assert_true(n >= 10000 * 6); // create, switch, 2 enters, 2 leaves
    assert_true(is_valid_for_otf2(archive));
    expect_counts("0", "0", "20000");
}

static void play_many_regions(void)
{
    for (uintptr_t i = 1; i <= 70000; i++) {
        otter_mark(OTTER_CONSTRUCT_FLUSH, (uint32_t)i, NULL);
    }
}

// Ids have 16 bits: regions after the last id share the unknown region.
static void more_regions_than_there_are_ids_lose_their_name_and_no_event(void **state)
{
    const char *archive = archive_of(play_many_regions);
    uint64_t n = 0;
    assert_int_equal(count_locations(archive, &n, 1), 1);
    assert_in_range(n, 140000, 140100); // and a few flushed chunks
    assert_true(is_valid_for_otf2(archive));
}

// The calls of LLVM's runtime for a taskloop, its chunk and a task that creates further chunks:
// without a code address.
static void play_taskloop_and_its_chunks(void)
{
    otter_enter(OTTER_CONSTRUCT_TASKLOOP, 0, NULL);
    otter_task chunk = otter_task_create(NULL, 0, NULL);
    otter_leave(OTTER_CONSTRUCT_TASKLOOP);
    otter_task_switch(NULL, &chunk);
    otter_task more = otter_task_create(NULL, 0, NULL);
    otter_task_end(&chunk, OTTER_TASK_END_COMPLETE, NULL);
    otter_task_switch(NULL, &more);
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, NULL);
    otter_task_end(&more, OTTER_TASK_END_COMPLETE, NULL);
}

static void play_taskloops(void)
{
    otter_enter(OTTER_CONSTRUCT_SINGLE, 0, &code[0]);
    otter_enter(OTTER_CONSTRUCT_TASKGROUP, 0, &code[1]);
    play_taskloop_and_its_chunks();
    otter_leave(OTTER_CONSTRUCT_TASKGROUP);
    play_taskloop_and_its_chunks(); // nogroup
    otter_leave(OTTER_CONSTRUCT_SINGLE);
}

// "task@1 flush": the regions, and the index of their address in `code`.
static void list_places(const char *path, char *text, size_t size)
{
    struct otter_archive *archive;
    struct otter_complaint complaint;
    assert_int_equal(otter_archive_open(path, &archive, &complaint), OTTER_OK);
    const struct otter_definitions *definitions = otter_archive_definitions(archive);
    uint64_t first = 0;
    *text = '\0';
    for (size_t i = 2, n = 0; i < definitions->n_regions && n < size; i++) {
        const struct otter_region *defined = &definitions->regions[i];
        const char *plus = strrchr(defined->name, '+');
        uint64_t offset = plus ? strtoull(plus + 1, NULL, 16) : 0;
        first = first ? first : offset;
        n += (size_t)snprintf(text + n, size - n, "%s%s", n ? ", " : "",
                              defined->canonical_name + strlen("!$omp "));
        if (plus) {
            n += (size_t)snprintf(text + n, size - n, "@%d", (int)(offset - first));
        }
    }
    otter_archive_close(archive);
}

static void a_taskloop_has_the_address_of_its_taskgroup_or_none(void **state)
{
    char text[512];
    list_places(archive_of(play_taskloops), text, sizeof(text));
    assert_string_equal(text, "single@0, taskgroup@1, taskloop@1, task@1, flush@1, "
                              "taskloop, task, flush");
}

static void play_nothing(void)
{
}

static void play_after_the_end(void)
{
    otter_enter(OTTER_CONSTRUCT_SINGLE, 0, &code[0]);
    otter_leave(OTTER_CONSTRUCT_SINGLE);
    otter_detach("test");
    otter_enter(OTTER_CONSTRUCT_SINGLE, 0, &code[0]);
    otter_task task = otter_task_create(NULL, 0, NULL);
    otter_task_end(&task, OTTER_TASK_END_COMPLETE, NULL);
    otter_describe("LATE", "value");
    if (otter_label_begin(OTTER_CONSTRUCT_KOKKOS_REGION, "late", NULL) != 0 ||
        otter_attach("again")) {
        _exit(3);
    }
}

static void what_comes_after_the_end_is_ignored(void **state)
{
    expect_story(play_after_the_end, "enter !$omp single\nleave !$omp single\n");
    archive_of(play_nothing);
    assert_false(exists(in_test_folder("trace")));
}

static atomic_uint n_named;
static atomic_bool was_kept_waiting;

static void *begin_another_label(void *unused)
{
    otter_label_end(otter_label_begin(OTTER_CONSTRUCT_KOKKOS_REGION, "another", NULL));
    return NULL;
}

// The demangler's lock may make another thread wait for this thread.
static const char *name_and_wait(enum otter_construct construct, const char *raw, char *room,
                                 size_t size)
{
    pthread_t thread;
    struct timespec soon;
    if (strcmp(raw, "waits") == 0) {
        clock_gettime(CLOCK_REALTIME, &soon);
        soon.tv_sec += 100;
        pthread_create(&thread, NULL, begin_another_label, NULL);
        atomic_store(&was_kept_waiting, pthread_timedjoin_np(thread, NULL, &soon) != 0);
    }
    return raw;
}

static void play_names_that_wait(void)
{
    otter_name_labels(name_and_wait);
    otter_label_end(otter_label_begin(OTTER_CONSTRUCT_KOKKOS_FOR, "waits", NULL));
    if (atomic_load(&was_kept_waiting)) {
        _exit(3);
    }
}

static void other_threads_meet_labels_while_one_is_named(void **state)
{
    expect_story(play_names_that_wait, "enter waits\nleave waits\n");
}

static const char *name_and_count(enum otter_construct construct, const char *raw, char *room,
                                  size_t size)
{
    atomic_fetch_add(&n_named, 1);
    return raw;
}

static void play_marks(void)
{
    otter_label_mark(OTTER_CONSTRUCT_MARK, "half way", NULL);
    otter_label_mark(OTTER_CONSTRUCT_KOKKOS_EVENT, "adapt", NULL);
    otter_label_mark(OTTER_CONSTRUCT_KOKKOS_DUAL_VIEW_SYNC, "no marker", NULL);
}

static void a_mark_is_a_marker_of_its_kind(void **state)
{
    const char *archive = archive_of(play_marks);
    assert_string_equal(marker_of(archive, "mark"), "half way");
    assert_string_equal(marker_of(archive, "event"), "adapt");
}

static void play_too_many_labels(void)
{
    char label[16];
    otter_name_labels(name_and_count);
    for (int i = 0; i < OTTER_MAX_REGIONS; i++) {
        snprintf(label, sizeof(label), "%d", i);
        otter_label_mark(OTTER_CONSTRUCT_KOKKOS_DUAL_VIEW_SYNC, label, NULL);
    }
    unsigned n = atomic_load(&n_named);
    for (int i = 0; i < 10; i++) {
        otter_label_mark(OTTER_CONSTRUCT_KOKKOS_DUAL_VIEW_SYNC, "too late", NULL);
    }
    pthread_t thread;
    if (atomic_load(&n_named) != n || pthread_create(&thread, NULL, record_a_construct, NULL) ||
        pthread_join(thread, NULL)) {
        _exit(3);
    }
}

static void
a_label_that_comes_too_late_is_not_named_each_time_and_no_construct_becomes_unknown(void **state)
{
    archive_of(play_too_many_labels);
    expect_location(1, "enter !$omp flush\nleave !$omp flush\n");
}

static void acquire(uintptr_t lock)
{
    otter_mutex_acquired(OTTER_CONSTRUCT_SET_LOCK, 0, lock, &code[1]);
}

static void release(uintptr_t lock)
{
    otter_mutex_released(OTTER_CONSTRUCT_SET_LOCK, 0, lock, &code[2]);
}

static void play_nested_locks(void)
{
    acquire(0x10);
    acquire(0x20);
    acquire(0x10); // a nestable lock
    release(0x10);
    release(0x10);
    release(0x20);
}

#define ACQUIRED(order) "enter omp_set_lock\nacquire " order "\nleave omp_set_lock\n"
#define RELEASED(order) "enter omp_unset_lock\nrelease " order "\nleave omp_unset_lock\n"

static void each_release_names_the_innermost_acquisition_of_its_lock(void **state)
{
    expect_story(play_nested_locks, ACQUIRED("1.1") ACQUIRED("2.1") ACQUIRED("1.2") RELEASED("1.2")
                                        RELEASED("1.1") RELEASED("2.1"));
}

static void play_outer_lock_released_first(void)
{
    acquire(0x10);
    acquire(0x20);
    acquire(0x20); // a nestable lock
    release(0x10);
    release(0x20);
    release(0x20);
}

static void a_release_of_an_outer_lock_leaves_the_order_of_the_inner_ones(void **state)
{
    expect_story(play_outer_lock_released_first,
                 ACQUIRED("1.1") ACQUIRED("2.1") ACQUIRED("2.2") RELEASED("1.1") RELEASED("2.2")
                     RELEASED("2.1"));
}

static void play_last_tasks(void)
{
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]);
    otter_current_thread->n_tasks = UINT32_MAX - 3;
    for (int i = 0; i < 5; i++) {
        otter_task_create(NULL, 0, &code[1]);
    }
}

// OTF2 reserves 4294967295 for "undefined".
static void a_thread_stops_before_a_number_of_a_task_occurs_twice(void **state)
{
    assert_true(is_valid_for_otf2(archive_of(play_last_tasks)));
    expect_location(0, "enter !$omp flush\nleave !$omp flush\n"
                       "create 0.4294967293\ncreate 0.4294967294\n");
    expect_property("OTTER::LOST", "3");
}

static void play_last_regions(void)
{
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]);
    otter_current_thread->n_parallels = UINT32_MAX - 3;
    for (int i = 0; i < 3; i++) {
        otter_parallel parallel = otter_parallel_begin(OTTER_CONSTRUCT_PARALLEL, 1, &code[1]);
        otter_parallel_end(parallel);
    }
}

static void a_thread_stops_before_a_number_of_a_region_occurs_twice(void **state)
{
    assert_true(is_valid_for_otf2(archive_of(play_last_regions)));
    expect_location(0, "enter !$omp flush\nleave !$omp flush\nfork 1\njoin\nfork 1\n");
    expect_property("OTTER::LOST", "3"); // the end of a region, and a whole region
}

static void play_time_that_goes_back(void)
{
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]);
    otter_current_thread->writer->time += UINT64_C(1) << 60;
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]);
}

static void records_whose_time_goes_back_are_counted(void **state)
{
    assert_true(is_valid_for_otf2(archive_of(play_time_that_goes_back)));
    expect_location(0, "enter !$omp flush\nleave !$omp flush\n");
    expect_property("OTTER::LOST", "2");
}

static void end_with_few_descriptors(void)
{
    struct rlimit few, after;
    getrlimit(RLIMIT_NOFILE, &few);
    few.rlim_cur = few.rlim_max / 2;
    setrlimit(RLIMIT_NOFILE, &few);
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]);
    otter_detach("test");
    getrlimit(RLIMIT_NOFILE, &after);
    if (after.rlim_cur != few.rlim_cur) {
        _exit(3);
    }
}

static void the_end_of_a_recording_leaves_the_limit_on_files(void **state)
{
    archive_of(end_with_few_descriptors);
}

enum { MORE_THAN_A_CHUNK = 300000 };

static void record_and_die(void)
{
    setenv("OTTER_FOLDER", in_test_folder("killed"), 1);
    if (!otter_attach("test")) {
        _exit(2);
    }
    for (int i = 0; i < MORE_THAN_A_CHUNK; i++) {
        otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]);
    }
    _exit(0);
}

// Two readings of both clocks determine the rate of the counter.
static void a_recording_that_was_killed_holds_two_readings_of_the_clocks(void **state)
{
    struct otter_journal_definitions definitions;
    assert_int_equal(status_of_child(record_and_die), 0);
    assert_int_equal(
        otter_definitions_read(in_test_folder("killed.recording/journal"), &definitions), OTTER_OK);
    assert_true(definitions.content.end.ticks > definitions.content.start.ticks);
    assert_true(definitions.content.end.monotonic_ns > definitions.content.start.monotonic_ns);
    otter_definitions_free(&definitions);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_that_failed_and_ended_keeps_no_memory),
        cmocka_unit_test(tasks_that_are_lost_end_no_other),
        cmocka_unit_test(a_phase_tears_no_loop),
        cmocka_unit_test(threads_of_no_team_run_besides),
        cmocka_unit_test(a_phase_ends_a_single_whose_end_is_not_told),
        cmocka_unit_test(an_untied_task_is_gone_when_a_construct_around_it_ends),
        cmocka_unit_test(other_threads_meet_labels_while_one_is_named),
        cmocka_unit_test(
            a_label_that_comes_too_late_is_not_named_each_time_and_no_construct_becomes_unknown),
        cmocka_unit_test(constructs_nest),
        cmocka_unit_test(
            ends_without_beginning_and_beginnings_without_end_are_balanced_and_counted),
        cmocka_unit_test(an_initial_task_is_written_with_the_first_record),
        cmocka_unit_test(a_thread_that_does_nothing_makes_no_archive),
        cmocka_unit_test(a_region_is_forked_worked_in_and_joined),
        cmocka_unit_test(what_a_thread_leaves_open_when_it_dies_is_closed_and_counted),
        cmocka_unit_test(
            a_worker_knows_its_team_however_many_regions_others_forked_before_it_began),
        cmocka_unit_test(a_switch_back_into_a_wait_is_written_only_when_something_follows),
        cmocka_unit_test(tasks_end_in_many_ways_and_once),
        cmocka_unit_test(an_untied_task_closes_what_it_had_open_and_opens_it_where_it_resumes),
        cmocka_unit_test(mutexes_are_numbered_and_so_are_their_acquisitions),
        cmocka_unit_test(tests_of_a_thread_that_spins_are_one),
        cmocka_unit_test(tasks_of_the_runtimes_own_threads_are_not_recorded),
        cmocka_unit_test(stacks_grow_and_all_is_closed_at_the_end),
        cmocka_unit_test(more_regions_than_there_are_ids_lose_their_name_and_no_event),
        cmocka_unit_test(a_taskloop_has_the_address_of_its_taskgroup_or_none),
        cmocka_unit_test(a_mark_is_a_marker_of_its_kind),
        cmocka_unit_test(what_comes_after_the_end_is_ignored),
        cmocka_unit_test(each_release_names_the_innermost_acquisition_of_its_lock),
        cmocka_unit_test(a_release_of_an_outer_lock_leaves_the_order_of_the_inner_ones),
        cmocka_unit_test(a_thread_stops_before_a_number_of_a_task_occurs_twice),
        cmocka_unit_test(a_thread_stops_before_a_number_of_a_region_occurs_twice),
        cmocka_unit_test(records_whose_time_goes_back_are_counted),
        cmocka_unit_test(the_end_of_a_recording_leaves_the_limit_on_files),
        cmocka_unit_test(a_recording_that_was_killed_holds_two_readings_of_the_clocks),
    };
    return cmocka_run_group_tests_name("record", tests, make_test_folder, remove_test_folder);
}
