// Which device an id means. Its layout depends on the version of the interface that Kokkos speaks.
#pragma once

#include <stdint.h>

// What kokkosp_init_library said. Called before the first event; without it the newest layout is taken.
void device_set_version(uint64_t interface_version);

// "OpenMP", "Cuda 1 instance 3". Instances of devices of the host say nothing and are left out. Lives for ever. Any thread.
const char *device_name(uint32_t device);

// Whose fence it is, by its name, and where: "user, OpenMP", "Kokkos, Cuda 1 instance 3", "user, Cuda 1" (all its instances), "tool, Cuda" (of
// whatever device), "Kokkos, Cuda copies".
const char *device_of_fence(uint32_t device, const char *name);
