// Region totals: the visits and time of each region that a thread sums up once max-size is reached,
// with when-full=totals. The thread's writer refuses Enters and Leaves, which are summed; all other
// records are dropped.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "record/thread/thread.h"

struct otter_region_totals;

// Makes every thread sum up totals from its next call on. `recording`, `is_mapped`: see
// recording/totals.h. *Returns* false if the file cannot be made. *Thread*: any that writes a
// record.
bool otter_region_totals_enable(const char *recording, bool is_mapped);
bool otter_region_totals_are_enabled(void);

// Begins the totals of the thread if they are wanted. *Thread*: its owner.
void otter_region_totals_begin(struct otter_thread *thread);

// Exclude the time from the pause to the resumption from all regions. Both times are later than all
// recorded ones. *Thread*: its owner.
void otter_region_totals_pause(struct otter_thread *thread, uint64_t time);
void otter_region_totals_resume(struct otter_thread *thread, uint64_t time);

// Saves totals that are not in the file yet and counts what could not be summed up as lost.
// *Thread*: its owner.
void otter_region_totals_end(struct otter_thread *thread);

// Frees the thread's memory. *Thread*: the thread itself.
void otter_region_totals_release(struct otter_thread *thread);
