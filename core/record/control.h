// Whether this process records: the program, the user or a setting decides. Each thread applies a
// change with its next call.
#pragma once

#include "record/thread.h"

// Installs the signal handler, before anything is recorded. Called under the session's lock when
// the first connector attaches.
void otter_control_attach(void);

// Applies the settings, as far as nobody has called otter_control_*, and installs the signal that
// they now name. Called under the session's lock when the output opens.
void otter_control_open(void);

// Makes every recording thread look for changes with its next call.
void otter_threads_request_change(void);

// Applies requested changes to `thread`, the calling one: pauses it, resumes it, flushes its events
// to files.
OTTER_COLD void otter_control_apply(struct otter_thread *thread);
