// Heat in a stack of plates with one hot edge: in each time step, each point gets the mean of its
// four neighbours.
//
// usage: plates
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <utility>

constexpr int n_steps = 400, n_plates = 20, edge = 32;

using Plates = Kokkos::View<double ***>;
using Points = Kokkos::MDRangePolicy<Kokkos::Rank<3>>;

static void average(const Plates &heat, const Plates &mean)
{
    Points inner({0, 1, 1}, {n_plates, edge - 1, edge - 1});
    Kokkos::parallel_for(
        "average", inner, KOKKOS_LAMBDA(int plate, int i, int j) {
            mean(plate, i, j) = 0.25 * (heat(plate, i - 1, j) + heat(plate, i + 1, j) +
                                        heat(plate, i, j - 1) + heat(plate, i, j + 1));
        });
}

static double run()
{
    Plates heat("heat", n_plates, edge, edge), mean("mean", n_plates, edge, edge);
    Kokkos::deep_copy(Kokkos::subview(heat, Kokkos::ALL, 0, Kokkos::ALL), 100.0);
    Kokkos::deep_copy(mean, heat);
    for (int step = 0; step < n_steps; step++) {
        average(heat, mean);
        std::swap(heat, mean);
    }
    Kokkos::fence();
    return heat(0, edge / 2, edge / 2);
}

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    std::printf("%.4f in the middle\n", run());
    return 0;
}
