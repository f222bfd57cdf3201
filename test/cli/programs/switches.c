// Makes switches of threads: switches KIND.
// - sleep: tasks that sleep in the kernel
// - long: longer sleeps
// - fork: a child process that computes and sleeps, while the parent waits
// - kill: the program is killed while tasks sleep
// - close: the program ends its recording, and continues to sleep
// - compute: each thread computes for 100 ms of processor time
// - wake: a task is created once the other thread sleeps in a barrier; prints the other thread
#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void sleep_ms(long ms)
{
    struct timespec time = {.tv_nsec = ms * 1000000};
    nanosleep(&time, NULL);
}

static void fork_child(void)
{
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 20; i++) {
            sleep_ms(1);
        }
        _exit(0);
    }
    waitpid(child, NULL, 0);
    printf("%d\n", (int)child);
}

static void compute_ms(double ms)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    double begin = (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6, now = begin;
    while (now < begin + ms) {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        now = (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
    }
}

// Returns how often a thread has left its processor because it slept.
static long n_sleeps(pid_t thread)
{
    char line[128];
    long n = 0;
    snprintf(line, sizeof line, "/proc/self/task/%d/status", (int)thread);
    FILE *status = fopen(line, "r");
    while (status && fgets(line, sizeof line, status)) {
        sscanf(line, "voluntary_ctxt_switches: %ld", &n);
    }
    if (status) {
        fclose(status);
    }
    return n;
}

static void wake(void)
{
    pid_t members[2];
    long before[2];
#pragma omp parallel num_threads(2)
    {
        int own = omp_get_thread_num();
        members[own] = (pid_t)syscall(SYS_gettid);
        before[own] = n_sleeps(members[own]);
#pragma omp barrier
#pragma omp single
        {
            int other = !omp_get_thread_num();
            while (n_sleeps(members[other]) == before[other]) {
                sched_yield();
            }
            printf("%d\n", (int)members[other]);
#pragma omp task
            compute_ms(0.1);
        }
    }
}

int main(int argc, char **argv)
{
    const char *kind = argc > 1 ? argv[1] : "";
    if (strcmp(kind, "compute") == 0) {
#pragma omp parallel
        compute_ms(100);
        return 0;
    }
    if (strcmp(kind, "wake") == 0) {
        wake();
        return 0;
    }
    long ms = strcmp(kind, "long") == 0 ? 20 : 3;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 10; i++) {
#pragma omp task
        sleep_ms(ms);
    }
    if (strcmp(kind, "fork") == 0) {
        fork_child();
    }
    if (strcmp(kind, "close") == 0) {
        omp_control_tool(omp_control_tool_end, 0, NULL);
        sleep_ms(50);
    }
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 10; i++) {
#pragma omp task
        {
            if (i == 5 && strcmp(kind, "kill") == 0) {
                sleep_ms(300); // the launcher stores switches at least every 100 ms
                raise(SIGKILL);
            }
            sleep_ms(ms);
        }
    }
    return 0;
}
