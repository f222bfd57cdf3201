// Prints everything about a process that a tool could change, to compare runs with and without a
// tool: guest [ROUNDS [FILE]].
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <getopt.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <omp.h>

enum { N_THREADS = 2, OUR_ERRNO = 42 };

extern char **environ;

static FILE *out; // standard output, or FILE

// ---- the whole floating-point environment

#if defined(__x86_64__)
enum { FLUSH_TO_ZERO = 0x8000, DENORMALS_ARE_ZERO = 0x40 };

static unsigned read_float_state(void)
{
    unsigned sse;
    unsigned short control, status;
    __asm__ volatile("stmxcsr %0\n\tfnstcw %1\n\tfnstsw %2"
                     : "=m"(sse), "=m"(control), "=m"(status));
    return sse | (unsigned)(control & 0xf00) << 16 | (unsigned)(status & 0x3f) << 20;
}

static void flush_denormals(void)
{
    unsigned sse = read_float_state() & 0xffff;
    sse |= FLUSH_TO_ZERO | DENORMALS_ARE_ZERO;
    __asm__ volatile("ldmxcsr %0" : : "m"(sse));
}
#else
static unsigned read_float_state(void)
{
    return (unsigned)fegetround() << 8 | (unsigned)fetestexcept(FE_ALL_EXCEPT);
}

static void flush_denormals(void)
{
}
#endif

// ---- the state of a thread

struct thread_state {
    int error;
    unsigned float_state;
    sigset_t mask;
    stack_t signal_stack;
    char name[16];
    cpu_set_t processors;
};

static struct thread_state thread_state(void)
{
    struct thread_state state;
    memset(&state, 0, sizeof(state)); // this also compares padding
    state.error = errno;
    state.float_state = read_float_state();
    pthread_sigmask(SIG_SETMASK, NULL, &state.mask);
    sigaltstack(NULL, &state.signal_stack);
    prctl(PR_GET_NAME, state.name);
    sched_getaffinity(0, sizeof(state.processors), &state.processors);
    return state;
}

static const char *difference(const struct thread_state *a, const struct thread_state *b)
{
    return a->error != b->error                                                       ? "errno"
           : a->float_state != b->float_state                                         ? "float"
           : memcmp(&a->mask, &b->mask, sizeof(a->mask)) != 0                         ? "mask"
           : memcmp(&a->signal_stack, &b->signal_stack, sizeof(a->signal_stack)) != 0 ? "stack"
           : strcmp(a->name, b->name) != 0                                            ? "name"
           : memcmp(&a->processors, &b->processors, sizeof(a->processors)) != 0       ? "processors"
                                                                                      : NULL;
}

// ---- the state of a process

static void print_signals(void)
{
    for (int i = 1; i <= SIGRTMAX; i++) {
        struct sigaction action;
        if (sigaction(i, NULL, &action) == 0 && (action.sa_handler != SIG_DFL || action.sa_flags)) {
            fprintf(out, "  signal %d: %s, flags %x\n", i,
                    action.sa_handler == SIG_DFL   ? "default"
                    : action.sa_handler == SIG_IGN ? "ignored"
                                                   : "handled",
                    (unsigned)action.sa_flags);
        }
    }
    sigset_t pending;
    sigpending(&pending);
    for (int i = 1; i <= SIGRTMAX; i++) {
        if (sigismember(&pending, i) == 1) {
            fprintf(out, "  signal %d is pending\n", i);
        }
    }
}

static int n_entries(const char *path)
{
    int n = 0;
    DIR *folder = opendir(path);
    while (folder && readdir(folder)) {
        n++;
    }
    if (folder) {
        closedir(folder);
    }
    return n;
}

static void print_descriptors(void)
{
    for (int i = 0; i <= 2; i++) {
        struct stat about = {.st_mode = 0};
        int error = fstat(i, &about);
        fprintf(out, "  descriptor %d: %d, kind %o, flags %x\n", i, error, about.st_mode & S_IFMT,
                (unsigned)fcntl(i, F_GETFL));
    }
    int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
    fprintf(out, "  next descriptor %d of %d; threads %d\n", next, n_entries("/proc/self/fd"),
            n_entries("/proc/self/task"));
    close(next);
}

