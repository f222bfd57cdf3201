// Two overloads, one of which is inlined, an overload that is executed without its sibling, and
// another function execute for 0.2 s of processor time each, in tasks.
#include <ctime>

static double now()
{
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Field {
    double sum = 0;

    __attribute__((noinline)) void solve(int n)
    {
        for (double end = now() + 0.2; now() < end;) {
            for (int i = 0; i < 100000; i++) {
                sum = sum * 0.999 + n;
            }
        }
    }

    __attribute__((always_inline)) void solve(double x)
    {
        for (double end = now() + 0.2; now() < end;) {
            for (int i = 0; i < 100000; i++) {
                sum = sum * 0.998 + x;
            }
        }
    }

    __attribute__((noinline)) void single(int n)
    {
        for (double end = now() + 0.2; now() < end;) {
            for (int i = 0; i < 100000; i++) {
                sum = sum * 0.997 + n;
            }
        }
    }

    void single(float x); // the program never calls it

    __attribute__((noinline)) void only(int n)
    {
        for (double end = now() + 0.2; now() < end;) {
            for (int i = 0; i < 100000; i++) {
                sum = sum * 0.996 + n;
            }
        }
    }
};

int main()
{
    Field field[4];
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task shared(field)
        field[0].solve(1);
#pragma omp task shared(field)
        field[1].solve(1.5);
#pragma omp task shared(field)
        field[2].single(2);
#pragma omp task shared(field)
        field[3].only(3);
    }
    return field[0].sum + field[1].sum + field[2].sum + field[3].sum < 0;
}
