// Range policies: for, reduce and scan, static and dynamic schedules, empty ranges, several reducers.
#include <Kokkos_Core.hpp>

#include <cstdio>

using Space = Kokkos::DefaultExecutionSpace;
using Dynamic = Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>>;
using Chunks = Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Static>>;

static void fill(const Kokkos::View<long *> &x)
{
    long n = static_cast<long>(x.extent(0));
    Kokkos::parallel_for("fill", n, KOKKOS_LAMBDA(long i) { x(i) = i; });
    Kokkos::parallel_for("fill dynamic", Dynamic(0, n), KOKKOS_LAMBDA(long i) { x(i) += 1; });
    Kokkos::parallel_for(
        "fill chunks", Chunks(0, n, Kokkos::ChunkSize(16)), KOKKOS_LAMBDA(long i) { x(i) += 1; });
    Kokkos::parallel_for("fill nothing", 0, KOKKOS_LAMBDA(long i) { x(i) = -1; });
    Kokkos::parallel_for("fill one", 1, KOKKOS_LAMBDA(long i) { x(i) += 1; });
}

static void reduce(const Kokkos::View<long *> &x)
{
    long n = static_cast<long>(x.extent(0)), sum = 0, largest = 0, smallest = 0, nothing = 0;
    Kokkos::parallel_reduce("sum", n, KOKKOS_LAMBDA(long i, long &to) { to += x(i); }, sum);
    Kokkos::parallel_reduce(
        "largest", n, KOKKOS_LAMBDA(long i, long &to) { to = x(i) > to ? x(i) : to; },
        Kokkos::Max<long>(largest));
    Kokkos::parallel_reduce(
        "smallest", Dynamic(0, n), KOKKOS_LAMBDA(long i, long &to) { to = x(i) < to ? x(i) : to; },
        Kokkos::Min<long>(smallest));
    Kokkos::parallel_reduce(
        "sum of nothing", 0, KOKKOS_LAMBDA(long i, long &to) { to += x(i); }, nothing);
    Kokkos::View<long> kept("kept");
    Kokkos::parallel_reduce(
        "sum into a view", n, KOKKOS_LAMBDA(long i, long &to) { to += x(i); }, kept);
    Kokkos::fence();
    std::printf("%ld %ld %ld %ld %ld\n", sum, largest, smallest, nothing, kept());
}

static void scan(const Kokkos::View<long *> &x)
{
    long n = static_cast<long>(x.extent(0)), total = 0;
    Kokkos::View<long *> sums("sums", x.extent(0));
    auto add = KOKKOS_LAMBDA(long i, long &to, bool is_final)
    {
        to += x(i);
        if (is_final) {
            sums(i) = to;
        }
    };
    Kokkos::parallel_scan("sums", n, add);
    Kokkos::fence();
    std::printf("%ld\n", sums(n - 1));
    Kokkos::parallel_scan("sums and their total", n, add, total);
    std::printf("%ld %ld\n", sums(n - 1), total);
}

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    Kokkos::View<long *> x("x", 1000);
    for (int i = 0; i < 3; i++) {
        fill(x);
        reduce(x);
        scan(x);
    }
    return 0;
}
