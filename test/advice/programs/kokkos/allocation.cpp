// Each step allocates a view and frees it.
#include <Kokkos_Core.hpp>

#include "../pair.h"

enum { STEPS = 120, N = 9 << 19 };

using Vector = Kokkos::View<double *>;

static void step(const Vector &sum, const Vector &work)
{
    Kokkos::parallel_for("step", N, KOKKOS_LAMBDA(int i) {
        work(i) = 0.5 * i;
        sum(i) += work(i);
    });
}

void before()
{
    Kokkos::ScopeGuard guard;
    Vector sum("sum", N);
    for (int i = 0; i < STEPS; i++) {
        Vector work("work", N); // HERE
        step(sum, work);
    }
}

void after()
{
    Kokkos::ScopeGuard guard;
    Vector sum("sum", N), work("work", N);
    for (int i = 0; i < STEPS; i++) {
        step(sum, work);
    }
}
