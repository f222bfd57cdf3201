// Regions in regions and around kernels, overlapping sections, events, and metadata of the program.
#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ProfileSection.hpp>
#if KOKKOS_VERSION >= 40100
#include <Kokkos_Profiling_ScopedRegion.hpp>
#endif

#include <cstdio>

namespace Profiling = Kokkos::Profiling;

static void solve(const Kokkos::View<int *> &x)
{
    Profiling::pushRegion("solve");
    for (int i = 0; i < 4; i++) {
        Profiling::pushRegion("step " + std::to_string(i % 2));
        Kokkos::parallel_for("move", 100, KOKKOS_LAMBDA(int k) { x(k) += k; });
        Profiling::pushRegion("");
        Profiling::popRegion();
        Profiling::popRegion();
    }
    Profiling::popRegion();
}

static void overlap(const Kokkos::View<int *> &x)
{
    Profiling::ProfilingSection first("first"), second("second"), unused("unused");
    first.start();
    Kokkos::parallel_for("in one section", 100, KOKKOS_LAMBDA(int k) { x(k) += 1; });
    second.start();
    Kokkos::parallel_for("in two sections", 100, KOKKOS_LAMBDA(int k) { x(k) += 1; });
    first.stop();
    Profiling::markEvent("between");
    second.stop();
    second.start();
    second.stop();
}

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    Kokkos::Tools::declareMetadata("answer", "42");
    Kokkos::View<int *> x("x", 100);
    Profiling::markEvent("begin");
    solve(x);
    overlap(x);
    overlap(x);
#if KOKKOS_VERSION >= 40100
    {
        Profiling::ScopedRegion region("scoped");
        Kokkos::parallel_for("in a scoped region", 100, KOKKOS_LAMBDA(int k) { x(k) += 1; });
    }
#endif
    Profiling::markEvent("end");
    Kokkos::fence();
    std::printf("%d\n", x(99) % 10 >= 0);
    return 0;
}
