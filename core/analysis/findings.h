// The limits of a program: conditions with a threshold, each with its cost and its evidence.
#pragma once

#include "analysis/repeated_wait.h"

// README.md has the condition of each kind.
enum otter_finding_kind {
    OTTER_FINDING_SERIAL = 0,  // threads are outside of parallel regions while another executes
    OTTER_FINDING_IMBALANCE,   // the members of a region without tasks wait unequally
    OTTER_FINDING_SMALL_TASKS, // creation and scheduling cost as much as a ninth of a task, or more
    OTTER_FINDING_CREATOR,     // a task creates tasks more slowly than the team executes them
    OTTER_FINDING_CHAIN,       // the heaviest path leaves threads without ready tasks
    OTTER_FINDING_RAMP,        // few tasks at the begin or the end of a region
    OTTER_FINDING_TIED,        // ready tasks have begun on a thread that is busy
    OTTER_FINDING_DELAY,       // tasks are ready while threads wait
    OTTER_FINDING_LOCK,        // threads wait for a lock
    OTTER_FINDING_BARRIER,     // without a barrier, the members would wait less
    OTTER_FINDING_FENCE,       // threads wait in Kokkos fences
    OTTER_FINDING_COPY,        // Kokkos copies data
    OTTER_FINDING_FORKING,     // regions are forked so often that forks and joins count
    OTTER_FINDING_UNDEFERRED,  // tasks that their creators execute at once
    OTTER_FINDING_LATE,        // members begin their parts long after the first
    OTTER_FINDING_ALONE,       // a nested region has one thread, while others are idle
    OTTER_FINDING_ORDER,       // dependences on one address make the longest chain
    OTTER_FINDING_MIGRATION,   // untied tasks continue late, and on another thread
    OTTER_FINDING_SMALL_KERNELS, // a launch of a Kokkos kernel costs an eighth of its time, or more
    OTTER_FINDING_ALLOCATION,    // Kokkos memory is allocated and freed again and again
    OTTER_FINDING_HIGH_WATER,    // Kokkos memory in use is far above its mean once; costs no time
    OTTER_FINDING_CROWDED,       // more threads execute than there are processors
    OTTER_FINDING_MPI,           // threads are in calls of MPI, but for those that follow
    OTTER_FINDING_MPI_JOB,       // threads are in MPI_Init or MPI_Finalize
    OTTER_N_FINDINGS
};

struct otter_finding {
    enum otter_finding_kind kind;
    uint64_t cost;   // ticks of threads
    uint32_t region; // the place; OTTER_NONE: the whole program
    uint64_t n;      // tasks, executions, waits: what the kind is about
    double value;    // of a task's work by its cost; of the busiest thread by the mean; ...
};

struct otter_findings {
    OTTER_VECTOR(struct otter_finding); // the most costly first
    uint64_t address;                   // of the finding ORDER, if there is one
    struct otter_repeated_wait wait;    // of the finding CHAIN, if the chain has one
};

// A task that works 9 times as long as it costs has an efficiency of 90 %.
enum { OTTER_EVEN_COST = 9 };

enum { OTTER_FINDING_PERCENT = 2 }; // a finding costs at least this share of all thread-seconds

// Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_findings_init(struct otter_findings *findings,
                                      const struct otter_analysis *analysis);
void otter_findings_finish(struct otter_findings *findings);

// "small tasks"; never NULL.
const char *otter_finding_name(enum otter_finding_kind kind);
