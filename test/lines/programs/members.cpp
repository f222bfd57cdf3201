// A member function that is not inlined and contains another that is inlined: see test_lines.py.
#include <cstdio>

namespace ns {
struct Counter {
    int value = 0;
    void add(int *x)
    {
#pragma omp atomic
        *x += 1;
    }
    __attribute__((noinline)) void count()
    {
#pragma omp parallel num_threads(2) // HERE parallel ns::Counter::count
        add(&value);
#pragma omp task // HERE task ns::Counter::count
        add(&value);
#pragma omp taskwait // HERE taskwait ns::Counter::count
        add(&value);
    }
};
} // namespace ns

int main()
{
    ns::Counter counter;
    counter.count();
    std::printf("%d\n", counter.value);
    return 0;
}
