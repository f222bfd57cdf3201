// Changes that a thread applies at its next call.
#pragma once

#include "record/thread/thread.h"

// Applies requested changes to the calling thread, which is `thread`: pauses it, resumes it,
// flushes its events to files.
OTTER_COLD void otter_control_apply(struct otter_thread *thread);
