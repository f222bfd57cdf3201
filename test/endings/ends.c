// Records, and ends in the requested way: ends ENDING openmp|kokkos|both THREADS TALLY
// [SECOND-TALLY].
//
// It may start itself as another program, with SECOND-TALLY. A forked child also plays, but counts
// nothing.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "play.h"

enum { STEPS = 100 };

void throw_exception(void); // throw.cpp

static char *second[] = {"/proc/self/exe", "return", NULL, NULL, NULL, NULL}; // started by this one
extern char **environ;

static void about_to_end(void)
{
    tally_note(play.tally, PHASE_ENDING);
}

// ---- actions of a thread

static void leave_by_exit(void)
{
    about_to_end();
    exit(3);
}

static void leave_by_quick_exit(void)
{
    about_to_end();
    quick_exit(4);
}

static void leave_by__exit(void)
{
    about_to_end();
    _exit(6);
}

static void leave_by_abort(void)
{
    about_to_end();
    abort();
}

static void leave_by_exception(void)
{
    about_to_end();
    throw_exception();
}

static void leave_by_fault(void)
{
    about_to_end();
    volatile int *volatile nowhere = NULL;
    *nowhere = 1;
}

static void leave_by_signal(int number)
{
    about_to_end();
    kill(getpid(), number);
    for (;;) {
        sched_yield();
    }
}

static void leave_by_sigterm(void)
{
    leave_by_signal(SIGTERM);
}

static void leave_by_sigint(void)
{
    leave_by_signal(SIGINT);
}

static void leave_by_sigkill(void)
{
    leave_by_signal(SIGKILL);
}

static void leave_by_exec(void)
{
    about_to_end();
    execv(second[0], second);
    perror("exec");
    _exit(99);
}

// ---- other processes

static struct tally unseen;

static void expect_status(const char *what, pid_t child, int wanted)
{
    int status = -1;
    if (child < 0 || waitpid(child, &status, 0) != child || status != wanted << 8) {
        fprintf(stderr, "%s: child %d ended with %x\n", what, (int)child, (unsigned)status);
        _exit(98);
    }
}

static void play_unseen(void)
{
    play.tally = &unseen;
    play_on_all_threads(STEPS, NULL);
}

static void fork_exit(void)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        play_unseen();
        end_kokkos();
        exit(9);
    }
    expect_status("fork", child, 9);
}

static void fork__exit(void)
{
    pid_t child = fork();
    if (child == 0) {
        play_unseen();
        _exit(9);
    }
    expect_status("fork", child, 9);
}

static void fork_exec(void)
{
    pid_t child = fork();
    if (child == 0) {
        play_unseen();
        execv(second[0], second);
        _exit(97);
    }
    expect_status("fork and exec", child, 5);
}

static void vfork__exit(void)
{
    pid_t child = vfork();
    if (child == 0) {
        _exit(9);
    }
    expect_status("vfork", child, 9);
}

static void vfork_exec(void)
{
    pid_t child = vfork();
    if (child == 0) {
        execv(second[0], second);
        _exit(97);
    }
    expect_status("vfork and exec", child, 5);
}

static void spawn(void)
{
    pid_t child = -1;
    int error = posix_spawn(&child, second[0], NULL, NULL, second, environ);
    expect_status("posix_spawn", error ? -1 : child, 5);
}

// The shell gets the program's path. At /proc/<id>/exe it would find the emulator, if there is one.
static void call_system(void)
{
    char program[2048] = "", command[4096];
    if (readlink("/proc/self/exe", program, sizeof(program) - 1) < 0) {
        perror("readlink");
    }
    snprintf(command, sizeof(command), "exec '%s' %s %s %s '%s'", program, second[1], second[2],
             second[3], second[4]);
    int status = system(command);
    if (status != 5 << 8) {
        fprintf(stderr, "system: %x\n", (unsigned)status);
        _exit(98);
    }
}

static void become_daemon(void)
{
    fflush(NULL);
    pid_t child = fork();
    if (child) {
        _exit(child < 0 ? 99 : 7);
    }
    setsid();
    if (fork()) {
        _exit(0);
    }
}

// ---- detached threads

static void *play_for_ever(void *user)
{
    unsigned player = (unsigned)(uintptr_t)user;
    for (;;) {
        play_step(player);
    }
    return NULL;
}

static void start_thread(void *(*run)(void *), unsigned player)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, (void *)(uintptr_t)player) || pthread_detach(thread)) {
        abort();
    }
}

static void wait_for_players(unsigned first)
{
    for (unsigned i = first; i < first + play.n_threads; i++) {
        enum happening what = play.has_openmp ? TASK_ENDED : KERNEL_ENDED;
        while (play.tally->players[i].counts[what].done < STEPS) {
            sched_yield();
        }
    }
}

