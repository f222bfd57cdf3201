// The parts of a replay: what each node does, where tasks may be executed, how loops are divided.
#pragma once

#include "analysis/path/latencies.h"
#include "analysis/replay/replay.h"
#include "analysis/replay/replay_pool.h"

enum otter_action_kind {
    OTTER_ACTION_END = 0,   // of the node
    OTTER_ACTION_COMPUTE,   // `value` ticks
    OTTER_ACTION_ACQUIRE,   // `value`: index of the lock
    OTTER_ACTION_HAND_OVER, // `value`: ticks to acquire a free lock, on several threads
    OTTER_ACTION_RELEASE,
    OTTER_ACTION_LOOP,  // `value`: index of the loop; `jump`: the action after the loop
    OTTER_ACTION_CHUNK, // a chunk begins
    OTTER_ACTION_LOOP_END,
};

struct otter_action {
    uint64_t value;
    uint32_t jump;
    enum otter_action_kind kind;
};

struct otter_actions {
    OTTER_VECTOR(struct otter_action);
};

struct otter_replay_ids { // in ascending order
    OTTER_VECTOR(uint32_t);
};

// A member's part in a worksharing loop, within one node.
struct otter_share {
    uint64_t work; // ticks
    uint32_t node, region;
    uint32_t first, end; // actions: the LOOP, and the one after LOOP_END
    uint32_t loop;       // index of the loop; OTTER_NONE: unknown
    uint32_t n_chunks;
    uint32_t iterations, block; // of the whole loop, of the first static chunk; 0: unknown
    bool has_locks;
};

struct otter_chunk {
    uint64_t time; // ticks
    uint32_t action, member;
};

struct otter_lock_times { // means, in ticks
    double wait;          // of an acquisition that waits for a release; INFINITY: unknown
    uint32_t hand_over;   // from a free lock to its acquisition
};

enum otter_loop_mode {
    OTTER_LOOP_KEPT = 0, // each member executes its recorded share
    OTTER_LOOP_QUEUED,   // members take the recorded chunks
    OTTER_LOOP_SPLIT,    // new shares by iterations, taken from the recorded shares in sequence
    OTTER_LOOP_EVEN,     // new shares of equal work
};

// One execution of a worksharing loop by a team.
struct otter_loop {
    uint64_t work;
    uint32_t region, team, phase;
    uint32_t next; // next loop of the phase
    uint32_t n_shares;
    uint32_t iterations;            // 0: unknown
    uint32_t block;                 // iterations of the largest static chunk; 0: unknown
    uint32_t first_share;           // in `ordered` and `work_before`, unless the loop is odd
    uint32_t first_chunk, n_chunks; // in `chunks`
    bool has_locks;
    bool is_odd; // some member has no share, so the loop cannot be divided
    // for the current number of threads
    enum otter_loop_mode mode;
    uint32_t parts; // of a loop with locks: where its actions begin in `parts`
};

// The loops of a team between two barriers.
struct otter_phase {
    uint32_t begin, end; // nodes: the barrier or fork before it, the barrier or join after it
    uint32_t team, first_loop;
    uint32_t next, before; // next and previous phase of the team
    // for the current number of threads
    uint32_t first_extra; // first node of its additional members, after the graph's nodes
    uint32_t n_extra;
    uint32_t actions; // of each of them
};

struct otter_replay_team {
    uint32_t first_phase, last_phase;
    uint32_t first, end; // positions of its tasks
    // for the current number of threads
    uint32_t n_threads;   // members
    uint32_t first_extra; // context of its first additional member
    uint32_t thread;      // of its leader
};

struct otter_team_node { // where a team begins or ends
    uint32_t node, team;
};

enum otter_reach { // tasks that a thread may execute after a node, while the task waits
    OTTER_REACH_NOTHING = 0,
    OTTER_REACH_DESCENDANTS,
    OTTER_REACH_TEAM,
    OTTER_REACH_END, // the task is over
};

enum otter_cut { // what a cut-off does with a task
    OTTER_CUT_NOTHING = 0,
    OTTER_CUT_LAST,    // its own tasks of the recursion are executed immediately
    OTTER_CUT_AT_ONCE, // its creator executes it immediately
};

