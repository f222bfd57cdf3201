// The devices that can trace themselves, and the translation of their records.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include <omp-tools.h>

// The clocks for the times of a device. The device's own clock has its own unit. The runtime may
// translate to a host clock that counts seconds.
enum device_clock {
    DEVICE_CLOCK_OWN,
    DEVICE_CLOCK_REAL,
    DEVICE_CLOCK_MONOTONIC,
    DEVICE_CLOCK_RUNTIME, // omp_get_wtime
    N_DEVICE_CLOCKS
};

// One moment, read from each of these clocks and from otter_now(). The time of a missing clock is
// always 0.
struct device_reading {
    long double time;
    uint64_t ticks;
};

// The functions that the runtime has for a device; missing ones are NULL.
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
    struct device_reading first[N_DEVICE_CLOCKS]; // readings at the device's initialisation
    ompt_device_t *handle;
    struct device_functions call;
    int number;
    bool is_described; // the archive has the device's answers
    _Atomic int state; // see device.c
    _Atomic bool
        is_finalized; // finalised: its trace is stopped, and the device is not called again
    _Atomic bool is_abandoned; // finalised during a change of its state: it is never called again
};

// Reads all clocks.
void device_read_clocks(const struct device *device, struct device_reading readings[]);

// Passes the records of a buffer, from `cursor` on, to the core.
void device_record_buffer(const struct device *device, ompt_buffer_t *buffer, size_t bytes,
                          ompt_buffer_cursor_t cursor);
