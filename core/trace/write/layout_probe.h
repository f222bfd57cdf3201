// Checks whether this build's OTF2 stores events as core/trace/event_layout.h describes.
#pragma once

#include <stdbool.h>

// The OTF2 version whose layout otter_layout_is_known expects.
#define OTTER_KNOWN_OTF2 "3.0"

// Writes records of each kind with OTF2 and with Otter, in memory, and compares the bytes.
// *Thread*: one at a time in the process, because OTF2 has one error callback.
bool otter_layout_is_known(void);

// Returns the OTF2 version that Otter was built with.
const char *otter_layout_otf2_version(void);
