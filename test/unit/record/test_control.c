// Pausing and ending, as include/otter/record.h and core/README.md promise. Each story is played in
// a process of its own, and is read back from the archive.
#include "unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"
#include "listing.h"
#include "otter/record.h"
#include "recorded.h"
#include "set_clock.h"

static const char code[16]; // addresses of the program

static void expect(bool truth)
{
    if (!truth) {
        _exit(3);
    }
}

static void expect_paused(void (*story)(void), const char *expected)
{
    expect_story(story, expected);
    expect_property("OTTER::REPAIRED", "0");
    expect_property("OTTER::UNBEGUN", "0");
}

// ---- constructs

static void play_constructs(void)
{
    otter_enter(OTTER_CONSTRUCT_SINGLE, 0, &code[0]);
    otter_enter(OTTER_CONSTRUCT_TASKGROUP, 0, &code[1]);
    otter_enter(OTTER_CONSTRUCT_MASKED, 0, &code[2]);
    expect(otter_control_pause());
    otter_leave(OTTER_CONSTRUCT_MASKED);
    otter_leave(OTTER_CONSTRUCT_TASKGROUP);
    otter_enter(OTTER_CONSTRUCT_TASKGROUP, 0, &code[1]); // the same call again
    otter_enter(OTTER_CONSTRUCT_CRITICAL, 0, &code[3]);
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[4]);
    expect(otter_control_start());
    otter_leave(OTTER_CONSTRUCT_CRITICAL);
    otter_leave(OTTER_CONSTRUCT_TASKGROUP);
    otter_leave(OTTER_CONSTRUCT_SINGLE);
}

static void what_ended_in_a_pause_ends_behind_it_and_what_began_begins_there(void **state)
{
    expect_paused(
        play_constructs,
        "enter !$omp single\nenter !$omp taskgroup\nenter !$omp masked\noff\non\n"
        "leave !$omp masked\nleave !$omp taskgroup\nenter !$omp taskgroup\nenter !$omp critical\n"
        "leave !$omp critical\nleave !$omp taskgroup\nleave !$omp single\n");
}

static void play_again(void)
{
    otter_enter(OTTER_CONSTRUCT_SINGLE, 0, &code[0]);
    expect(otter_control_start()); // it is recording
    expect(otter_control_query() == OTTER_CONTROL_RECORDING);
    expect(otter_control_pause());
    expect(otter_control_pause());
    expect(otter_control_query() == OTTER_CONTROL_PAUSED);
    expect(otter_control_flush());
    expect(otter_control_start());
    otter_control_toggle();
    expect(otter_control_query() == OTTER_CONTROL_PAUSED);
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[1]);
    otter_control_toggle();
    otter_leave(OTTER_CONSTRUCT_SINGLE);
}

static void what_is_so_already_changes_nothing(void **state)
{
    expect_paused(play_again, "enter !$omp single\noff\non\noff\non\nleave !$omp single\n");
}

// ---- tasks

static void play_tasks(void)
{
    otter_enter(OTTER_CONSTRUCT_SINGLE, 0, &code[0]);
    otter_task before = otter_task_create(NULL, 0, &code[1]);
    otter_task runs = otter_task_create(NULL, 0, &code[1]);
    otter_task_switch(NULL, &runs);
    otter_control_pause();
    otter_task_end(&runs, OTTER_TASK_END_COMPLETE, NULL);
    otter_task within = otter_task_create(NULL, 0, &code[1]);
    otter_task stays = otter_task_create(NULL, 0, &code[1]);
    otter_task_switch(NULL, &before);
    otter_task_end(&before, OTTER_TASK_END_COMPLETE, NULL);
    otter_task_switch(NULL, &stays);
    otter_enter(OTTER_CONSTRUCT_TASKGROUP, 0, &code[2]);
    otter_control_start();
    otter_leave(OTTER_CONSTRUCT_TASKGROUP);
    otter_task_end(&stays, OTTER_TASK_END_COMPLETE, NULL);
    otter_task_switch(NULL, &within);
    otter_task_end(&within, OTTER_TASK_END_COMPLETE, NULL);
    otter_task_create(NULL, 0, &code[1]);
    otter_leave(OTTER_CONSTRUCT_SINGLE);
}

