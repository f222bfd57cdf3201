// Calls that Kokkos does not check: regions popped too often, on another thread or never, sections
// in any order.
#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstdio>
#include <thread>

namespace Profiling = Kokkos::Profiling;

static void sections()
{
    std::uint32_t section = 0, other = 0;
    Profiling::createProfileSection("section", &section);
    Profiling::createProfileSection("other", &other);
    Profiling::stopSection(section);
    Profiling::startSection(section);
    Profiling::startSection(section);
    Profiling::stopSection(section);
    Profiling::destroyProfileSection(section);
    Profiling::stopSection(section);
    Profiling::startSection(4711);
    Profiling::startSection(other);
    Profiling::createProfileSection("destroyed while it runs", &section);
    Profiling::startSection(section);
    Profiling::destroyProfileSection(section);
}

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    Profiling::popRegion();
    Profiling::pushRegion("pushed here, popped there");
    std::thread([] {
        Profiling::popRegion();
        Profiling::pushRegion("open at the end of its thread");
    }).join();
    Kokkos::parallel_for("kernel", 10, KOKKOS_LAMBDA(int){});
    Profiling::popRegion();
    Profiling::popRegion();
    sections();
    Profiling::pushRegion("open at the end");
    std::puts("end");
    return 0;
}
