// A sweep over the time of all threads together, segment by segment. Private to core/analysis.
//
// A segment is a part of an interval in which neither the thread's state nor its presence changes.
#pragma once

#include "analysis/cause/account.h"
#include "analysis/path/node_queue.h"
#include "analysis/time/states.h"
#include "analysis/time/open_regions.h"
#include "analysis/cause/task_facts.h"

enum presence {
    PRESENT = 0,
    PREEMPTED,        // could execute, but another process has its processor
    PREEMPTED_BY_OWN, // ... or another thread of the program
    BLOCKED,          // executes, but sleeps or waits in the kernel
    CREATING,         // executes the only creator of tasks, between two creations
    FORKED,           // outside: its next region has been forked, but no member has begun
    LATE,             // outside: another member of its next region has begun
};

// Threads wait for busy threads of the first of these kinds that exists. But while tasks wait for
// dependences, threads wait for executing threads, not for the creator of the tasks.
enum busy {
    BUSY_CREATING = 0,
    BUSY_EXECUTING,
    BUSY_MPI,
    BUSY_LOCK,
    BUSY_FENCE, // in a fence, or adds up a reduction
    BUSY_FORKING,
    BUSY_CONTINUING, // in a wait that is over, but has not continued yet
    N_BUSY
};

// Sums over time, in ticks, at rates that depend on the states of all threads.
struct integrals {
    double in[N_BUSY];  // ticks of waiting threads without a ready task, per busy thread
    double out[N_BUSY]; // ticks of threads outside of regions, per busy thread
    double phases;      // part of in[BUSY_EXECUTING]: while a task waits between two phases
    double dependent;   // part of in[BUSY_EXECUTING]: otherwise, while tasks wait for dependences
    double expecting;   // ticks in which threads wait for executing threads
    double locked;      // ticks of threads that wait for locks
    double delay, tied; // per waiting thread whose own wait is not over, like late and idle_in
    double late;        // while no thread is busy and a member has not begun
    double late_by_others, late_by_own; // parts of late, for a member without a processor
    double idle_in;                     // while no thread is busy and all members have begun
    // parts of idle_in, while a waiting thread has no processor
    double idle_by_others, idle_by_own;
    // ticks of threads outside per waiting thread, while no thread is busy: during the waiting
    // thread's delay, and otherwise
    double out_delay, out_idle;
    double idle_out; // per thread outside, while no thread is busy and none waits
    // ticks, times the share of idle threads for which no processor is left
    double full_by_others, full_by_own;
};

// A thread lost its processor while it executed a task, so the rest of the task is late.
struct lag {
    double late;   // ticks by which the rest is late
    double own;    // ticks of the piece without a processor
    double before; // lost_processors when the piece began
    double others; // ticks that other threads have lost since then, already subtracted
    // Ticks by which other threads may wait longer because the rest is late. Threads that already
    // waited before, or that wait for a lock, are not counted.
    double by_others, by_own;
};

struct cursor {
    uint32_t interval;
    uint64_t begin, end; // of the segment
    // the segment's end; in a wait, when the thread next gets or loses its processor
    uint64_t change;
    enum presence presence;
    const struct otter_task_creator *creator; // that is between two creations while CREATING
    struct integrals at_begin;                // the integrals when the segment began
    struct integrals at_late;                 // the integrals when the thread became late
    uint32_t n_bound;                         // ready nodes that only this thread may execute
    uint32_t n_tied;                          // explicit tasks among these nodes
    // the thread's innermost part in a region (OTTER_NONE: outside), and its next part
    uint32_t part, next_part;
    // index of the first time without a processor that ends after `begin`
    uint32_t off;
    uint32_t piece; // index of the thread's first piece that ends after `begin`
    bool is_task;   // executes a deferred task, not preempted
    bool is_blocked;
    // Whether the thread lacks a processor while it begins, forks, joins or waits: PREEMPTED or
    // PREEMPTED_BY_OWN; otherwise PRESENT.
    enum presence lack;
    bool is_asleep; // sleeps in a wait
    // delay in this wait, until the thread last got or lost its processor
    double delay;
    struct otter_off_ticks off_delay;   // part of `delay` without a processor
    double late;                        // waiting for this member that its late start explains
    double late_by_others, late_by_own; // shares of `late` for which the thread had no processor
    struct lag lag;                     // of the piece that the thread executes
    // When the wait of a waiting thread was over; from then on it waits for no other thread.
    uint64_t continuing_since;
    struct integrals at_continuing, skipped;
    double continuing; // ticks
};