static void start_endless_threads(void)
{
    for (unsigned i = 1; i <= play.n_threads; i++) {
        start_thread(play_for_ever, i);
    }
    wait_for_players(1);
}

// Waits without playing.
static void *exit_beside_players(void *user)
{
    wait_for_players(0);
    about_to_end();
    exit(3);
}

// ---- endings

static int return_from_main(void)
{
    play_on_all_threads(STEPS, NULL);
    about_to_end();
    end_kokkos();
    return 5;
}

static int exit_in_main(void)
{
    play_on_all_threads(STEPS, NULL);
    about_to_end();
    end_kokkos();
    exit(3);
}

static int never_finalize(void)
{
    play_on_all_threads(STEPS, NULL);
    about_to_end();
    return 5;
}

static int close_library(void)
{
    play_on_all_threads(STEPS, NULL);
    about_to_end();
    end_kokkos();
    close_kokkos();
    return 5;
}

static int leave_main_by_pthread_exit(void)
{
    play_on_all_threads(STEPS, NULL);
    about_to_end();
    pthread_exit(NULL);
}

static int return_while_threads_play(void)
{
    start_endless_threads();
    about_to_end();
    return 5;
}

static int play_till_another_thread_exits(void)
{
    start_thread(exit_beside_players, 0);
    play_on_all_threads(0, NULL);
    return 99;
}

static int endless(void)
{
    play_on_all_threads(0, NULL);
    return 99;
}

static int daemon_early(void)
{
    become_daemon();
    begin_kokkos();
    int status = return_from_main();
    puts("daemon ends");
    return status;
}

// Continues when standard input ends, which is after the parent's recording was recovered.
static int daemon_late(void)
{
    play_on_all_threads(STEPS, NULL);
    about_to_end();
    become_daemon();
    play_unseen();
    puts("daemon plays");
    fflush(stdout);
    while (getchar() != EOF) {
    }
    play_unseen();
    end_kokkos();
    puts("daemon ends");
    return 0;
}

// Ends in one of three places: in main, on one thread while the others play, or in another process
// between two rounds.
static const struct ending {
    const char *name;
    int (*run)(void);
    void (*act)(void);
    void (*between)(void);
    bool begins_kokkos;
} endings[] = {
    {.name = "return", .run = return_from_main},
    {.name = "exit", .run = exit_in_main},
    {.name = "never_finalize", .run = never_finalize},
    {.name = "dlclose", .run = close_library},
    {.name = "pthread_exit", .run = leave_main_by_pthread_exit},
    {.name = "threads_play", .run = return_while_threads_play},
    {.name = "exit_beside", .run = play_till_another_thread_exits},
    {.name = "endless", .run = endless},
    {.name = "daemon_early", .run = daemon_early, .begins_kokkos = true},
    {.name = "daemon_late", .run = daemon_late},
    {.name = "exit_in_task", .act = leave_by_exit},
    {.name = "quick_exit", .act = leave_by_quick_exit},
    {.name = "_exit", .act = leave_by__exit},
    {.name = "abort", .act = leave_by_abort},
    {.name = "exception", .act = leave_by_exception},
    {.name = "fault", .act = leave_by_fault},
    {.name = "sigterm", .act = leave_by_sigterm},
    {.name = "sigint", .act = leave_by_sigint},
    {.name = "sigkill", .act = leave_by_sigkill},
    {.name = "exec", .act = leave_by_exec},
    {.name = "fork_exit", .between = fork_exit},
    {.name = "fork__exit", .between = fork__exit},
    {.name = "fork_exec", .between = fork_exec},
    {.name = "vfork__exit", .between = vfork__exit},
    {.name = "vfork_exec", .between = vfork_exec},
    {.name = "spawn", .between = spawn},
    {.name = "system", .between = call_system},
};

static const struct ending *find_ending(const char *name)
{
    for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
        if (strcmp(endings[i].name, name) == 0) {
            return &endings[i];
        }
    }
    fprintf(stderr, "no ending: %s\n", name);
    exit(2);
}

static int run(const struct ending *ending)
{
    if (!ending->begins_kokkos) {
        begin_kokkos();
    }
    if (ending->run) {
        return ending->run();
    }
    if (ending->act) {
        play_on_all_threads(0, ending->act);
        return 99;
    }
    play_on_all_threads(STEPS, NULL);
    ending->between();
    return return_from_main();
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        return 2;
    }
    play.has_openmp = strcmp(argv[2], "kokkos") != 0;
    play.has_kokkos = strcmp(argv[2], "openmp") != 0;
    play.n_threads = (unsigned)atoi(argv[3]);
    play.tally = tally_open(argv[4]);
    second[2] = argv[2];
    second[3] = argv[3];
    second[4] = argc > 5 ? argv[5] : NULL;
    return run(find_ending(argv[1]));
}