struct otter_replay {
    const struct otter_analysis *analysis;
    const struct otter_replay_changes *changes; // NULL: none
    bool has_drops;                             // some wait or lock is dropped
    bool drops_waits;                           // some wait is dropped, so edges are replaced
    // some action differs from the run: a factor is not 1, a lock is dropped, or there is a cut-off
    bool has_own_times;
    bool has_cut_offs;

    unsigned char *cut; // of each task: enum otter_cut; NULL: no cut-off
    double cut_saving;  // share of the execution of cut-off tasks that belongs to the runtime

    // edges without dropped nodes
    const uint32_t *first_edge, *edge_to;
    const uint8_t *edge_kind;               // enum otter_edge_kind
    uint32_t *own_first_edge, *own_edge_to; // NULL: the graph's edges are used
    uint8_t *own_edge_kind;

    bool has_preemption;              // a thread of the run was preempted
    bool is_quiet, is_always_quiet;   // times contain no preemption
    bool takes_turns;                 // on the processors of the run
    struct otter_latencies latencies; // of the run; without preemption if is_quiet
    // number of threads for which the durations contain latencies
    uint32_t priced_threads;
    // whether the current run, and whether the durations, are for the longer end of a predicted
    // interval
    bool is_at_worst, is_priced_at_worst;

    // of each node
    struct otter_slim durations; // ticks of all actions, plus the runtime's costs
    uint64_t *behind;            // the heaviest path from its start, for OTTER_REPLAY_CRITICAL
    uint32_t *actions_of;        // the first action; see otter_replay_actions_of

    // of each task
    uint32_t *position, *position_end; // of the task, and the first after its descendants
    uint32_t *context; // for implicit and initial tasks, and others without a creator
    // of each of these contexts
    uint32_t *member; // thread number of an implicit task in its team
    uint32_t *team;   // index, or OTTER_NONE
    uint32_t n_contexts;

    struct otter_actions actions;
    struct {
        OTTER_VECTOR(struct otter_share);
    } shares;
    struct {
        OTTER_VECTOR(struct otter_loop);
    } loops;
    struct {
        OTTER_VECTOR(struct otter_phase);
    } phases;
    struct otter_chunk *chunks;
    uint32_t *ordered;     // shares of each loop by thread number
    uint64_t *work_before; // work of the loop before each of these shares
    struct otter_replay_ids locks;
    struct otter_lock_times *lock_times; // of each region
    struct otter_replay_team *teams;
    struct {
        OTTER_VECTOR(struct otter_team_node);
    } ends;                // the begin and the end of each team, in order of nodes
    uint32_t *first_phase; // of each node; see otter_replay_phase_at
    uint32_t *rank_of;     // of each location: its number among those with events
    uint64_t work;         // of threads, with costs
    // start in the replay of each node that no thread executes; NULL: not stored
    uint64_t *starts;
    double *idle; // see otter_replay_watch_idle
    const bool *is_first;

    // for the current number of threads
    uint32_t n_threads;
    uint32_t n_recorded_actions, n_extra_nodes, n_extra_contexts;
    bool defers;         // tasks are deferred that a team of one thread did not defer in the run
    uint32_t *thread_of; // of each context
    struct {
        OTTER_VECTOR(uint32_t);
    } parts;
    uint64_t span; // set by otter_replay_find_span
};

// Return OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_replay_find_cut(struct otter_replay *replay);
enum otter_status otter_replay_make_edges(struct otter_replay *replay);
enum otter_status otter_replay_make_actions(struct otter_replay *replay);
enum otter_status otter_replay_place_tasks(struct otter_replay *replay);
// Returns what the thread may execute after the node. The edge to the next node of the chain
// decides; for a member's last piece, the edge to the region's end.
enum otter_reach otter_replay_reach(const struct otter_replay *replay, uint32_t node);
enum otter_status otter_replay_find_loops(struct otter_replay *replay);
// Returns the ticks of a part of a loop with mode SPLIT or EVEN.
uint64_t otter_replay_part(const struct otter_replay *replay, const struct otter_loop *loop,
                           uint32_t member);
