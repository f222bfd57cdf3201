// How much memory this process may still use.
#pragma once

#include <stdint.h>

// *Returns* the smallest of the following, in bytes; UINT64_MAX: none is known.
// - the memory that the machine has available
// - the memory left in each control group of the process (versions 1 and 2)
// - the data segment that `ulimit -d` leaves
uint64_t otter_available_memory(void);

// Like otter_available_memory, but reads the files of another system below `root`, and ignores
// `ulimit`.
uint64_t otter_available_below(const char *root);

// *Returns* the address space, in bytes, that `ulimit -v` leaves; UINT64_MAX: no limit. Mapped
// files also need addresses.
uint64_t otter_available_addresses(void);

// *Returns* the bytes of data that `ulimit -d` leaves; UINT64_MAX: no limit. Pages of files do not
// count.
uint64_t otter_available_data(void);
