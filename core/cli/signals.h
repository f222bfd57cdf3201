// Handles signals that end a command before it has finished.
#pragma once

// From now on, a signal first removes unfinished outputs and then ends the command, and exceeding
// the file size limit makes a write fail. Not for commands that run the user's program.
void otter_signals_begin(void);
