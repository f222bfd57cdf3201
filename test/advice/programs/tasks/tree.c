// A tree in which left children have nine tenths of the leaves, with a task for each node.
// NUMBER is the depth down to which it creates tasks.
#include "../pair.h"

enum { LEAVES = 200000, ALL = 1000 };

static unsigned long walk(int n_leaves, int depth)
{
    unsigned long a, b;
    int left = (int)(0.9 * n_leaves);
    if (n_leaves == 1) {
        return compute(100);
    }
    left = left > 0 ? left : 1;
    if (depth == 0) {
        return walk(left, 0) + walk(n_leaves - left, 0);
    }
#pragma omp task shared(a) // HERE
    a = walk(left, depth - 1);
#pragma omp task shared(b) // HERE
    b = walk(n_leaves - left, depth - 1);
#pragma omp taskwait
    return a + b;
}

static void start(int depth)
{
#pragma omp parallel
#pragma omp single
    walk(sized(LEAVES, LEAVES / 10), depth);
}

void before(void)
{
    start(number > 0 ? (int)number : ALL);
}

void after(void)
{
    start(number > 0 ? (int)number : 12);
}
