// Kernels and regions on four threads of the host at the same time. Views are not used: Kokkos 3.4
// counts their handles atomically only on its own threads.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <thread>
#include <vector>

static void work(long *row, int thread)
{
    for (int k = 0; k < 50; k++) {
        Kokkos::Profiling::pushRegion("thread " + std::to_string(thread));
        Kokkos::parallel_for(
            "shared label", Kokkos::RangePolicy<Kokkos::Serial>(0, 100),
            KOKKOS_LAMBDA(int i) { row[i] += i; });
        Kokkos::parallel_for(
            "label " + std::to_string(thread), 100, KOKKOS_LAMBDA(int i) { row[i] += 1; });
        Kokkos::Profiling::popRegion();
    }
}

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    Kokkos::View<long **, Kokkos::LayoutRight> x("x", 4, 100);
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; thread++) {
        threads.emplace_back(work, &x(thread, 0), thread);
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    std::printf("%ld %ld\n", x(0, 99), x(3, 1));
    return 0;
}
