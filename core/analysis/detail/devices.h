// Kernels and transfers of devices: how long they took, how many bytes they moved, and how long the
// host waited.
#pragma once

#include "analysis/analysis.h"

// All operations of one construct on one device. Times are ticks.
struct otter_device_use {
    uint32_t region;   // OTTER_NONE: all constructs of the device
    uint32_t location; // the device's first stream
    uint64_t n;
    uint64_t ticks;   // sum over operations, which may overlap
    uint64_t busy;    // while at least one operation ran
    uint64_t bytes;   // where recorded
    uint64_t waiting; // of the host for these operations, while they ran
};

struct otter_devices {
    struct otter_device_use
        // for each device: all its constructs together, then each construct in descending order of
        // time
        *items;
    uint32_t n;
};

// Reads all events of the completed `analysis`. Memory: 48 bytes for each operation. The caller
// finishes *devices in any case. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_devices_read(struct otter_devices *devices,
                                     const struct otter_analysis *analysis);
void otter_devices_finish(struct otter_devices *devices);
