// Exceptions leave kernels on Serial and the regions around them; the program catches them and
// continues.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <stdexcept>

using Serial = Kokkos::RangePolicy<Kokkos::Serial>;

static void run(int from)
{
    Kokkos::Profiling::pushRegion("region left by an exception");
    Kokkos::parallel_for("throws", Serial(0, 10), [=](int i) {
        if (i == from) {
            throw std::runtime_error("from a kernel");
        }
    });
    Kokkos::Profiling::popRegion();
}

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    long sum = 0;
    for (int k = 8; k < 12; k++) {
        try {
            run(k);
            std::puts("returned");
        } catch (const std::runtime_error &error) {
            std::printf("caught one %s\n", error.what());
        }
        Kokkos::parallel_reduce("goes on", Serial(0, 10), [](int i, long &to) { to += i; }, sum);
    }
    std::printf("%ld\n", sum);
    return 0;
}
