// The state of the process's session, and its lock.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/lock.h"

enum otter_session_state {
    OTTER_SESSION_UNUSED = 0, // no connector has attached
    OTTER_SESSION_ATTACHED,   // a connector has attached, but nothing is recorded yet
    OTTER_SESSION_OPEN,
    OTTER_SESSION_FAILED, // no output can be made
    OTTER_SESSION_CLOSED,
};

// Acquire or release the lock for opening and describing, and the lock for closing.
void otter_session_lock(struct otter_held_signals *held);
void otter_session_unlock(struct otter_held_signals *held);
void otter_session_lock_closing(struct otter_held_signals *held);
void otter_session_unlock_closing(struct otter_held_signals *held);

// Releases both locks in a forked child, since another thread of the parent may have held them.
void otter_session_forget_locks(void);

enum otter_session_state otter_session_state(void);

// Sets the state. *Returns* the previous one.
enum otter_session_state otter_session_set_state(enum otter_session_state state);

// Begins the session: notes the time, and that this process records.
void otter_session_note_owner(void);
void otter_session_note_start(void);

// *Returns* when the session began; valid from then on.
struct otter_clock_reading otter_session_start(void);

// *Returns* the number of ticks in a tenth of a second, as measured since the session's start.
uint64_t otter_session_tenth_of_second(void);

// *Returns* whether this process records. A child process never does, however it was created.
bool otter_session_is_ours(void);

// *Returns* whether events are recorded at all: attached, not closed, not failed.
bool otter_session_is_live(void);

// Counts events that were lost outside of any thread's struct.
void otter_session_count_lost(uint64_t n);

uint64_t otter_session_n_lost(void);
