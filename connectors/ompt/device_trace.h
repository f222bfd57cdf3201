// A device that traces, and how its records are read.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include <omp-tools.h>

// One moment by both clocks: the device's, in its own units, or where it cannot be read the runtime's, in seconds; and that of otter_now().
struct device_reading {
    long double device;
    uint64_t host;
};

// What the runtime has for a device; any may be missing.
struct device_functions {
    ompt_set_trace_ompt_t set_trace_ompt;
    ompt_set_trace_native_t set_trace_native;
    ompt_start_trace_t start;
    ompt_pause_trace_t pause;
    ompt_flush_trace_t flush;
    ompt_stop_trace_t stop;
    ompt_advance_buffer_cursor_t advance;
    ompt_get_record_type_t get_type;
    ompt_get_record_ompt_t get_ompt;
    ompt_get_record_native_t get_native;
    ompt_get_record_abstract_t get_abstract;
    ompt_get_device_time_t get_time;
    ompt_translate_time_t translate;
};

struct device {
    struct device_reading first; // when it was initialised
    ompt_device_t *handle;
    struct device_functions call;
    int number;
    _Atomic int state; // see device.c
    bool has_clock;
};

// Reads both clocks. False: nothing can be known of the times that the device tells.
bool device_read_clocks(const struct device *device, struct device_reading *reading);

// Tells the core what is in a buffer, from `cursor` on.
void device_tell_records(const struct device *device, ompt_buffer_t *buffer, size_t bytes,
                         ompt_buffer_cursor_t cursor);
