// Taskloops in both directions, without iterations, and with copied data; prints what their
// iterations have seen.
#include <cstdio>
#include <string>

static bool yes = true;

#define DO(...) DO_TEXT(__VA_ARGS__)
#define DO_TEXT(...) _Pragma(#__VA_ARGS__)

#define RUN(clauses, type, first, condition, step)                                                 \
    {                                                                                              \
        long seen = 0;                                                                             \
        DO(omp parallel num_threads(3))                                                            \
        DO(omp single)                                                                             \
        DO(omp taskloop shared(seen) clauses)                                                      \
        for (type i = first; condition; step) {                                                    \
            DO(omp atomic)                                                                         \
            seen += (long)(i % 1000) + 1;                                                          \
        }                                                                                          \
        std::printf("%s %s: %ld\n", #clauses, #first " " #condition " " #step, seen);              \
    }

#define HALF (1ULL << 63)

#define IN_EVERY_DIRECTION(clauses)                                                                \
    RUN(clauses, int, 0, i < 20, i += 3)                                                           \
    RUN(clauses, int, 20, i > 0, i -= 3)                                                           \
    RUN(clauses, int, 10, i < 5, i++)                                                              \
    RUN(clauses, unsigned long long, HALF, i < HALF + 40, i += 5)                                  \
    RUN(clauses, unsigned long long, HALF + 20, i > HALF - 4, i -= 5)                              \
    RUN(clauses, unsigned long long, HALF, i > HALF + 4, i -= 5)

// The creator has returned by the time the tasks copy its data.
static void leave_tasks_behind(long &seen)
{
    std::string text(50, 'z');
    int values[yes ? 10 : 1] = {1, 2, 3};
#pragma omp taskloop firstprivate(text, values) shared(seen) nogroup num_tasks(100)
    for (int i = 0; i < 200; i++) {
#pragma omp atomic
        seen += i + (long)text.size() + values[2];
    }
}

int main()
{
    IN_EVERY_DIRECTION()
    IN_EVERY_DIRECTION(grainsize(2))
    IN_EVERY_DIRECTION(num_tasks(4))
    IN_EVERY_DIRECTION(grainsize(strict : 3))
    IN_EVERY_DIRECTION(num_tasks(strict : 3))
    IN_EVERY_DIRECTION(if (!yes))
    IN_EVERY_DIRECTION(final(yes))
    long seen = 0, none = 0, down = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
    leave_tasks_behind(seen);
#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp taskloop reduction(+ : none)
        for (int i = 5; i < (yes ? 5 : 9); i++) {
            none += 1;
        }
#pragma omp taskloop reduction(+ : down)
        for (int i = 50; i > 0; i -= 2) {
            down += i;
        }
    }
    int last = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp taskloop lastprivate(last)
    for (int i = 33; i > 2; i -= 4) {
        last = i;
    }
    std::printf("behind %ld, none %ld, down %ld, last %d\n", seen, none, down, last);
    return 0;
}
