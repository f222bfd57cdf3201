// Ends the program with status 3 inside a kernel, on the thread that executes the last iterations.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv)
{
    Kokkos::initialize(argc, argv);
    for (int k = 0; k < 20; k++) {
        Kokkos::parallel_for("before", 100, KOKKOS_LAMBDA(int){});
    }
    Kokkos::Profiling::pushRegion("open at the end");
    std::puts("exits");
    Kokkos::parallel_for(
        "exits", 100, KOKKOS_LAMBDA(int i) {
            if (i == 99) {
                std::exit(3);
            }
        });
    std::puts("not reached");
    return 0;
}