static void tasks_keep_their_numbers_through_a_pause(void **state)
{
    expect_paused(
        play_tasks,
        "enter !$omp single\ncreate 0.1\ncreate 0.2\nswitch 0.2\nenter !$omp task\noff\non\n"
        "leave !$omp task\ncomplete 0.2\nswitch 0.0\nswitch 0.3\nenter !$omp task\n"
        "enter !$omp taskgroup\nleave !$omp taskgroup\nleave !$omp task\ncomplete 0.3\n"
        "switch 0.0\nswitch 0.4\nenter !$omp task\nleave !$omp task\ncomplete 0.4\n"
        "switch 0.0\ncreate 0.5\nleave !$omp single\n");
    expect_property("OTTER::UNRECORDED", "2");
}

// In a region that a thread has already entered, tasks of a pause have no number until they need a
// number.
static void meet_region_of_task(unsigned flags)
{
    otter_task task = otter_task_create(NULL, flags, &code[1]);
    otter_task_end(&task, OTTER_TASK_END_CANCELLED, NULL);
}

// Three kinds of tasks in the pause. Some are nested in taskwaits; the innermost runs at its end.
// One begins and ends in the pause. One is discarded after the pause.
static void play_tasks_of_a_pause(void)
{
    meet_region_of_task(0);
    meet_region_of_task(OTTER_TASK_UNDEFERRED);
    otter_enter(OTTER_CONSTRUCT_TASKWAIT, 0, &code[2]);
    otter_control_pause();
    otter_task lower = otter_task_create(NULL, 0, &code[1]);
    otter_task discarded = otter_task_create(NULL, 0, &code[1]);
    otter_task_switch(NULL, &lower);
    otter_task upper = otter_task_create(&lower, 0, &code[1]);
    otter_task gone = otter_task_create(&lower, OTTER_TASK_UNDEFERRED, &code[1]);
    otter_task_switch(&lower, &gone);
    otter_parameter(OTTER_PARAMETER_DEPEND_IN, 8);
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[3]);
    otter_task_end(&gone, OTTER_TASK_END_COMPLETE, &lower);
    otter_enter(OTTER_CONSTRUCT_TASKWAIT, 0, &code[2]);
    otter_task_switch(&lower, &upper);
    otter_enter(OTTER_CONSTRUCT_TASKWAIT, 0, &code[2]);
    otter_leave(OTTER_CONSTRUCT_TASKWAIT);
    otter_enter(OTTER_CONSTRUCT_TASKWAIT, 0, &code[2]);
    otter_control_start();
    otter_leave(OTTER_CONSTRUCT_TASKWAIT);
    otter_task_end(&upper, OTTER_TASK_END_COMPLETE, &lower);
    otter_leave(OTTER_CONSTRUCT_TASKWAIT);
    otter_task_end(&lower, OTTER_TASK_END_COMPLETE, NULL);
    otter_task_end(&discarded, OTTER_TASK_END_CANCELLED, NULL);
    otter_leave(OTTER_CONSTRUCT_TASKWAIT);
}

static void tasks_of_a_pause_are_there_when_they_run_after_it(void **state)
{
    expect_paused(play_tasks_of_a_pause,
                  "create 0.1\nparameter task never ran 2\nparameter task cancelled 1\n"
                  "complete 0.1\n"
                  "create 0.2\nparameter task never ran 3\nparameter task cancelled 2\n"
                  "complete 0.2\nenter !$omp taskwait\noff\non\n"
                  "switch 0.3\nenter !$omp task\nenter !$omp taskwait\nleave !$omp taskwait\n"
                  "leave !$omp task\ncomplete 0.3\n"
                  "switch 0.4\nenter !$omp task\nenter !$omp taskwait\nleave !$omp taskwait\n"
                  "leave !$omp task\ncomplete 0.4\nswitch 0.0\n"
                  "parameter task never ran 2\nparameter task cancelled 5\ncomplete 0.5\n"
                  "leave !$omp taskwait\n");
    expect_property("OTTER::UNRECORDED", "4");
}

