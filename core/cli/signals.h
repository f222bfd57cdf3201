// The signals that end a command before it is ready.
#pragma once

// From now on a signal removes unfinished outputs before it ends the command, and a file that
// exceeds its limit is a failed write. Not for commands that run the user's program.
void otter_signals_begin(void);
