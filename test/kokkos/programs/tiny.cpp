// Many tiny kernels in regions: tiny [launches].
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    int n = argc > 1 ? std::atoi(argv[1]) : 3000;
    Kokkos::View<long *> x("x", 16);
    for (int k = 0; k < n; k++) {
        Kokkos::Profiling::pushRegion("step");
        Kokkos::parallel_for("tiny", 16, KOKKOS_LAMBDA(int i) { x(i) += i; });
        Kokkos::Profiling::popRegion();
    }
    Kokkos::fence();
    std::printf("%ld\n", x(15));
    return 0;
}
