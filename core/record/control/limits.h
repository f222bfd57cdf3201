// The calls of the writer: a chunk is written, the archive is full, a file fails.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "recording/writer.h"

// *Returns* the options of the writer that contain its calls.
struct otter_writer_options otter_limits_calls(void);

// *Returns* whether max-size was reached. Threads have then stopped between two calls, without a
// loss.
bool otter_limits_is_full(void);

// *Returns* the longest delay of a thread by the writing of a chunk, in ticks.
uint64_t otter_limits_longest_stall(void);

// *Returns* whether the file of a device's stream can store nothing more; `stream` from 0 on.
bool otter_limits_stream_has_failed(uint32_t stream);
