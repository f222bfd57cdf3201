// Predictions: executes the fragments view again, on any number of threads and with changes.
//
// README.md lists what the replay models and what it does not.
#pragma once

#include "analysis/analysis.h"

// Larger graphs are replayed only if the user asks for a prediction.
enum { OTTER_REPLAY_MAX_NODES = 4000000 };

enum otter_replay_policy {
    OTTER_REPLAY_FIFO = 0, // the task that became ready first
    // the thread's own task that became ready last, otherwise the oldest task
    OTTER_REPLAY_STEALING,
    OTTER_REPLAY_CRITICAL, // the task with the heaviest path after it
    OTTER_N_REPLAY_POLICIES
};

enum otter_replay_change {
    OTTER_REPLAY_DROP = 1 << 0,    // barriers and taskwaits do not wait; locks are always free
    OTTER_REPLAY_BALANCE = 1 << 1, // all members of a loop execute the same amount of work
};

// Differences from the run, by label. NULL: none.
struct otter_replay_changes {
    const double *factors; // factors of executed time, account.n_labels of them
    // bits of enum otter_replay_change for each of account.n_labels labels
    const unsigned char *changes;
    // Cut-off depths, account.n_labels of them: deeper tasks of the label's recursion are executed
    // immediately by their creators. OTTER_NONE: no cut-off. NULL: none at all.
    const uint32_t *cut_offs;
    // Additional factors of each interval, by line of the timeline. If the array or one of its
    // lines is NULL, the factors are 1.
    float *const *of_intervals;
};

// On several threads, work took up to this many times as long as on one, since they share caches
// and memory.
#define OTTER_REPLAY_SHARING 1.5

// If a cut-off saves most of the time, the predicted rest is a small difference of two large
// numbers. In trials, programs took up to 1.2 times as long as predicted, or as little as a seventh
// of that.
#define OTTER_REPLAY_CUT_OFF_MORE 1.2
#define OTTER_REPLAY_CUT_OFF_LESS 7.0

// A schedule with fewer threads may be shorter, so the policies give an interval rather than a
// number. For a prediction from one thread to several, the upper end assumes that the threads share
// memory, and that each task costs otter_replay_taking() more. For a prediction from several
// threads to one, the lower end assumes that they share nothing. For a cut-off, the caller widens
// the interval with otter_replay_widen().
struct otter_replay_times {
    uint64_t least, most; // ticks; over all policies
    struct {
        uint64_t least, most;
    } of[OTTER_N_REPLAY_POLICIES];
    uint64_t lower, upper; // max(work / threads, span); the sum of all nodes
};

struct otter_replay; // replay_plan.h

// `changes` may be NULL. Returns NULL if out of memory. Memory: about 100 bytes per node.
struct otter_replay *otter_replay_create(const struct otter_analysis *analysis,
                                         const struct otter_replay_changes *changes);
void otter_replay_destroy(struct otter_replay *replay);
// Replaces the changes, with the same result as a new replay; unaffected parts are reused.
// `changes` may be NULL, and must stay valid while in use.
// Returns OTTER_NO_MEMORY or OTTER_OK. After a failure, only otter_replay_destroy may be called.
enum otter_status otter_replay_change(struct otter_replay *replay,
                                      const struct otter_replay_changes *changes);

// Returns the share of the thread time in which threads could have run, but had no processor.
double otter_replay_preempted(const struct otter_analysis *analysis);
// From now on, times contain no preemption on the recorded number of threads either. On other
// numbers they never do, and each thread has a processor. `takes_turns`: but the recorded number of
// threads has no more processors than in the run.
void otter_replay_be_quiet(struct otter_replay *replay, bool takes_turns);

// Executes all policies on `n_threads` threads, at least 1. Time: n log n for n nodes. Returns
// OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_replay_run(struct otter_replay *replay, uint32_t n_threads,
                                   struct otter_replay_times *times);
// Returns by how many ticks, at most, each additional thread lengthens a task that one thread
// executed in the run.
uint64_t otter_replay_taking(const struct otter_analysis *analysis);
// Finds the factors by which the actual time may be shorter or longer than `ticks`, if the run
// takes `before` ticks without changes; both are 1 without a cut-off.
void otter_replay_doubts(const struct otter_replay *replay, uint64_t before, uint64_t ticks,
                         double *shorter, double *longer);
// Widens times and bounds by these factors, since a cut-off makes the work itself uncertain.
void otter_replay_widen(const struct otter_replay *replay, uint64_t before,
                        struct otter_replay_times *times);
// Returns how many ticks an acquisition of the region waits on average, if another thread holds the
// lock; 0 if no acquisition waited, INFINITY if unknown.
double otter_replay_lock_wait(const struct otter_replay *replay, uint32_t region);
// Sets `least` and `most` from the times of all policies.
void otter_replay_join(struct otter_replay_times *times);
// Returns whether the schedules are within their bounds; otherwise the replay has a defect.
bool otter_replay_is_in_bounds(const struct otter_replay_times *times);
// Finds max(work / threads, span) without executing the replay. Returns OTTER_NO_MEMORY or
// OTTER_OK.
enum otter_status otter_replay_bound(struct otter_replay *replay, uint32_t n_threads,
                                     uint64_t *ticks);
// Executes one policy. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_replay_run_policy(struct otter_replay *replay, uint32_t n_threads,
                                          enum otter_replay_policy policy, uint64_t *ticks);

// From now on, each run stores in `starts` when each MPI call begins, in ticks from the start of
// the run. `starts` has an element for each node of the graph. NULL: nothing is stored.
void otter_replay_watch(struct otter_replay *replay, uint64_t *starts);

// From now on, each run adds to `idle`, for each node, the ticks in which threads have nothing to
// execute while a thread executes the node. These are divided equally among such nodes, or among
// those with is_first if there are any. NULL: nothing is added.
void otter_replay_watch_idle(struct otter_replay *replay, double *idle, const bool *is_first);

// Returns whether no thread executes the node, so that a factor for its own region applies to it.
bool otter_replay_is_on_device(const struct otter_analysis *analysis, uint32_t node);

// Returns the share of the work (0 to 1) that the replay does not divide: code of members outside
// of loops and tasks, and loops that cannot be divided.
double otter_replay_undivided(const struct otter_replay *replay);