static void print_limits(void)
{
    for (int i = 0; i < RLIM_NLIMITS; i++) {
        struct rlimit limit = {0, 0};
        getrlimit((enum __rlimit_resource)i, &limit);
        fprintf(out, "%s%llx/%llx", i ? " " : "  limits ", (unsigned long long)limit.rlim_cur,
                (unsigned long long)limit.rlim_max);
    }
    struct itimerval timer = {{0, 0}, {0, 0}};
    getitimer(ITIMER_REAL, &timer);
    fprintf(out, "\n  timer %ld, nice %d, dumpable %d\n", (long)timer.it_value.tv_sec,
            getpriority(PRIO_PROCESS, 0), prctl(PR_GET_DUMPABLE));
}

static void print_library_state(void)
{
    mode_t mask = umask(0);
    umask(mask);
    char folder[4096] = "";
    const char *has_folder = getcwd(folder, sizeof(folder));
    fprintf(out, "  umask %o, folder %s, locale %s, zone %s\n", mask, has_folder ? folder : "none",
            setlocale(LC_ALL, NULL), tzname[0]);
    fprintf(out, "  rand %d, random %ld, drand48 %.17g, optind %d, opterr %d\n", rand(), random(),
            drand48(), optind, opterr);
    errno = 0;
    pid_t child = waitpid(-1, NULL, WNOHANG);
    fprintf(out, "  child %d, errno %d\n", (int)child, errno);
}

// Returns whether a variable loads the tool or belongs to the runtime. The environments are printed
// without these variables.
static bool is_of_the_tool(const char *variable)
{
    static const char *const names[] = {
        "OTTER_", "OMP_TOOL_LIBRARIES=", "KOKKOS_TOOLS_LIBS=", "__KMP_REGISTERED_LIB_", "_="};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        if (strncmp(variable, names[i], strlen(names[i])) == 0) {
            return true;
        }
    }
    return false;
}

static void print_environment(void)
{
    for (char **at = environ; *at; at++) {
        if (!is_of_the_tool(*at)) {
            fprintf(out, "  environment %s\n", *at);
        }
    }
    char line[65536];
    FILE *child = popen("env | LC_ALL=C sort", "re");
    while (child && fgets(line, sizeof(line), child)) {
        if (!is_of_the_tool(line)) {
            fprintf(out, "  of a child %s", line);
        }
    }
    fprintf(out, "  child ended with %d\n", child ? pclose(child) : -1);
}

static void print_process(const char *when)
{
    fprintf(out, "%s\n", when);
    print_signals();
    print_descriptors();
    print_limits();
    print_library_state();
    print_environment();
    fflush(out);
}

// ---- calls

static struct {
    void (*init)(int, uint64_t, uint32_t, void *);
    void (*finalize)(void);
    void (*begin)(const char *, uint32_t, uint64_t *);
    void (*end)(uint64_t);
    void (*push)(const char *);
    void (*pop)(void);
} hooks;

static void load_hooks(void)
{
    static const char *const names[] = {
        "kokkosp_init_library",     "kokkosp_finalize_library",    "kokkosp_begin_parallel_for",
        "kokkosp_end_parallel_for", "kokkosp_push_profile_region", "kokkosp_pop_profile_region"};
    const char *path = getenv("KOKKOS_TOOLS_LIBS");
    void *library = path ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
    for (size_t i = 0; library && i < sizeof(names) / sizeof(*names); i++) {
        void *hook = dlsym(library, names[i]);
        memcpy((char *)&hooks + i * sizeof(hook), &hook, sizeof(hook));
    }
}

static omp_lock_t omp_lock;
static uint64_t kernel;

static void call_task(void)
{
#pragma omp task
    (void)0;
}

static void call_undeferred_task(void)
{
#pragma omp task if (0)
    (void)0;
}

static void call_task_with_dependence(void)
{
    int x = 0;
#pragma omp task depend(inout : x)
    (void)x;
#pragma omp taskwait
}

static void call_taskwait(void)
{
#pragma omp taskwait
}

static void call_taskgroup(void)
{
#pragma omp taskgroup
    call_task();
}

static void call_critical(void)
{
#pragma omp critical
    (void)0;
}