// A taskgroup begun in the pause is open after the pause, as is a task from which an untied task
// switched.
static void play_constructs_of_a_task_of_a_pause(void)
{
    meet_region_of_task(0);
    otter_control_pause();
    otter_task untied = otter_task_create(NULL, OTTER_TASK_UNTIED, &code[4]);
    otter_task lower = otter_task_create(NULL, 0, &code[1]);
    otter_task_switch(NULL, &lower);
    otter_task_switch(&lower, &untied);
    otter_task_switch(&untied, &lower);
    otter_control_start();
    otter_control_pause();
    otter_task upper = otter_task_create(&lower, 0, &code[1]);
    otter_task_switch(&lower, &upper);
    otter_enter(OTTER_CONSTRUCT_TASKGROUP, 0, &code[5]);
    otter_control_start();
    otter_leave(OTTER_CONSTRUCT_TASKGROUP);
    otter_task_end(&upper, OTTER_TASK_END_COMPLETE, &lower);
    otter_task_end(&lower, OTTER_TASK_END_COMPLETE, NULL);
    otter_task_switch(NULL, &untied);
    otter_task_end(&untied, OTTER_TASK_END_COMPLETE, NULL);
}

static void what_a_task_of_a_pause_has_open_is_open_after_it(void **state)
{
    expect_paused(play_constructs_of_a_task_of_a_pause,
                  "create 0.1\nparameter task never ran 2\nparameter task cancelled 1\n"
                  "complete 0.1\noff\non\nswitch 0.3\nenter !$omp task\noff\non\n"
                  "switch 0.4\nenter !$omp task\nenter !$omp taskgroup\nleave !$omp taskgroup\n"
                  "leave !$omp task\ncomplete 0.4\nswitch 0.3\n"
                  "leave !$omp task\ncomplete 0.3\nswitch 0.0\n"
                  "switch 0.2\nenter !$omp task\nleave !$omp task\ncomplete 0.2\nswitch 0.0\n");
}

// ---- regions

static void pass_barrier(void)
{
    otter_enter(OTTER_CONSTRUCT_BARRIER_EXPLICIT, 0, &code[5]);
    otter_leave(OTTER_CONSTRUCT_BARRIER_EXPLICIT);
}

static void play_regions(void)
{
    otter_parallel first = otter_parallel_begin(OTTER_CONSTRUCT_PARALLEL, 1, &code[0]);
    otter_implicit_task_begin(first, 1, 0);
    otter_control_pause();
    otter_implicit_task_end();
    otter_parallel_end(first);
    otter_parallel gone = otter_parallel_begin(OTTER_CONSTRUCT_PARALLEL, 1, &code[0]);
    otter_parallel_end(gone);
    otter_parallel second = otter_parallel_begin(OTTER_CONSTRUCT_PARALLEL, 1, &code[0]);
    otter_implicit_task_begin(second, 1, 0);
    pass_barrier();
    pass_barrier();
    otter_enter(OTTER_CONSTRUCT_BARRIER_EXPLICIT, 0, &code[5]);
    otter_control_start();
    otter_leave(OTTER_CONSTRUCT_BARRIER_EXPLICIT);
    otter_control_pause();
    pass_barrier();
    otter_control_start();
    otter_implicit_task_end();
    otter_parallel_end(second);
}

static void regions_are_told_by_their_numbers_and_barriers_are_counted(void **state)
{
    expect_paused(
        play_regions,
        "fork 1\nteam begin 1\nenter !$omp parallel\noff\non\nparameter parallel region 3\n"
        "leave !$omp parallel\nteam end 1\njoin\n"
        "fork 1\nparameter parallel region 3\nteam begin 1\nparameter parallel region 3\n"
        "enter !$omp parallel\nenter !$omp barrier\nparameter barriers passed 2\n"
        "leave !$omp barrier\noff\non\nparameter barriers passed 1\n"
        "leave !$omp parallel\nteam end 1\njoin\n");
}

