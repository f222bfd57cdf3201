// What the parts of the builder share. Data flows one way:
//
//     build_event.c   events of one location -> steps of the task that is current there (build_stack.c, build_task.c, build_parameter.c)
//     build_step.c    steps of one task -> its chain: nodes, edges, what it joins (build_chain.c, build_construct.c, build_join.c,
//                     build_depend.c: its children's dependences)
//     build_replay.c  when all is read: the steps of untied tasks, in the order of time
//     build_device.c  when all is read: what devices did, joined to what the host asked for
//     build_team.c    when all is read: who forked whom, which barriers are one
//     build_end.c     when all is read: the ends of detached tasks, and the nodes that edges leave at the end of a task
//     build_close.c   when all is read: the edges and scopes that needed the whole
//     build_arrays.c  the arrays of struct otter_graph
#pragma once

#include "graph/build/build.h"
#include "base/vector.h"

// As a scope: that of the task's creator. As a node's scope: that of its task.
enum { OTTER_INHERITED = -2 };
#define OTTER_OF_TASK ((uint32_t)OTTER_INHERITED)

// Added to an edge's kind while building: `from` is a task. The edge leaves at the task's
// completion, or at the end of the task's body: the two differ for a detached task.
// otter_build_completions() puts nodes in place of tasks.
enum { OTTER_FROM_TASK = 0x80, OTTER_FROM_BODY = 0x40 };

// Flags while building, beside enum otter_node_flag.
enum {
    OTTER_BUILD_JOINED =
        OTTER_NODE_IMPLIED, // of a task, which is never implied: something in its join scope follows it
    OTTER_BUILD_STARTED = 1 << 6, // of a task: it was executed
    OTTER_BUILD_ENDED = 1 << 7,   // of a task: its end was seen
    OTTER_BUILD_OF_TASK = OTTER_BUILD_JOINED | OTTER_BUILD_STARTED | OTTER_BUILD_ENDED,

    OTTER_BUILD_CREATED = 1 << 6, // of a node of an initial task: it created a task
    OTTER_BUILD_LEFT = 1 << 7,    // of a node: it fulfilled an event
    OTTER_BUILD_OF_NODE = OTTER_BUILD_CREATED | OTTER_BUILD_LEFT,
};

// What a region means for the graph.
enum otter_region_class {
    OTTER_CLASS_NONE = 0,
    OTTER_CLASS_INITIAL,
    OTTER_CLASS_TEAM, // parallel, teams: a member's share
    OTTER_CLASS_TASK,
    OTTER_CLASS_SCOPE,
    OTTER_CLASS_TARGET,
    OTTER_CLASS_TASKGROUP,
    OTTER_CLASS_ORDERED,       // from where a member asks for its turn,
    OTTER_CLASS_ORDERED_BLOCK, // and from where it has the turn
    OTTER_CLASS_TASKGROUP_WAIT,
    OTTER_CLASS_TASKWAIT,
    OTTER_CLASS_TASKWAIT_DEPEND,
    OTTER_CLASS_BARRIER,
    OTTER_CLASS_SYNC, // joins nothing
    OTTER_CLASS_OPERATION,
};

// ---- what waits for tasks: a taskgroup, or a barrier and so the part of an implicit task before it

struct otter_join_scope {
    uint32_t parent; // the join scope around it, OTTER_OF_TASK, or OTTER_NONE
    uint32_t begin;  // node, OTTER_OF_TASK where the scope has none in this view
    uint32_t end;    // node, OTTER_NONE until it comes
    uint32_t owner;  // task in whose chain it is
    uint32_t member; // whose team's end waits, when `end` never comes; or OTTER_NONE
};

// ---- teams

