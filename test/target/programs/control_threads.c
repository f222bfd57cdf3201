// All members of a team offload, and any of them switches recording on and off: pauses cut through whatever the others do.
#include "offload.h"
#include "otter/control.h"

enum { N = 4, ROUNDS = 60 };

int main(void)
{
    int sums[N] = {0}, n = omp_get_num_devices();
#pragma omp parallel for num_threads(N)
    for (int i = 0; i < N; i++) {
        int sum = 0, values[10] = {0};
        for (int round = 0; round < ROUNDS; round++) {
#pragma omp target data map(tofrom : values) device(i % n)
            {
                if ((round + i) % 5 == 0) {
                    otter_pause();
                }
#pragma omp target map(tofrom : sum) device(i % n)
                sum += round;
#pragma omp target update to(values) device(i % n)
                if ((round + i) % 3 == 0) {
                    otter_start();
                }
            }
        }
        sums[i] = sum;
    }
    otter_start();
    printf("sums %d %d\n", sums[0], sums[N - 1]);
    return 0;
}
