// Kokkos is initialised and finalised twice, where the version allows it.
#include <Kokkos_Core.hpp>

#include <cstdio>

static long run(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    long sum = 0;
    Kokkos::parallel_reduce("sum", 100, KOKKOS_LAMBDA(int i, long &to) { to += i; }, sum);
    return sum;
}

int main(int argc, char **argv)
{
    std::printf("%ld\n", run(argc, argv));
#if KOKKOS_VERSION < 40000
    std::printf("%ld\n", run(argc, argv));
#endif
    return 0;
}