static void play_fork_in_pause(void)
{
    otter_control_pause();
    otter_parallel region = otter_parallel_begin(OTTER_CONSTRUCT_PARALLEL, 2, &code[0]);
    otter_control_start();
    otter_implicit_task_begin(region, 2, 0);
    otter_control_pause();
    otter_implicit_task_end();
    otter_control_start();
    otter_parallel_end(region);
}

static void a_fork_outlives_what_is_above_it(void **state)
{
    expect_paused(
        play_fork_in_pause,
        "off\non\nparameter parallel region 1\nfork 2\nparameter parallel region 1\nteam begin 1\n"
        "parameter parallel region 1\nenter !$omp parallel\noff\non\nleave !$omp parallel\n"
        "team end 1\njoin\n");
}

// ---- locks

static void play_locks(void)
{
    otter_mutex_acquire(OTTER_CONSTRUCT_SET_LOCK, 0, 16, &code[0]);
    otter_mutex_acquired(OTTER_CONSTRUCT_SET_LOCK, 0, 16, &code[0]);
    otter_control_pause();
    otter_mutex_released(OTTER_CONSTRUCT_SET_LOCK, 0, 16, &code[0]);
    otter_mutex_acquire(OTTER_CONSTRUCT_SET_LOCK, 0, 32, &code[0]);
    otter_mutex_acquired(OTTER_CONSTRUCT_SET_LOCK, 0, 32, &code[0]);
    otter_control_start();
    otter_mutex_acquire(OTTER_CONSTRUCT_CRITICAL, 0, 48, &code[1]);
    otter_control_pause();
    otter_control_start();
    otter_mutex_acquired(OTTER_CONSTRUCT_CRITICAL, 0, 48, &code[1]);
    otter_mutex_released(OTTER_CONSTRUCT_CRITICAL, 0, 48, &code[1]);
    otter_mutex_released(OTTER_CONSTRUCT_SET_LOCK, 0, 32, &code[0]);
}

static void play_spin(void)
{
    set_clock(1000000000);
    for (int i = 0; i < 3; i++) {
        otter_mutex_acquire(OTTER_CONSTRUCT_TEST_LOCK, 0, 16, &code[0]);
        if (i == 0) {
            otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[1]); // the next calls know both places
        }
    }
    otter_control_pause();
    otter_mutex_acquire(OTTER_CONSTRUCT_TEST_LOCK, 0, 16, &code[0]);
    otter_control_start();
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[1]);
}

// Tests within 5 us are one region, except across a pause.
static void tests_of_a_lock_before_a_pause_are_recorded(void **state)
{
    setenv("OTTER_CLOCK", "monotonic", 1);
    expect_paused(play_spin, "enter omp_test_lock\nleave omp_test_lock\n"
                             "enter !$omp flush\nleave !$omp flush\n"
                             "enter omp_test_lock\nleave omp_test_lock\noff\non\n"
                             "enter omp_test_lock\nleave omp_test_lock\n"
                             "enter !$omp flush\nleave !$omp flush\n");
    unsetenv("OTTER_CLOCK");
}

static void locks_are_held_by_those_who_hold_them(void **state)
{
    expect_paused(play_locks, "enter omp_set_lock\nacquire 1.1\nleave omp_set_lock\noff\non\n"
                              "release 1.1\nacquire 2.1\noff\non\n"
                              "enter !$omp critical\nacquire 3.1\nenter !$omp critical sblock\n"
                              "leave !$omp critical sblock\nrelease 3.1\nleave !$omp critical\n"
                              "enter omp_unset_lock\nrelease 2.1\nleave omp_unset_lock\n");
}

// ---- the end

static void play_end_in_pause(void)
{
    otter_enter(OTTER_CONSTRUCT_SINGLE, 0, &code[0]);
    otter_enter(OTTER_CONSTRUCT_MASKED, 0, &code[1]);
    otter_control_pause();
    otter_leave(OTTER_CONSTRUCT_MASKED);
    otter_leave(OTTER_CONSTRUCT_SINGLE);
}

