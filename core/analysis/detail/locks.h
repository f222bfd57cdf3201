// Locks, critical and ordered regions: which threads waited for which.
#pragma once

#include "analysis/analysis.h"

// All acquisitions at one construct. Times are ticks.
struct otter_lock_use {
    uint32_t region;           // critical, ordered, omp_set_lock, ...
    uint64_t n;                // acquisitions
    uint64_t n_locks;          // distinct locks
    uint64_t n_waited;         // contended: another thread held the lock when the wait began
    uint64_t waited;           // in failed tests and until the acquisition, summed
    uint64_t median, p99, max; // ticks of one wait
    uint64_t held;             // from acquisition to release, summed
    uint64_t held_against;     // part of `held` in which another thread waited for the same lock
};

struct otter_locks {
    struct otter_lock_use *items; // one per region that occurs, in descending order of `waited`
    uint32_t n;
};

// Collects what the events say about locks. Memory: 80 bytes for each acquisition.
struct otter_lock_walk;

// Returns NULL if the run has no locks, or if out of memory.
struct otter_lock_walk *otter_lock_walk_create(const struct otter_definitions *definitions);
// Pass all events of one location in order, then the events of the next. The signature matches
// otter_event_function. Returns false if out of memory.
bool otter_lock_walk_add(void *walk, const struct otter_event *event);
void otter_lock_walk_destroy(struct otter_lock_walk *walk); // accepts NULL

// `walk` has seen all events of the completed `analysis`, and can be used only once. NULL: reads
// the events again. The caller finishes *locks in any case. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_locks_read(struct otter_locks *locks, const struct otter_analysis *analysis,
                                   struct otter_lock_walk *walk);
void otter_locks_finish(struct otter_locks *locks);
