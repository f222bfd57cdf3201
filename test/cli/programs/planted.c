// Executes functions with known shares of the time: planted [kill | fork | late | touch]. `heavy`
// takes three times as long as `light`, and is called by `carrier`.
// - kill: the program is killed at its end
// - fork: at its end, a child process executes `heavy`
// - late: it opens zlib at its end, and each thread computes checksums
// - touch: instead, each task touches N_PAGES new pages
#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline))
#define INSIDE static inline __attribute__((always_inline))

enum { N_TASKS = 300, N_STEPS = 200000, N_PAGES = 64 };

APART double heavy(double x)
{
    for (long i = 0; i < 3L * N_STEPS; i++) {
        x = x * 1.0000001 + 1e-9; // heavy's line
    }
    return x;
}

APART double carrier(double x)
{
    return heavy(x) + 1;
}

APART double light(double x)
{
    for (long i = 0; i < N_STEPS; i++) {
        x = x * 1.0000001 + 1e-9;
    }
    return x;
}

INSIDE double inner(double x)
{
    for (long i = 0; i < N_STEPS; i++) {
        x = x * 1.0000002 + 1e-9;
    }
    return x;
}

APART double outer(double x)
{
    return inner(x) + 1;
}

static volatile double sink;

static int use_late_library(void)
{
    static const unsigned char zeros[1 << 20];
    void *library = dlopen("libz.so.1", RTLD_NOW);
    unsigned long (*checksum)(unsigned long, const unsigned char *, unsigned) =
        library ? (unsigned long (*)(unsigned long, const unsigned char *, unsigned))dlsym(
                      library, "adler32")
                : 0;
    if (!checksum) {
        return 1;
    }
#pragma omp parallel num_threads(2)
    for (int i = 0; i < 1000; i++) {
        checksum(1, zeros, sizeof zeros);
    }
    return 0;
}

static int touch(void)
{
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    char *pages =
        mmap(0, N_PAGES * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (size_t i = 0; pages != MAP_FAILED && i < N_PAGES; i++) {
        pages[i * size] = 1;
    }
    return pages == MAP_FAILED || munmap(pages, N_PAGES * size);
}

static int touch_in_tasks(void)
{
    int n_failed = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < N_TASKS; i++) {
#pragma omp task shared(n_failed)
        if (touch()) {
#pragma omp atomic
            n_failed++;
        }
    }
    return n_failed;
}

static int fork_busy_child(void)
{
    int status = 1;
    pid_t child = fork();
    for (int i = 0; child == 0 && i < N_TASKS; i++) {
        sink = heavy(i);
    }
    if (child == 0) {
        _exit(0);
    }
    return waitpid(child, &status, 0) != child || status;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "touch") == 0) {
        return touch_in_tasks();
    }
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < N_TASKS; i++) {
#pragma omp task
        sink = carrier(i) + light(i) + outer(i);
    }
    if (argc > 1 && strcmp(argv[1], "kill") == 0) {
        raise(SIGKILL);
    }
    if (argc > 1 && strcmp(argv[1], "fork") == 0) {
        return fork_busy_child();
    }
    return argc > 1 && strcmp(argv[1], "late") == 0 ? use_late_library() : 0;
}
