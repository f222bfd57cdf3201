// A Kokkos tool that forwards calls to a next tool, as the filter and the sampler of kokkos-tools
// do. It finds the next tool in the list of tools that Kokkos also reads. It forwards the session's
// hooks and some of the kernels.
//
// Built without macros, it omits kernels whose whole label matches the expression KOKKOS_FILTER. It
// assigns its own numbers, from 0 on, to the others, and does not say that it needs no fences.
// Built with SAMPLER, it forwards every third kernel of a kind, and ends reductions as scans.
#include <dlfcn.h>
#include <pthread.h>
#include <regex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ACTIVE = 4096, SAMPLED = 3 };

enum kind { FOR, REDUCE, SCAN, N_KINDS };

struct next {
    void (*init)(int, uint64_t, uint32_t, void *);
    void (*finalize)(void);
    void (*begin[N_KINDS])(const char *, uint32_t, uint64_t *);
    void (*end[N_KINDS])(uint64_t);
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct next next;

static void *hook(void *library, const char *name)
{
    void *function = dlsym(library, name);
    if (!function) {
        fprintf(stderr, "the next tool has no %s\n", name);
        abort();
    }
    return function;
}

static void load_next(int sequence)
{
    const char *tools = getenv("KOKKOS_TOOLS_LIBS");
    char *list = strdup(tools ? tools : getenv("KOKKOS_PROFILE_LIBRARY"));
    char *rest = NULL, *name = strtok_r(list, ";", &rest);
    for (int i = 0; i <= sequence && name; i++) {
        name = strtok_r(NULL, ";", &rest);
    }
    void *library = name ? dlopen(name, RTLD_NOW | RTLD_GLOBAL) : NULL;
    if (!library) {
        fprintf(stderr, "no next tool in %s\n", tools);
        abort();
    }
    next.init = (void (*)(int, uint64_t, uint32_t, void *))hook(library, "kokkosp_init_library");
    next.finalize = (void (*)(void))hook(library, "kokkosp_finalize_library");
    static const char *const kinds[] = {"for", "reduce", "scan"};
    for (int kind = 0; kind < N_KINDS; kind++) {
        char symbol[64];
        snprintf(symbol, sizeof(symbol), "kokkosp_begin_parallel_%s", kinds[kind]);
        next.begin[kind] = (void (*)(const char *, uint32_t, uint64_t *))hook(library, symbol);
        snprintf(symbol, sizeof(symbol), "kokkosp_end_parallel_%s", kinds[kind]);
        next.end[kind] = (void (*)(uint64_t))hook(library, symbol);
    }
    free(list);
}

void kokkosp_init_library(int sequence, uint64_t version, uint32_t n_devices, void *devices);
void kokkosp_init_library(int sequence, uint64_t version, uint32_t n_devices, void *devices)
{
    load_next(sequence);
    next.init(sequence + 1, version, n_devices, devices);
}

void kokkosp_finalize_library(void);
void kokkosp_finalize_library(void)
{
    next.finalize();
}

#ifdef SAMPLER

struct settings {
    bool requires_global_fencing;
    bool padding[255];
};

void kokkosp_request_tool_settings(uint32_t n, struct settings *settings);
void kokkosp_request_tool_settings(uint32_t n, struct settings *settings)
{
    settings->requires_global_fencing = false;
}

// Begins a kernel; sets the number to 0 if the kernel is not forwarded.
static void begin(enum kind kind, const char *name, uint32_t device, uint64_t *number)
{
    static int n_launched[N_KINDS];
    pthread_mutex_lock(&lock);
    bool is_passed = ++n_launched[kind] % SAMPLED == 0;
    pthread_mutex_unlock(&lock);
    *number = is_passed;
    if (is_passed) {
        next.begin[kind](name, device, number);
    }
}

static void end(enum kind kind, uint64_t number)
{
    if (number != 0) {
        next.end[kind == REDUCE ? SCAN : kind](number);
    }
}

#else

// Numbers of kernels whose end is forwarded. Some may equal numbers that this tool itself assigned.
static uint64_t active[MAX_ACTIVE];
static int n_active;

static bool fits(const char *name)
{
    regex_t expression;
    regmatch_t match;
    if (regcomp(&expression, getenv("KOKKOS_FILTER"), REG_EXTENDED) != 0) {
        abort();
    }
    bool is_found = regexec(&expression, name, 1, &match, 0) == 0;
    regfree(&expression);
    return is_found && match.rm_so == 0 && name[match.rm_eo] == '\0';
}

static void begin(enum kind kind, const char *name, uint32_t device, uint64_t *number)
{
    static uint64_t n_left_out;
    bool is_passed = fits(name);
    if (is_passed) {
        next.begin[kind](name, device, number);
    }
    pthread_mutex_lock(&lock);
    if (!is_passed) {
        *number = n_left_out++;
    } else if (n_active < MAX_ACTIVE) {
        active[n_active++] = *number;
    }
    pthread_mutex_unlock(&lock);
}

static void end(enum kind kind, uint64_t number)
{
    bool is_passed = false;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < n_active && !is_passed; i++) {
        is_passed = active[i] == number;
        if (is_passed) {
            active[i] = active[--n_active];
        }
    }
    pthread_mutex_unlock(&lock);
    if (is_passed) {
        next.end[kind](number);
    }
}

#endif

#define KERNEL(name, kind)                                                                         \
    void kokkosp_begin_##name(const char *label, uint32_t device, uint64_t *number);               \
    void kokkosp_begin_##name(const char *label, uint32_t device, uint64_t *number)                \
    {                                                                                              \
        begin(kind, label, device, number);                                                        \
    }                                                                                              \
    void kokkosp_end_##name(uint64_t number);                                                      \
    void kokkosp_end_##name(uint64_t number)                                                       \
    {                                                                                              \
        end(kind, number);                                                                         \
    }

KERNEL(parallel_for, FOR)
KERNEL(parallel_reduce, REDUCE)
KERNEL(parallel_scan, SCAN)
