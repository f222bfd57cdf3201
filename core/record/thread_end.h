// The end of a recording thread.
#pragma once

#include "record/thread/thread.h"

// Leaves all open constructs at `now`, or at the end of their region if that was earlier, since a
// worker's end is reported only at its next use. The bottom frame remains, since a stopped thread
// may still read it. *Thread*: the owner of `thread`.
void otter_thread_leave_all(struct otter_thread *thread, uint64_t now);
