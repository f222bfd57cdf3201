// The one session of the process: its state, its output, its journal.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/status.h"

// Opens the output, if necessary, and gives the calling thread a location. *Thread*: any; locks.
// *Errors*: OTTER_UNSUPPORTED: there is no session to record in (not attached, switched off,
// closed, failed).
struct otter_thread;
enum otter_status otter_session_open_location(struct otter_thread *thread);

// Opens the output, if necessary, for records without a thread's location. *Thread*: any; locks.
// *Errors*: as above.
enum otter_status otter_session_open_output(void);

// *Returns* when the session began; valid from then on.
struct otter_clock_reading otter_session_start(void);

// *Returns* whether this process records. A child process does not, however it was made.
bool otter_session_is_ours(void);

// *Returns* how many threads have a location.
uint32_t otter_session_n_locations(void);

// *Returns* whether events are recorded at all: attached, not closed, not failed.
bool otter_session_is_live(void);

// Closes the session for good, if it is open, and returns when it is closed.
void otter_session_close(void);

// Counts events that were lost outside of any thread's struct.
void otter_session_count_lost(uint64_t n);

// Adds the counts of an ending thread, which the caller owns, and completes its file. *Returns*
// false if the closing session has abandoned the thread and counted its losses.
bool otter_session_end_thread(const struct otter_thread *thread);

// Abandons a thread that has not stopped in time: its later writes reach no file of the archive.
// *Errors*: OTTER_NOT_FOUND: the thread has no file, or has completed it. Others: its file still
// has a writer.
enum otter_status otter_session_abandon(const struct otter_thread *thread);

struct otter_counts {
    uint64_t n_tasks, n_lost, n_repaired, n_unbegun, n_unfinished; // as in struct otter_thread
    uint64_t n_unrecorded;                                         // tasks created in pauses
    uint64_t n_lost_in_handlers; // of n_lost: in signal handlers that interrupted a record
};

void otter_counts_add(struct otter_counts *counts, const struct otter_thread *thread);

// Closes the session, once: stops the threads, completes the archive, reports it. `ended`: of
// threads that have ended, complete only when all are stopped. `n_lost`: outside of any thread.
void otter_close(const struct otter_counts *ended, uint64_t n_lost);

// The same for a session without a recording.
void otter_close_unopened(uint64_t n_lost);

// The same for a session that nobody wants: stops the threads and removes the recording.
void otter_close_unwanted(uint32_t n_locations);
