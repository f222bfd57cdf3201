// The memory of the recorded process.
#pragma once

#include <stdint.h>

// *Returns* the most bytes that were resident at once since the program began; 0: unknown. Mapped
// pages of files and the recorder's own chunks count. *Thread*: any.
uint64_t otter_resident_high_water(void);
