// How long a thread waited for a processor.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Sets `*waited_ns` to how long a thread of this process was ready but had no processor.
// `os_thread`: its name in /proc/self/task. *Returns* false if the kernel does not report it.
// *Thread*: any.
bool otter_schedstat_read(const char *os_thread, uint64_t *waited_ns);

// Adds the time to the description of a location, unless the launcher records each switch.
// `os_thread` must still exist. *Thread*: any.
void otter_schedstat_describe(uint32_t location, uint64_t os_thread);
