// Each step reduces a table: the runtime adds the tables of the threads one after another. Each of
// the 4 parts of a table takes 2.5 ms.
#include "../pair.h"

#include <omp.h>

enum { N = 24, PARTS = 4, STEPS = 10, THREADS = 4 };

struct table {
    double part[PARTS];
};

static void add_part(struct table *sum, const struct table *other, int part)
{
    rest(2.5);
    sum->part[part] += other->part[part];
}

static void add(struct table *sum, const struct table *other)
{
    for (int i = 0; i < PARTS; i++) {
        add_part(sum, other, i);
    }
}

#pragma omp declare reduction(tables : struct table : add(&omp_out, &omp_in))                      \
    initializer(omp_priv = (struct table){{0}})

static void count(struct table *table, int i)
{
    rest(2);
    table->part[i % PARTS] += 1;
}

void before(void)
{
    struct table sum = {{0}};
    for (int r = 0; r < STEPS; r++) {
#pragma omp parallel for reduction(tables : sum) // HERE
        for (int i = 0; i < N; i++) {
            count(&sum, i);
        }
    }
    number = (long)sum.part[0];
}

static void step(struct table *sum, struct table *rows, struct table *own)
{
    *own = (struct table){{0}};
#pragma omp for
    for (int i = 0; i < N; i++) {
        count(own, i);
    }
#pragma omp for
    for (int i = 0; i < PARTS; i++) {
        for (int t = 0; t < THREADS; t++) {
            add_part(sum, &rows[t], i);
        }
    }
}

void after(void)
{
    struct table sum = {{0}}, rows[THREADS];
    for (int r = 0; r < STEPS; r++) {
#pragma omp parallel num_threads(THREADS)
        step(&sum, rows, &rows[omp_get_thread_num()]);
    }
    number = (long)sum.part[0];
}
