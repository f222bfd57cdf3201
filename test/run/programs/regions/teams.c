// A league of two teams on the host, a region and a distribute construct inside.
//
// args: 2
// expect: enters('teams') == 2 * out('rounds')
// expect[clang]: enters('distribute') == 2 * out('rounds')
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 2);
    int hits[64] = {0};
    atomic_int members = 0;
    for (int round = 0; round < n; round++) {
#pragma omp teams num_teams(2) thread_limit(2)
        {
            CHECK(omp_get_num_teams() == 2);
#pragma omp distribute
            for (int i = 0; i < 64; i++) {
                hits[i]++;
            }
#pragma omp parallel num_threads(2)
            atomic_fetch_add(&members, 1);
        }
    }
    for (int i = 0; i < 64; i++) {
        CHECK(hits[i] == n);
    }
    CHECK(members >= 2 * n && members <= 4 * n);
    printf("rounds %d\n", n);
    return 0;
}
