// Every member of a team computes many times, on its own device.
#include "offload.h"

enum { N = 4, ROUNDS = 50 };

int main(void)
{
    int sums[N] = {0}, n = omp_get_num_devices();
#pragma omp parallel for num_threads(N)
    for (int i = 0; i < N; i++) {
        int sum = 0;
        for (int round = 0; round < ROUNDS; round++) {
#pragma omp target map(tofrom : sum) device(i % n)
            sum += round;
        }
        sums[i] = sum;
    }
    printf("sums %d %d\n", sums[0], sums[N - 1]);
    return 0;
}