struct otter_fork {
    uint64_t time, end_time;
    uint32_t location;
    uint32_t enclosing;               // fork that was open on that location, or OTTER_NONE
    uint32_t comm;                    // of the member that forked
    uint32_t task;                    // that forked
    uint32_t depth;                   // of the stack of tasks on that location
    uint32_t begin, end;              // nodes
    uint32_t first_member, n_members; // in `sorted_members`
    uint32_t join;   // node that waits for all tasks of the team: its last barrier, or its end
    uint32_t number; // of the regions that its location forked, from 1
    bool has_comm;
    bool is_late; // it was recorded when a pause ended
};

struct otter_member {
    uint64_t time, end_time;
    uint32_t location, comm, task;
    uint32_t fork;          // OTTER_NONE until found
    uint32_t first_barrier; // in `barriers`, OTTER_NONE
    uint32_t last_barrier;
    uint32_t n_barriers; // also those in pauses
    uint64_t region;     // location << 32 | number of the fork, 0: not told
    bool is_cut;         // it ended in a pause: there may have been further barriers
};

struct otter_barrier {
    uint32_t node;
    uint32_t next;
    uint32_t ordinal; // of its member's, from 0
    bool is_join;     // at the end of the region
    bool may_be_join; // the last of its member, and of no kind that is elsewhere
};

// ---- what tasks do

enum otter_step_kind {
    OTTER_STEP_RUN,   // begins or goes on, on this location
    OTTER_STEP_PAUSE, // another task runs on top of it
    OTTER_STEP_AWAY,  // leaves this location; an untied one may come back elsewhere
    OTTER_STEP_BACK,  // begins, or comes back
    OTTER_STEP_CREATE,
    OTTER_STEP_UNDEFERRED, // an undeferred child has ended
    OTTER_STEP_ENTER,
    OTTER_STEP_LEAVE,
    OTTER_STEP_LIST, // dependences of what was just entered
    OTTER_STEP_FORK,
    OTTER_STEP_JOIN,
    OTTER_STEP_SOURCE,
    OTTER_STEP_SINK,
    OTTER_STEP_FULFIL,
    OTTER_STEP_OPERATION,
};

struct otter_step {
    uint64_t time;
    uint32_t task;                   // whose step it is
    uint32_t index;                  // child, region, fork or fulfilled task
    uint32_t first_entry, n_entries; // in `entries`
    uint32_t order;                  // in which it was read
    uint16_t location;
    uint8_t kind;    // enum otter_step_kind
    bool is_at_once; // of CREATE: the child begins now, here
    bool is_adopted; // of CREATE: the runtime names another creator
    bool is_serial;  // in a team of one thread
    bool is_copy;    // left or entered by the recorder, not by the program
};

// An entry of a depend clause, or a number of an iteration.
struct otter_entry {
    uint64_t value;
    uint32_t kind; // enum otter_parameter
};

// An open construct of a task.
struct otter_open_construct {
    uint64_t start;
    uint64_t wait_start; // of a taskgroup's wait
    uint32_t region;
    uint32_t begin;    // node, or OTTER_NONE
    uint32_t outer;    // the scope around it
    uint32_t unjoined; // of a taskgroup: its task's first unjoined child when it began
    // Of a taskgroup: its join scope; of a target construct: index in `targets`; of an ordered
    // block: the order of its acquisition
    uint32_t scope;
    uint32_t group;      // the taskgroup around it
    uint16_t n_waits;    // of its task within it
    uint8_t class;       // enum otter_region_class
    bool has_waited;     // of a taskgroup
    bool is_interrupted; // of an operation, in the fragments view: its task does something else
};

enum otter_running {
    OTTER_IDLE = 0,
    OTTER_READY,
    OTTER_RUNNING
}; // READY: its fragment is made, and not begun

struct otter_depend_table;