struct waited {
    double ticks;
    uint32_t node;
};

struct sweep;

// Called at the end of each segment, with the cursor's segment and the integrals at its start and
// end.
typedef void segment_function(struct sweep *sweep, uint32_t thread);

// The ticks of waits in which a node was ready, or bound to another thread.
struct wait_parts {
    double delay, tied;
};

struct sweep {
    struct otter_account *account;
    segment_function *visit;
    const struct otter_account_input *input;
    const struct otter_timeline *timeline;
    const struct otter_graph *graph;
    struct otter_task_facts facts;
    double lost_processors; // ticks for which executing threads have had no processor until now
    struct cursor *cursors; // of each thread
    uint32_t *heap;         // threads, by the end of their segment
    bool *is_untied;        // of each region: its tasks are untied
    // Nodes that wait for a thread: one queue by the time when they become ready, one by their
    // start.
    struct otter_node_queue begins, ends;
    // Tasks that wait for dependences; repeated waits of a task for its children; events of tasks
    // whose bodies have ended.
    struct otter_node_queue dependent_begins, dependent_ends, phase_begins, phase_ends,
        event_begins, event_ends;
    uint64_t time;
    uint32_t n_busy[N_BUSY];
    uint32_t n_outside, n_waiting, n_fences;
    uint32_t n_free;         // ready nodes that any thread may execute
    uint32_t n_bound;        // waiting threads with a ready node that no other thread may execute
    uint32_t n_bound_fences; // of these, in fences
    uint32_t n_behind;       // ready explicit tasks that are tied to threads that do not wait
    uint32_t n_dependent;
    uint32_t n_tasks;                         // threads that execute a deferred task
    uint32_t n_blocked, n_preempted;          // threads that execute: asleep, preempted by others
    uint32_t n_late_by_others, n_late_by_own; // late members without a processor
    uint32_t n_off_by_others, n_off_by_own;   // waiting threads without a processor
    struct otter_open_regions phases;         // regions of waits that a task repeats
    struct otter_open_regions events;         // regions of tasks that wait only for their event
    struct otter_open_regions late;           // regions in which other members have begun
    struct otter_open_regions tied;           // regions of ready explicit tasks tied to a thread
    bool is_short_of_memory;
    // Each piece of a task that is not explicit, in order of nodes, and for how many ticks threads
    // wait for the member that executes it.
    struct {
        OTTER_VECTOR(struct waited);
    } waited;
    struct integrals now;
    struct wait_parts constructs[OTTER_N_CONSTRUCTS];
    struct wait_parts *regions, *places; // by label, like the account's
};

// Visits all segments in order of their ends. *Errors*: OTTER_NO_MEMORY.
enum otter_status otter_sweep_run(struct sweep *sweep);

// Charges ticks of threads that are idle while no processor is left for them.
void otter_sweep_add_full(struct sweep *sweep, double by_others, double by_own);

// Returns where to add the ticks for which threads wait for the member that executes the node; NULL
// if no member executes it.
double *otter_sweep_waited(const struct sweep *sweep, uint32_t node);

// Finds the next segment of the thread's interval. If `begin` is the start of the interval, finds
// the first segment.
void otter_segment_find(const struct sweep *sweep, uint32_t thread, uint64_t begin);

// Finds whether a waiting thread has a processor at this time, and until when.
void otter_segment_find_lack(const struct sweep *sweep, uint32_t thread, uint64_t time);

// Returns whether the members of this region take turns on the processors.
bool otter_sweep_is_crowded(const struct sweep *sweep, const struct otter_membership *part);

// Return the ticks of a waiting thread's segment in which a node that it may execute is ready, or
// in which nodes are tied to busy threads.
double otter_sweep_delay(const struct sweep *sweep, const struct cursor *cursor);
double otter_sweep_tied(const struct sweep *sweep, const struct cursor *cursor);

// Returns the piece during which the segment begins, or OTTER_NONE.
uint32_t otter_sweep_piece(const struct sweep *sweep, uint32_t thread);

static inline const struct otter_interval *otter_sweep_interval(const struct sweep *sweep,
                                                                uint32_t thread)
{
    return &sweep->timeline->lines[thread].intervals.items[sweep->cursors[thread].interval];
}
