// Labels: (construct, text) to a region. By content: runtimes hand over temporaries, and one address carries many names.
#pragma once

#include <stdint.h>

#include "record/thread.h"

// The region's id. A text seen before costs its hash and one comparison.
uint32_t otter_label_region(struct otter_thread *thread, enum otter_construct construct,
                            const char *label);
