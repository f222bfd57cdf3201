// Returns from main without Kokkos::finalize, so the tool gets no call at the end.
#include <Kokkos_Core.hpp>

#include <cstdio>

int main(int argc, char **argv)
{
    Kokkos::initialize(argc, argv);
    long sum = 0;
    for (int k = 0; k < 10; k++) {
        Kokkos::parallel_reduce("sum", 100, KOKKOS_LAMBDA(int i, long &to) { to += i; }, sum);
    }
    Kokkos::Profiling::pushRegion("open at the end");
    std::printf("%ld\n", sum);
    return 4;
}
