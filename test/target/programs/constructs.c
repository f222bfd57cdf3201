// Every target construct, one after the other.
#include "offload.h"

enum { N = 100 };

#pragma omp declare target
static int counter;
#pragma omp end declare target

int main(void)
{
    int x[N] = {0}, sum = 0;
#pragma omp target
    counter++;
#pragma omp target map(tofrom : x)
    for (int i = 0; i < N; i++) {
        x[i] += i;
    }
#pragma omp target data map(tofrom : x)
    {
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(2)
        for (int i = 0; i < N; i++) {
            x[i] *= 2;
        }
#pragma omp target update from(x[0 : N / 2])
        CHECK(x[1] == 2);
        x[1] = 7;
#pragma omp target update to(x[0 : N / 2])
    }
#pragma omp target enter data map(to : x) map(alloc : sum)
#pragma omp target parallel for reduction(+ : sum)
    for (int i = 0; i < N; i++) {
        sum += x[i];
    }
#pragma omp target exit data map(from : sum) map(release : x)
    CHECK(x[1] == 7);
    printf("x[2] %d\n", x[2]);
    return 0;
}
