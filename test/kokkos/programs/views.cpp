// The life of memory: labelled and unlabelled views, resized and reallocated ones, parts and copies
// of handles, raw memory.
#include <Kokkos_Core.hpp>

#include <cstdio>

struct Point {
    double x = 1, y = 2;
};

static size_t resized()
{
    Kokkos::View<int *> x("x", 100), unlabelled("", 10);
    Kokkos::View<int **> plane("plane", 10, 10);
    Kokkos::resize(x, 200);
    Kokkos::resize(x, 200);
    Kokkos::resize(plane, 5, 20);
    Kokkos::realloc(x, 50);
    Kokkos::realloc(plane, 6, 6);
    return x.extent(0) + plane.extent(0) + unlabelled.extent(0);
}

static size_t handles()
{
    Kokkos::View<double *> x(Kokkos::view_alloc("x", Kokkos::WithoutInitializing), 64), other = x;
    Kokkos::View<double *, Kokkos::MemoryUnmanaged> unmanaged(x.data(), 64);
    Kokkos::View<Point *> points("points", 16);
    auto part = Kokkos::subview(other, Kokkos::make_pair(8, 24));
    x = Kokkos::View<double *>("x once more", 3);
    return part.extent(0) + unmanaged.extent(0) + static_cast<size_t>(points(3).x + points(15).y);
}

static long raw()
{
    auto *labelled = static_cast<int *>(Kokkos::kokkos_malloc<Kokkos::HostSpace>("raw", 400));
    auto *unlabelled = Kokkos::kokkos_malloc<>(40);
    labelled[99] = 7;
    labelled = static_cast<int *>(Kokkos::kokkos_realloc<Kokkos::HostSpace>(labelled, 800));
    long last = labelled[99];
    Kokkos::kokkos_free<Kokkos::HostSpace>(labelled);
    Kokkos::kokkos_free<>(unlabelled);
    return last;
}

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    size_t extents = resized(), parts = handles();
    std::printf("%zu %zu %ld\n", extents, parts, raw());
    Kokkos::View<char *> many[10];
    for (int i = 0; i < 10; i++) {
        many[i] = Kokkos::View<char *>("many " + std::to_string(i % 3), 1000 << i);
    }
    for (int i = 0; i < 10; i += 2) {
        many[i] = {};
    }
    Kokkos::View<char *> highest("highest", 3 << 20);
    std::printf("%zu\n", highest.extent(0));
    return 0;
}
