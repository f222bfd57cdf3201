// Closes the session, once.
#pragma once

#include <stdint.h>

// Stops the threads, completes the archive and reports it.
void otter_close(void);

// Closes a session that has opened no recording. `n_lost`: events that belong to no thread.
void otter_close_unopened(uint64_t n_lost);

// Discards a session: stops the threads and removes the recording.
void otter_close_unwanted(void);
