// The kinds of findings. Most are causes of lost time; README.md has the conditions.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analysis/time/timeline.h"

enum otter_finding_kind {
    OTTER_FINDING_SERIAL = 0,    // threads are outside of parallel regions while another executes
    OTTER_FINDING_IMBALANCE,     // members of a team wait for one that executes longer
    OTTER_FINDING_SERIAL_PART,   // members wait while one executes a single or masked block
    OTTER_FINDING_SMALL_TASKS,   // a task's creation and start cost a tenth of its work or more
    OTTER_FINDING_CREATOR,       // a task creates tasks more slowly than the team executes them
    OTTER_FINDING_PHASES,        // a task waits for its tasks before it creates the next ones
    OTTER_FINDING_ORDER,         // tasks wait for their dependences
    OTTER_FINDING_TAIL,          // the last tasks of a region are fewer than its threads
    OTTER_FINDING_CHAIN,         // tasks follow one another and no other is ready
    OTTER_FINDING_EVENT,         // threads wait until the event of a detached task is fulfilled
    OTTER_FINDING_TIED,          // ready tasks are tied to a busy thread on which they began
    OTTER_FINDING_MIGRATION,     // untied tasks continue late and on another thread
    OTTER_FINDING_WAKE_UP,       // a thread is asleep when its wait ends
    OTTER_FINDING_DELAY,         // tasks are ready while threads wait
    OTTER_FINDING_LOCK,          // threads wait for a lock
    OTTER_FINDING_BARRIER,       // members would wait less without a barrier
    OTTER_FINDING_FENCE,         // threads wait in Kokkos fences
    OTTER_FINDING_REDUCTION,     // threads add up what the members of a team have reduced
    OTTER_FINDING_COPY,          // Kokkos copies data
    OTTER_FINDING_FORKING,       // forks and joins of regions
    OTTER_FINDING_UNDEFERRED,    // creators execute their tasks immediately
    OTTER_FINDING_LATE,          // members begin their parts long after the first
    OTTER_FINDING_ALONE,         // a region has fewer threads than the program
    OTTER_FINDING_SMALL_KERNELS, // a launch of a Kokkos kernel costs an eighth of its time, or more
    OTTER_FINDING_SMALL_CHUNKS,  // taking chunks of a loop costs a tenth of its execution, or more
    OTTER_FINDING_ALLOCATION,    // Kokkos memory is allocated and freed again and again
    OTTER_FINDING_MPI,           // threads are in MPI calls other than MPI_Init and MPI_Finalize
    OTTER_FINDING_MPI_JOB,       // threads are in MPI_Init or MPI_Finalize
    OTTER_FINDING_CROWDED,       // more threads execute than there are processors
    OTTER_FINDING_NOISE,         // other processes take processors away
    OTTER_FINDING_SHORT,         // the run is not much longer than the start of its threads
    OTTER_FINDING_UNEXPLAINED,   // all other losses, which no list of findings shows
    OTTER_FINDING_BLOCKED,       // not lost time: pieces sleep or wait in the kernel
    OTTER_FINDING_FIRST_TOUCH,   // not lost time: threads spend time in the kernel on new pages
    OTTER_FINDING_HIGH_WATER,    // not lost time: Kokkos memory peaks far above its mean
    OTTER_N_FINDINGS
};

// Facts about a kind of finding that do not depend on a run.
struct otter_finding_facts {
    const char *name;    // "small tasks"
    const char *table;   // the table of `otter report` with the evidence: "tasks"
    bool has_own_places; // each place that costs enough is a finding of its own
    // state of the page's slices that show the finding; OTTER_N_STATES: none
    enum otter_state state;
    bool is_of_region; // only slices whose label or construct is the finding's region
    // the page shows slices from the middle of the run, otherwise the longest ones
    bool is_typical;
};

// Never NULL; other values get the facts of an unknown kind.
const struct otter_finding_facts *otter_finding_facts_of(enum otter_finding_kind kind);
// Returns "small tasks"; never NULL.
const char *otter_finding_name(enum otter_finding_kind kind);
// Returns whether findings of this kind are lost time.
static inline bool otter_finding_is_loss(enum otter_finding_kind kind)
{
    return kind < OTTER_FINDING_BLOCKED;
}
