// The kinds of findings. Most are causes of lost time; README.md has the conditions.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum otter_finding_kind {
    OTTER_FINDING_SERIAL = 0,    // threads are outside of parallel regions while another executes
    OTTER_FINDING_IMBALANCE,     // members of a team wait for one that executes longer
    OTTER_FINDING_SERIAL_PART,   // members wait while one executes a single or masked block
    OTTER_FINDING_SMALL_TASKS,   // a task's creation and start cost a tenth of its work or more
    OTTER_FINDING_CREATOR,       // a task creates tasks more slowly than the team executes them
    OTTER_FINDING_PHASES,        // a task waits for its tasks before it creates the next ones
    OTTER_FINDING_ORDER,         // tasks wait for their dependences
    OTTER_FINDING_TAIL,          // the last tasks of a region are fewer than its threads
    OTTER_FINDING_CHAIN,         // tasks follow each other, and no other is ready
    OTTER_FINDING_TIED,          // ready tasks have begun on a thread that is busy
    OTTER_FINDING_MIGRATION,     // untied tasks continue late, and on another thread
    OTTER_FINDING_WAKE_UP,       // a thread sleeps when its wait is over
    OTTER_FINDING_DELAY,         // tasks are ready while threads wait
    OTTER_FINDING_LOCK,          // threads wait for a lock
    OTTER_FINDING_BARRIER,       // without a barrier, the members would wait less
    OTTER_FINDING_FENCE,         // threads wait in Kokkos fences
    OTTER_FINDING_COPY,          // Kokkos copies data
    OTTER_FINDING_FORKING,       // forks and joins of regions
    OTTER_FINDING_UNDEFERRED,    // tasks that their creators execute at once
    OTTER_FINDING_LATE,          // members begin their parts long after the first
    OTTER_FINDING_ALONE,         // a region has fewer threads than are there
    OTTER_FINDING_SMALL_KERNELS, // a launch of a Kokkos kernel costs an eighth of its time, or more
    OTTER_FINDING_ALLOCATION,    // Kokkos memory is allocated and freed again and again
    OTTER_FINDING_MPI,           // threads are in calls of MPI, but for those that follow
    OTTER_FINDING_MPI_JOB,       // threads are in MPI_Init or MPI_Finalize
    OTTER_FINDING_CROWDED,       // more threads execute than there are processors
    OTTER_FINDING_NOISE,         // other processes take processors away
    OTTER_FINDING_SHORT,         // the run is not much longer than the start of its threads
    OTTER_FINDING_UNEXPLAINED,   // the rest: in no list of findings
    OTTER_FINDING_BLOCKED,       // costs no lost time: pieces sleep, or wait in the kernel
    OTTER_FINDING_HIGH_WATER,    // likewise: Kokkos memory in use is far above its mean once
    OTTER_N_FINDINGS
};

// Returns "small tasks"; never NULL.
const char *otter_finding_name(enum otter_finding_kind kind);
// Whether the kind is a part of the lost time.
static inline bool otter_finding_is_loss(enum otter_finding_kind kind)
{
    return kind < OTTER_FINDING_BLOCKED;
}
