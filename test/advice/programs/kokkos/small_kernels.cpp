// Each of many small kernels costs more to launch than to execute.
#include <Kokkos_Core.hpp>

#include "../pair.h"

enum { STEPS = 20000, N = 64 };

static void run(const char *label, int steps, int n)
{
    Kokkos::ScopeGuard guard;
    Kokkos::View<double *> x("x", n);
    for (int step = 0; step < sized(steps, steps / 10); step++) {
        Kokkos::parallel_for(label, n, KOKKOS_LAMBDA(int i) { x(i) += i; }); // HERE
    }
}

void before()
{
    run("small", STEPS, N);
}

void after()
{
    run("merged", STEPS / 1000, 1000 * N);
}
