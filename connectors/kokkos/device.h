// Which device an id means. Its layout depends on the version of the interface that Kokkos speaks.
#pragma once

#include <stdint.h>

// What kokkosp_init_library said. Called before the first event; without it the newest layout is taken.
void device_set_version(uint64_t interface_version);

// "OpenMP", "Cuda 1 instance 3". Instances of devices of the host say nothing and are left out. Lives for ever. Any thread.
static inline const char *device_name(uint32_t device);

// The same, of whatever device.
const char *device_find(uint32_t device);

// Whose fence it is, by its name, and where: "user, OpenMP", "Kokkos, Cuda 1 instance 3", "user, Cuda 1" (all its instances), "tool, Cuda" (of
// whatever device), "Kokkos, Cuda copies".
const char *device_of_fence(uint32_t device, const char *name);

// From which space of memory a copy goes to which: "Host <- Cuda". Lives for ever; of more pairs than 1024 it is "other spaces". Any
// thread.
const char *device_of_copy(const char *to, const char *from);

static inline const char *device_name(uint32_t device)
{
    static const char *const frequent[] = {"Serial", "OpenMP"};
    uint32_t type = device >> 24;
    return __builtin_expect(type < 2, 1) ? frequent[type] : device_find(device);
}
