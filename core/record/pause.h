// A pause of one thread: nothing is written, but all that its calls do to its state is done, so that what comes after has its place. Where
// it ends, what was written is made to agree with what is open then. All are called by whoever owns the thread.
#pragma once

#include "record/thread.h"

// What has become of a task whose beginning was written and whose end was not.
enum otter_fate {
    OTTER_FATE_COMPLETE = 0,
    OTTER_FATE_LEFT, // it went on elsewhere
    OTTER_FATE_DETACHED,
};

void otter_pause_begin(struct otter_thread *thread);
void otter_pause_end(struct otter_thread *thread);

// The thread, which is paused, records nothing more: what ended in the pause is ended, what is open is as it was before.
void otter_pause_finish(struct otter_thread *thread, uint64_t now);

// The current task ends or leaves in another way than by completion.
OTTER_COLD void otter_pause_note(struct otter_thread *thread, enum otter_fate fate);
