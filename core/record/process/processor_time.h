// The processor time of the process, and the time that its threads waited for a processor.
#pragma once

#include <stdint.h>

// Notes the times at the start of the session. Caller holds the session's lock.
void otter_processor_time_note(void);

// *Returns* the processor time, in ns, that all threads have used since otter_processor_time_note.
// *Thread*: one at a time.
uint64_t otter_processor_time_used(void);
// *Returns* for how many ns since then the threads that still exist were ready but had no
// processor; 0: unknown.
uint64_t otter_processor_time_queued(void);
