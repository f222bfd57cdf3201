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

// Takes over the counts of a thread that ends. The caller owns the thread.
void otter_session_take_counts(const struct otter_thread *thread);

// The same, and completes the thread's file.
void otter_session_close_location(struct otter_thread *thread);

// Of a thread that could not be stopped: what it goes on writing goes nowhere.
void otter_session_let_go(const struct otter_thread *thread);

// The same of a thread that failed, whether it has a location or not; what it had open is left. False: the session closes, and has the thread.
bool otter_session_close_failed(const struct otter_thread *thread);

struct otter_totals {
    uint64_t n_tasks, n_lost, n_repaired, n_unbegun, n_unfinished; // as in struct otter_thread
    uint64_t n_unrecorded;                                         // tasks created in pauses
};

void otter_totals_add(struct otter_totals *totals, const struct otter_thread *thread);

// Closes the session, once: stops the threads, completes the archive, says so. `ended`: of threads that have ended, also until all are
// stopped; `n_lost`: outside any thread. core/record/close.c.
void otter_close(const struct otter_totals *ended, uint64_t n_lost);

// The same for a session of which nothing was kept: there is no folder, or none any more.
void otter_close_unopened(uint64_t n_lost);

// The same for a session that nobody wants: stops the threads and leaves nothing.
void otter_close_unwanted(uint32_t n_locations);
