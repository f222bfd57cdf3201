// A pause of one thread. The thread updates its state as usual and writes nothing. At the end of
// the pause the written records are made consistent with what is open then. *Thread*: the owner of
// the thread calls all of these.
#pragma once

#include "record/thread/paused.h"

void otter_pause_begin(struct otter_thread *thread);

// *Returns* the region that is open on this thread above all frames; 0: none.
uint64_t otter_pause_top_fork(const struct otter_thread *thread);

// *Returns* whether the region of the frame is over: a worker reports its end only at its next use.
bool otter_pause_is_late_member(const struct otter_frame *frame);

// Hides the current implicit task: neither its end nor the end of its barrier will be recorded.
void otter_pause_hide_member(struct otter_thread *thread);

void otter_pause_end(struct otter_thread *thread);

// Ends what ended in the pause and leaves open what was open before. The thread, which is paused,
// records nothing more.
void otter_pause_finish(struct otter_thread *thread, uint64_t now);
