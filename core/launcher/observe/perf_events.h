// The context switches of a process and its descendants, and samples of where their threads are, as
// the kernel reports them.
//
// *Thread*: one at a time.
#pragma once

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "launcher/observe/counters.h"
#include "launcher/observe/unwinder.h"

// How threads are sampled.
struct otter_sampling {
    uint32_t rate;       // samples of each thread per second of processor time; 0: none
    uint32_t stack_size; // bytes of the stack that a sample copies; 0: none, but a call chain
};

struct otter_kernel_switch {
    uint64_t time_ns; // CLOCK_MONOTONIC
    uint32_t process, thread;
    uint32_t processor;
    enum otter_switch_kind kind; // of a thread that ends: OTTER_SWITCH_OUT
    bool is_start;               // a thread starts and may run; this is not a switch
    bool is_end;
    uint64_t n; // OTTER_SWITCH_LOST: number of lost switches, without process and thread;
                // OTTER_SWITCH_WAITED: microseconds
};

// Where a thread was when it was sampled, or how many events a counter has counted.
struct otter_kernel_sample {
    uint64_t time_ns; // CLOCK_MONOTONIC
    uint32_t process, thread;
    uint32_t counter; // 0: a sample; otherwise the number of a counter, from 1
    uint64_t count;   // of a counter: events in the thread since its previous count
    uint32_t n;       // of a sample: at least 1, but 0 if it has a stack
    // code addresses, innermost first: the next instruction, then the callers' return addresses
    const uint64_t *addresses;
    struct otter_stack_copy stack;
};

struct otter_perf_visitor {
    void (*visit_switch)(void *user, const struct otter_kernel_switch *change);
    void (*visit_sample)(void *user, const struct otter_kernel_sample *sample);
    void (*visit_lost_samples)(void *user, uint64_t time_ns, uint64_t n); // or counts
    void *user;
};

struct otter_perf_events;

// Opens events for `pid`; they start when `pid` executes a program. Without samples, there are no
// counters. Each counter stores at most about as many counts per second as there are samples.
// Removes counters that some processor refuses, and warns of them.
// *Returns* 0 or errno; ENOBUFS: the kernel allows no memory for the buffers. The caller closes
// *opened.
int otter_perf_events_open(pid_t pid, const struct otter_sampling *sampling,
                           struct otter_counters *counters, struct otter_perf_events **opened);
void otter_perf_events_close(struct otter_perf_events *events);

// Return the number of descriptors to poll, and the descriptors. After a poll, the caller calls
// otter_perf_events_polled with the same array.
size_t otter_perf_events_count(const struct otter_perf_events *events);
void otter_perf_events_list(const struct otter_perf_events *events, struct pollfd *fds);
void otter_perf_events_polled(struct otter_perf_events *events, struct pollfd *fds);

// Returns the number of a processor whose switches are recorded.
uint32_t otter_perf_events_processor(const struct otter_perf_events *events);

// Returns the highest number of such a processor, plus 1.
uint32_t otter_perf_events_end_of_processors(const struct otter_perf_events *events);

// Visits each switch and sample before `until_ns` that has not been visited yet, in order of time
// on each processor.
void otter_perf_events_drain(struct otter_perf_events *events, uint64_t until_ns,
                             const struct otter_perf_visitor *visitor);
