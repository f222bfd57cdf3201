// Launches functors from code without debug information.
#include "apart.hpp"

#include <cstdio>

template <class Tag> using Range = Kokkos::RangePolicy<Kokkos::DefaultExecutionSpace, Tag>;

void launch(int n)
{
    long sum = 0;
    Values x("x", n);
    inner::Tagged tagged{x};
    Kokkos::parallel_for("class", n, Fill{x});
    Kokkos::parallel_for("up", Range<inner::Tagged::Up>(0, n), tagged);
    Kokkos::parallel_for("down", Range<inner::Tagged::Down>(0, n), tagged);
    Kokkos::parallel_reduce("sum", n, tagged, sum);
    Kokkos::parallel_for("inherited", n, make(x));
    Kokkos::fence();
    std::printf("%ld\n", sum);
}
