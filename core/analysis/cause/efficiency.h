// The efficiency of a program as products of factors.
#pragma once

#include "analysis/cause/account.h"

// Losses in regions, in the order in which they divide the efficiency there.
enum otter_loss {
    OTTER_LOSS_NO_WORK = 0, // threads wait, and no task is ready
    OTTER_LOSS_TIED,        // ready tasks are tied to busy threads
    OTTER_LOSS_DELAY,       // a task is ready; excludes the cost of scheduling
    OTTER_LOSS_LOCKS,
    OTTER_LOSS_TASKS,     // creation and scheduling of tasks
    OTTER_LOSS_FORKING,   // forks and joins
    OTTER_LOSS_PREEMPTED, // a thread could execute but is not on a processor
    OTTER_N_LOSSES
};

// Shares between 0 and 1: each factor is what its losses leave. total = mpi x serial x regions;
// regions = load_balance x scheduling = the product of `losses`. The names and the order of the
// factors follow TALP.
struct otter_efficiency {
    double total;        // executed share of all thread time
    double mpi;          // lost in MPI calls by the threads that made them
    double serial;       // lost outside of parallel regions
    double regions;      // lost inside
    double load_balance; // lost because some threads of a region waited longer than others
    // lost to everything else: creation, delays, forks, locks, waits of all threads
    double scheduling;
    double losses[OTTER_N_LOSSES];
};

// `imbalance`: ticks of threads that waited longer than another member of their region.
struct otter_efficiency otter_efficiency_of(const struct otter_account *account,
                                            uint64_t imbalance);

// "no work"; never NULL.
const char *otter_loss_name(enum otter_loss loss);
