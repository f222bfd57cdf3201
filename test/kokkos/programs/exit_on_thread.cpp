// Ends the program on a thread of the host, with status 5, while the main thread waits in a kernel.
#include <Kokkos_Core.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

using Serial = Kokkos::RangePolicy<Kokkos::Serial>;

int main(int argc, char **argv)
{
    Kokkos::initialize(argc, argv);
    std::atomic<bool> is_in_kernel{false};
    std::thread([&] {
        while (!is_in_kernel) {
            std::this_thread::yield();
        }
        Kokkos::Profiling::pushRegion("exits");
        std::puts("exits");
        std::exit(5);
    }).detach();
    Kokkos::parallel_for("waits for ever", Serial(0, 1), [&](int) {
        Kokkos::Profiling::pushRegion("in a kernel");
        is_in_kernel = true;
        for (;;) {
            std::this_thread::yield();
        }
    });
    return 0;
}
