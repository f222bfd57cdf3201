// Does unusual things and ends with 7: unusual CASE.
//
// - first, chunk, hook: a cancelled thread without a cancellation point of its own makes its first
//   OpenMP call, enough calls to store a chunk, or its first call of a hook
// - closed: writing to a closed standard output fails
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    return strcmp(what, "closed") == 0 ? write_while_closed() : cancel(what);
}
