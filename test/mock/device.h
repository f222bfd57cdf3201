// Devices of the mock runtime: their clocks and traces. They are part of the runtime's library.
//
// A buffer of the tool contains records as struct mock_record. A cursor is a record's place, mostly
// counted from 1. Calls of the tool are printed: `device CALL ...`.
#pragma once

#include "runtime.h"

enum { MOCK_MAX_DEVICES = 16, MOCK_MAX_BUFFERS = 64 };

// The behaviour of a device. It is set before the device's first use; the fields of the next call
// may change later.
struct mock_device_options {
    double rate;                             // ticks per second
    double drift;                            // parts per million by which the device is faster
    uint64_t offset;                         // ticks at the device's beginning
    ompt_set_result_t ompt, kernels, native; // answers to the tool's requests for records
    int starts;                              // whether a trace can be started
    bool has_newer_forms;                    // older forms of records are never traced
    long slow;                   // milliseconds of the next start, pause or end of a pause
    bool is_held;                // the call lasts until mock_device_let_go
    double translates;           // seconds of the host for each second of the device; may be nan
    double skew;                 // microseconds by which a translation is late
    bool means_monotonic;        // translations refer to CLOCK_MONOTONIC instead of omp_get_wtime
    bool stands_still;           // the clock returns the same time at each call
    ompt_buffer_cursor_t cursor; // of a buffer's first byte
};
MOCK_API void mock_device_set(int number, struct mock_device_options options);
MOCK_API struct mock_device_options mock_device_options(int number);

// The runtime's clock in seconds, to which device times are translated. A script sets its offset
// from CLOCK_MONOTONIC.
MOCK_API double omp_get_wtime(void);
MOCK_API void mock_set_wtime(double now);

// Return a device, and its lookup function, as device_initialize passes them to a tool.
MOCK_API ompt_device_t *mock_device(int number);
MOCK_API ompt_interface_fn_t mock_device_lookup(const char *name);

// Returns the time of the device's clock, and sets *ns to CLOCK_MONOTONIC at the same moment.
MOCK_API uint64_t mock_device_now(int number, uint64_t *ns);

// Returns whether the tool has started a trace that is not paused.
MOCK_API bool mock_device_is_traced(int number);

// Returns whether the slow call has begun.
MOCK_API bool mock_device_is_busy(int number);
MOCK_API void mock_device_let_go(int number);

struct mock_record {
    int device;         // the record's device; devices may share buffers
    ompt_record_t type; // may be an invalid kind
    bool is_absent;     // the record cannot be read
    ompt_id_t operation;
    ompt_record_ompt_t ompt;
    ompt_record_abstract_t abstract;
    char text[32]; // storage of abstract.type
};

struct mock_buffer {
    int device;
    ompt_buffer_t *memory; // NULL: the tool provided none
    size_t bytes, used;
    bool is_complete;
    bool is_late; // not delivered by a flush or stop
};

// Asks the tool for a buffer. *Returns* NULL: the tool has not started a trace, or there are too
// many.
MOCK_API struct mock_buffer *mock_buffer_request(int device);

// *Returns* false: the buffer is full.
MOCK_API bool mock_buffer_add(struct mock_buffer *buffer, const struct mock_record *record);

// Completes `bytes` of the buffer as records of `device`.
MOCK_API void mock_buffer_complete(struct mock_buffer *buffer, int device, size_t bytes,
                                   ompt_buffer_cursor_t begin, int is_owned);

// Returns the cursor of a device's first record; 0: there is none.
MOCK_API ompt_buffer_cursor_t mock_buffer_first(const struct mock_buffer *buffer, int device);

// Completes all pending buffers that are not late, as a runtime does for a stop or a flush.
MOCK_API void mock_device_hand_over(int device);
