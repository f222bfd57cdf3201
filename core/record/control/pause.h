// A pause of one thread. The thread updates its state as usual and writes nothing. At the end of
// the pause, it writes the records that make the recording consistent with what is open then.
// *Thread*: the owner of the thread calls all of these.
#pragma once

#include "record/thread/paused.h"

void otter_pause_begin(struct otter_thread *thread);

// *Returns* the region that the thread has forked on top of its frames, if its own implicit task in
// that region has not begun or has already ended; otherwise 0.
uint64_t otter_pause_top_fork(const struct otter_thread *thread);

// *Returns* whether the frame's region is over, since a worker's end is reported only at its next
// use.
bool otter_pause_is_late_member(const struct otter_frame *frame);

// Hides the current implicit task: neither its end nor the end of its barrier will be recorded.
void otter_pause_hide_member(struct otter_thread *thread);

void otter_pause_end(struct otter_thread *thread);

// Records the end of everything that ended during the pause. Constructs that were open before and
// still are stay open. The thread remains paused and records nothing more.
void otter_pause_finish(struct otter_thread *thread, uint64_t now);
