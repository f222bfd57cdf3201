// Functions that the writer calls when a chunk is written, the archive is full, or a file fails.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "recording/writer.h"

// *Returns* the writer's options, which contain these functions.
struct otter_writer_options otter_limits_calls(void);

// *Returns* whether max-size was reached. Threads have then stopped between two calls and lost
// nothing.
bool otter_limits_is_full(void);

// *Returns* the longest time, in ticks, that writing a chunk has delayed a thread.
uint64_t otter_limits_longest_stall(void);

// *Returns* whether the file of a device's stream can no longer grow; streams are numbered from 0.
bool otter_limits_stream_has_failed(uint32_t stream);
