// Instances of the default execution space, which share a device id; if Kokkos can partition it,
// parts of it at the same time.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <thread>

using Space = Kokkos::DefaultExecutionSpace;
using Policy = Kokkos::RangePolicy<Space>;

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    Kokkos::View<int *> x("x", 100), y("y", 100);
    Space first, second;
    Kokkos::parallel_for("first", Policy(first, 0, 100), KOKKOS_LAMBDA(int i) { x(i) += i; });
    Kokkos::parallel_for("second", Policy(second, 0, 100), KOKKOS_LAMBDA(int i) { y(i) += i; });
#if KOKKOS_VERSION >= 40200
    auto parts = Kokkos::Experimental::partition_space(Space(), 1, 1);
    std::thread other([&] {
        for (int k = 0; k < 10; k++) {
            Kokkos::parallel_for(
                "in one part", Policy(parts[0], 0, 100), KOKKOS_LAMBDA(int i) { x(i) += 1; });
        }
    });
    for (int k = 0; k < 10; k++) {
        Kokkos::parallel_for(
            "in the other part", Policy(parts[1], 0, 100), KOKKOS_LAMBDA(int i) { y(i) += 1; });
    }
    other.join();
#else
    for (int k = 0; k < 10; k++) {
        Kokkos::parallel_for(
            "in one part", Policy(first, 0, 100), KOKKOS_LAMBDA(int i) { x(i) += 1; });
        Kokkos::parallel_for(
            "in the other part", Policy(second, 0, 100), KOKKOS_LAMBDA(int i) { y(i) += 1; });
    }
#endif
    Kokkos::fence();
    std::printf("%d %d\n", x(99), y(99));
    return 0;
}
