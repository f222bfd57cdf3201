// Kokkos in OpenMP: kernels, regions and events on the members of a parallel region, and in tasks.
// Views are not used: Kokkos 3.4 counts their handles atomically only on its own threads.
#include <Kokkos_Core.hpp>
#include <omp.h>

#include <cstdio>

constexpr int width = 100;

static void on_members(int *x)
{
#pragma omp parallel num_threads(2)
    {
        int *row = x + width * omp_get_thread_num();
        Kokkos::Profiling::pushRegion("member");
        for (int k = 0; k < 5; k++) {
            Kokkos::parallel_for(
                "on members", Kokkos::RangePolicy<Kokkos::Serial>(0, 100),
                KOKKOS_LAMBDA(int i) { row[i] += i; });
        }
        Kokkos::Profiling::popRegion();
#pragma omp barrier
        Kokkos::parallel_for("on members, by default", 100, KOKKOS_LAMBDA(int i) { row[i] += 1; });
        Kokkos::Profiling::markEvent("done");
    }
}

static void in_tasks(int *x)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int task = 0; task < 6; task++) {
#pragma omp task firstprivate(x, task)
        Kokkos::parallel_for(
            "in a task", Kokkos::RangePolicy<Kokkos::Serial>(0, 100),
            KOKKOS_LAMBDA(int i) { x[width * (2 + task) + i] += i; });
    }
}

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    Kokkos::View<int **, Kokkos::LayoutRight> x("x", 8, width);
    on_members(x.data());
    in_tasks(x.data());
    Kokkos::parallel_for("after all", width, KOKKOS_LAMBDA(int i) { x(0, i) += 1; });
    Kokkos::fence();
    long sum = 0;
    for (int i = 0; i < 8; i++) {
        sum += x(i, width - 1);
    }
    std::printf("%ld\n", sum);
    return 0;
}
