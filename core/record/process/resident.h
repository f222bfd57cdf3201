// The memory of the recorded process.
#pragma once

#include <stdint.h>

// *Returns* the peak resident size in bytes since the program began, including mapped files and the
// recorder's own chunks; 0: unknown. *Thread*: any.
uint64_t otter_resident_high_water(void);
