// A reduction by the tree method, the only method that is reported to tools.
//
// args: 4
// grow: 16
// env: KMP_FORCE_REDUCTION=tree
// expect[clang and T > 1]: enters('reduction') > 0
// expect[clang]: regions('reduction') <= 1
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 4);
    long sum = 0;
    double product = 1;
    for (int round = 0; round < n; round++) {
#pragma omp parallel for reduction(+ : sum) reduction(* : product)
        for (int i = 1; i <= 8; i++) {
            sum += i;
            product *= i;
        }
    }
    CHECK(sum == 36L * n);
    printf("sum %ld\nproduct %.6g\n", sum, product);
    return 0;
}
