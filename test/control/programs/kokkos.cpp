// Regions and sections that switch recording.
#include <Kokkos_Core.hpp>

static void kernel(const char *label)
{
    Kokkos::parallel_for(label, 10, KOKKOS_LAMBDA(int){});
}

static void region(const char *name, const char *label)
{
    Kokkos::Profiling::pushRegion(name);
    kernel(label);
    Kokkos::Profiling::popRegion();
}

int main(int argc, char **argv)
{
    Kokkos::initialize(argc, argv);
    {
        kernel("first");
        region("setup", "in setup");
        Kokkos::Profiling::pushRegion("solve");
        kernel("in solve");
        region("inner", "in inner");
        region("solve", "in solve in solve");
        kernel("in solve again");
        Kokkos::Profiling::popRegion();
        uint32_t section;
        Kokkos::Profiling::createProfileSection("section", &section);
        Kokkos::Profiling::startSection(section);
        kernel("in section");
        Kokkos::Profiling::stopSection(section);
        Kokkos::Profiling::destroyProfileSection(section);
        kernel("last");
    }
    Kokkos::finalize();
    return 0;
}
