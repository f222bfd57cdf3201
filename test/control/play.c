// Pauses and starts recording on threads while they and others record, without a runtime: for
// ThreadSanitizer. Argument: seed.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "otter/record.h"

enum { N_THREADS = 4, N_ROUNDS = 60, N_DEEP = 3 };

static const char code[16]; // addresses of the program

static void flip(unsigned *random)
{
    *random = *random * 1103515245u + 12345u;
    switch (*random >> 24 & 31) {
    case 0: otter_control_pause(); break;
    case 1: otter_control_start(); break;
    case 2: otter_control_toggle(); break;
    case 3: otter_control_flush(); break;
    default: break;
    }
}

static void execute(unsigned *random, int depth)
{
    otter_task tasks[3];
    for (int i = 0; i < 3; i++) {
        tasks[i] = otter_task_create(NULL, 0, &code[1]);
        otter_parameter(OTTER_PARAMETER_DEPEND_IN, 8);
        flip(random);
    }
    otter_enter(OTTER_CONSTRUCT_TASKWAIT, 0, &code[2]);
    for (int i = 0; i < 3; i++) {
        flip(random);
        otter_task_switch(NULL, &tasks[i]);
        otter_mutex_acquire(OTTER_CONSTRUCT_CRITICAL, 0, 16, &code[3]);
        flip(random);
        otter_mutex_acquired(OTTER_CONSTRUCT_CRITICAL, 0, 16, &code[3]);
        flip(random);
        otter_mutex_released(OTTER_CONSTRUCT_CRITICAL, 0, 16, &code[3]);
        if (depth > 0) {
            otter_parallel region = otter_parallel_begin(OTTER_CONSTRUCT_PARALLEL, 1, &code[4]);
            flip(random);
            otter_implicit_task_begin(region, 1, 0);
            execute(random, depth - 1);
            otter_implicit_task_end();
            flip(random);
            otter_parallel_end(region);
        }
        otter_task_end(&tasks[i], OTTER_TASK_END_COMPLETE, NULL);
    }
    otter_leave(OTTER_CONSTRUCT_TASKWAIT);
}

static void *run(void *seed)
{
    unsigned random = (unsigned)(uintptr_t)seed;
    otter_thread_begin(OTTER_THREAD_INITIAL);
    otter_initial_task_begin();
    for (int i = 0; i < N_ROUNDS; i++) {
        execute(&random, i % 10 == 0 ? N_DEEP : 0);
    }
    otter_implicit_task_end();
    otter_thread_end();
    return NULL;
}

int main(int argc, char **argv)
{
    uintptr_t seed = argc > 1 ? (uintptr_t)atoi(argv[1]) : 1;
    pthread_t threads[N_THREADS];
    if (!otter_attach("play")) {
        return 2;
    }
    for (unsigned i = 0; i < N_THREADS; i++) {
        if (pthread_create(&threads[i], NULL, run, (void *)(seed * 100 + i))) {
            return 2;
        }
    }
    for (unsigned i = 0; i < N_THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    otter_detach("play");
    return 0;
}
