// A library that brings Kokkos and OpenMP into a program without them. PLUGIN_END selects the call of
// Kokkos' finalize: "now", "exit" (a handler of exit, after main), "never".
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>

static bool ends(const char *how)
{
    return std::strcmp(std::getenv("PLUGIN_END"), how) == 0;
}

extern "C" void run_plugin(int argc, char **argv)
{
    int n = 0;
    Kokkos::initialize(argc, argv);
    if (ends("exit")) {
        std::atexit([] { Kokkos::finalize(); });
    }
#pragma omp parallel for reduction(+ : n)
    for (int i = 0; i < 100; i++) {
        n++;
    }
    Kokkos::Profiling::pushRegion("region");
    Kokkos::parallel_for("kernel", 100, KOKKOS_LAMBDA(int){});
    Kokkos::Profiling::popRegion();
    std::printf("%d\n", n);
    if (ends("now")) {
        Kokkos::finalize();
    }
}
