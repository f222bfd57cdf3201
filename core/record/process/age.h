// The age of the process.
#pragma once

#include <stdint.h>

// *Returns* the nanoseconds from the start of the process to `monotonic_ns`, a time of
// CLOCK_MONOTONIC; 0: unknown. The kernel reports the start with a resolution of 10 ms. *Thread*:
// any.
uint64_t otter_process_age(uint64_t monotonic_ns);
