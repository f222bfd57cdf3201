// The calls of omp_control_tool, by which the program controls the recording.
#pragma once

#include <stdint.h>

// The callback of the specification. It ignores unknown commands, and after the end of the
// recording all commands except OTTER_COMMAND_QUERY. *Returns* a value of enum
// otter_control_result.
int control_on_control_tool(uint64_t command, uint64_t modifier, void *arg, const void *code);
