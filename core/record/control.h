// Whether this process records, as its program, its user or a setting wants it: changed from outside of the threads, followed by each
// thread with its next call.
#pragma once

#include "record/thread.h"

// The first connector has come: from now on a signal may change it, also before anything is recorded. Under the session's lock.
void otter_control_attach(void);

// The output is being made: what nobody said yet is as the settings have it from now on, and the signal is
// that which the settings now name. Under the session's lock.
void otter_control_open(void);

// Every recording thread shall look what is wanted, with its next call.
void otter_control_call_threads(void);

// Does what is wanted of `thread`, which is the calling one: pauses it, lets it go on, puts its events into files.
OTTER_COLD void otter_control_follow(struct otter_thread *thread);
