// What the program says to its tool.
#pragma once

#include <stdint.h>

// The callback of the specification. Unknown commands are ignored, and so is all but a query when recording has ended.
int control_on_control_tool(uint64_t command, uint64_t modifier, void *arg, const void *code);