// A task while it is executed.
struct otter_context {
    struct otter_depend_table *table; // of its children, NULL until one has dependences
    uint64_t wait_start, wait_end;    // of a `taskwait depend` that may be the next task's
    uint32_t wait_region, wait_first, wait_n;
    uint32_t task;
    uint32_t position;   // the node it has reached
    uint32_t unjoined;   // the first of its children that no taskwait has joined, OTTER_NONE
    uint32_t undeferred; // undeferred child that was created last, OTTER_NONE
    uint32_t member;     // of initial and implicit tasks: index, or OTTER_NONE
    uint32_t
        phase_begin; // of initial and implicit tasks: the node that the last barrier is, or their first
    uint32_t
        phase; // of initial and implicit tasks: join scope up to the next barrier, OTTER_NONE until a task is created in it
    uint32_t first_open; // in `open`
    uint32_t base;       // place on the stack of the initial or implicit task below it, or itself
    uint32_t scope;      // node that begins the innermost open scope, OTTER_OF_TASK outside of all
    uint32_t group;      // in `open`: the innermost taskgroup, or OTTER_NONE
    uint32_t n_loops;    // that it has encountered
    uint16_t n_waits;    // constructs that it waits in
    uint16_t location;
    uint8_t running; // enum otter_running
    bool is_base;    // initial or implicit
    bool has_end;    // of initial and implicit tasks: whose end is recorded
    bool is_untied;
    bool is_serial;    // in a team of one thread
    bool has_wait;     // wait_... are set
    bool wants_region; // its region is the next that is entered
    bool is_undeferred;
    uint16_t n_nested; // how often it lies on top of itself
};

// A source or sink of a doacross loop; or an end or begin of an ordered region.
struct otter_doacross {
    uint64_t
        iteration; // all its numbers in one; of an end the order of its acquisition, of a begin that of the one before
    uint32_t node, member;
    uint32_t team; // fork, when all is read
    uint32_t loop; // the how many-th of its member
    bool is_source;
};

struct otter_fulfilment {
    uint64_t time;
    uint32_t task;
    uint32_t by; // node, or OTTER_NONE
    uint32_t
        undeferred; // undeferred child of the fulfilling task that has ended just before, or OTTER_NONE
    uint16_t location;
    bool is_by_nobody; // a thread that executed no task
};

struct otter_orphan { // executed, and not created so far
    uint32_t task;
    uint32_t creator;      // the implicit or initial task on whose location it is executed
    uint32_t scope, begin; // what waits for it, and the node that came before all that scope
};

struct otter_adoption {
    uint32_t task, creator; // the one is joined where the other is
};

struct otter_tail {
    uint32_t task, child; // an undeferred child that was the last that the task did
};

// ---- devices

// A target construct.
struct otter_target {
    uint32_t end;        // node, OTTER_NONE until it comes
    bool has_operations; // or may have some
};

// What the host asks a device for.
struct otter_operation {
    uint64_t id;
    uint32_t task;
    uint32_t from;      // the node that its task has reached
    uint32_t scope;     // of nodes in it
    uint32_t target;    // in `targets`, or OTTER_NONE
    uint32_t node;      // its own, or OTTER_NONE
    uint64_t target_id; // where that is another thread's, which has an entry without `from`; or 0
    bool is_async;
};

// What a device tells of it.
struct otter_device_piece {
    uint64_t id; // 0: not told
    uint64_t start, end;
    uint32_t region;
    uint32_t location;
};

// ---- the builder

struct otter_create_pending {
    uint64_t time;
    uint32_t task, first_entry;
    bool is_pending, is_adopted;
};

enum { OTTER_TASK_PAGE = 512 };

struct otter_location_tasks { // index of a task by its number, in pages
    OTTER_VECTOR(uint32_t *);
};

struct otter_builder {
    const struct otter_definitions *definitions;
    enum otter_graph_view view;
    struct otter_build_findings findings;
    bool has_failed;  // memory was short
    bool has_devices; // that told what they did
    uint64_t n_events;
    uint8_t *region_class; // of each region
    uint8_t *region_flags; // enum otter_task_flag of each region
    struct otter_location_tasks *location_tasks;

