// Kernels without a label, whose names Kokkos makes from types, and labels that look like types.
#include <Kokkos_Core.hpp>

#include <cstdio>

namespace shapes
{
struct Add {
    Kokkos::View<int *> x;
    KOKKOS_INLINE_FUNCTION void operator()(int i) const
    {
        x(i) += i;
    }
};

struct Twice {
};
struct Thrice {
};

struct Tagged {
    Kokkos::View<int *> x;
    KOKKOS_INLINE_FUNCTION void operator()(Twice, int i) const
    {
        x(i) *= 2;
    }
    KOKKOS_INLINE_FUNCTION void operator()(Thrice, int i) const
    {
        x(i) *= 3;
    }
};

template <class Number> struct Sum {
    Kokkos::View<int *> x;
    KOKKOS_INLINE_FUNCTION void operator()(int i, Number &to) const
    {
        to += x(i);
    }
};

static void add_one(const Kokkos::View<int *> &x)
{
    Kokkos::parallel_for(100, KOKKOS_LAMBDA(int i) { x(i) += 1; });
}
} // namespace shapes

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    Kokkos::View<int *> x("x", 100);
    Kokkos::parallel_for(100, KOKKOS_LAMBDA(int i) { x(i) = i; });
    shapes::add_one(x);
    shapes::add_one(x);
    Kokkos::parallel_for(100, shapes::Add{x});
    Kokkos::parallel_for(Kokkos::RangePolicy<shapes::Twice>(0, 100), shapes::Tagged{x});
    Kokkos::parallel_for(Kokkos::RangePolicy<shapes::Thrice>(0, 100), shapes::Tagged{x});
    double sum = 0;
    long count = 0;
    Kokkos::parallel_reduce(100, shapes::Sum<double>{x}, sum);
    Kokkos::parallel_reduce(100, KOKKOS_LAMBDA(int i, long &to) { to += x(i) > 10; }, count);
    Kokkos::parallel_scan(100, KOKKOS_LAMBDA(int i, int &to, bool) { to += x(i); });
    for (const char *label : {"f", "i", "x", "b", "Z4mainE3$_7", "N6Kokkos6OpenMPE", "7Functor",
                              "a/b", "", "tab\tand \"quotes\" and \xc3\xa9"}) {
        Kokkos::parallel_for(label, 10, KOKKOS_LAMBDA(int i) { x(i) += 1; });
    }
    Kokkos::parallel_for(std::string(300, 'l'), 10, KOKKOS_LAMBDA(int i) { x(i) += 1; });
    Kokkos::fence();
    std::printf("%g %ld %d\n", sum, count, x(9));
    return 0;
}
