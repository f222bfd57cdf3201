// Each step copies the new values to the old ones, within one memory space.
#include <Kokkos_Core.hpp>

#include <utility>

#include "../pair.h"

enum { STEPS = 60, N = 4 << 20 };

static void run(bool is_swapped)
{
    Kokkos::ScopeGuard guard;
    Kokkos::View<double *> now("now", N), next("next", N);
    for (int step = 0; step < STEPS; step++) {
        Kokkos::parallel_for("step", N, KOKKOS_LAMBDA(int i) { next(i) = 0.5 * now(i) + i; });
        if (is_swapped) {
            std::swap(now, next);
        } else {
            Kokkos::deep_copy(now, next); // HERE
        }
    }
}

void before()
{
    run(false);
}

void after()
{
    run(true);
}
