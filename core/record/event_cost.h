// The cost of recording an event, measured on this machine.
#pragma once

#include <stdint.h>

// Records events of an artificial thread into memory, for less than 1 ms.
// *Returns* picoseconds per event, without overlap of events in the processor; 0 if out of memory.
// *Thread*: any, while it does not record.
uint64_t otter_event_cost(void);
