// Launches many tiny kernels in regions, on OpenMP or the Serial back end: kokkos openmp|serial
// [launches]. Prints the time of the launches.
#include <Kokkos_Core.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

template <class Space> static double launch(int n)
{
    Kokkos::View<long *, Kokkos::HostSpace> x("x", 16);
    auto begin = std::chrono::steady_clock::now();
    for (int k = 0; k < n; k++) {
        Kokkos::Profiling::pushRegion("step");
        Kokkos::parallel_for(
            "tiny", Kokkos::RangePolicy<Space>(0, 1), KOKKOS_LAMBDA(int i) { x(i) += k; });
        Kokkos::Profiling::popRegion();
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    int n = argc > 2 ? std::atoi(argv[2]) : 30000;
    bool is_serial = argc > 1 && std::strcmp(argv[1], "serial") == 0;
    double seconds =
        is_serial ? launch<Kokkos::Serial>(n) : launch<Kokkos::DefaultHostExecutionSpace>(n);
    std::printf("seconds=%.6f\n", seconds);
    return 0;
}
