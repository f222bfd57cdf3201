// The state of a thread while its events are checked in order.
#pragma once

#include "base/vector.h"
#include "check/deviation.h"
#include "check/events.h"
#include "check/states.h"
#include "check/tasks.h"

// A task on this location: creator << 32 | number. Implicit and initial tasks have no number, and
// their key is a running number << 32.
typedef uint64_t otter_task_key;

// The current task has left the thread, and no switch has named the next task.
#define OTTER_NOBODY UINT64_MAX

struct otter_walk_open_region {
    uint32_t region;
    otter_task_key task; // task that entered the region
};

// A parallel region of the thread, or the thread's part outside of all regions.
struct otter_walk_frame {
    uint32_t comm;
    otter_task_key implicit, current;
};

enum otter_walk_team { OTTER_WALK_FORK, OTTER_WALK_MEMBER };

struct otter_walk_held_lock {
    uint32_t lock, order;
    uint64_t time;
};

// An acquisition or release without its counterpart on the same location.
struct otter_walk_odd_lock {
    uint32_t lock, order, location;
    uint64_t time;
    bool is_release, was_acquired_again;
    enum otter_quirk quirk; // the quirk that explains a missing counterpart
};

// A deviation that is excused if all later records only close constructs.
struct otter_walk_deferred {
    enum otter_check check;
    struct otter_deviation where;
    const char *text;
};

enum { OTTER_MAX_DEFERRED = 64 };

struct otter_event_checker {
    struct otter_event_checker_options options;

    // of all locations
    struct otter_event_results results;
    struct {
        OTTER_VECTOR(struct otter_walk_odd_lock);
    } odd_locks;

    // of the current location
    uint32_t location;
    uint64_t n_events, first_time;
    struct otter_event last;   // last record of any kind
    struct otter_event before; // the last record of the thread itself
    bool nests_by_task;        // in another tool's archive, each task has its own stack of regions
    struct {
        OTTER_VECTOR(struct otter_walk_open_region);
    } open;
    struct {
        OTTER_VECTOR(struct otter_walk_frame);
    } frames;
    struct {
        OTTER_VECTOR(unsigned char); // enum otter_walk_team
    } teams;
    struct {
        OTTER_VECTOR(struct otter_walk_held_lock);
    } locks;
    struct otter_walk_deferred deferred[OTTER_MAX_DEFERRED];
    size_t n_deferred;

    // tasks
    uint32_t n_instances, n_created; // number of frames so far; number of the last task created
    uint64_t segment_begin;          // start of the current task's segment
    otter_task_key left;             // the task whose region was left last
    uint64_t left_time;
    bool next_never_ran, has_untied;
    bool has_helped; // the thread left a task while no region was open
    // the thread entered a region or forked outside of all teams: it is the program's own
    bool has_begun;
    bool is_over; // the thread left the initial task, and has entered nothing since

    // parameters
    struct otter_event owner;       // a parameter may belong to this record
    struct otter_event awaited_end; // the parameter that awaits the end of its task
    bool awaits_end;

    // pauses
    bool is_paused, may_jump; // the next task number may skip numbers from the pause
    uint64_t resumed;         // end of the last pause

    // time
    struct otter_states states;
    bool is_behind_barrier;      // there were only Leaves since a barrier that may end a region
    uint64_t running_at_barrier; // running time when the thread left that barrier
    // time of the Leaves after that barrier, which all have the same time; 0: no Leave so far
    uint64_t closing_time;
    uint64_t between; // time outside of regions since has_helped or has_begun was set
};

// Returns the innermost frame, which always exists between begin and end of a location.
struct otter_walk_frame *otter_walk_frame(const struct otter_event_checker *checker);
void otter_walk_push_frame(struct otter_event_checker *checker, uint32_t comm);
// Returns the innermost open region, or NULL.
struct otter_walk_open_region *otter_walk_open(const struct otter_event_checker *checker);

// Return a place on this location.
struct otter_deviation otter_walk_here(const struct otter_event_checker *checker, uint64_t time);
struct otter_deviation otter_walk_here_task(const struct otter_event_checker *checker,
                                            uint64_t time, otter_task_key task);
// Return name and construct of a region, which may be undefined.
const char *otter_walk_region_name(const struct otter_event_checker *checker, uint32_t region);
enum otter_construct otter_walk_construct(const struct otter_event_checker *checker,
                                          uint32_t region);

// Adds an error at `time` on this location.
void otter_walk_error(struct otter_event_checker *checker, enum otter_check check, uint64_t time,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));
// Adds a deviation later: excused if all later records only close constructs, otherwise as an
// error. Without an excuse, adds the deviation immediately.
void otter_walk_defer(struct otter_event_checker *checker, enum otter_check check,
                      struct otter_deviation where, const char *text);
// Adds all deferred deviations with this quirk.
void otter_walk_report_deferred(struct otter_event_checker *checker, enum otter_quirk quirk);

// Adds a deviation if no task is current at `event`.
void otter_walk_need_task(struct otter_event_checker *checker, const struct otter_event *event);

// ---- single records

// Checks the references of an event. Returns false if an undefined one makes other checks
// impossible.
bool otter_check_references(struct otter_event_checker *checker, const struct otter_event *event);
// Compares the time with the previous event and the archive's clock.
void otter_check_time(struct otter_event_checker *checker, const struct otter_event *event);

// ---- regions

void otter_walk_enter(struct otter_event_checker *checker, const struct otter_event *event);
void otter_walk_leave(struct otter_event_checker *checker, const struct otter_event *event);
// Counts the end of a single or a loop that Otter added. Such an end has the time of the barrier
// after it, or of the region around it.
void otter_walk_count_repaired(struct otter_event_checker *checker,
                               const struct otter_event *event);

// ---- teams

void otter_walk_begin_team(struct otter_event_checker *checker, enum otter_walk_team kind);
// Ends the innermost fork or member, which must be of this kind.
void otter_walk_end_team(struct otter_event_checker *checker, const struct otter_event *event,
                         enum otter_walk_team kind);
void otter_walk_team_begin(struct otter_event_checker *checker, const struct otter_event *event);
void otter_walk_team_end(struct otter_event_checker *checker, const struct otter_event *event);

// ---- tasks

// Returns the explicit task, or NULL for another task.
struct otter_checked_task *otter_walk_task(struct otter_event_checker *checker, otter_task_key key);
// Lets the current task leave this thread at `time`. The span of an untied task is stored for
// comparison with its spans on other locations.
void otter_walk_stop_segment(struct otter_event_checker *checker, uint64_t time);

void otter_walk_task_create(struct otter_event_checker *checker, const struct otter_event *event);
void otter_walk_task_switch(struct otter_event_checker *checker, const struct otter_event *event);
void otter_walk_task_complete(struct otter_event_checker *checker, const struct otter_event *event);

// ---- locks

void otter_walk_acquire_lock(struct otter_event_checker *checker, const struct otter_event *event);
void otter_walk_release_lock(struct otter_event_checker *checker, const struct otter_event *event);
// Stores the locks that are still held at the end of a location.
void otter_walk_end_locks(struct otter_event_checker *checker);
// Matches the stored acquisitions and releases. Must be called after the last location.
void otter_walk_judge_locks(struct otter_event_checker *checker);

// ---- parameters

void otter_walk_parameter(struct otter_event_checker *checker, const struct otter_event *event);
// Must be called for each record that is not a parameter, and with an empty event at the end. The
// record's parameters may come before or after it.
void otter_walk_set_owner(struct otter_event_checker *checker, const struct otter_event *event);
