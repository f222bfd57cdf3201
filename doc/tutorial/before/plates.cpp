// Heat in a stack of plates with one hot edge: in each time step, each point gets the mean of its
// four neighbours.
//
// usage: plates
#include <Kokkos_Core.hpp>

#include <cstdio>

constexpr int n_steps = 400, n_plates = 20, edge = 32;

using Plates = Kokkos::View<double ***>;
using Points = Kokkos::MDRangePolicy<Kokkos::Rank<2>>;

static void average(const Plates &heat, int plate)
{
    Kokkos::View<double **> mean("mean", edge, edge);
    Points inner({1, 1}, {edge - 1, edge - 1});
    Kokkos::parallel_for(
        "average", inner, KOKKOS_LAMBDA(int i, int j) {
            mean(i, j) = 0.25 * (heat(plate, i - 1, j) + heat(plate, i + 1, j) +
                                 heat(plate, i, j - 1) + heat(plate, i, j + 1));
        });
    Kokkos::fence();
    Kokkos::parallel_for(
        "store", inner, KOKKOS_LAMBDA(int i, int j) { heat(plate, i, j) = mean(i, j); });
    Kokkos::fence();
}

static double run()
{
    Plates heat("heat", n_plates, edge, edge);
    Kokkos::deep_copy(Kokkos::subview(heat, Kokkos::ALL, 0, Kokkos::ALL), 100.0);
    for (int step = 0; step < n_steps; step++) {
        for (int plate = 0; plate < n_plates; plate++) {
            average(heat, plate);
        }
    }
    return heat(0, edge / 2, edge / 2);
}

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    std::printf("%.4f in the middle\n", run());
    return 0;
}
