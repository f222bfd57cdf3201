// A limit of a program: a cause of lost time, its cost and its places.
#pragma once

#include "analysis/cause/finding_kind.h"
#include "analysis/detail/grain.h"
#include "analysis/path/exclusions.h"

enum { OTTER_FINDING_PLACES = 3 };

struct otter_finding_place {
    uint32_t region; // OTTER_NONE: none is known
    uint64_t cost;   // ticks of threads
};

// The code of a thread between two parallel regions, in all executions.
struct otter_gap {
    uint32_t before, after; // the regions; OTTER_NONE: the start or the end of the program
    uint64_t ticks;         // of execution
};

struct otter_finding {
    enum otter_finding_kind kind;
    uint64_t cost;            // ticks of threads; 0 for kinds that are not a loss
    uint32_t region;          // the place with the largest cost; OTTER_NONE: the whole program
    uint64_t n;               // number of tasks, executions or waits, depending on the kind
    double value;             // a ratio: task's work to its cost, busiest thread to the mean, ...
    bool has_gain;            // only for kinds whose cost differs from what a change would save
    uint64_t gain;            // ticks of wall time that the change saves at most
    struct otter_grain grain; // only of small tasks
    struct otter_gap gap;     // only of serial code: the longest
    // only of dependences: the one with the longest waits, if most tasks here have one; or NULL
    const struct otter_exclusion *exclusion;
    uint32_t n_places;
    // in descending order of cost; fewer if there are no more
    struct otter_finding_place places[OTTER_FINDING_PLACES];
};

// The place at which threads wait longest for locks that are acquired at a label.
struct otter_lock_wait {
    uint32_t region;
    double ticks;
    // ticks of all waits for these locks while they were held, and free; of waits here for locks
    // whose holders are unknown, since no acquisition follows
    double held, free, unknown;
};
