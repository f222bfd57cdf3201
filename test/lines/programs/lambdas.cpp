// Constructs in lambdas that the compiler inlines, together with their functions.
#include <cstdio>

template <class Body> static int sum_of(Body body)
{
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += body(i);
    }
    return sum;
}

static int forks(int n)
{
    return sum_of([=](int i) {
        int x = 0;
#pragma omp parallel num_threads(2) // HERE parallel forks
        {
#pragma omp critical // HERE critical forks
            x += i + n;
        }
        return x;
    });
}

static int makes_tasks()
{
    return sum_of([](int i) {
        int x = 0;
#pragma omp task shared(x) // HERE task makes_tasks
        x = i;
#pragma omp taskwait // HERE taskwait makes_tasks
        return x;
    });
}

int main()
{
    int sum = 0;
#pragma omp parallel num_threads(2) // HERE parallel main
    {
#pragma omp single
        sum = makes_tasks();
    }
    std::printf("%d\n", sum + forks(1));
    return 0;
}
