// The signal that starts and pauses the recording.
#pragma once

// Installs the signal handler, before anything is recorded. Called under the session's lock when
// the first connector attaches.
void otter_toggle_signal_attach(void);

// Installs the signal that the settings name when the output opens. Called under the session's
// lock.
void otter_toggle_signal_open(void);
