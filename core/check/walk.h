// How the checker follows a thread: what its files share.
#pragma once

#include "check/internal.h"
#include "check/states.h"

// A task on this location: creator << 32 | number; of implicit and initial tasks, which have no
// number: instance << 32.
typedef uint64_t otter_task_key;

#define OTTER_NOBODY UINT64_MAX // has left, and no switch says who goes on

struct otter_walk_open_region {
    uint32_t region;
    otter_task_key task; // that entered it
};

// A parallel region that this thread is in, or the bottom.
struct otter_walk_frame {
    uint32_t comm;
    otter_task_key implicit, current;
};

enum otter_walk_team { OTTER_WALK_FORK, OTTER_WALK_MEMBER };

struct otter_walk_held {
    uint32_t lock, order;
    uint64_t time;
};

// An acquisition without its release, or a release without its acquisition, on one location: they
// may be each other's.
struct otter_walk_odd_lock {
    uint32_t lock, order, location;
    uint64_t time;
    bool is_release, was_acquired_again;
    enum otter_quirk quirk; // if it has no counterpart
};

struct otter_walk_list {
    void *items;
    size_t n, room;
};

// A deviation that is none when it is among the records that close what a program had left open.
struct otter_walk_held_back {
    enum otter_check check;
    struct otter_deviation where;
    const char *text;
};

enum { OTTER_MAX_HELD_BACK = 64 };

struct otter_event_checker {
    struct otter_event_checker_options options;
    struct otter_checked_tasks tasks;
    struct otter_location_time *times; // by location
    uint64_t n_singles, n_loops;
    bool has_cancel, is_short_of_memory;
    struct otter_walk_list pauses;    // struct otter_pause_span, by location and time
    struct otter_walk_list odd_locks; // of all locations

    // the location
    uint32_t location;
    uint64_t n_events, first_time;
    struct otter_event last;
    struct otter_walk_list open, frames, teams, locks;
    uint32_t n_instances, n_created;
    uint64_t segment_begin;
    struct otter_event before;      // the last record of the thread itself
    struct otter_event owner;       // that a parameter may belong to
    struct otter_event awaited_end; // a parameter that tells something of the task's end behind it
    bool awaits_end;
    bool next_never_ran, has_untied, nests_by_task;
    otter_task_key left; // the task whose region was left last, and when
    uint64_t left_time;
    struct otter_walk_held_back held_back[OTTER_MAX_HELD_BACK];
    size_t n_held_back;
    struct otter_states states;
    bool is_paused, may_jump; // of tasks created in a pause the numbers are used, too
    bool is_behind_barrier;   // one that may end a region, and nothing came since but for leaves
    bool has_helped;          // came back from a task with nothing open
    // Entered something, or forked, outside of all teams: from then on what it does there is the
    // program's, too.
    bool has_begun;
    bool is_over;          // left its initial task, and did nothing since
    uint64_t resumed;      // when recording went on last
    uint64_t closing_time; // of the leaves behind the barrier, which is one; 0: none
    uint64_t running_at_barrier;
    uint64_t between; // since it has helped or begun, with nothing open
};

// ---- check_walk.c

// Room for one more item of `size` bytes; NULL, noted in the checker, when memory is short.
void *otter_walk_push(struct otter_event_checker *checker, struct otter_walk_list *list,
                      size_t size);
struct otter_walk_frame *otter_walk_frame(const struct otter_event_checker *checker); // on top
bool otter_walk_push_frame(struct otter_event_checker *checker, uint32_t comm);
// The innermost open region, NULL for none.
struct otter_walk_open_region *otter_walk_open(const struct otter_event_checker *checker);

struct otter_deviation otter_walk_here(const struct otter_event_checker *checker, uint64_t time);
struct otter_deviation otter_walk_here_task(const struct otter_event_checker *checker,
                                            uint64_t time, otter_task_key task);
const char *otter_walk_region_name(const struct otter_event_checker *checker, uint32_t region);
enum otter_construct otter_walk_construct(const struct otter_event_checker *checker,
                                          uint32_t region);

// A deviation that is excused if only what closes constructs follows.
void otter_walk_hold_back(struct otter_event_checker *checker, enum otter_check check,
                          struct otter_deviation where, const char *text);
// What was held back is of this quirk.
void otter_walk_release(struct otter_event_checker *checker, enum otter_quirk quirk);

// A task must be running for what `event` tells.
void otter_walk_need_task(struct otter_event_checker *checker, const struct otter_event *event);

// ---- check_record.c

// False when the event names what is not defined, so that it cannot be followed.
bool otter_check_references(struct otter_event_checker *checker, const struct otter_event *event);
// Beside the event before it and the archive's clock.
void otter_check_time(struct otter_event_checker *checker, const struct otter_event *event);

// ---- check_walk_task.c

// NULL: an implicit task, or memory is short.
struct otter_checked_task *otter_walk_task(struct otter_event_checker *checker, otter_task_key key);
// The current task leaves this thread at `time`. Where an untied one ran is kept, to be compared
// with where else it ran.
void otter_walk_stop_segment(struct otter_event_checker *checker, uint64_t time);

void otter_walk_task_create(struct otter_event_checker *checker, const struct otter_event *event);
void otter_walk_task_switch(struct otter_event_checker *checker, const struct otter_event *event);
void otter_walk_task_complete(struct otter_event_checker *checker, const struct otter_event *event);

// ---- check_walk_parameter.c

void otter_walk_parameter(struct otter_event_checker *checker, const struct otter_event *event);
// A record that is no parameter: what follows may belong to it, what precedes may have to.
void otter_walk_own(struct otter_event_checker *checker, const struct otter_event *event);

// ---- check_walk_team.c

void otter_walk_begin_team(struct otter_event_checker *checker, enum otter_walk_team kind);
// Ends what was begun last, if it is of this kind.
void otter_walk_end_team(struct otter_event_checker *checker, const struct otter_event *event,
                         enum otter_walk_team kind);
void otter_walk_team_begin(struct otter_event_checker *checker, const struct otter_event *event);
void otter_walk_team_end(struct otter_event_checker *checker, const struct otter_event *event);

// ---- check_walk_lock.c

void otter_walk_acquire(struct otter_event_checker *checker, const struct otter_event *event);
void otter_walk_release_lock(struct otter_event_checker *checker, const struct otter_event *event);
// At the end of a location: what it still holds.
void otter_walk_keep_locks(struct otter_event_checker *checker);
// When all locations are known.
void otter_walk_judge_locks(struct otter_event_checker *checker);

// ---- check_walk_region.c

void otter_walk_enter(struct otter_event_checker *checker, const struct otter_event *event);
void otter_walk_leave(struct otter_event_checker *checker, const struct otter_event *event);
// Whether this shows that the end of a single or a loop was not told: Otter closes it with the
// barrier behind it, or with the region around it, at one time.
void otter_walk_count_repaired(struct otter_event_checker *checker,
                               const struct otter_event *event);
