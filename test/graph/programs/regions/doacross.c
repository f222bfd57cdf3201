// A doacross loop of four iterations on two threads: each iteration waits for its predecessor.
#include "play.h"

int main(void)
{
#pragma omp parallel for num_threads(2) ordered(1) schedule(static, 1) // @parallel
    for (int i = 1; i <= 4; i++) {
#pragma omp ordered depend(sink : i - 1)
        work(1);
#pragma omp ordered depend(source)
    }
    return 0;
}
