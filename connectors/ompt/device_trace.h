// A device that traces, and how its records are read.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include <omp-tools.h>

// What the times of a device may be told by: its own clock, in its own units, or the clocks of the host that a runtime may translate
// to, in seconds.
enum device_clock {
    DEVICE_CLOCK_OWN,
    DEVICE_CLOCK_REAL,
    DEVICE_CLOCK_MONOTONIC,
    DEVICE_CLOCK_RUNTIME, // omp_get_wtime
    N_DEVICE_CLOCKS
};

// One moment by such a clock, and by otter_now(). A clock that there is not stands still.
struct device_reading {
    long double time;
    uint64_t ticks;
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
    struct device_reading first[N_DEVICE_CLOCKS]; // when it was initialised
    ompt_device_t *handle;
    struct device_functions call;
    int number;
    bool is_described;    // what it is asked for
    _Atomic int state;    // see device.c
    _Atomic bool is_gone; // it was finalised: once it is stopped nothing more is asked of it
    _Atomic bool is_dead; // finalised while somebody was changing it: not even that
};

// Reads all clocks.
void device_read_clocks(const struct device *device, struct device_reading readings[]);

// Tells the core what is in a buffer, from `cursor` on.
void device_tell_records(const struct device *device, ompt_buffer_t *buffer, size_t bytes,
                         ompt_buffer_cursor_t cursor);
