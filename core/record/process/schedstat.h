// How long a thread waited for a processor.
#pragma once

#include <stdint.h>

// Adds the time to the description of a location, unless the launcher records each switch.
// `os_thread` must still exist. *Thread*: any.
void otter_schedstat_describe(uint32_t location, uint64_t os_thread);
