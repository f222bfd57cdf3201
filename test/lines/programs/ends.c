// Constructs whose ends are barriers. GCC's code has no rows for them. Both C and C++.
#define APART __attribute__((noinline))

static int a[100];

APART static void add(int *x)
{
    __atomic_fetch_add(x, 1, __ATOMIC_RELAXED);
}

static inline void change(int *x)
{
    *x = (*x * 3) ^ 5;
}

// The bodies of loops and singles are inlined, and the code of a single follows the later ones.
APART static void inlined_bodies(void)
{
#pragma omp parallel num_threads(2)
    {
        for (int k = 0; k < 3; k++) {
#pragma omp single // HERE single,barrier inlined_bodies
            {
                change(&a[2]);
            }
        }
        for (int k = 0; k < 4; k++) {
#pragma omp single // HERE single,barrier inlined_bodies
            {
                change(&a[5]);
            }
        }
#pragma omp for // HERE barrier inlined_bodies
        for (int i = 0; i < 20; i++) {
            change(&a[i]);
        }
        add(&a[6]);
#pragma omp for schedule(static, 3) // HERE barrier inlined_bodies
        for (int i = 0; i < 20; i++) {
            a[i]++;
        }
        for (int k = 0; k < 5; k++) {
#pragma omp for schedule(dynamic) // HERE for,barrier inlined_bodies
            for (int i = 0; i < 20; i++) {
                change(&a[i]);
            }
        }
        add(&a[7]);
    }
    a[8]++;
}

static int nowait = 1; // a variable named like a clause

APART static void neighbours(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp barrier // HERE barrier neighbours
        for (int k = 0; k < 3; k++) {
#pragma omp single nowait // HERE single neighbours
            a[10]++;
        }
        for (int k = 0; k < 4; k++) {
#pragma omp sections // HERE sections,barrier neighbours
            {
                add(&a[11]);
            }
        }
        for (int k = 0; k < 5; k++) {
#pragma omp sections // HERE sections,barrier neighbours
            {
#pragma omp section
                a[12]++;
#pragma omp section
                add(&a[13]);
#pragma omp section
                change(&a[14]);
            }
        }
#pragma omp for nowait
        for (int i = 0; i < 20; i++) {
            add(&a[i]);
        }
        for (int k = 0; k < 6; k++) {
#pragma omp for firstprivate(nowait) // HERE barrier neighbours
            for (int i = 0; i < 20; i++) {
                a[i] += nowait;
            }
        }
        for (int k = 0; k < 5; k++) {
#pragma omp barrier // HERE barrier neighbours
        }
        add(&a[15]);
    }
    a[16]++;
}

// It is inlined, and functions are inlined into it.
static void orphaned(void)
{
#pragma omp sections // HERE sections,barrier orphaned
    {
        change(&a[17]);
#pragma omp section
        change(&a[18]);
    }
#pragma omp taskgroup // HERE taskgroup orphaned
    {
        change(&a[19]);
    }
    add(&a[20]);
}

// The bodies only create tasks, so the line table has no row for them.
APART static void alike(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp single // HERE single,barrier alike
        {
#pragma omp task
            add(&a[21]);
        }
#pragma omp single // HERE single,barrier alike
        {
#pragma omp task untied
            add(&a[22]);
        }
        for (int k = 0; k < 3; k++) {
#pragma omp single nowait // HERE single alike
            {
#pragma omp task
                add(&a[23]);
            }
#pragma omp barrier // HERE barrier alike
        }
#pragma omp taskgroup // HERE taskgroup alike
        {
#pragma omp task
            add(&a[24]);
        }
#pragma omp taskgroup // HERE taskgroup alike
        {
#pragma omp task
            add(&a[25]);
        }
        orphaned();
    }
    a[26]++;
}

// The code of the single follows the region's last statement.
APART static void two_regions(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp single // HERE single,barrier two_regions
        {
#pragma omp taskgroup // HERE taskgroup two_regions
            {
#pragma omp task
                add(&a[27]);
            }
        }
        add(&a[28]);
        add(&a[29]);
        add(&a[30]);
        add(&a[31]);
        add(&a[32]);
    }
#pragma omp parallel num_threads(2)
    {
#pragma omp taskgroup // HERE taskgroup two_regions
        add(&a[33]);
        add(&a[34]);
    }
    a[35]++;
}

// The taskwait becomes a jump when optimised.
static void walk(int depth)
{
    if (depth == 0) {
        return;
    }
    for (int side = 0; side < 2; side++) {
#pragma omp task
        {
            add(&a[36 + side]);
            walk(depth - 1);
        }
    }
#pragma omp taskwait // HERE taskwait walk
}

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single nowait // HERE single main
    walk(4);
    inlined_bodies();
    neighbours();
    alike();
    two_regions();
    return 0;
}
