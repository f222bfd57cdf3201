// Plays OpenMP and Kokkos on several threads, and counts the actions.
#include "play.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <omp.h>

enum { TASKS_A_STEP = 4, STEPS_BEFORE_ACT = 50 };

struct play play;

static void begun(unsigned player, enum happening what)
{
    play.tally->players[player].counts[what].begun++;
}

static void done(unsigned player, enum happening what, unsigned n)
{
    play.tally->players[player].counts[what].done += n;
}

static void compute(void)
{
    for (volatile int i = 0; i < 300; i++) {
    }
}

// ---- Kokkos: how it calls a tool

static struct {
    void *library;
    void (*init)(int, uint64_t, uint32_t, void *);
    void (*finalize)(void);
    void (*begin)(const char *, uint32_t, uint64_t *);
    void (*end)(uint64_t);
} kokkos;

static void find_hook(const char *name, void *hook, size_t size)
{
    void *found = dlsym(kokkos.library, name);
    if (!found || size != sizeof(found)) {
        fprintf(stderr, "no hook %s\n", name);
        exit(99);
    }
    memcpy(hook, &found, size);
}

void begin_kokkos(void)
{
    const char *path = getenv("KOKKOS_TOOLS_LIBS");
    if (!play.has_kokkos || !path) {
        return;
    }
    kokkos.library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (!kokkos.library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(99);
    }
    find_hook("kokkosp_init_library", &kokkos.init, sizeof(kokkos.init));
    find_hook("kokkosp_finalize_library", &kokkos.finalize, sizeof(kokkos.finalize));
    find_hook("kokkosp_begin_parallel_for", &kokkos.begin, sizeof(kokkos.begin));
    find_hook("kokkosp_end_parallel_for", &kokkos.end, sizeof(kokkos.end));
    kokkos.init(0, 20240906, 0, NULL);
}

void end_kokkos(void)
{
    if (kokkos.library) {
        kokkos.finalize();
    }
}

void close_kokkos(void)
{
    if (kokkos.library) {
        dlclose(kokkos.library);
    }
}

// ---- a step

static void play_task(void (*act)(void))
{
    unsigned self = (unsigned)omp_get_thread_num() % MAX_PLAYERS;
    done(self, TASK_STARTED, 1);
    compute();
    if (act) {
        act();
    }
    begun(self, TASK_ENDED);
}

// The tasks have ended when this returns. In a team, other members may have executed them.
static void play_tasks(unsigned player, void (*act)(void))
{
    for (unsigned i = 0; i < TASKS_A_STEP; i++) {
        begun(player, TASK_CREATED);
        begun(player, TASK_STARTED);
#pragma omp task if (!act)
        play_task(act);
        done(player, TASK_CREATED, 1);
    }
#pragma omp taskwait
    done(player, TASK_ENDED, TASKS_A_STEP);
}

static void play_step_and(unsigned player, void (*act)(void))
{
    uint64_t kernel = 0;
    if (kokkos.library) {
        begun(player, KERNEL_BEGUN);
        kokkos.begin("kernel", 1, &kernel);
        done(player, KERNEL_BEGUN, 1);
    }
    if (play.has_openmp) {
        play_tasks(player, act);
    } else {
        compute();
        if (act) {
            act();
        }
    }
    if (kokkos.library) {
        begun(player, KERNEL_ENDED);
        kokkos.end(kernel);
        done(player, KERNEL_ENDED, 1);
    }
    if (play.tally->phase == PHASE_STARTING) {
        play.tally->phase = PHASE_RECORDING;
    }
}

void play_step(unsigned player)
{
    play_step_and(player, NULL);
}

// ---- on all threads

struct round {
    unsigned n_steps;
    void (*act)(void);
};

struct member {
    const struct round *round;
    unsigned number;
    pthread_t thread;
};

static void be_member(const struct round *round, unsigned number)
{
    for (unsigned i = 0; round->n_steps == 0 || i < round->n_steps; i++) {
        bool is_to_act = number == play.n_threads - 1 && i == STEPS_BEFORE_ACT;
        play_step_and(number, is_to_act ? round->act : NULL);
    }
}

static void *start_member(void *user)
{
    const struct member *member = user;
    be_member(member->round, member->number);
    return NULL;
}

static void play_on_threads(const struct round *round)
{
    struct member members[MAX_PLAYERS];
    for (unsigned i = 1; i < play.n_threads; i++) {
        members[i] = (struct member){.round = round, .number = i};
        if (pthread_create(&members[i].thread, NULL, start_member, &members[i])) {
            abort();
        }
    }
    be_member(round, 0);
    for (unsigned i = 1; i < play.n_threads; i++) {
        pthread_join(members[i].thread, NULL);
    }
}

void play_on_all_threads(unsigned n_steps, void (*act)(void))
{
    const struct round round = {.n_steps = n_steps, .act = act};
    if (!play.has_openmp) {
        play_on_threads(&round);
        return;
    }
#pragma omp parallel num_threads(play.n_threads)
    be_member(&round, (unsigned)omp_get_thread_num());
}
