// A program for `otter diff`. A second version, EDITED, has one more task, and other lines.
static volatile int sink;

static void finish(void)
{
    // so that the preceding construct is not a jump to the runtime, and has its own line
    __asm__ volatile("");
}

static void make_tasks(void)
{
#pragma omp parallel
#pragma omp single
    {
#ifdef EDITED
#pragma omp task
        sink = 1;
#line 100
#endif
        for (int i = 0; i < 20; i++) {
#pragma omp task
            sink = 2; // one of 20 tasks
        }
#ifdef EDITED
#line 150
#endif
#pragma omp task
        sink = 3; // the last task
    }
    finish();
}

int main(void)
{
    make_tasks();
    return 0;
}
