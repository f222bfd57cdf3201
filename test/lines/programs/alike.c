// GCC makes one function of the equal code of tasks; a jump to it has no debug information.
static volatile int n;

static void __attribute__((noinline)) count(void)
{
    for (int i = 0; i < 100; i++) {
        n++;
    }
}

int main(void)
{
#pragma omp parallel num_threads(2) // HERE parallel main
#pragma omp single
    {
#pragma omp task // HERE task main
        count();
#pragma omp taskgroup // HERE taskgroup main
        {
#pragma omp task // HERE task main
            count();
        }
#pragma omp task // HERE task main
        count();
    }
    return 0;
}
