// The time that the runtime takes to give a thread the next chunk of a worksharing loop.
#pragma once

#include <stdint.h>

// Redirects the runtime's functions that return the next chunk. Runs once, after runtime_find() and
// before any callback is registered. If this is refused, the time is not recorded.
void dispatch_redirect(void);

// *Returns* the ticks since the start of the call in which this thread gets a chunk. 0: not
// measured, or outside of such a call.
uint64_t dispatch_ticks(void);
