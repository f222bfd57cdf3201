// Opens the output and the locations of threads, and ends locations.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct otter_counts;
struct otter_thread;

// Opens the output, if necessary, and gives the calling thread a location. *Thread*: any; locks.
// *Errors*: OTTER_UNSUPPORTED: there is no session to record in (not attached, switched off,
// closed, failed).
enum otter_status otter_session_open_location(struct otter_thread *thread);

// Opens the output, if necessary, for records without a thread's location. *Thread*: any; locks.
// *Errors*: as above.
enum otter_status otter_session_open_output(void);

// *Returns* how many threads have a location.
uint32_t otter_session_n_locations(void);

// Adds the counts of an ending thread, which the caller owns, and completes its file. *Returns*
// false if the closing session has abandoned the thread and counted its losses.
bool otter_session_end_thread(const struct otter_thread *thread);

// Abandons a thread that has not stopped in time; its later writes reach no file of the archive.
// *Errors*: OTTER_NOT_FOUND: the thread has no file, or has completed it. Others: its file still
// has a writer.
enum otter_status otter_session_abandon(const struct otter_thread *thread);

// *Returns* the counts of threads that have ended, complete only when all are stopped.
const struct otter_counts *otter_session_ended(void);

// *Returns* whether this is a child of the process that records. If so, it forgets its parent's
// session.
bool otter_session_is_other_process(void);

// Forgets the parent's session in a forked child, which records nothing and changes no file of its
// parent.
void otter_session_forget(void);
