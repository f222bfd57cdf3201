// The streams of devices, and parameters of their records.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "otter/record.h"
#include "trace/schema.h"

struct otter_location_writer;

// *Thread*: the holder of the devices' lock, for all functions of streams.

// *Returns* whether there is room for another stream.
bool otter_stream_may_add(void);

// Defines another stream of the device with this window. *Returns* false if that fails.
bool otter_stream_add(uint32_t window);

// Writes a record to the first stream of the device that is free at its start. A transfer is an RMA
// operation unless host threads report it. *Returns* false if the record is lost.
bool otter_stream_write(uint32_t window, const struct otter_device_record *record,
                        bool is_reported_by_host);

// Write a parameter of the previous record if its value is known: 0 or a negative device means
// unknown. *Thread*: the writer's owner.
void otter_write_known(struct otter_location_writer *writer, uint64_t time,
                       enum otter_parameter parameter, uint64_t value);
void otter_write_device(struct otter_location_writer *writer, uint64_t time,
                        enum otter_parameter parameter, int device);
void otter_write_data_op(struct otter_location_writer *writer, uint64_t time,
                         const struct otter_data_op *op);
