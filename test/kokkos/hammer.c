// Calls the hooks of libotter-kokkos.so from many threads at once.
//
// usage: hammer LIBRARY THREADS ROUNDS MODE
// - all: as Kokkos does
// - bare: hooks before, and without, kokkosp_init_library
// - late: kokkosp_finalize_library during other calls
// - live: each thread has ROUNDS open sections, and a quarter as many kernels
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_LABELS = 7, BLOCK = 64 };

struct space {
    char name[64];
};

// In the order of hook_names.
static struct {
    void (*init)(int, uint64_t, uint32_t, void *);
    void (*finalize)(void);
    void (*metadata)(const char *, const char *);
    void (*begin_for)(const char *, uint32_t, uint64_t *);
    void (*end_for)(uint64_t);
    void (*begin_reduce)(const char *, uint32_t, uint64_t *);
    void (*end_reduce)(uint64_t);
    void (*begin_fence)(const char *, uint32_t, uint64_t *);
    void (*end_fence)(uint64_t);
    void (*push)(const char *);
    void (*pop)(void);
    void (*create_section)(const char *, uint32_t *);
    void (*start_section)(uint32_t);
    void (*stop_section)(uint32_t);
    void (*destroy_section)(uint32_t);
    void (*event)(const char *);
    void (*allocate)(struct space, const char *, const void *, uint64_t);
    void (*deallocate)(struct space, const char *, const void *, uint64_t);
    void (*begin_copy)(struct space, const char *, const void *, struct space, const char *,
                       const void *, uint64_t);
    void (*end_copy)(void);
    void (*sync)(const char *, const void *, bool);
    void (*modify)(const char *, const void *, bool);
} hooks;

static const char *const hook_names[] = {
    "init_library",          "finalize_library",     "declare_metadata",
    "begin_parallel_for",    "end_parallel_for",     "begin_parallel_reduce",
    "end_parallel_reduce",   "begin_fence",          "end_fence",
    "push_profile_region",   "pop_profile_region",   "create_profile_section",
    "start_profile_section", "stop_profile_section", "destroy_profile_section",
    "profile_event",         "allocate_data",        "deallocate_data",
    "begin_deep_copy",       "end_deep_copy",        "dual_view_sync",
    "dual_view_modify",
};

static int n_rounds;
static uint32_t shared_section = UINT32_MAX; // none
static pthread_barrier_t at_once;
static bool is_late, is_live;
static atomic_bool is_over;

static bool load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return false;
    }
    for (size_t i = 0; i < sizeof(hook_names) / sizeof(*hook_names); i++) {
        char name[64];
        snprintf(name, sizeof(name), "kokkosp_%s", hook_names[i]);
        void *hook = dlsym(library, name);
        if (!hook) {
            fprintf(stderr, "no hook %s\n", name);
            return false;
        }
        memcpy((char *)&hooks + i * sizeof(hook), &hook, sizeof(hook));
    }
    return true;
}

// Labels are temporaries: all threads use some of them, and only this thread uses others.
static void use_kernels(int thread, int round)
{
    char label[32];
    uint64_t kernel = 0, inner = 0, fence = 0;
    snprintf(label, sizeof(label), "shared %d", round % N_LABELS);
    hooks.begin_for(label, 0x01000001, &kernel);
    snprintf(label, sizeof(label), "own %d %d", thread, round % N_LABELS);
    hooks.begin_reduce(label, 0x00000001, &inner);
    hooks.begin_fence("user", (uint32_t)(2 + round % 4) << 24 | (uint32_t)round % 3, &fence);
    hooks.end_fence(fence);
    hooks.end_reduce(inner);
    hooks.end_for(kernel);
}

static void use_memory(int thread)
{
    char mine;
    struct space space = {"Host"}, other = {"Cuda"};
    hooks.allocate(space, "block", &mine, BLOCK); // an address that only this thread uses
    hooks.begin_copy(space, "to", hook_names, other, "from", hook_names, BLOCK);
    hooks.end_copy();
    hooks.sync("both", hook_names, thread % 2);
    hooks.modify("both", hook_names, thread % 2);
    hooks.deallocate(space, "block", &mine, BLOCK);
}