static void call_lock(void)
{
    omp_set_lock(&omp_lock);
    omp_unset_lock(&omp_lock);
}

static void call_parallel(void)
{
#pragma omp parallel num_threads(1)
    (void)0;
}

static void call_kernel(void)
{
    if (hooks.begin) {
        hooks.begin("kernel", 1, &kernel);
        hooks.end(kernel);
    }
}

static void call_region(void)
{
    if (hooks.push) {
        hooks.push("region");
        hooks.pop();
    }
}

static const struct {
    const char *name;
    void (*call)(void);
    bool is_of_all_threads;
} calls[] = {
    {"task", call_task, true},           {"undeferred task", call_undeferred_task, true},
    {"taskwait", call_taskwait, true},   {"depend", call_task_with_dependence, true},
    {"taskgroup", call_taskgroup, true}, {"critical", call_critical, true},
    {"lock", call_lock, true},           {"parallel", call_parallel, true},
    {"kernel", call_kernel, false},      {"region", call_region, true},
};
enum { N_CALLS = sizeof(calls) / sizeof(*calls) };

// ---- comparisons before and after calls

static const char *changed[N_THREADS][N_CALLS]; // the last difference
static struct thread_state before[N_THREADS], after[N_THREADS];

static void call_all(unsigned thread, long n_rounds)
{
    for (long i = 0; i < n_rounds; i++) {
        for (unsigned k = 0; k < N_CALLS; k++) {
            if (thread > 0 && !calls[k].is_of_all_threads) {
                continue;
            }
            errno = OUR_ERRNO;
            struct thread_state earlier = thread_state();
            errno = OUR_ERRNO;
            calls[k].call();
            struct thread_state later = thread_state();
            const char *found = difference(&earlier, &later);
            changed[thread][k] = found ? found : changed[thread][k];
        }
    }
}

// Runs a thread. The settings of the process are changed first, and must not change during the
// calls.
static void be_thread(unsigned thread, long n_rounds)
{
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR1 + (int)thread);
    pthread_sigmask(SIG_BLOCK, &mask, NULL);
    fesetround(thread ? FE_UPWARD : FE_DOWNWARD);
    flush_denormals();
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(thread ? FE_INEXACT : FE_OVERFLOW);
    errno = OUR_ERRNO;
    before[thread] = thread_state();
    call_all(thread, n_rounds);
    errno = OUR_ERRNO;
    after[thread] = thread_state();
}

static void print_threads(void)
{
    for (unsigned i = 0; i < N_THREADS; i++) {
        const char *found = difference(&before[i], &after[i]);
        fprintf(out, "thread %u: %s, float %x to %x\n", i, found ? found : "same",
                before[i].float_state, after[i].float_state);
        for (unsigned k = 0; k < N_CALLS; k++) {
            fprintf(out, "  %s: %s\n", calls[k].name, changed[i][k] ? changed[i][k] : "same");
        }
    }
}

static void on_signal(int number)
{
}

static void at_exit(void)
{
    print_process("exit handler");
}

int main(int argc, char **argv)
{
    out = stdout;
    long n_rounds = argc > 1 ? atol(argv[1]) : 1;
    if (argc > 2 && !(out = fopen(argv[2], "we"))) {
        return 2;
    }
    setlocale(LC_ALL, "C.UTF-8");
    umask(027);
    signal(SIGHUP, on_signal);
    signal(SIGPIPE, SIG_IGN);
    srand(1);
    srandom(2);
    srand48(3);
    atexit(at_exit);
    print_process("start");
    load_hooks();
    if (hooks.init) {
        hooks.init(0, 20240906, 0, NULL);
    }
    omp_init_lock(&omp_lock);
#pragma omp parallel num_threads(N_THREADS)
    be_thread((unsigned)omp_get_thread_num(), n_rounds);
    fesetenv(FE_DFL_ENV);
    print_process("midst");
    print_threads();
    omp_destroy_lock(&omp_lock);
    if (hooks.finalize) {
        hooks.finalize();
    }
    char line[64] = "";
    fprintf(out, "standard input: %s\n", fgets(line, sizeof(line), stdin) ? line : "none");
    print_process("end");
    return 17;
}
