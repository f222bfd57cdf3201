// The rounding mode and the exception flags stay as the program sets them, even in tasks.
//
// args: 50
// expect: tasks == out('tasks')
#include "check.h"
#include <fenv.h>

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 50);
    int n_wrong = 0;
#pragma omp parallel reduction(+ : n_wrong)
    {
        fesetround(FE_UPWARD);
        feclearexcept(FE_ALL_EXCEPT);
#pragma omp single
        for (int i = 0; i < n; i++) {
#pragma omp task if (0)
            n_wrong += 0;
            n_wrong += fegetround() != FE_UPWARD || fetestexcept(FE_ALL_EXCEPT) != 0;
        }
        n_wrong += fegetround() != FE_UPWARD || fetestexcept(FE_ALL_EXCEPT) != 0;
        fesetround(FE_TONEAREST);
    }
    CHECK(n_wrong == 0);
    printf("tasks %d\n", n);
    return 0;
}
