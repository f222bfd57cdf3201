// Replaces the C library's clock CLOCK_MONOTONIC, so that the times of records do not depend on the
// load of the machine. Recorders use it with OTTER_CLOCK=monotonic.
#pragma once

#include <stdint.h>

// Stops the clock at this time. 0: the clock is the system's again.
void set_clock(uint64_t ns);
