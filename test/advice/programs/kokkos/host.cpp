// The host works between kernels, while no kernel runs.
#include <Kokkos_Core.hpp>

#include "../pair.h"

static void kernel(const char *label, double ms)
{
    Kokkos::parallel_for(label, 4, KOKKOS_LAMBDA(int) { rest(ms); });
}

void before()
{
    Kokkos::ScopeGuard guard;
    for (int step = 0; step < 10; step++) {
        rest(20);
        kernel("step", 10);
    }
}

void after()
{
    Kokkos::ScopeGuard guard;
    for (int step = 0; step < 10; step++) {
        kernel("set up", 5);
        kernel("step", 10);
    }
}
