// Runs the command `otter` again and again, and fails one allocation in each run.
//
// allocations OUT ERR EXCEPT-BEGIN EXCEPT-END ARGUMENT...   (without the command's name)
//
// Reads numbers from standard input, one a line. For N it runs the command in a child, in which the
// N-th allocation fails, which ends the command as in cli/request/memory.c; 0: none. OUT and ERR
// receive the child's output. For each number, writes a line with the child's status (or -SIGNAL)
// and the return addresses of the failed allocation. For 0, a line for each allocation follows, and
// an empty line. Allocations by the code from
// EXCEPT-BEGIN to EXCEPT-END, which is OTF2, never fail. Addresses are relative to the start of the
// executable.
//
// The linker replaces the functions (--wrap), also `main`. Large arrays get ordinary memory.
#include <dirent.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_FRAMES = 6, N_OWN = 2, MOST = 1 << 17, PATIENCE = 120 };

struct site {
    uint64_t frames[N_FRAMES];
};

static struct { // shared with the child
    _Atomic uint64_t n;
    struct site sites[MOST];
} *seen;

static uint64_t failing, except_begin, except_end;
static bool is_counting; // in the child
static _Thread_local bool is_inside;

int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);
extern const char __executable_start[], etext[];

// ---- which allocation fails

static uint64_t place_of(const void *address)
{
    return (uint64_t)((uintptr_t)address - (uintptr_t)__executable_start);
}

static void store_site(struct site *site)
{
    void *frames[N_FRAMES + N_OWN];
    is_inside = true;
    int n = backtrace(frames, N_FRAMES + N_OWN);
    is_inside = false;
    for (int i = N_OWN; i < n; i++) {
        bool is_own =
            (const char *)frames[i] >= __executable_start && (const char *)frames[i] < etext;
        site->frames[i - N_OWN] = is_own ? place_of(frames[i]) : 0;
    }
}

static bool fails(const void *caller)
{
    uint64_t place = place_of(caller);
    if (!is_counting || is_inside || (place >= except_begin && place < except_end)) {
        return false;
    }
    uint64_t n = atomic_fetch_add(&seen->n, 1) + 1;
    if (n <= MOST && (failing == 0 || n == failing)) {
        store_site(&seen->sites[n - 1]);
    }
    if (n != failing) {
        return false;
    }
    errno = ENOMEM;
    return true;
}

#define FAILS fails(__builtin_return_address(0))

_Noreturn void otter_end_without_memory(size_t size);

#define END_IF_FAILS(size) FAILS ? otter_end_without_memory(size) : (void)0

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *items, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t size);
FILE *__real_fdopen(int file, const char *mode);
DIR *__real_opendir(const char *path);

void *__wrap_malloc(size_t size)
{
    END_IF_FAILS(size);
    return __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    END_IF_FAILS(n * size);
    return __real_calloc(n, size);
}

void *__wrap_realloc(void *items, size_t size)
{
    END_IF_FAILS(size);
    return __real_realloc(items, size);
}

char *__wrap_strdup(const char *text)
{
    END_IF_FAILS(1);
    return __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t size)
{
    END_IF_FAILS(size);
    return __real_strndup(text, size);
}

FILE *__wrap_fdopen(int file, const char *mode)
{
    END_IF_FAILS(1);
    return __real_fdopen(file, mode);
}

DIR *__wrap_opendir(const char *path)
{
    END_IF_FAILS(1);
    return __real_opendir(path);
}

// ---- runs

static void redirect(int to, const char *path)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || dup2(file, to) < 0) {
        _exit(125);
    }
    close(file);
}

static int run(char **files, int argc, char **argv)
{
    seen->n = 0;
    pid_t child = fork();
    if (child == 0) {
        alarm(PATIENCE);
        redirect(STDIN_FILENO + 1, files[0]);
        redirect(STDERR_FILENO, files[1]);
        is_counting = true;
        exit(__real_main(argc, argv));
    }
    int status = 0;
    while (child < 0 || (waitpid(child, &status, 0) < 0 && errno != EINTR)) {
        exit(1);
    }
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static void print_site(const struct site *site)
{
    for (int i = 0; i < N_FRAMES; i++) {
        printf(" %" PRIx64, site->frames[i]);
    }
    printf("\n");
}

static void answer(int status)
{
    static const struct site none;
    uint64_t n = seen->n < MOST ? seen->n : MOST;
    printf("%d", status);
    print_site(failing > 0 && failing <= n ? &seen->sites[failing - 1] : &none);
    for (uint64_t i = 0; i < n && failing == 0; i++) {
        print_site(&seen->sites[i]);
    }
    if (failing == 0) {
        printf("\n");
    }
    fflush(stdout);
}

int __wrap_main(int argc, char **argv)
{
    enum { N_FIXED = 5 };
    seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (argc <= N_FIXED || seen == MAP_FAILED) {
        fprintf(stderr, "usage: allocations OUT ERR EXCEPT-BEGIN EXCEPT-END ARGUMENT...\n");
        return 2;
    }
    except_begin = strtoull(argv[3], NULL, 16);
    except_end = strtoull(argv[4], NULL, 16);
    argv[N_FIXED - 1] = argv[0];
    void *first[1];
    (void)backtrace(first, 1); // loads the unwinder
    char line[32];
    while (fgets(line, sizeof line, stdin)) {
        failing = strtoull(line, NULL, 10);
        answer(run(&argv[1], argc - N_FIXED + 1, &argv[N_FIXED - 1]));
    }
    return 0;
}
