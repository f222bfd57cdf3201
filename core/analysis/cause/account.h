// Accounts for every tick of every thread exactly once, and for the causes of idle time.
#pragma once

#include "analysis/path/exclusions.h"
#include "analysis/path/costs.h"
#include "analysis/cause/losses.h"
#include "analysis/time/quantiles.h"
#include "analysis/task/task_grains.h"

struct otter_wait_account {
    uint64_t ticks;   // ticks that threads wait in this construct
    uint64_t delay;   // of these: a node was ready that the thread could have begun
    uint64_t tied;    // of these: every ready node had to wait for another, busy thread
    uint64_t no_work; // the rest
};

// How evenly the members of teams execute a label between two barriers. The sums are over all parts
// between two barriers that contain the label.
struct otter_balance {
    uint64_t n;      // such parts of a team
    double busiest;  // ticks of the busiest member x members
    double executed; // ticks of all members
};

// The busy time of a thread.
struct otter_thread_account {
    // ticks; the sums over all threads are in struct otter_account
    uint64_t executing, preempted, creating;
};

// The sum of executing, preempted, creating, delay, tied, no_work, lock, forking, mpi, outside,
// paused and lost is `total`.
// `scheduling` is part of the delay.
struct otter_account {
    // Ticks; total = wall * threads, plus the time in which helper threads execute tasks.
    uint64_t wall, total;
    uint32_t n_threads; // without helper threads
    uint32_t n_others;  // threads without OpenMP that were on a processor for 1 % of the wall time
    uint64_t executing, creating, lock, forking, mpi, outside, paused, lost;
    uint64_t preempted; // ready to execute, but not on a processor; 0 if no switches are recorded
    uint64_t blocked; // part of executing: off a processor because it slept or waited in the kernel
    uint64_t waiting, delay, tied, no_work, scheduling; // sums over `waits`
    struct otter_wait_account waits[OTTER_N_CONSTRUCTS];
    // Waiting by label of the innermost region that the thread is in (regions.h); the last element
    // is for threads outside of regions.
    struct otter_wait_account *regions;
    // waiting by label of the construct in which the thread waits
    struct otter_wait_account *places;
    struct otter_thread_account *threads; // in the order of the timeline
    // Ticks of all threads by label: of regions, of code between MPI calls, of all other code.
    // The sums are `executing` and `creating`.
    uint64_t *executed, *created;
    double *blame; // by label: ticks of idle threads without a ready task while it executed
    double *alone; // the same, only for threads outside of parallel regions
    struct otter_balance *balances; // by label
    uint32_t n_labels;
    uint32_t most_running; // the most threads that executed at the same time
    uint32_t n_processors; // of the process; 0: unknown
    uint64_t crowded;      // ticks of threads that executed in excess of n_processors
    // Ticks in which threads would wait for a processor even if no other process executed, because
    // there are more threads than processors. 0 without switches, or if there are enough
    // processors.
    uint64_t turns;
    bool has_switches;
    bool is_crowded; // threads take turns on processors because there are too many threads
    struct otter_quantiles
        *delays; // by label of tasks: ticks from ready to start, while a thread waited
    double full; // part of the losses to oversubscription: threads idle meanwhile
    struct otter_losses losses; // causes of all ticks that are not executing, paused or lost
};

// The parts of an analysis that the account needs.
struct otter_account_input {
    const struct otter_timeline *timeline;
    const struct otter_graph *graph;
    const struct otter_pieces *pieces;
    const struct otter_ready *ready;
    const struct otter_costs *costs;
    const struct otter_task_uses *tasks;
    const struct otter_task_grains *grains;
    const struct otter_addresses *addresses;
    const struct otter_exclusions *exclusions;
    // For each node: ticks for which threads of a replay are idle while it executes. They replace
    // the waits of the run. NULL: the waits of the run.
    const double *idle;
};

// The index of a label in `executed` and `blame`.
static inline uint32_t otter_account_label(const struct otter_account *account, uint32_t label)
{
    return label < account->n_labels - 1 ? label : account->n_labels - 1;
}
