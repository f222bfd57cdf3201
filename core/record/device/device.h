// Devices and their streams.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "trace/schema.h"

struct otter_device_module;
struct otter_counts;

enum { OTTER_DEVICE_UNKNOWN = 0, OTTER_WINDOW_NONE = UINT32_MAX };

// *Returns* a small number for the device that its runtime calls `number`, valid for the life of
// the process. OTTER_DEVICE_UNKNOWN: `number` is negative, or there are too many. *Thread*: any;
// locks for a new device.
uint8_t otter_device_find(int number);

// *Returns* the runtime's number of a device that otter_device_find returned.
int otter_device_number(uint8_t device);

// Names the module's file in a property of the archive, for the first 256 modules. *Thread*: any;
// locks.
void otter_device_describe_module(int number, const struct otter_device_module *module);

// *Returns* the RMA window of a device and defines it at the first call; OTTER_WINDOW_NONE if that
// fails. *Thread*: any; takes a lock to create a window.
uint32_t otter_device_window(uint8_t device);

// Writes the stored records of all devices and adds their counts. Later calls do nothing.
void otter_devices_finish(struct otter_counts *counts);
