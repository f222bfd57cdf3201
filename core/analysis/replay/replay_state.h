// The state of a replay while it is executed.
//
// A context is an implicit or initial task on its thread, below the explicit tasks that the thread
// executes while the task waits. A tied task continues only at the top of its context. Several
// contexts share a thread if there are fewer threads than in the run.
#pragma once

#include "analysis/replay/replay_plan.h"

// The context of a task that waits outside of any context or has ended.
#define OTTER_NO_CONTEXT (UINT32_MAX - 1)

struct otter_replay_entry {
    uint64_t time;
    // i: thread i; n_threads + i: the end of node i; n_threads + n_nodes + i: its start
    uint64_t what;
};

struct otter_replay_context {
    uint32_t thread;
    uint32_t next;        // the context around this one, on the same thread
    uint32_t next_waiter; // the next one that waits for the same lock
    uint32_t team;        // the team of which it is a member, or OTTER_NONE
    uint32_t top;         // task; OTTER_NONE: none has begun
    uint32_t node;        // executed by the thread
    uint32_t action;      // the next one; OTTER_NONE: the node has none
    uint32_t loop;        // the loop whose new parts it executes, or OTTER_NONE
    uint32_t back;        // the action after that loop
    double idle_before;   // schedule->idle when it began to execute
    bool is_active, is_blocked, can_resume;
};

struct otter_replay_thread {
    uint32_t running; // context; OTTER_NONE: idle
    uint32_t first;   // innermost context
    uint32_t newest;  // the task that last became ready here
    bool is_touched;
};

struct otter_replay_lock {
    uint32_t first, last; // contexts that wait; of an exclusion: tasks
    bool is_held;
};

// Arrays also have places for the nodes, tasks and contexts of additional members.
struct otter_replay_schedule {
    const struct otter_replay *replay;
    const struct otter_graph *graph;
    enum otter_replay_policy policy;
    uint64_t time;
    uint32_t n_nodes, n_tasks, n_contexts;
    uint32_t n_spare;        // further contexts, one per thread, at the end; used if is_free
    uint32_t *n_waiting_for; // of each node
    uint32_t *pending;       // of each task: a ready node
    uint32_t *context_of;    // of each task that has begun
    // of each task: the task that it interrupts; before it begins, the next one that waits for the
    // same exclusion
    uint32_t *below;
    uint32_t *child; // of each task: a ready undeferred child; NULL: no task has any
    // of each task, for OTTER_REPLAY_STEALING: the task that became ready before it
    uint32_t *older;
    unsigned char *reach; // of each task: the tasks that its thread may execute while it waits
    uint32_t *task_at;    // of each position
    uint32_t *next_chunk; // of each loop
    uint32_t *phase_of;   // of each node of an additional member
    struct otter_replay_context *contexts;
    struct otter_replay_thread *threads;
    struct otter_replay_lock *locks;
    struct otter_replay_lock *exclusions; // held by a task from when it is ready until it ends
    struct otter_pool pool;
    struct {
        OTTER_VECTOR(struct otter_replay_entry);
    } events; // a heap
    struct {
        OTTER_VECTOR(uint32_t);
    } done, touched, made; // nodes that have ended; threads that may begin something; positions
                           // of tasks that the end of a piece made ready.
    uint32_t n_running[2]; // nodes that are executed, without and with is_first
    double idle[2];        // ticks of idle threads for each such node so far
    uint32_t n_blocked;    // contexts that wait for locks
    uint32_t at_thread;    // the thread whose node has just ended
    bool has_new;          // the pool has new tasks
    bool takes_locks;      // it takes time to acquire a free lock
    bool is_free;          // any thread may execute any node
    bool is_short_of_memory;
};

// ---- replay_nodes.c

// A queue of events, from which otter_replay_pop takes the earliest.
void otter_replay_push(struct otter_replay_schedule *schedule, uint64_t time, uint64_t what);
struct otter_replay_entry otter_replay_pop(struct otter_replay_schedule *schedule);
// Notes that the thread may have something to begin.
void otter_replay_touch(struct otter_replay_schedule *schedule, uint32_t thread);
// Additional members have tasks of their own.
uint32_t otter_replay_task_of(const struct otter_replay_schedule *schedule, uint32_t node);
uint32_t otter_replay_member_of(const struct otter_replay_schedule *schedule, uint32_t node);
uint32_t otter_replay_position_of(const struct otter_replay_schedule *schedule, uint32_t task);
bool otter_replay_is_untied(const struct otter_replay_schedule *schedule, uint32_t task);
// Makes the node of the task available to any thread.
void otter_replay_put(struct otter_replay_schedule *schedule, uint32_t task, uint32_t node);
void otter_replay_make_ready(struct otter_replay_schedule *schedule, uint32_t node);
// Makes a task ready that waits for the exclusion.
void otter_replay_free(struct otter_replay_schedule *schedule, struct otter_replay_lock *exclusion);
// Makes the nodes that wait for the node ready.
void otter_replay_end_node(struct otter_replay_schedule *schedule, uint32_t node);
void otter_replay_end_piece(struct otter_replay_schedule *schedule, uint32_t context);

// ---- replay_idle.c

// Call these when the context's thread begins and stops executing its node.
void otter_replay_begin_running(struct otter_replay_schedule *schedule, uint32_t context);
void otter_replay_stop_running(struct otter_replay_schedule *schedule, uint32_t context);
// Advances to `time`, and charges the time of idle threads until then.
void otter_replay_pass(struct otter_replay_schedule *schedule, uint64_t time);

// ---- replay_advance.c

// Lets the context's thread execute the ready node of the task.
void otter_replay_start(struct otter_replay_schedule *schedule, uint32_t context, uint32_t task);
// Executes actions up to one that takes time or has to wait.
void otter_replay_advance(struct otter_replay_schedule *schedule, uint32_t context);
// Lets the first waiter acquire the lock.
void otter_replay_release(struct otter_replay_schedule *schedule, struct otter_replay_lock *lock);
