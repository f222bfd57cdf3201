// The clock of timestamps: its ticks never decrease, on all threads.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

// The clock of timestamps and two clocks of the system, read at the same time.
struct otter_clock_reading {
    uint64_t ticks;
    uint64_t monotonic_ns; // CLOCK_MONOTONIC
    uint64_t realtime_ns;  // since 1970
};

// Returns whether the processor has a counter of constant rate that all cores share. On x86, CPUID
// 80000007h EDX[8] shows it. ARM's and POWER's architectures demand it.
bool otter_clock_has_invariant_counter(void);

// Returns whether Linux lists the counter as a clock source, or has no list. Linux removes the
// counter if the counters of the cores differ (several sockets, some virtual machines).
bool otter_clock_counter_is_trusted(void);

// Returns whether `sources`, a blank-separated list of clock sources, contains the counter.
bool otter_clock_counter_is_listed(const char *sources);

// Chooses the source of otter_clock_now: the counter, or CLOCK_MONOTONIC in ns.
// Thread: before any other thread reads the clock.
void otter_clock_use_counter(bool use);
bool otter_clock_uses_counter(void);

struct otter_clock_reading otter_clock_read(void);

// Returns the ticks per second, computed from two readings; 10^9 if the readings are equal.
uint64_t otter_clock_resolution(const struct otter_clock_reading *first,
                                const struct otter_clock_reading *last);

uint64_t otter_clock_monotonic_ns(void);

// Only the functions below use this variable.
extern __attribute__((visibility("hidden"))) bool otter_clock_reads_counter;

// OTTER_CLOCK_COUNTER is Linux's name for the counter among its clock sources.
#if defined(__x86_64__)
#define OTTER_CLOCK_COUNTER "tsc"
#elif defined(__aarch64__)
#define OTTER_CLOCK_COUNTER "arch_sys_counter"
#elif defined(__powerpc64__)
#define OTTER_CLOCK_COUNTER "timebase"
#else
#define OTTER_CLOCK_COUNTER "" // none is read
#endif

static inline bool otter_clock_is_quick(void)
{
    return __builtin_expect(otter_clock_reads_counter, 1);
}

// Returns the time in ticks, if otter_clock_is_quick(). The processor may read the counter a few
// nanoseconds before earlier loads and stores, since no fence delays the reading. ARM's counter is
// often slow (25 MHz to 1 GHz), so several readings may be equal.
static inline uint64_t otter_clock_now_quickly(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#elif defined(__powerpc64__)
    return __builtin_ppc_get_timebase();
#else
    return 0;
#endif
}

// Returns the time in ticks. Async-signal-safe.
static inline uint64_t otter_clock_now(void)
{
    return otter_clock_is_quick() ? otter_clock_now_quickly() : otter_clock_monotonic_ns();
}
