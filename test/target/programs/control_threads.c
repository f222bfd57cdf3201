// Members of a team offload while another member switches recording on and off, once during each
// kernel of member 1. Constructs then end during a pause, or began during a pause.
#include <sched.h>

#include "offload.h"
#include "otter/control.h"

enum { N = 3, ROUNDS = 50, N_VALUES = 1 << 14 };

// The devices are part of the host, so kernels see its memory.
struct gate {
    int n_arrived, n_passed;
};

static int all_values[N][N_VALUES];

static void flip(struct gate *gate)
{
    for (int round = 0; round < ROUNDS; round++) {
        while (__atomic_load_n(&gate->n_arrived, __ATOMIC_ACQUIRE) <= round) {
            sched_yield();
        }
        if (round % 2 == 0) {
            otter_pause();
        } else {
            otter_start();
        }
        __atomic_store_n(&gate->n_passed, round + 1, __ATOMIC_RELEASE);
    }
}

static int offload_and_wait(int *values, struct gate *gate)
{
    int sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
#pragma omp target map(tofrom : sum, values[0 : N_VALUES]) is_device_ptr(gate)
        {
            sum += round;
            __atomic_store_n(&gate->n_arrived, round + 1, __ATOMIC_RELEASE);
            while (__atomic_load_n(&gate->n_passed, __ATOMIC_ACQUIRE) <= round) {
            }
        }
    }
    return sum;
}

static int offload(int *values, int device)
{
    int sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
#pragma omp target data map(tofrom : values[0 : N_VALUES]) device(device)
        {
#pragma omp target map(tofrom : sum) device(device)
            sum += round;
#pragma omp target update to(values[0 : N_VALUES]) device(device)
        }
    }
    return sum;
}

int main(void)
{
    int sums[N] = {0}, n = omp_get_num_devices();
    struct gate gate = {0};
#pragma omp parallel num_threads(N)
    switch (omp_get_thread_num()) {
    case 0: flip(&gate); break;
    case 1: sums[1] = offload_and_wait(all_values[1], &gate); break;
    default: sums[2] = offload(all_values[2], 2 % n); break;
    }
    printf("sums %d %d\n", sums[1], sums[2]);
    return 0;
}
