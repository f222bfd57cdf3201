// Kokkos in OpenMP: kernels, regions and events on the members of a parallel region, and in tasks.
#include <Kokkos_Core.hpp>
#include <omp.h>

#include <cstdio>

static void on_members(const Kokkos::View<int **> &x)
{
#pragma omp parallel num_threads(2)
    {
        int member = omp_get_thread_num();
        Kokkos::Profiling::pushRegion("member");
        for (int k = 0; k < 5; k++) {
            Kokkos::parallel_for(
                "on members", Kokkos::RangePolicy<Kokkos::Serial>(0, 100),
                KOKKOS_LAMBDA(int i) { x(member, i) += i; });
        }
        Kokkos::Profiling::popRegion();
#pragma omp barrier
        Kokkos::parallel_for(
            "on members, by default", 100, KOKKOS_LAMBDA(int i) { x(member, i) += 1; });
        Kokkos::Profiling::markEvent("done");
    }
}

static void in_tasks(const Kokkos::View<int **> &x)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int task = 0; task < 6; task++) {
#pragma omp task firstprivate(x)
        Kokkos::parallel_for(
            "in a task", Kokkos::RangePolicy<Kokkos::Serial>(0, 100),
            KOKKOS_LAMBDA(int i) { x(2 + task, i) += i; });
    }
}

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    Kokkos::View<int **> x("x", 8, 100);
    on_members(x);
    in_tasks(x);
    Kokkos::parallel_for("after all", 100, KOKKOS_LAMBDA(int i) { x(0, i) += 1; });
    Kokkos::fence();
    long sum = 0;
    for (int i = 0; i < 8; i++) {
        sum += x(i, 99);
    }
    std::printf("%ld\n", sum);
    return 0;
}