    struct {
        OTTER_VECTOR(struct otter_node);
    } nodes;
    struct {
        OTTER_VECTOR(uint32_t);
    } edge_from;
    struct {
        OTTER_VECTOR(uint32_t);
    } edge_to;
    struct {
        OTTER_VECTOR(uint8_t);
    } edge_kind;
    struct {
        OTTER_VECTOR(struct otter_graph_task);
    } tasks;
    // join scope of each explicit task, OTTER_OF_TASK, or OTTER_NONE; of an implicit task, when all is read: node that begins its team
    struct {
        OTTER_VECTOR(uint32_t);
    } task_scope;
    struct {
        OTTER_VECTOR(uint32_t);
    } task_next; // the next unjoined child of the same creator
    struct {
        OTTER_VECTOR(struct otter_join_scope);
    } scopes;
    struct {
        OTTER_VECTOR(struct otter_fork);
    } forks;
    struct {
        OTTER_VECTOR(struct otter_member);
    } members;
    struct {
        OTTER_VECTOR(struct otter_barrier);
    } barriers;
    struct {
        OTTER_VECTOR(struct otter_doacross);
    } doacross;
    struct {
        OTTER_VECTOR(struct otter_fulfilment);
    } fulfilments;
    struct {
        OTTER_VECTOR(struct otter_adoption);
    } adoptions;
    struct {
        OTTER_VECTOR(struct otter_orphan);
    } orphans;
    struct {
        OTTER_VECTOR(struct otter_tail);
    } tails;
    struct {
        OTTER_VECTOR(struct otter_target);
    } targets;
    struct {
        OTTER_VECTOR(struct otter_operation);
    } operations;
    struct {
        OTTER_VECTOR(struct otter_device_piece);
    } device_pieces;
    struct {
        OTTER_VECTOR(struct otter_entry);
    } entries;
    struct {
        OTTER_VECTOR(struct otter_step);
    } log; // steps of untied tasks

    // the location that is being read
    uint32_t location;        // OTTER_NONE before the first
    uint32_t n_forks;         // of it, with those in pauses
    enum otter_record before; // the last record that is no parameter
    uint64_t time;            // of its last event
    uint64_t resumed;         // when recording went on there; 0: it was not paused
    struct {
        OTTER_VECTOR(struct otter_context);
    } contexts;
    struct {
        OTTER_VECTOR(struct otter_open_construct);
    } open;
    struct {
        OTTER_VECTOR(uint32_t);
    } open_forks;
    struct otter_create_pending pending;
    uint32_t list_first; // entries of the construct that was just entered, or of a source or sink
    uint64_t operation_time; // of the newest operation
    uint32_t operation_location;
    uint64_t switch_time;    // of the last switch to a task that was not on the stack
    uint64_t acquired_time;  // of the last acquisition of a lock,
    uint32_t acquired_order; // and the how many-th of that lock it is
    uint64_t list_time;
    uint8_t list_kind;         // enum otter_step_kind; LIST, SOURCE, SINK; RUN: none
    uint8_t closing_flags;     // of nodes that are made because the events have come to an end
    uint32_t left_task;        // whose region was left last,
    uint64_t left_time;        // and when
    uint32_t never_ran_region; // told of the task that ends next
    bool never_ran, is_cancelled;
    bool left_is_undeferred;
    bool is_in_piece; // of a device's stream: the last of `device_pieces` has no end yet

    struct {
        OTTER_VECTOR(uint32_t);
    } predecessors;           // of build_depend.c
    uint32_t *sorted_members; // indexes of members, fork by fork: build_team.c
    uint32_t n_sorted_members;
    uint32_t
        *fulfils; // of each task the node where its event is fulfilled, or OTTER_NONE: build_end.c
};

static inline bool otter_is_structure(const struct otter_builder *builder)
{
    return builder->view == OTTER_VIEW_STRUCTURE;
}

// ---- build.c: memory. When it is short, has_failed is set and an index is returned that is safe to write to.

