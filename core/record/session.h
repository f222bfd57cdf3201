// The end of the one session of the process.
#pragma once

// Closes the session for good, if it is open, and returns when it is closed.
void otter_session_close(void);
