// Target tasks, whose creation has no line in clang's code. The host executes them if there is no
// other device.
enum { N = 8 };

__attribute__((noinline)) static void chain(int *x)
{
#pragma omp target enter data map(to : x[0 : N]) nowait depend(out : x[0])
    for (int round = 0; round < 2; round++) {
#pragma omp target nowait map(tofrom : x[0 : N]) depend(inout : x[0]) // HERE task chain
        for (int i = 0; i < N; i++) {
            x[i]++;
        }
    }
#pragma omp target exit data map(from : x[0 : N]) nowait depend(inout : x[0])
#pragma omp taskwait // HERE taskwait chain
}

int main(void)
{
    int x[N] = {0};
#pragma omp parallel num_threads(2) // HERE parallel main
#pragma omp single                  // HERE single main
    chain(x);
    return x[0] != 2;
}
