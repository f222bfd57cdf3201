// The state of each thread at each tick: the events of an archive as intervals without gaps.
#pragma once

#include "base/status.h"
#include "base/vector.h"
#include "graph/graph.h"
#include "trace/read/reader.h"

enum otter_state {
    OTTER_STATE_OUTSIDE = 0, // in no region: before the first event, between parallel regions
    OTTER_STATE_EXECUTING,
    OTTER_STATE_WAITING, // in a barrier, a taskwait, a fence, ...
    OTTER_STATE_LOCK,    // waits for a lock, a critical or an ordered region
    OTTER_STATE_FORKING, // forks or joins a team
    OTTER_STATE_MPI,     // in an MPI call
    OTTER_STATE_PAUSED,
    OTTER_STATE_LOST,   // events of the thread are missing
    OTTER_STATE_UNUSED, // a helper thread of the runtime executes no task
    OTTER_N_STATES
};

// Returns whether a thread in this state does nothing for the program.
static inline bool otter_state_is_idle(enum otter_state state)
{
    return state == OTTER_STATE_OUTSIDE || state == OTTER_STATE_UNUSED;
}

enum { OTTER_INTERVAL_NO_LABEL = 0xffffff };

// An interval ends where the next interval of its thread begins, the last at the timeline's end.
struct otter_interval {
    uint64_t begin;  // ticks
    uint32_t region; // innermost open region, OTTER_NONE outside
    // region of the task, kernel or MPI call; code between MPI calls (between.h); or
    // OTTER_INTERVAL_NO_LABEL
    uint32_t label : 24;
    uint32_t state : 8; // enum otter_state
};

// A thread's part in a parallel region, or its fork of one.
struct otter_membership {
    uint64_t begin, end;
    uint32_t label; // of a fork: the label at that time; of a part: set by otter_region_uses_init
    uint32_t outer; // of a part: the part around it on the same thread, or OTTER_NONE
    uint32_t first_interval, end_interval;
    // otter_region_uses_init sets these for a part. If its team is not known, n_members is 0.
    uint64_t forked, first; // ticks: the fork of the region, the start of its first member
    uint32_t team;          // index in the graph, or OTTER_NONE
    uint32_t n_members;
};

// A period in which a thread was not on a processor, according to the scheduler's switches.
struct otter_off {
    uint64_t begin, end; // ticks; the periods of a thread are in order and do not overlap
    uint32_t processor;  // the processor that the thread left
    bool is_preempted;   // it could have run; otherwise it slept or waited in the kernel
    bool by_own;         // preempted, and a thread of the same archive ran on that processor
};

struct otter_stretch {
    uint64_t begin, end; // ticks
};

struct otter_stretches {
    OTTER_VECTOR(struct otter_stretch); // in order, without overlap
};

// A period in which a thread stored full chunks.
struct otter_store {
    uint64_t begin, end; // ticks
    bool is_executing;   // counts as executing
};

// The least cost of a recorded call, in tenths of an event; the runtime needs one of them to make
// the call. All records of one call have the same time.
#define OTTER_COST_OF_CALL 11

struct otter_thread_line {
    uint32_t location; // index in the definitions
    // what recording cost, in tenths of an event: of all calls, of those after which it executes
    uint64_t recorded_tenths, executing_tenths;
    struct {
        OTTER_VECTOR(struct otter_store);
    } stores;
    struct {
        OTTER_VECTOR(struct otter_interval);
    } intervals;
    struct {
        OTTER_VECTOR(struct otter_membership);
    } forks, memberships; // in order of `begin`
    struct {
        OTTER_VECTOR(struct otter_off);
    } off; // analysis/time/switches.h fills it; empty unless the timeline has_switches
    // when switches are missing, so that the thread may be off its processor
    struct otter_stretches unknown;
    bool is_helper; // a thread of the runtime that only executes tasks outside of all regions
};

// The code between two MPI calls: the regions of the calls, OTTER_NONE before the first and
// after the last call.
struct otter_between {
    uint32_t after, before;
};

struct otter_betweens {
    OTTER_VECTOR(struct otter_between); // sorted, each pair once
};

struct otter_timeline {
    const struct otter_definitions *definitions;
    uint64_t begin, end; // ticks: the first and the last event of any thread
    struct otter_thread_line *lines;
    uint32_t n_lines;   // threads that were ever in a region, paused or lost
    uint32_t n_helpers; // of these: threads of the runtime that execute tasks outside of regions
    // Threads of the process that have switches but no OpenMP events. Only their `off` and
    // `unknown` are set.
    struct otter_thread_line *others;
    uint32_t n_others;
    // line of each location; OTTER_NONE for devices and other threads
    uint32_t *line_of;
    struct otter_betweens betweens;   // otter_betweens_find fills it
    bool has_switches;                // the archive shows when threads were off a processor
    struct otter_timeline_walk *walk; // NULL after otter_timeline_end
};

// Builds the timeline event by event. The caller passes all events of one location in order, then
// the events of the next. `definitions` must outlive the timeline. Memory: 16 bytes for each change
// of state.
enum otter_status otter_timeline_begin(struct otter_timeline *timeline,
                                       const struct otter_definitions *definitions);
// The signature matches otter_event_function. Returns false if out of memory.
bool otter_timeline_add(void *timeline, const struct otter_event *event);
// Must be called once after the last event. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_timeline_end(struct otter_timeline *timeline);
// Frees what begin and add have allocated.
void otter_timeline_finish(struct otter_timeline *timeline);

// Labels the intervals of a team that was forked in a Kokkos kernel with that kernel.
void otter_timeline_inherit(struct otter_timeline *timeline, const struct otter_graph *graph);

// Returns the membership of an implicit task in its team and sets `*line` to its thread's line.
// Returns NULL if the events do not contain it.
struct otter_membership *otter_membership_of(const struct otter_timeline *timeline,
                                             const struct otter_graph *graph, uint32_t task,
                                             struct otter_thread_line **line);

// Returns the ticks that all threads together spent off a processor. `is_preempted`: while they
// were preempted, by threads of this archive if `by_own`, otherwise by others; false: while they
// were blocked.
uint64_t otter_timeline_off(const struct otter_timeline *timeline, bool is_preempted, bool by_own);

// Returns whether a thread without OpenMP events was on a processor for more than a hundredth of
// the run.
bool otter_timeline_is_busy(const struct otter_timeline *timeline,
                            const struct otter_thread_line *other);

// Returns for how many ticks switches are missing, summed over all threads.
uint64_t otter_timeline_unknown(const struct otter_timeline *timeline);

// Returns the end of interval `i`.
static inline uint64_t otter_interval_end(const struct otter_timeline *timeline,
                                          const struct otter_thread_line *line, uint32_t i)
{
    return i + 1 < line->intervals.n ? line->intervals.items[i + 1].begin : timeline->end;
}

// Returns whether the construct is a Kokkos kernel or copy, which hides the constructs of its back
// end.
bool otter_construct_is_kernel(enum otter_construct construct);
