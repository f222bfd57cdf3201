// No fault: all iterations of the kernels take equally long.
#include <Kokkos_Core.hpp>

#include "../pair.h"

void before()
{
    Kokkos::ScopeGuard guard;
    for (int step = 0; step < 2; step++) {
        Kokkos::parallel_for("even", 100, KOKKOS_LAMBDA(int) { rest(10); });
    }
}

void after()
{
    before();
}
