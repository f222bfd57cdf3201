// Loops in both directions and with every schedule; prints how many iterations ran, the sum of
// their variables, and which thread executed which.
#include <stdio.h>

#include <omp.h>

#define DO(...) DO_TEXT(__VA_ARGS__)
#define DO_TEXT(...) _Pragma(#__VA_ARGS__)

static long n_seen, sum;

static void see(unsigned long long i)
{
#pragma omp atomic
    n_seen++;
#pragma omp atomic
    sum += (long)(i % 100003);
}

static void show(const char *what)
{
    printf("%s: %ld iterations, %ld\n", what, n_seen, sum);
    n_seen = sum = 0;
}

#define RUN(construct, before_body, type, first, condition, step)                                  \
    {                                                                                              \
        DO(omp parallel num_threads(3))                                                            \
        {                                                                                          \
            DO(construct)                                                                          \
            for (type i = first; condition; step) {                                                \
                before_body see((unsigned long long)i);                                            \
            }                                                                                      \
        }                                                                                          \
        show(#construct " " #type " " #first " " #condition " " #step);                            \
    }

#define HALF (1ULL << 63)
#define NOTHING

#define IN_EVERY_DIRECTION(construct, before_body)                                                 \
    RUN(construct, before_body, int, 0, i < 103, i += 3)                                           \
    RUN(construct, before_body, int, 103, i > -5, i -= 4)                                          \
    RUN(construct, before_body, long, 10, i < 3, i++)                                              \
    RUN(construct, before_body, unsigned, 100, i > 3, i -= 7)                                      \
    RUN(construct, before_body, unsigned long long, HALF, i < HALF + 99, i += 7)                   \
    RUN(construct, before_body, unsigned long long, HALF + 99, i > HALF + 3, i -= 7)               \
    RUN(construct, before_body, unsigned long long, HALF + 9, i > HALF - 9, i--)                   \
    RUN(construct, before_body, unsigned long long, HALF + 3, i > HALF + 99, i--)

static void show_threads(const char *what, const int *threads)
{
    printf("%s:", what);
    for (int i = 0; i < 20; i++) {
        printf(" %d", threads[i]);
    }
    printf("\n");
}

static void divide_in_chunks(void)
{
    int threads[20];
#pragma omp parallel for num_threads(3) ordered schedule(static, 3)
    for (int i = 0; i < 20; i++) {
        threads[i] = omp_get_thread_num();
#pragma omp ordered
        sum += i;
    }
    show_threads("up", threads);
#pragma omp parallel for num_threads(3) ordered schedule(static, 2)
    for (int i = 19; i >= 0; i -= 2) {
        threads[i] = threads[i - 1] = omp_get_thread_num();
#pragma omp ordered
        sum += i;
    }
    show_threads("down", threads);
}

int main(void)
{
    IN_EVERY_DIRECTION(omp for schedule(static), NOTHING)
    IN_EVERY_DIRECTION(omp for schedule(dynamic), NOTHING)
    IN_EVERY_DIRECTION(omp for schedule(monotonic : dynamic, 2), NOTHING)
    IN_EVERY_DIRECTION(omp for schedule(guided), NOTHING)
    IN_EVERY_DIRECTION(omp for schedule(monotonic : guided), NOTHING)
    IN_EVERY_DIRECTION(omp for schedule(runtime), NOTHING)
    IN_EVERY_DIRECTION(omp for schedule(nonmonotonic : runtime), NOTHING)
    IN_EVERY_DIRECTION(omp for schedule(monotonic : runtime), NOTHING)
    IN_EVERY_DIRECTION(omp for ordered schedule(static), DO(omp ordered))
    IN_EVERY_DIRECTION(omp for ordered schedule(static, 2), DO(omp ordered))
    IN_EVERY_DIRECTION(omp for ordered schedule(dynamic), DO(omp ordered))
    IN_EVERY_DIRECTION(omp for ordered schedule(guided), DO(omp ordered))
    IN_EVERY_DIRECTION(omp for ordered schedule(runtime), DO(omp ordered))
    divide_in_chunks();
    return 0;
}
