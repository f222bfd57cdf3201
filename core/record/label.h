// Labels: (construct, text, qualifier) to a region. By content: runtimes hand over temporaries, and one address carries many names.
#pragma once

#include <stdint.h>

#include "record/thread.h"

// The region's id. Texts that this thread has just seen cost one comparison, others their hash as well. NULL stands for "".
uint32_t otter_label_region(struct otter_thread *thread, enum otter_construct construct,
                            const char *label, const char *qualifier);
