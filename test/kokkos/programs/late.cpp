// Kokkos is finalised in the destructor of a static object, after exit handlers. Kernels run in all
// of these, in a finalize hook, and afterwards, where tools do not see them.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <cstdlib>

static void kernel(const char *label)
{
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Kokkos::Serial>(0, 10), [](int) {});
}

struct Last {
    ~Last()
    {
        kernel("in a destructor");
        Kokkos::finalize();
        kernel("after finalize");
        std::puts("finalised");
    }
};

int main(int argc, char **argv)
{
    static Last last;
    Kokkos::initialize(argc, argv);
    Kokkos::push_finalize_hook([] { kernel("in a hook of finalize"); });
    std::atexit([] { kernel("in a handler of exit"); });
    kernel("in main");
    return 0;
}
