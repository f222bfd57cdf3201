// The one session of the process: its state, its output, its journal.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/status.h"

// Opens the output if it is not open yet and gives the calling thread a location. Any thread; locks.
// OTTER_UNSUPPORTED: there is no session to record in (not attached, switched off, closed, failed before).
struct otter_thread;
enum otter_status otter_session_open_location(struct otter_thread *thread);

// Opens the output if it is not open yet, for what is recorded without a location of a thread. Any thread; locks. Status as above.
enum otter_status otter_session_open_output(void);

// When the session began. Not before.
struct otter_clock_reading otter_session_start(void);

// The process that records: a child of it does not, however it was made.
bool otter_session_is_ours(void);

// How many threads have a location.
uint32_t otter_session_n_locations(void);

// Whether events are to be kept at all: attached, not closed, not failed.
bool otter_session_is_live(void);

// Closes the session for good, if it was begun and is not closed; returns when it is.
void otter_session_close(void);

// Events that were dropped outside any thread's struct.
void otter_session_count_lost(uint64_t n);

// Adds the counts of a thread that ends, which the caller owns, and completes its file. False: the
// closing session has abandoned the thread and counted what it loses.
bool otter_session_end_thread(const struct otter_thread *thread);

// Gives up a thread that does not come to rest: what it goes on writing reaches no file of the
// archive. OTTER_NOT_FOUND: the thread has no file, or has completed it and its counts are added.
// Others: its file still has a writer.
enum otter_status otter_session_abandon(const struct otter_thread *thread);

struct otter_totals {
    uint64_t n_tasks, n_lost, n_repaired, n_unbegun, n_unfinished; // as in struct otter_thread
    uint64_t n_unrecorded;                                         // tasks created in pauses
    uint64_t n_lost_in_handlers; // of n_lost: in signal handlers that interrupted a record
};

void otter_totals_add(struct otter_totals *totals, const struct otter_thread *thread);

// Closes the session, once: stops the threads, completes the archive, says so. `ended`: of threads that have ended, also until all are
// stopped; `n_lost`: outside any thread. core/record/close.c.
void otter_close(const struct otter_totals *ended, uint64_t n_lost);

// The same for a session of which nothing was kept: there is no folder, or none any more.
void otter_close_unopened(uint64_t n_lost);

// The same for a session that nobody wants: stops the threads and leaves nothing.
void otter_close_unwanted(uint32_t n_locations);
