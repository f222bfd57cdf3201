// A league of two teams, a region of two threads in each.
#include "play.h"

int main(void)
{
#pragma omp teams num_teams(2) thread_limit(2) // @teams
    {
#pragma omp parallel num_threads(2) // @parallel
        work(1);
        work(1);
    }
    return 0;
}
