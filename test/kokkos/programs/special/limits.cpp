// Has one limit: kernels that are too small, memory that is allocated again and again, copies,
// fences, or a high water far above the mean. Or it has none.
//
// usage: limits small|allocate|copy|fence|high|fine
#include <Kokkos_Core.hpp>

#include <chrono>
#include <cstdio>
#include <string>

using Numbers = Kokkos::View<double *>;

static void spin(double microseconds)
{
    auto begin = std::chrono::steady_clock::now();
    std::chrono::duration<double, std::micro> passed{};
    while (passed.count() < microseconds) {
        passed = std::chrono::steady_clock::now() - begin;
    }
}

static void work(int n, double microseconds)
{
    for (int k = 0; k < n; k++) {
        Kokkos::parallel_for("work", 2, KOKKOS_LAMBDA(int) { spin(microseconds); });
    }
}

static void launch_small_kernels()
{
    Numbers x("x", 8);
    for (int k = 0; k < 50000; k++) {
        Kokkos::parallel_for("small", 8, KOKKOS_LAMBDA(int i) { x(i) += i; });
    }
}

static void allocate_in_a_loop()
{
    for (int k = 0; k < 200; k++) {
        Numbers tmp("tmp", 1 << 17);
        work(1, 20);
    }
}

static void copy_in_a_loop()
{
    Numbers from("from", 1 << 20), to("to", 1 << 20);
    for (int k = 0; k < 20; k++) {
        work(1, 100);
        Kokkos::deep_copy(to, from);
    }
}

static void fence_in_a_loop()
{
    for (int k = 0; k < 200000; k++) {
        Kokkos::fence();
    }
    work(1, 100);
}

static void rise_once()
{
    Numbers mesh("mesh", 1 << 10);
    {
        Numbers scratch(Kokkos::view_alloc("scratch", Kokkos::WithoutInitializing), 16 << 20);
    }
    work(20, 5000);
}

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    std::string what = argc > 1 ? argv[1] : "fine";
    if (what == "small") {
        launch_small_kernels();
    } else if (what == "allocate") {
        allocate_in_a_loop();
    } else if (what == "copy") {
        copy_in_a_loop();
    } else if (what == "fence") {
        fence_in_a_loop();
    } else if (what == "high") {
        rise_once();
    } else {
        work(50, 5000);
    }
    std::printf("%s\n", what.c_str());
    return 0;
}
