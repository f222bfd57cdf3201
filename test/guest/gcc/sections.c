// Each section is executed once: in a team, in a team of one thread, nested, and outside of a
// region.
#include <stdio.h>

enum { N = 8 };

static int counts[N];

static void count(int i)
{
    __atomic_fetch_add(&counts[i], 1, __ATOMIC_RELAXED);
}

static void orphan(int first)
{
#pragma omp sections
    {
        count(first);
#pragma omp section
        count(first + 1);
    }
}

static void nested(void)
{
#pragma omp parallel sections num_threads(2)
    {
        count(4);
#pragma omp section
        count(5);
    }
}

int main(void)
{
    int last = 0;
    for (int threads = 1; threads <= 4; threads++) {
#pragma omp parallel sections num_threads(threads) lastprivate(last)
        {
            count(0);
#pragma omp section
            nested();
#pragma omp section
            last = threads;
        }
#pragma omp parallel num_threads(threads)
        {
            orphan(1);
#pragma omp sections nowait
            {
                count(3);
            }
        }
        printf("%d\n", last);
    }
#pragma omp parallel sections if (0)
    {
        count(7);
    }
    orphan(1);
    for (int i = 0; i < N; i++) {
        printf("%d ", counts[i]);
    }
    puts("");
    return 0;
}
