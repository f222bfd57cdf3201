// A library with a construct; -DTHERE makes another library with the same name.
int work(int *x);

#ifdef THERE
int work(int *x)
{
    x[0]++;
#pragma omp task // THERE task work
    x[0]++;
#pragma omp taskwait // THERE taskwait work
    return x[0];
}
#else
int work(int *x)
{
#pragma omp task     // HERE task work
    x[0]++;
#pragma omp taskwait // HERE taskwait work
    return x[0];
}
#endif
