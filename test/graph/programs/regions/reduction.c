// A reduction, which the runtime implements in a different way for each size of team.
#include "play.h"

int main(void)
{
    long sum = 0;
#pragma omp parallel for reduction(+ : sum) // @parallel
    for (int i = 1; i <= 8; i++) {
        sum += i;
    }
    CHECK(sum == 36);
    return 0;
}
