// Devices as record knows them, and their streams.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "trace/schema.h"

struct otter_data_op;
struct otter_device_module;
struct otter_location_writer;
struct otter_totals;

enum { OTTER_DEVICE_UNKNOWN = 0, OTTER_WINDOW_NONE = UINT32_MAX };

// A small number for the device that its runtime calls `number`, for as long as the process lives; OTTER_DEVICE_UNKNOWN: it has none
// (negative, or there are too many). Any thread; locks when it is new.
uint8_t otter_device_find(int number);

// What its runtime calls a device that was found.
int otter_device_number(uint8_t device);

// Describes the file that the code comes from, in an archive property, as long as there are few. Any thread; locks.
void otter_device_describe_module(int number, const struct otter_device_module *module);

// The RMA window of a device, which is defined in the archive when this is first asked. OTTER_WINDOW_NONE: it cannot be.
// Any thread; locks when it is new.
uint32_t otter_device_window(uint8_t device);

// Parameters of the record before, of which only what is known is written: a number (0: not known), what its runtime calls a device
// (negative: not known), all of an operation on data. By the thread that may use the writer.
void otter_write_known(struct otter_location_writer *writer, uint64_t time,
                       enum otter_parameter parameter, uint64_t value);
void otter_write_device(struct otter_location_writer *writer, uint64_t time,
                        enum otter_parameter parameter, int device);
void otter_write_data_op(struct otter_location_writer *writer, uint64_t time,
                         const struct otter_data_op *op);

// The location of a stream can keep nothing more. By the thread that writes to it.
void otter_device_stream_failed(uint32_t location);

// The session ends: writes what is kept of all devices, and counts. Whatever comes later is ignored.
void otter_devices_finish(struct otter_totals *totals);
