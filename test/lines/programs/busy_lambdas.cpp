// Two lambdas, an object and a task of one function execute for a tenth of a second of processor time each.
#include <ctime>

template <class Body> static void call(Body body)
{
    body();
}

static double now()
{
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

int main()
{
    double sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        call([&] { // HERE lambda main
            for (double end = now() + 0.1; now() < end;) {
                for (int i = 0; i < 100000; i++) {
                    sum = sum * 0.999 + i;
                }
            }
        });
        call([&] { // HERE lambda main
            for (double end = now() + 0.1; now() < end;) {
                for (int i = 0; i < 100000; i++) {
                    sum = sum * 0.998 + i;
                }
            }
        });
    }
    const auto ended = [&](double x) { sum += x; };
    ended(1);
    struct Functor {
        void operator()(double &x) const // no lambda
        {
            for (double end = now() + 0.1; now() < end;) {
                for (int i = 0; i < 100000; i++) {
                    x = x * 0.996 + i;
                }
            }
        }
    };
    const Functor functor{};
    functor(sum);
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task shared(sum) // not in the lambda before it
    for (double end = now() + 0.1; now() < end;) {
        for (int i = 0; i < 100000; i++) {
            sum = sum * 0.997 + i;
        }
    }
    return sum < 0;
}
