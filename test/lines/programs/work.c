// A library with a construct; -DFURTHER moves it by some lines.
int work(int *x);

#ifdef FURTHER

#endif
int work(int *x)
{
#pragma omp task // HERE task work
    x[0]++;
#pragma omp taskwait // HERE taskwait work
    return x[0];
}
