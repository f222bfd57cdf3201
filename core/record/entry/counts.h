// The counts of a session: tasks, lost and repaired events.
#pragma once

#include "record/thread/thread.h"

struct otter_counts {
    uint64_t n_tasks, n_lost, n_repaired, n_unbegun, n_unfinished; // see struct otter_thread
    uint64_t n_unrecorded;                                         // tasks created during pauses
    // part of n_lost: events in signal handlers that interrupted a record
    uint64_t n_lost_in_handlers;
    uint64_t n_threads; // with a location, and ever in a construct
};

// Add the counts of a thread, or other counts.
void otter_counts_add(struct otter_counts *counts, const struct otter_thread *thread);
// Counts an ended thread that has a location and has entered a construct.
void otter_counts_add_thread(struct otter_counts *counts, const struct otter_thread *thread);
void otter_counts_add_all(struct otter_counts *counts, const struct otter_counts *from);
