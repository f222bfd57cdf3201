// Policies over several dimensions, with given tiles and with default tiles, for and reduce.
#include <Kokkos_Core.hpp>

#include <cstdio>

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    using Plane = Kokkos::MDRangePolicy<Kokkos::Rank<2>>;
    using Cube = Kokkos::MDRangePolicy<Kokkos::Rank<3>>;
    Kokkos::View<int **> plane("plane", 40, 30);
    Kokkos::View<int ***> cube("cube", 8, 9, 10);
    Kokkos::parallel_for(
        "plane", Plane({0, 0}, {40, 30}), KOKKOS_LAMBDA(int i, int j) { plane(i, j) = i * j; });
    Kokkos::parallel_for(
        "plane in tiles", Plane({1, 1}, {39, 29}, {4, 4}),
        KOKKOS_LAMBDA(int i, int j) { plane(i, j) += 1; });
    Kokkos::parallel_for(
        "cube", Cube({0, 0, 0}, {8, 9, 10}),
        KOKKOS_LAMBDA(int i, int j, int k) { cube(i, j, k) = i + j + k; });
    long sum_of_plane = 0, sum_of_cube = 0;
    Kokkos::parallel_reduce(
        "sum of plane", Plane({0, 0}, {40, 30}),
        KOKKOS_LAMBDA(int i, int j, long &to) { to += plane(i, j); }, sum_of_plane);
    Kokkos::parallel_reduce(
        "sum of cube", Cube({0, 0, 0}, {8, 9, 10}),
        KOKKOS_LAMBDA(int i, int j, int k, long &to) { to += cube(i, j, k); }, sum_of_cube);
    std::printf("%ld %ld\n", sum_of_plane, sum_of_cube);
    return 0;
}