uint32_t otter_build_node(struct otter_builder *builder, const struct otter_node *node);
void otter_build_edge(struct otter_builder *builder, uint32_t from, uint32_t to, unsigned kind);
// A task and its first node.
uint32_t otter_build_task(struct otter_builder *builder, enum otter_task_kind kind,
                          uint32_t location, uint32_t number);
// The explicit task with this id; made when it is seen for the first time. OTTER_NONE for an id that makes no sense.
uint32_t otter_build_find_task(struct otter_builder *builder, uint32_t location, uint32_t number);
// Gives the memory back by which explicit tasks are found.
void otter_build_forget_numbers(struct otter_builder *builder);

// Entries that were used and are the newest are given back. Those of untied tasks are used when all is read.
static inline void otter_build_trim_entries(struct otter_builder *builder, uint32_t first,
                                            uint32_t n)
{
    if (first + n == builder->entries.n && builder->log.n == 0) {
        builder->entries.n = first;
    }
}

// ---- build_step.c

void otter_context_init(struct otter_context *context, uint32_t task, uint32_t position);
// Does `step`; `context` is of the task whose step it is.
void otter_step_do(struct otter_builder *builder, struct otter_context *context,
                   const struct otter_step *step);
// Ends what is open; the task executes no more.
void otter_context_finish(struct otter_builder *builder, struct otter_context *context,
                          uint64_t time);

// ---- build_join.c

// `task`, which nobody has created so far, is executed on the location of `base`, an initial or implicit task.
void otter_build_orphan(struct otter_builder *builder, struct otter_context *base, uint32_t task);
// When all is read: those that nobody has created are put where they were executed.
void otter_build_adopt_orphans(struct otter_builder *builder);

// ---- build_replay.c

void otter_build_replay(struct otter_builder *builder);

// ---- build_depend.c

// What has dependences: a task, or the node of a `taskwait depend`.
struct otter_dependent {
    uint32_t index;
    bool is_task;
    uint32_t scope; // join scope in which it is
};

// Adds the edges from the predecessors of the newest of the children of `context`.
void otter_depend_add(struct otter_builder *builder, struct otter_context *context,
                      struct otter_dependent newest, uint32_t first_entry, uint32_t n_entries);
// All children have ended: nothing depends on them any more.
void otter_depend_clear(struct otter_context *context);

// ---- iteration.c, join.c, fork.c, region.c

void otter_build_link_iterations(struct otter_builder *builder);
void otter_build_join_adopted(struct otter_builder *builder);
bool otter_build_find_forks(struct otter_builder *builder);
void otter_build_classify_regions(struct otter_builder *builder);

// ---- build_event.c

void otter_build_event(struct otter_builder *builder, const struct otter_event *event);
// The location that was read is at its end.
void otter_build_end_location(struct otter_builder *builder);

// ---- build_device.c

// An event of a device's stream.
void otter_device_event(struct otter_builder *builder, const struct otter_event *event);
// Makes nodes of what devices did.
void otter_build_devices(struct otter_builder *builder);

// ---- build_team.c

// Finds the forks of all members and makes one of the barriers of a team: alias[node] is the node that stands for it.
void otter_build_teams(struct otter_builder *builder, uint32_t *alias);

// ---- build_end.c

// Makes the node where the event of each detached task is fulfilled; alias[] gets an entry for
// each. Fills builder->fulfils.
void otter_build_fulfilments(struct otter_builder *builder, uint32_t *alias);
// Adds the edges of undeferred children that a task's body ended with.
void otter_build_tails(struct otter_builder *builder);
// Replaces the tasks that edges leave by their nodes, and makes the fulfilment the last node of a
// detached task.
void otter_build_completions(struct otter_builder *builder);

// ---- build_close.c

// Frees `alias`. NULL when memory is short.
struct otter_graph *otter_build_close(struct otter_builder *builder, uint32_t *alias);

// ---- build_arrays.c

// The last step of otter_build_close, and like it.
struct otter_graph *otter_build_arrays(struct otter_builder *builder, uint32_t *alias);
