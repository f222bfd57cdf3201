// What a thread goes on to keep when max-size is reached and when-full=totals: for each region how often it was entered, and for how long. Its
// calls do what they always do; the Enters and Leaves that its writer refuses are summed up, and everything else is dropped.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "record/thread.h"

struct otter_totalling;

// From now on every thread keeps totals, with its next call; `recording`, `is_mapped`: see recording/totals.h. False: it cannot be. Any thread, in the
// midst of a record.
bool otter_totalling_want(const char *recording, bool is_mapped);
bool otter_totalling_is_wanted(void);

// The thread does what is wanted. By whoever owns it.
void otter_totalling_follow(struct otter_thread *thread);

// The time from the one to the other is of no region. Both are later than what was recorded. By whoever owns it.
void otter_totalling_pause(struct otter_thread *thread, uint64_t time);
void otter_totalling_resume(struct otter_thread *thread, uint64_t time);

// Nothing more comes of the thread: its totals get into the file if they are not there, what could not be summed up is counted as lost. By whoever
// owns it.
void otter_totalling_end(struct otter_thread *thread);

// Gives their memory back. By the thread.
void otter_totalling_release(struct otter_thread *thread);
