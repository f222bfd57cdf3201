// The processors on which the recording threads may run.
#pragma once

#include <stdint.h>

// Adds the processors of the calling thread. *Thread*: any; called once per thread, since a runtime
// may bind each thread to its own processor.
void otter_processors_note(void);

enum { OTTER_PROCESSORS_TEXT = 1024 };

// Writes the numbers of the noted processors as ranges ("0-3,8"), as many as fit. *Returns* `text`;
// "": unknown.
const char *otter_processors_list(char text[OTTER_PROCESSORS_TEXT]);

// *Returns* how many different processors were noted; 0: unknown.
uint64_t otter_processors_count(void);
