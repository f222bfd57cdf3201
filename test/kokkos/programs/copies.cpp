// Deep copies between equal and different layouts, types and strides; of scalars in both
// directions; of parts of views; of a view to itself; of empty and large views; on an execution
// space.
#include <Kokkos_Core.hpp>

#include <cstdio>

using Right = Kokkos::View<double **, Kokkos::LayoutRight>;
using Left = Kokkos::View<double **, Kokkos::LayoutLeft>;

static double sum(const Right &x)
{
    double total = 0;
    for (size_t i = 0; i < x.extent(0); i++) {
        for (size_t j = 0; j < x.extent(1); j++) {
            total += x(i, j);
        }
    }
    return total;
}

static void of_planes()
{
    Right a("a", 20, 30), b("b", 20, 30);
    Left turned("turned", 20, 30);
    Kokkos::View<float **, Kokkos::LayoutRight> small("small", 20, 30);
    Kokkos::deep_copy(a, 1.5);
    Kokkos::deep_copy(b, a);
    Kokkos::deep_copy(b, b);
    Kokkos::deep_copy(turned, b);
    Kokkos::deep_copy(small, a);
    Kokkos::deep_copy(a, turned);
    Kokkos::deep_copy(Kokkos::subview(a, Kokkos::ALL, 3), 4.0);
    Kokkos::deep_copy(Kokkos::subview(b, 5, Kokkos::ALL), Kokkos::subview(a, 5, Kokkos::ALL));
    Kokkos::deep_copy(Kokkos::subview(b, Kokkos::ALL, 7), Kokkos::subview(a, Kokkos::ALL, 3));
    std::printf("%g %g %g %g\n", sum(a), sum(b), turned(19, 29), static_cast<double>(small(0, 0)));
}

static void of_scalars()
{
    Kokkos::View<int> one("one");
    int value = 0;
    Kokkos::deep_copy(one, 7);
    Kokkos::deep_copy(value, one);
    std::printf("%d\n", value);
}

static void of_rows()
{
    Kokkos::View<long *> nothing("nothing", 0), none("none", 0);
    Kokkos::View<long *> much("much", 200000), again("again", 200000);
    Kokkos::deep_copy(none, nothing);
    Kokkos::deep_copy(Kokkos::DefaultExecutionSpace(), much, 3);
    Kokkos::deep_copy(Kokkos::DefaultExecutionSpace(), again, much);
    Kokkos::fence();
    auto mirror = Kokkos::create_mirror_view(again);
    auto copy = Kokkos::create_mirror(again);
    Kokkos::deep_copy(mirror, again);
    Kokkos::deep_copy(copy, again);
    std::printf("%ld %ld\n", mirror(199999), copy(0));
}

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    of_planes();
    of_scalars();
    of_rows();
    return 0;
}
