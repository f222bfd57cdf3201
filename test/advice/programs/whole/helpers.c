// Threads of the program that are not OpenMP's compute a checksum in each step: four threads take
// turns on two processors. It is enough to compute it once.
#include <omp.h>
#include <pthread.h>

#include "../pair.h"

enum { N = 240, STEPS = 100, HELPERS = 2 };

static unsigned long sums[N];
static int n_checksums;

static void *compute_checksums(void *sum)
{
    for (int i = 0; i < n_checksums; i++) {
        *(unsigned long *)sum += compute(1000000);
    }
    return NULL;
}

void before(void)
{
    pthread_t helpers[HELPERS];
    unsigned long checksums[HELPERS] = {0};
    n_checksums = n_checksums > 0 ? n_checksums : STEPS;
    for (int i = 0; i < HELPERS; i++) {
        pthread_create(&helpers[i], NULL, compute_checksums, &checksums[i]);
    }
#pragma omp parallel
    for (int r = 0; r < STEPS; r++) {
#pragma omp for
        for (int i = 0; i < N; i++) {
            sums[i] += compute(8000);
        }
    }
    for (int i = 0; i < HELPERS; i++) {
        pthread_join(helpers[i], NULL);
    }
}

void after(void)
{
    n_checksums = 1;
    before();
}
