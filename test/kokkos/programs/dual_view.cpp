// DualView, and its hooks called by name, since Kokkos itself does not call them on a host without
// a device.
#include <Kokkos_Core.hpp>
#include <Kokkos_DualView.hpp>

#include <cstdio>

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    Kokkos::DualView<int *> both("both", 10);
    both.h_view(3) = 5;
    both.modify_host();
    both.sync_device();
    auto device = both.view_device();
    Kokkos::parallel_for("on the device", 10, KOKKOS_LAMBDA(int i) { device(i) += i; });
    both.modify_device();
    both.sync_host();
    std::printf("%d\n", both.h_view(3));
    for (int i = 0; i < 3; i++) {
        Kokkos::Tools::modifyDualView("both", both.h_view.data(), false);
        Kokkos::Tools::syncDualView("both", both.h_view.data(), true);
    }
    Kokkos::Tools::modifyDualView("another", both.h_view.data(), true);
    Kokkos::Tools::syncDualView("another", both.h_view.data(), false);
    return 0;
}
