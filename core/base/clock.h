// The clock of timestamps: ticks, in one unbroken order on all threads.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

// Both clocks and the wall clock at one moment.
struct otter_clock_reading {
    uint64_t ticks;
    uint64_t monotonic_ns; // CLOCK_MONOTONIC
    uint64_t realtime_ns;  // since 1970
};

// Whether this processor has a counter of constant rate that all cores share (x86: CPUID 80000007h EDX[8]).
bool otter_clock_has_invariant_counter(void);

// Whether the system itself would take the time from the counter, or does not tell: it would not where the counters of cores are apart (several
// sockets, some virtual machines).
bool otter_clock_counter_is_trusted(void);

// The same of a list of clock sources, as Linux gives it: names with blanks between.
bool otter_clock_counter_is_listed(const char *sources);

// Chooses what otter_clock_now reads: the counter, or CLOCK_MONOTONIC in nanoseconds. Before any other thread reads.
void otter_clock_use_counter(bool use);
bool otter_clock_uses_counter(void);

struct otter_clock_reading otter_clock_read(void);

// Ticks per second, from two readings of one run by the same clock. 10^9 when they are too close to tell.
uint64_t otter_clock_resolution(const struct otter_clock_reading *first,
                                const struct otter_clock_reading *last);

uint64_t otter_clock_monotonic_ns(void);

// For otter_clock_now alone.
extern bool otter_clock_reads_counter;

// The time, in ticks. Async-signal-safe.
static inline uint64_t otter_clock_now(void)
{
#if defined(__x86_64__)
    if (__builtin_expect(otter_clock_reads_counter, 1)) {
        return __builtin_ia32_rdtsc();
    }
#endif
    return otter_clock_monotonic_ns();
}
