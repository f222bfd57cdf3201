// Fences of everything and of one space, with names if the version accepts names, and the fences of
// Kokkos itself.
#include <Kokkos_Core.hpp>

#include <cstdio>

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    Kokkos::DefaultExecutionSpace space;
    Kokkos::View<int *> x("x", 100);
    for (int k = 0; k < 3; k++) {
        Kokkos::parallel_for("add", 100, KOKKOS_LAMBDA(int i) { x(i) += i; });
        Kokkos::fence();
        space.fence();
#if KOKKOS_VERSION >= 30500
        Kokkos::fence("all is added");
        Kokkos::fence("adding::done");
        space.fence("space is done");
#endif
    }
    std::printf("%d\n", x(99));
    return 0;
}
