// Closes the session, once.
#pragma once

#include <stdint.h>

// Stops the threads, completes the archive and reports it.
void otter_close(void);

// The same for a session without a recording. `n_lost`: events that belong to no thread.
void otter_close_unopened(uint64_t n_lost);

// The same for a discarded session: stops the threads and removes the recording.
void otter_close_unwanted(void);
