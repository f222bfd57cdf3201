// Kernels and regions on four threads of the host at the same time.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <thread>
#include <vector>

static void work(const Kokkos::View<long **> &x, int thread)
{
    for (int k = 0; k < 50; k++) {
        Kokkos::Profiling::pushRegion("thread " + std::to_string(thread));
        Kokkos::parallel_for(
            "shared label", Kokkos::RangePolicy<Kokkos::Serial>(0, 100),
            KOKKOS_LAMBDA(int i) { x(thread, i) += i; });
        Kokkos::parallel_for(
            "label " + std::to_string(thread), 100, KOKKOS_LAMBDA(int i) { x(thread, i) += 1; });
        Kokkos::Profiling::popRegion();
    }
}

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    Kokkos::View<long **> x("x", 4, 100);
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; thread++) {
        threads.emplace_back([=] { work(x, thread); });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    std::printf("%ld %ld\n", x(0, 99), x(3, 1));
    return 0;
}
