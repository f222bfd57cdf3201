// The last half of a kernel's iterations takes three times as long.
#include <Kokkos_Core.hpp>

#include "../pair.h"

enum { N = 160 };

static void iterate(int i)
{
    rest(i < N / 2 ? 2 : 6);
}

void before()
{
    Kokkos::ScopeGuard guard;
    Kokkos::parallel_for("uneven", N, KOKKOS_LAMBDA(int i) { iterate(i); }); // HERE
}

void after()
{
    Kokkos::ScopeGuard guard;
    using Policy = Kokkos::RangePolicy<Kokkos::Schedule<Kokkos::Dynamic>>;
    Kokkos::parallel_for("even", Policy(0, N, Kokkos::ChunkSize(1)), KOKKOS_LAMBDA(int i) { iterate(i); });
}
