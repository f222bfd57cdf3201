// More events than become markers, on several threads, with odd names.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <thread>

static void mark(const char *name, int n)
{
    for (int i = 0; i < n; i++) {
        Kokkos::Tools::markEvent(name + std::to_string(i));
    }
}

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    for (const char *name : {"", "a b", "tab\tand \"quotes\" % \\", "\xc3\xa9"}) {
        Kokkos::Tools::markEvent(name);
    }
    std::thread first(mark, "first ", 1000), second(mark, "second ", 1000);
    first.join();
    second.join();
    Kokkos::parallel_for("between", Kokkos::RangePolicy<Kokkos::Serial>(0, 1),
                         [](int) { Kokkos::Tools::markEvent("in a kernel"); });
    mark("last ", 3000);
    std::puts("end");
    return 0;
}
