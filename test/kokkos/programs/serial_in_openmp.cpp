// Kernels, regions and events in kernels. With Kokkos >= 4.4 this deadlocks if a tool makes Kokkos
// fence around them.
#include <Kokkos_Core.hpp>

#include <cstdio>

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    Kokkos::View<int *> x("x", 4);
#ifdef KOKKOS_ENABLE_OPENMP
    using Outer = Kokkos::RangePolicy<Kokkos::OpenMP>;
#else
    using Outer = Kokkos::RangePolicy<Kokkos::Serial>;
#endif
    Kokkos::parallel_for(
        "outer", Outer(0, 4), KOKKOS_LAMBDA(int i) {
            Kokkos::Profiling::pushRegion("in a kernel");
#ifdef KOKKOS_ENABLE_OPENMP
            Kokkos::parallel_for("inner", Kokkos::RangePolicy<Kokkos::Serial>(0, 10),
                                 [&](int k) { x(i) += k; });
#else
        x(i) += 45;
#endif
            Kokkos::Profiling::markEvent("done");
            Kokkos::Profiling::popRegion();
        });
    Kokkos::fence();
    std::printf("%d\n", x(3));
    return 0;
}