static void use_sections(int thread, int round)
{
    char name[32];
    uint32_t section = 0;
    snprintf(name, sizeof(name), "section of %d", thread);
    hooks.create_section(name, &section);
    hooks.start_section(section);
    if (shared_section != UINT32_MAX) {
        hooks.start_section(shared_section);
        hooks.stop_section(shared_section);
    }
    hooks.stop_section(section);
    hooks.destroy_section(section);
    hooks.event(name);
    snprintf(name, sizeof(name), "key %d", round % N_LABELS);
    hooks.metadata(name, "value");
}

// Creates sections again, so that numbers of destroyed sections are reused.
static void create_and_start(uint32_t *sections, int round)
{
    char name[512];
    memset(name, 'n', sizeof(name));
    snprintf(name + (round % 100 ? 0 : 300), 32, "section %d", round % N_LABELS);
    hooks.create_section(name, &sections[round]);
    if (round % 3 == 0) {
        hooks.destroy_section(sections[round]);
        hooks.create_section(name, &sections[round]);
    }
    hooks.start_section(sections[round]);
}

static void *hold_many(void *argument)
{
    uint32_t *sections = calloc((size_t)n_rounds, sizeof(*sections));
    uint64_t *kernels = calloc((size_t)n_rounds, sizeof(*kernels));
    pthread_barrier_wait(&at_once);
    for (int round = 0; round < n_rounds; round++) {
        create_and_start(sections, round);
        if (round % 4 == 0) {
            hooks.stop_section(0); // no section has this number
            hooks.begin_for("kernel", 0x01000001, &kernels[round]);
        }
    }
    for (int round = n_rounds - 1; round >= 0; round--) {
        if (round % 4 == 0) {
            hooks.end_for(kernels[round]);
        }
        if (round % 2 == 0) {
            hooks.stop_section(sections[round]);
        }
        hooks.destroy_section(sections[round]);
    }
    free(kernels);
    free(sections);
    return NULL;
}

static void *call_hooks(void *argument)
{
    int thread = (int)(intptr_t)argument;
    if (is_live) {
        return hold_many(argument);
    }
    pthread_barrier_wait(&at_once);
    for (int round = 0; round < n_rounds || (is_late && !atomic_load(&is_over)); round++) {
        if (is_late && round == n_rounds) {
            pthread_barrier_wait(&at_once); // now the library has something to finalise
        }
        hooks.push("round");
        use_kernels(thread, round);
        use_memory(thread);
        use_sections(thread, round);
        hooks.pop();
    }
    return NULL;
}

static bool run(int n_threads)
{
    pthread_t threads[64];
    int n = 0;
    pthread_barrier_init(&at_once, NULL, (unsigned)n_threads + 1);
    while (n < n_threads &&
           pthread_create(&threads[n], NULL, call_hooks, (void *)(intptr_t)n) == 0) {
        n++;
    }
    if (n < n_threads) {
        return false;
    }
    pthread_barrier_wait(&at_once);
    if (is_late) {
        pthread_barrier_wait(&at_once);
        hooks.finalize();
        atomic_store(&is_over, true);
    }
    for (int i = 0; i < n; i++) {
        pthread_join(threads[i], NULL);
    }
    pthread_barrier_destroy(&at_once);
    return true;
}

int main(int argc, char **argv)
{
    if (argc != 5 || !load(argv[1])) {
        return 2;
    }
    int n_threads = atoi(argv[2]);
    const char *mode = argv[4];
    n_rounds = atoi(argv[3]);
    is_late = strcmp(mode, "late") == 0;
    is_live = strcmp(mode, "live") == 0;
    if (n_threads < 1 || n_threads > 64) {
        return 2;
    }
    if (strcmp(mode, "bare") != 0) {
        hooks.init(0, 20240906, 0, NULL);
        hooks.create_section("shared section", &shared_section);
    }
    if (!run(n_threads)) {
        return 2;
    }
    if (strcmp(mode, "all") == 0 || is_live) {
        hooks.finalize();
    }
    puts("end");
    return 0;
}
