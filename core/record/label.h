// Labels: (construct, text, qualifier) to a region. By content: runtimes hand over temporaries, and one address carries many names.
#pragma once

#include <stdint.h>

#include "record/thread.h"

// The region's id. Texts seen before cost their hash and one comparison. NULL stands for "".
uint32_t otter_label_region(enum otter_construct construct, const char *label,
                            const char *qualifier);