static void a_pause_that_never_ends_leaves_nothing_open(void **state)
{
    expect_paused(play_end_in_pause, "enter !$omp single\nenter !$omp masked\noff\non\n"
                                     "leave !$omp masked\nleave !$omp single\n");
    expect_property("OTTER::UNFINISHED", "0");
}

static void play_end(void)
{
    char anchor[512];
    struct stat about;
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]);
    expect(otter_control_end());
    snprintf(anchor, sizeof(anchor), "%s/traces.otf2", in_test_folder("trace"));
    expect(stat(anchor, &about) == 0);
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]);
    expect(otter_control_query() == OTTER_CONTROL_ENDED);
    expect(!otter_control_start() && !otter_control_pause() && !otter_control_flush() &&
           !otter_control_end());
}

static void after_the_end_there_is_an_archive_and_nothing_more(void **state)
{
    expect_paused(play_end, "enter !$omp flush\nleave !$omp flush\n");
}

// ---- settings

static void play_started_later(void)
{
    expect(otter_control_query() == OTTER_CONTROL_PAUSED);
    otter_initial_task_begin();
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]);
    otter_control_start();
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]);
    otter_implicit_task_end();
}

static void a_run_may_begin_paused(void **state)
{
    setenv("OTTER_START", "paused", 1);
    expect_paused(play_started_later, "off\non\nenter !$omp initial task\nenter !$omp flush\n"
                                      "leave !$omp flush\nleave !$omp initial task\n");
    unsetenv("OTTER_START");
}

static void play_signal(void)
{
    otter_enter(OTTER_CONSTRUCT_SINGLE, 0, &code[0]);
    raise(SIGUSR2);
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[1]);
    raise(SIGUSR2);
    otter_leave(OTTER_CONSTRUCT_SINGLE);
}

static void a_signal_toggles(void **state)
{
    setenv("OTTER_TOGGLE_SIGNAL", "USR2", 1);
    expect_paused(play_signal, "enter !$omp single\noff\non\nleave !$omp single\n");
    unsetenv("OTTER_TOGGLE_SIGNAL");
}

static void play_early_signal(void)
{
    raise(SIGUSR2);
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]);
    raise(SIGUSR2);
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[1]);
}

static void a_signal_may_come_before_the_first_record(void **state)
{
    setenv("OTTER_TOGGLE_SIGNAL", "USR2", 1);
    expect_paused(play_early_signal, "off\non\nenter !$omp flush\nleave !$omp flush\n");
    unsetenv("OTTER_TOGGLE_SIGNAL");
}

static volatile sig_atomic_t n_signals;

static void count_signal(int number)
{
    n_signals++;
}

static void play_own_signal(void)
{
    signal(SIGUSR2, count_signal);
    play_signal();
    expect(n_signals == 2);
}

static void the_programs_own_handler_stays(void **state)
{
    setenv("OTTER_TOGGLE_SIGNAL", "SIGUSR2", 1);
    expect_paused(play_own_signal, "enter !$omp single\nenter !$omp flush\nleave !$omp flush\n"
                                   "leave !$omp single\n");
    unsetenv("OTTER_TOGGLE_SIGNAL");
}

static void (*handler_of(int number))(int)
{
    struct sigaction now;
    expect(sigaction(number, NULL, &now) == 0);
    expect(now.sa_handler == SIG_DFL || now.sa_handler == count_signal ||
           (now.sa_flags & SA_RESTART)); // interrupted system calls restart
    return now.sa_handler;
}

static void play_replaced_signal(void)
{
    static char argument[] = "toggle-signal=USR1";
    char *const arguments[] = {argument};
    otter_arguments(1, arguments);
    raise(SIGUSR2); // the tool's handler is installed until its output is open
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]);
    expect(handler_of(SIGUSR2) == SIG_DFL);
    raise(SIGUSR1);
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[1]);
}

static void play_replaced_signal_of_the_program(void)
{
    static char argument[] = "toggle-signal=USR1";
    char *const arguments[] = {argument};
    otter_arguments(1, arguments);
    signal(SIGUSR2, count_signal);
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]);
    expect(handler_of(SIGUSR2) == count_signal);
    expect(handler_of(SIGUSR1) != SIG_DFL);
}