// Sets the latencies on `n_threads` threads, in durations and actions.
void otter_replay_price(struct otter_replay *replay, uint32_t n_threads);
// Sorts in ascending order; the list is usually short.
void otter_replay_sort(uint32_t *numbers, uint32_t n);
// Lists the locks. Returns false if out of memory.
bool otter_replay_list_locks(struct otter_replay *replay);
// Lists the locks, and sets `lock_times`. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_replay_measure_locks(struct otter_replay *replay);
// Lists the locks that are always free. Returns false if out of memory.
bool otter_replay_list_dropped(const struct otter_replay *replay, struct otter_replay_ids *dropped);
// Returns the index of the lock with this id, or OTTER_NONE if there is no such lock.
uint32_t otter_replay_index_of(const struct otter_replay_ids *ids, uint32_t lock);
// Replaces the ids of locks in all actions by indexes.
void otter_replay_number_locks(struct otter_replay *replay);
// Divides loops and teams among threads. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_replay_divide(struct otter_replay *replay, uint32_t n_threads);
// Sets `span`, after otter_replay_divide. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_replay_find_span(struct otter_replay *replay);
// Executes the replay with one policy. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_replay_execute(const struct otter_replay *replay,
                                       enum otter_replay_policy policy, uint64_t *ticks);

// Returns whether a latency precedes the node in the run and in the replay.
bool otter_replay_has_latency(const struct otter_replay *replay, uint32_t node);

// Returns whether an action of this kind occupies its thread for some time.
static inline bool otter_action_takes_time(const struct otter_action *action)
{
    return action->kind == OTTER_ACTION_COMPUTE || action->kind == OTTER_ACTION_HAND_OVER;
}

// Returns whether it takes time to acquire a free lock. Times measured with several threads do not
// apply to a single one, which has no competitors.
static inline bool otter_replay_takes_locks(const struct otter_replay *replay, uint32_t n_threads)
{
    return n_threads > 1 || replay->analysis->timeline.n_lines == 1;
}

// Returns the team of a member, otherwise OTTER_NONE.
static inline uint32_t otter_replay_team_of(const struct otter_replay *replay, uint32_t task)
{
    uint32_t context = replay->context[task];
    return context != OTTER_NONE ? replay->team[context] : OTTER_NONE;
}

// Returns the thread number of a member in its team.
static inline uint32_t otter_replay_number_of(const struct otter_replay *replay, uint32_t task)
{
    uint32_t context = replay->context[task];
    return context != OTTER_NONE ? replay->member[context] : OTTER_NONE;
}

// Returns the node's first action. OTTER_NONE: the node has only its duration.
static inline uint32_t otter_replay_actions_of(const struct otter_replay *replay, uint32_t node)
{
    return replay->actions_of ? replay->actions_of[node] : OTTER_NONE;
}
// Returns the phase that begins at the node, or OTTER_NONE.
static inline uint32_t otter_replay_phase_at(const struct otter_replay *replay, uint32_t node)
{
    return replay->first_phase ? replay->first_phase[node] : OTTER_NONE;
}

static inline unsigned char otter_replay_cut_of(const struct otter_replay *replay, uint32_t node)
{
    return replay->cut ? replay->cut[replay->analysis->graph->nodes[node].task] : 0;
}
// Returns whether the node has no latency because of a cut-off.
bool otter_replay_cuts_latency(const struct otter_replay *replay, uint32_t node);
// Returns the ticks of the node's execution that a cut-off saves.
uint64_t otter_replay_cut_ticks(const struct otter_replay *replay, uint32_t node);

static inline bool otter_replay_has_edge(const struct otter_replay *replay, uint32_t edge)
{
    return !replay->defers || replay->edge_kind[edge] != OTTER_EDGE_UNDEFERRED;
}

static inline bool otter_replay_drops(const struct otter_replay *replay, uint32_t region)
{
    return replay->changes && replay->changes->changes &&
           region < replay->analysis->account.n_labels &&
           (replay->changes->changes[region] & OTTER_REPLAY_DROP);
}

// Returns whether the node is a barrier or taskwait that is dropped.
static inline bool otter_replay_drops_node(const struct otter_replay *replay, uint32_t node)
{
    const struct otter_node *at = &replay->analysis->graph->nodes[node];
    return at->kind == OTTER_NODE_SYNC && otter_replay_drops(replay, at->region);
}
