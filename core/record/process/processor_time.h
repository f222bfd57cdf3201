// The processor time of the process, and the time that its threads waited for a processor.
#pragma once

#include <stdint.h>

// Notes the times at the start of the session. Caller holds the session's lock.
void otter_processor_time_note(void);

// *Returns* nanoseconds since then, of all threads. *Thread*: one at a time.
uint64_t otter_processor_time_used(void);
// The same for the time in which threads that still run were ready but had no processor. 0:
// unknown.
uint64_t otter_processor_time_queued(void);
