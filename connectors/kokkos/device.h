// Which device an id means. Its layout depends on the version of the interface that Kokkos speaks.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "otter/record.h"

// What kokkosp_init_library said. Called before the first event; without it the newest layout is taken.
void device_set_version(uint64_t interface_version);

// "OpenMP", "Cuda 1 instance 3". Instances of devices of the host say nothing and are left out. Lives for ever. Any thread.
static inline const char *device_name(uint32_t device);

// The same, of whatever device.
const char *device_find(uint32_t device);

// Where a fence is: the same, but "Cuda 1" for all instances of a device, "Cuda" for whatever device, "Cuda copies" for the resources of copies.
static inline const char *device_of_fence(uint32_t device);
const char *device_find_fenced(uint32_t device);

// An otter_qualifier: of a fence also whose it is, which its name tells: "user, OpenMP", "Kokkos, Cuda copies", "tool, Cuda".
otter_qualifier device_qualify;

// From which space of memory a copy goes to which: "Host <- Cuda". Lives for ever; of more pairs than 1024 it is "other spaces". Any
// thread.
const char *device_of_copy(const char *to, const char *from);

// NULL: it is none of those that most programs have.
static inline const char *device_frequent(uint32_t device)
{
    static const char *const names[] = {"Serial", "OpenMP"};
    uint32_t type = device >> 24;
    return __builtin_expect(type < 2, 1) ? names[type] : NULL;
}

static inline const char *device_name(uint32_t device)
{
    const char *name = device_frequent(device);
    return name ? name : device_find(device);
}

static inline const char *device_of_fence(uint32_t device)
{
    const char *name = device_frequent(device);
    return name ? name : device_find_fenced(device);
}
