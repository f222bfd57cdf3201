// The parallel regions whose workers may still be in them.
#pragma once

#include "record/thread/stack.h"

// Stores a region that begins, and the communicator of the forking task.
void otter_recent_add(uint64_t id, uint32_t parent_team);

// Stores the end time of a region.
void otter_recent_end(uint64_t id, uint64_t time);

// *Returns* the communicator of the task that forked the region; OTTER_COMM_ALL_THREADS if unknown.
uint32_t otter_recent_parent_team(uint64_t id);

// *Returns* the time to record for an end that the runtime may report late. It is not later than
// the end of the current implicit task's region.
uint64_t otter_stamp_end(struct otter_thread *thread);

// *Returns* when the region of `frame` ended; UINT64_MAX if it has not ended or is no longer known.
uint64_t otter_parallel_end_time(const struct otter_frame *frame);
