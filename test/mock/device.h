// Devices of the mock runtime: their clocks, and the traces that a tool may have of them. In the runtime's library.
//
// A record lies in a buffer that the tool has given, as struct mock_record; a cursor is its place, mostly counted from 1. What the tool
// calls is printed, `device CALL ...`.
#pragma once

#include "runtime.h"

enum { MOCK_MAX_DEVICES = 16, MOCK_MAX_BUFFERS = 64 };

// How a device behaves. Before its first use, but for what the next call of it does.
struct mock_device_options {
    double rate;                             // ticks a second
    double drift;                            // parts in a million by which it is faster
    uint64_t offset;                         // ticks at its beginning
    ompt_set_result_t ompt, kernels, native; // what is answered to who asks for records
    int starts;                              // whether a trace can be started
    bool has_newer_forms; // of records alone: the older ones of each kind are never traced
    long slow;            // milliseconds that the next start, pause or end of a pause takes
    bool is_held;         // it takes until mock_device_let_go
    double translates;    // to so many seconds of the host for one of the device; nan
    double skew;          // microseconds by which that is too late
    bool means_monotonic; // it is CLOCK_MONOTONIC and not omp_get_wtime that is translated to
    bool stands_still;    // the clock when it is asked
    ompt_buffer_cursor_t cursor; // of a buffer's first byte
};
MOCK_API void mock_device_set(int number, struct mock_device_options options);
MOCK_API struct mock_device_options mock_device_options(int number);

// The runtime's own clock, in seconds: what time is translated to. Ahead of CLOCK_MONOTONIC, or so late as it is set to.
MOCK_API double omp_get_wtime(void);
MOCK_API void mock_set_wtime(double now);

// What device_initialize gives a tool.
MOCK_API ompt_device_t *mock_device(int number);
MOCK_API ompt_interface_fn_t mock_device_lookup(const char *name);

// The device's clock now, and CLOCK_MONOTONIC at that moment.
MOCK_API uint64_t mock_device_now(int number, uint64_t *ns);

// Whether the tool has started a trace, and not paused it.
MOCK_API bool mock_device_is_traced(int number);

// Whether what takes it long has begun.
MOCK_API bool mock_device_is_busy(int number);
MOCK_API void mock_device_let_go(int number);

struct mock_record {
    int device;         // whose it is; buffers may be shared
    ompt_record_t type; // also what is none
    bool is_absent;     // what it is cannot be had
    ompt_id_t operation;
    ompt_record_ompt_t ompt;
    ompt_record_abstract_t abstract;
    char text[32]; // that abstract.type is
};

struct mock_buffer {
    int device;
    ompt_buffer_t *memory; // NULL: the tool gave none
    size_t bytes, used;
    bool is_complete;
    bool is_late; // kept when all are to be handed over
};

// Asks the tool for a buffer; NULL: it has not started a trace, or there are too many.
MOCK_API struct mock_buffer *mock_buffer_request(int device);

// False: there is no room.
MOCK_API bool mock_buffer_add(struct mock_buffer *buffer, const struct mock_record *record);

// Gives `bytes` of it to the tool as `device`'s.
MOCK_API void mock_buffer_complete(struct mock_buffer *buffer, int device, size_t bytes,
                                   ompt_buffer_cursor_t begin, int is_owned);

// The cursor of a device's first record; 0: it has none.
MOCK_API ompt_buffer_cursor_t mock_buffer_first(const struct mock_buffer *buffer, int device);

// Gives the tool all that is not complete, and not late, as a runtime does when it is told to stop or flush.
MOCK_API void mock_device_hand_over(int device);
