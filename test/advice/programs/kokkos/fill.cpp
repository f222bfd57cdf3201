// Each step fills a view with zero before a kernel writes all of it.
#include <Kokkos_Core.hpp>

#include "../pair.h"

enum { STEPS = 60, N = 4 << 20 };

static void run(bool is_filled)
{
    Kokkos::ScopeGuard guard;
    Kokkos::View<double *> x("x", N);
    for (int step = 0; step < STEPS; step++) {
        if (is_filled) {
            Kokkos::deep_copy(x, 0.0); // HERE
        }
        Kokkos::parallel_for("write", N, KOKKOS_LAMBDA(int i) { x(i) = i * 0.5 + step; });
    }
}

void before()
{
    run(true);
}

void after()
{
    run(false);
}
