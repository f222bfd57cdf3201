// The host waits for a device after each kernel. Hooks of Kokkos Tools and a nanosleep simulate the
// fence of a back end that executes kernels asynchronously.
#include <Kokkos_Core.hpp>

#include "../pair.h"

enum { STEPS = 60 };

static void fence()
{
    uint64_t handle = 0;
    Kokkos::Tools::beginFence("wait for the step", 1, &handle); // HERE
    rest(5);
    Kokkos::Tools::endFence(handle);
}

static void run(int steps_of_a_fence)
{
    Kokkos::ScopeGuard guard;
    for (int step = 0; step < STEPS; step++) {
        Kokkos::parallel_for("step", 2, KOKKOS_LAMBDA(int) { rest(5); });
        if (step % steps_of_a_fence == 0) {
            fence();
        }
    }
}

void before()
{
    run(1);
}

void after()
{
    run(STEPS);
}
