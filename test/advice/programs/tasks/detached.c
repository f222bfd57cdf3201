// Tasks read ahead asynchronously: each is complete when another thread fulfils its event. The
// program waits for each task before it creates the next.
#include <omp.h>
#include <pthread.h>
#include <stdint.h>

#include "../pair.h"

enum { N = 24 };

static void *read_block(void *event)
{
    rest(15);
    omp_fulfill_event((omp_event_handle_t)(uintptr_t)event);
    return NULL;
}

static void begin_reading(omp_event_handle_t event)
{
    pthread_t reader;
    pthread_create(&reader, NULL, read_block, (void *)(uintptr_t)event);
    pthread_detach(reader);
}

void before(void)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < N; i++) {
        omp_event_handle_t event;
#pragma omp task detach(event) // HERE
        begin_reading(event);
#pragma omp taskwait
        for (int k = 0; k < 2; k++) {
#pragma omp task
            rest(5);
        }
    }
}

void after(void)
{
    static char blocks[N];
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < N; i++) {
        omp_event_handle_t event;
#pragma omp task detach(event) depend(out : blocks[i])
        begin_reading(event);
        for (int k = 0; k < 2; k++) {
#pragma omp task depend(in : blocks[i])
            rest(5);
        }
    }
}