static void a_later_setting_gives_the_signal_back(void **state)
{
    setenv("OTTER_TOGGLE_SIGNAL", "USR2", 1);
    expect_paused(play_replaced_signal, "off\non\nenter !$omp flush\nleave !$omp flush\n");
    expect_paused(play_replaced_signal_of_the_program, "enter !$omp flush\nleave !$omp flush\n");
    unsetenv("OTTER_TOGGLE_SIGNAL");
}

static void play_signal_while_paused(void)
{
    raise(SIGUSR2);
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]);
}

static void a_signal_starts_what_begins_paused(void **state)
{
    setenv("OTTER_TOGGLE_SIGNAL", "USR2", 1);
    setenv("OTTER_START", "paused", 1);
    expect_paused(play_signal_while_paused, "enter !$omp flush\nleave !$omp flush\n");
    unsetenv("OTTER_START");
    unsetenv("OTTER_TOGGLE_SIGNAL");
}

static void play_no_signal(void)
{
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]);
    expect(handler_of(SIGRTMIN) == SIG_DFL);
}

static void what_begins_like_a_number_is_no_signal(void **state)
{
    char name[16];
    snprintf(name, sizeof(name), "%dth", SIGRTMIN);
    setenv("OTTER_TOGGLE_SIGNAL", name, 1);
    expect_paused(play_no_signal, "enter !$omp flush\nleave !$omp flush\n");
    unsetenv("OTTER_TOGGLE_SIGNAL");
}

static void play_flush(void)
{
    char chunk[512];
    struct stat about;
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]);
    snprintf(chunk, sizeof(chunk), "%s.recording/events/0.chunk", in_test_folder("trace"));
    expect(stat(chunk, &about) != 0);
    expect(otter_control_flush());
    expect(stat(chunk, &about) == 0 && about.st_size > 0);
    otter_mark(OTTER_CONSTRUCT_FLUSH, 0, &code[0]);
}

static void flushing_puts_what_is_in_memory_into_a_file(void **state)
{
    setenv("OTTER_CHUNKS", "memory", 1);
    const char *archive = archive_of(play_flush);
    char *text = list_location(archive, 0);
    assert_non_null(strstr(text, "enter !$omp flush\nleave !$omp flush\n"));
    free(text);
    unsetenv("OTTER_CHUNKS");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_ended_in_a_pause_ends_behind_it_and_what_began_begins_there),
        cmocka_unit_test(what_is_so_already_changes_nothing),
        cmocka_unit_test(tasks_keep_their_numbers_through_a_pause),
        cmocka_unit_test(tasks_of_a_pause_are_there_when_they_run_after_it),
        cmocka_unit_test(what_a_task_of_a_pause_has_open_is_open_after_it),
        cmocka_unit_test(regions_are_told_by_their_numbers_and_barriers_are_counted),
        cmocka_unit_test(a_fork_outlives_what_is_above_it),
        cmocka_unit_test(tests_of_a_lock_before_a_pause_are_recorded),
        cmocka_unit_test(locks_are_held_by_those_who_hold_them),
        cmocka_unit_test(a_pause_that_never_ends_leaves_nothing_open),
        cmocka_unit_test(after_the_end_there_is_an_archive_and_nothing_more),
        cmocka_unit_test(a_run_may_begin_paused),
        cmocka_unit_test(a_signal_toggles),
        cmocka_unit_test(a_signal_may_come_before_the_first_record),
        cmocka_unit_test(the_programs_own_handler_stays),
        cmocka_unit_test(a_later_setting_gives_the_signal_back),
        cmocka_unit_test(a_signal_starts_what_begins_paused),
        cmocka_unit_test(what_begins_like_a_number_is_no_signal),
        cmocka_unit_test(flushing_puts_what_is_in_memory_into_a_file),
    };
    return cmocka_run_group_tests_name("control", tests, make_test_folder, remove_test_folder);
}
