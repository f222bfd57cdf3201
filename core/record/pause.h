// A pause of one thread. The thread updates its state as usual and writes nothing. At the end of
// the pause the written records are made consistent with what is open then. *Thread*: the owner of
// the thread calls all of these.
#pragma once

#include "record/thread.h"

// The fate of a task whose beginning was written and whose end was not.
enum otter_fate {
    OTTER_FATE_COMPLETE = 0,
    OTTER_FATE_LEFT, // it resumed on another thread
    OTTER_FATE_DETACHED,
};

void otter_pause_begin(struct otter_thread *thread);
void otter_pause_end(struct otter_thread *thread);

// Ends what ended in the pause and leaves open what was open before. The thread, which is paused,
// records nothing more.
void otter_pause_finish(struct otter_thread *thread, uint64_t now);

// Notes how the current task leaves the stack, if not by completion.
OTTER_COLD void otter_pause_note(struct otter_thread *thread, enum otter_fate fate);
