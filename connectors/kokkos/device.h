// The names of devices, fences and copies.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "otter/record.h"

// Sets the layout of device numbers; the default is the newest layout. Runs before the first event.
void device_set_version(uint64_t interface_version);

// An otter_qualifier. It adds the origin of a fence, derived from its name: "user, OpenMP",
// "Kokkos, Cuda copies", "tool, Cuda".
otter_qualifier device_qualify;

// *Returns* the memory spaces of a copy: "Host <- Cuda". After 1024 pairs of spaces it returns
// "other spaces". The text is never freed. *Thread*: any.
const char *device_of_copy(const char *to, const char *from);

// *Returns* the name of `device` if it is one of the most frequent ones, otherwise NULL.
static inline const char *device_frequent(uint32_t device)
{
    static const char *const names[] = {"Serial", "OpenMP"};
    uint32_t type = device >> 24;
    return __builtin_expect(type < 2, 1) ? names[type] : NULL;
}

// *Returns* the name of a device: "OpenMP", "Cuda 1 instance 3". Devices of the host have no
// instance. The text is never freed. *Thread*: any.
const char *device_find(uint32_t device);
static inline const char *device_name(uint32_t device)
{
    const char *name = device_frequent(device);
    return name ? name : device_find(device);
}

// *Returns* what a fence waits for, in the same form: "Cuda 1" for all instances of a device,
// "Cuda" for any device, "Cuda copies" for the resources used by copies.
const char *device_find_fenced(uint32_t device);
static inline const char *device_of_fence(uint32_t device)
{
    const char *name = device_frequent(device);
    return name ? name : device_find_fenced(device);
}
