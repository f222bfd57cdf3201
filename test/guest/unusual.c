// Does unusual things and ends with 7: unusual CASE.
//
// - first, chunk, hook: a cancelled thread without a cancellation point of its own makes its first
//   OpenMP call, enough calls to store a chunk, or its first call of a hook
// - closed: writing to a closed standard output fails
// - timers: only the program's own timers interrupt its calls, and their signals have its handlers
// - filter: a seccomp filter ends the program if it opens a perf event or calls ptrace
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <linux/filter.h>
#include <linux/seccomp.h>

enum { MANY = 20000, N_ROUNDS = 20 };

// ---- a cancelled thread

static atomic_bool is_ready, is_cancelled;
static pthread_mutex_t its_own = PTHREAD_MUTEX_INITIALIZER;
static long n_done;
static void (*push)(const char *);
static void (*pop)(void);

static void work(void)
{
#pragma omp parallel num_threads(1)
    {
#pragma omp task
        n_done++;
#pragma omp taskwait
    }
}

static void wait_to_be_cancelled(void)
{
    atomic_store(&is_ready, true);
    while (!atomic_load(&is_cancelled)) {
        sched_yield();
    }
}

static void work_much(void)
{
    for (int i = 0; i < MANY; i++) {
        work();
    }
}

static void call_hooks(void)
{
    if (push && pop) { // the hooks are NULL without a tool
        push("region");
        pop();
    }
}

static void *be_cancelled(void *user)
{
    const char *what = user;
    pthread_mutex_lock(&its_own);
    wait_to_be_cancelled();
    if (strcmp(what, "hook") == 0) {
        call_hooks();
    } else if (strcmp(what, "chunk") == 0) {
        work_much();
    } else {
        work();
    }
    pthread_mutex_unlock(&its_own);
    pthread_testcancel();
    return NULL;
}

static void load_hooks(void)
{
    const char *path = getenv("KOKKOS_TOOLS_LIBS");
    void *library = path ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
    void *symbols[] = {library ? dlsym(library, "kokkosp_push_profile_region") : NULL,
                       library ? dlsym(library, "kokkosp_pop_profile_region") : NULL};
    memcpy(&push, &symbols[0], sizeof(push));
    memcpy(&pop, &symbols[1], sizeof(pop));
}

static int cancel(const char *what)
{
    pthread_t thread;
    void *result;
    load_hooks();
    work(); // the runtime has started
    pthread_create(&thread, NULL, be_cancelled, (void *)what);
    while (!atomic_load(&is_ready)) {
        sched_yield();
    }
    pthread_cancel(thread);
    atomic_store(&is_cancelled, true);
    pthread_join(thread, &result);
    bool is_free = pthread_mutex_trylock(&its_own) == 0;
    work();
    printf("%s, its mutex %s, %ld done\n", result == PTHREAD_CANCELED ? "cancelled" : "returned",
           is_free ? "free" : "held", n_done);
    return 7;
}

// ---- a closed standard output

static atomic_bool has_ended;
static atomic_long n_written;

static void *write_to_nowhere(void *user)
{
    while (!atomic_load(&has_ended)) {
        if (write(STDOUT_FILENO, "GARBAGE\n", 8) >= 0 || errno != EBADF) {
            atomic_fetch_add(&n_written, 1);
        }
    }
    return NULL;
}

static int write_while_closed(void)
{
    pthread_t thread;
    close(STDOUT_FILENO);
    pthread_create(&thread, NULL, write_to_nowhere, NULL);
    for (int i = 0; i < N_ROUNDS; i++) {
#pragma omp parallel num_threads(2)
        for (int k = 0; k < MANY / N_ROUNDS; k++) {
#pragma omp task
            (void)0;
        }
    }
    atomic_store(&has_ended, true);
    pthread_join(thread, NULL);
    fprintf(stderr, "%ld written\n", n_written);
    return 7;
}

// ---- timers

static atomic_int n_profiled, n_foreign; // signals of the program's own timer, and others
static atomic_int n_alarms;

static void on_profile(int number, siginfo_t *about, void *context)
{
    atomic_fetch_add(about->si_code == SI_KERNEL ? &n_profiled : &n_foreign, 1);
}

static void on_alarm(int number)
{
    atomic_fetch_add(&n_alarms, 1);
}

static double processor_time(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void burn(void)
{
#pragma omp parallel num_threads(2)
    for (double end = processor_time() + 0.2; processor_time() < end;) {
#pragma omp task
        n_done++;
    }
}

static int use_timers(void)
{
    struct sigaction profile = {.sa_sigaction = on_profile, .sa_flags = SA_SIGINFO | SA_RESTART};
    struct sigaction alarms = {.sa_handler = on_alarm}; // calls are not restarted
    struct itimerval often = {{0, 20000}, {0, 20000}}, never = {{0, 0}, {0, 0}};
    int pipe_of_nobody[2], is_interrupted, n_slept;
    char byte;
    sigaction(SIGPROF, &profile, NULL);
    sigaction(SIGALRM, &alarms, NULL);
    setitimer(ITIMER_PROF, &often, NULL);
    burn();
    setitimer(ITIMER_PROF, &never, NULL);
    if (pipe(pipe_of_nobody) != 0) {
        return 1;
    }
    setitimer(ITIMER_REAL, &often, NULL);
    is_interrupted = read(pipe_of_nobody[0], &byte, 1) < 0 && errno == EINTR;
    setitimer(ITIMER_REAL, &never, NULL);
    n_slept = nanosleep(&(struct timespec){0, 200000000}, NULL) == 0;
    printf("profiled %d, foreign %d, alarmed %d, interrupted %d, slept %d\n", n_profiled > 2,
           n_foreign, n_alarms > 0, is_interrupted, n_slept);
    return 7;
}

// ---- a filter

static int run_filtered(void)
{
    struct sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof(program) / sizeof(program[0]), program};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) {
        perror("seccomp");
        return 1;
    }
    burn();
    puts("filtered");
    return 7;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "timers") == 0) {
        return use_timers();
    }
    if (strcmp(what, "filter") == 0) {
        return run_filtered();
    }
    return strcmp(what, "closed") == 0 ? write_while_closed() : cancel(what);
}
