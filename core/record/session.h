// The end of the process's only session.
#pragma once

// Closes the session for good, if it is open, and returns when it is closed.
void otter_session_close(void);
