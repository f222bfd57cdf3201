// The processors on which the recording threads may run.
#pragma once

#include <stdint.h>

// Adds the processors of the calling thread. *Thread*: any; called once a thread, since a runtime
// may bind each thread to a processor of its own.
void otter_processors_note(void);

// *Returns* how many different processors were noted; 0: unknown.
uint64_t otter_processors_count(void);
