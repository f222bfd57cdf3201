// The state of one recording thread, and the begin and end of every recording call.
//
// A call reads: thread = otter_record_begin(); if (!thread) return; time = otter_stamp(thread);
// ...; otter_record_end(thread).
// Between begin and end only the thread itself accesses its struct. Outside of them only the thread
// that stopped it does.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "otter/record.h"
#include "recording/writer.h"

#define OTTER_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define OTTER_COLD __attribute__((cold, noinline))
// States a fact that the compiler cannot derive.
#define OTTER_ASSUME(condition) ((condition) ? (void)0 : __builtin_unreachable())
#define OTTER_APART __attribute__((noinline)) // a call saves no registers of its caller's fast path

// ---- tasks as 64 bits

// Bits of a task's id:
// - 63: always set
// - 62: untied
// - 61-48: location of the creator
// - 47-32: region
// - 31-0: the task number, from 1
// A parallel region's id has the same layout, with the forker's own running number.
#define OTTER_ID_VALID (UINT64_C(1) << 63)
#define OTTER_ID_UNTIED (UINT64_C(1) << 62)
#define OTTER_ID_FORKED_IN_PAUSE (UINT64_C(1) << 62) // of a parallel region: it has no ThreadFork
_Static_assert(OTTER_MAX_LOCATIONS <= 1 << 14, "a task's number has 14 bits for its location");

static inline uint64_t otter_id_make(uint32_t location, uint32_t region, uint32_t number)
{
    return OTTER_ID_VALID | (uint64_t)location << 48 | (uint64_t)region << 32 | number;
}
static inline uint32_t otter_id_location(uint64_t id)
{
    return (uint32_t)(id >> 48) & (OTTER_MAX_LOCATIONS - 1);
}
static inline uint32_t otter_id_region(uint64_t id)
{
    return (uint32_t)(id >> 32) & 0xffff;
}
static inline uint32_t otter_id_number(uint64_t id)
{
    return (uint32_t)id;
}
// The last running number of a task, a region or an operation. OTF2 has 32 bits, and their largest
// value means "undefined".
#define OTTER_LAST_NUMBER (UINT32_MAX - 1)
// The number by which the archive names the task.
static inline uint64_t otter_id_public(uint64_t id)
{
    return id ? (uint64_t)otter_id_location(id) << 32 | otter_id_number(id) : 0;
}

// ---- a thread

enum otter_stop {
    OTTER_STOP_WIPED = 0, // in a child process: the memory of its parent's threads is zero
    OTTER_STOP_NONE,
    OTTER_STOP_CHANGE,     // records; its next call applies what control/wanted.h asks for
    OTTER_STOP_UNATTACHED, // no struct yet
    OTTER_STOP_UNOPENED,   // no location yet
    OTTER_STOP_FAILED,     // cannot record any more; its events are counted as lost
    OTTER_STOP_CLOSED,     // the session is closed; events are ignored
    OTTER_STOP_FREE,       // the thread has ended; another thread may reuse the struct
};

// Rare conditions that every call handles before it writes. One test covers them all.
enum otter_pending {
    OTTER_PENDING_RESUME = 1,      // the current task was resumed, which is not recorded yet
    OTTER_PENDING_ACQUIRE = 2,     // a mutex is being acquired
    OTTER_PENDING_INITIAL = 4,     // the initial task began before this thread had a location
    OTTER_PENDING_FLUSH = 8,       // the thread has written a chunk
    OTTER_PENDING_UNNUMBERED = 16, // the current task has no number: see unnumbered.h
};

struct otter_open { // an open construct
    uint32_t region;
    uint16_t construct;
    bool is_wait : 1;    // the thread may run other tasks meanwhile
    bool is_written : 1; // was open when the pause of this thread began: see pause.h
    uint8_t device;      // of a target construct: its device (device.h); of a transfer: likewise
    uint64_t transfer;   // of a transfer: the id of its beginning; else 0
};

enum otter_frame_kind {
    // The bottom of each stack: code outside of any task that the runtime reported.
    OTTER_FRAME_OUTSIDE = 0,
    OTTER_FRAME_INITIAL,
    OTTER_FRAME_IMPLICIT,
    // An implicit task that the runtime puts around a teams construct: not recorded.
    OTTER_FRAME_TRANSPARENT,
    // An implicit task of the runtime's own threads: not recorded, nor is its synchronisation.
    OTTER_FRAME_HIDDEN,
    OTTER_FRAME_EXPLICIT,
};

// A task on this thread's stack of tasks. The current task is on top.
struct otter_frame {
    enum otter_frame_kind kind;
    uint64_t task;     // of an explicit task, else 0
    uint64_t parallel; // of an implicit task, else 0
    uint32_t first_open;
    uint32_t team; // communicator
    uint32_t thread_num;
    uint32_t requested;  // threads, if this thread forked the region
    uint32_t n_barriers; // that the task has entered
    bool is_written;     // as in struct otter_open
};

struct otter_team_slot;
struct otter_pause;
struct otter_region_totals;

struct otter_region_cache_entry {
    uintptr_t code;
    uint64_t kind;
    uint32_t region;
};

struct otter_held { // a mutex that this thread holds
    uint32_t mutex, order;
};

enum { OTTER_REGION_CACHE_SIZE = 256, OTTER_MAX_HELD = 64 };

enum { OTTER_LABEL_CACHE_SIZE = 128 };

struct otter_label;

struct otter_label_cache_entry { // see label.h
    const struct otter_label *label;
    const char *qualifier;
};

struct otter_thread {
    _Atomic uint32_t stop; // enum otter_stop
    _Atomic uint32_t busy;
    _Atomic bool is_hidden; // the current task's frame is HIDDEN; only the thread itself reads this
    _Atomic bool has_failed; // the thread was stopped because it cannot record any more
    uint32_t pending;        // bits of enum otter_pending
    uint32_t location;
    struct otter_location_writer *writer;
    uint64_t last_time;
    uint32_t n_tasks, n_parallels, n_operations;
    uint64_t undeferred;      // the last created task, if it begins at once
    uint64_t undeferred_time; // when it was created

    struct otter_open *open;
    struct otter_frame *frames;
    uint32_t n_open, open_room, n_frames, frames_room;

    struct {
        uint64_t time, mutex;
        uint32_t region;
        uint16_t construct;
    } acquire;
    struct otter_held held[OTTER_MAX_HELD];
    uint32_t n_held;
    uint64_t initial_time;
    uint64_t flush_begin, flush_end;
    uint64_t forked; // the region just forked, until its implicit task begins on this thread
    uint64_t joined; // the region whose implicit task has just ended here, until the region's end
    uint32_t forked_requested, joined_requested;
    bool is_paused;                // only the thread itself accesses this and `unnumbered`
    otter_task *unnumbered;        // the current task's 64 bits, if unnumbered: see unnumbered.h
    uint32_t n_flushes;            // calls of otter_control_flush that this thread has applied
    uint32_t n_replaced;           // value of otter_modules_n_replaced that this thread has applied
    uint32_t n_uncreated;          // numbers of tasks whose creation is not recorded
    _Atomic uint64_t n_unrecorded; // tasks created in pauses
    struct otter_pause *pause;     // NULL before the first pause
    struct otter_region_totals
        *region_totals; // NULL before max-size is reached: see region_totals.h

    const struct otter_team_slot *team_slot; // the last one used
    uint64_t n_lost;
    uint64_t n_repaired; // beginnings without an end: the end of an enclosing construct ended them
    uint64_t n_unbegun;  // ends without a beginning
    uint64_t n_unfinished; // beginnings that were open when the recording ended
    uint64_t
        n_lost_in_handlers; // not in n_lost: events of signal handlers that interrupted a record
    _Atomic enum otter_thread_kind kind;
    uint64_t os_thread;
    struct otter_thread *next;
    struct otter_region_cache_entry region_cache[OTTER_REGION_CACHE_SIZE];
    struct otter_label_cache_entry label_cache[OTTER_LABEL_CACHE_SIZE];
};

// The calling thread's struct. Initially a stopped one that all threads share, so that one test
// covers the first use, a full disk and the session's end.
extern _Thread_local struct otter_thread *otter_current_thread;

// Makes the calling thread able to record. *Returns* NULL if it cannot record; the event then
// counts as lost.
OTTER_COLD struct otter_thread *otter_record_begin_stopped(void);

static inline bool otter_is_recording(const struct otter_thread *thread)
{
    uint32_t stop = atomic_load_explicit(&thread->stop, memory_order_relaxed);
    return stop == OTTER_STOP_NONE || stop == OTTER_STOP_CHANGE;
}

// `is_again`: a requested pause can wait.
static inline bool otter_may_record(const struct otter_thread *thread, bool is_again)
{
    return is_again ? otter_is_recording(thread)
                    : atomic_load_explicit(&thread->stop, memory_order_relaxed) == OTTER_STOP_NONE;
}

static inline struct otter_thread *otter_record_begin_on(struct otter_thread *thread, bool is_again)
{
    if (OTTER_UNLIKELY(!otter_may_record(thread, is_again))) {
        return otter_record_begin_stopped();
    }
    // A signal handler that interrupts a record of its thread must not write into that record.
    if (OTTER_UNLIKELY(atomic_load_explicit(&thread->busy, memory_order_relaxed))) {
        thread->n_lost_in_handlers++;
        return NULL;
    }
    // Pairs with the membarrier of the thread that stops others: it sees `busy`, or this call sees
    // `stop`.
    atomic_store_explicit(&thread->busy, 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    if (OTTER_UNLIKELY(!otter_may_record(thread, is_again))) {
        atomic_store_explicit(&thread->busy, 0, memory_order_release);
        return otter_record_begin_stopped();
    }
    OTTER_ASSUME(thread);
    return thread;
}

// *Returns* the calling thread, ready to record; NULL: the event is dropped.
static inline struct otter_thread *otter_record_begin(void)
{
    return otter_record_begin_on(otter_current_thread, false);
}

// The same for an addition to the previous record: no pause begins or ends between the two.
static inline struct otter_thread *otter_record_begin_again(void)
{
    return otter_record_begin_on(otter_current_thread, true);
}

static inline void otter_record_end(struct otter_thread *thread)
{
    atomic_store_explicit(&thread->busy, 0, memory_order_release);
}

// *Returns* the struct of the calling thread, possibly without a location; NULL if nothing is to be
// recorded.
struct otter_thread *otter_thread_self(void);

// Like otter_record_begin for a call that changes the thread's state and writes nothing. A thread
// without a location gets none.
static inline struct otter_thread *otter_state_begin(void)
{
    struct otter_thread *thread = otter_thread_self();
    bool is_unopened =
        thread && atomic_load_explicit(&thread->stop, memory_order_relaxed) == OTTER_STOP_UNOPENED;
    return is_unopened ? thread : otter_record_begin();
}

// Counts a task that is created in a pause. *Thread*: the thread itself.
static inline void otter_count_unrecorded(struct otter_thread *thread)
{
    uint64_t n = atomic_load_explicit(&thread->n_unrecorded, memory_order_relaxed);
    atomic_store_explicit(&thread->n_unrecorded, n + 1, memory_order_relaxed);
}

// *Returns* the time of this call, later than the time of any earlier call on this thread. A paused
// thread reads no clock.
static inline uint64_t otter_stamp(struct otter_thread *thread)
{
    if (OTTER_UNLIKELY(thread->is_paused)) {
        return ++thread->last_time;
    }
    uint64_t now = otter_clock_now();
    thread->last_time = OTTER_UNLIKELY(now <= thread->last_time) ? thread->last_time + 1 : now;
    return thread->last_time;
}

// *Returns* the number of tasks that the thread has created outside of pauses.
static inline uint64_t otter_thread_n_created(const struct otter_thread *thread)
{
    return thread->n_tasks - thread->n_uncreated;
}

// ---- the stacks

static inline struct otter_frame *otter_top_frame(struct otter_thread *thread)
{
    return &thread->frames[thread->n_frames - 1]; // the bottom frame always exists
}

// Makes room for one more frame. *Errors*: without memory the thread fails; false.
OTTER_COLD bool otter_frames_grow(struct otter_thread *thread);

// Adds a frame. *Errors*: without memory the thread fails; NULL.
static inline struct otter_frame *otter_frame_push(struct otter_thread *thread,
                                                   enum otter_frame_kind kind)
{
    if (OTTER_UNLIKELY(thread->n_frames == thread->frames_room) && !otter_frames_grow(thread)) {
        return NULL;
    }
    uint32_t team = otter_top_frame(thread)->team;
    struct otter_frame *frame = &thread->frames[thread->n_frames++];
    *frame = (struct otter_frame){.kind = kind, .team = team, .first_open = thread->n_open};
    atomic_store_explicit(&thread->is_hidden, kind == OTTER_FRAME_HIDDEN, memory_order_relaxed);
    return frame;
}

static inline void otter_frame_pop(struct otter_thread *thread)
{
    thread->n_frames--;
    bool is_hidden = otter_top_frame(thread)->kind == OTTER_FRAME_HIDDEN;
    atomic_store_explicit(&thread->is_hidden, is_hidden, memory_order_relaxed);
}

// Adds an open construct and writes no record.
bool otter_open_push_slowly(struct otter_thread *thread, struct otter_open open);
static inline bool otter_open_push(struct otter_thread *thread, struct otter_open open)
{
    if (OTTER_UNLIKELY(thread->n_open == thread->open_room)) {
        return otter_open_push_slowly(thread, open);
    }
    thread->open[thread->n_open++] = open;
    return true;
}

// Ends the RMA operation of `open` before its Leave. A thread that an untied task leaves ends it
// too, on the location of its beginning.
OTTER_COLD void otter_write_transfer_end(struct otter_thread *thread, uint64_t time,
                                         const struct otter_open *open);

// Leaves open constructs of the current frame until `n` are open. *Returns* how many it left.
static inline uint32_t otter_leave_down_to(struct otter_thread *thread, uint64_t time, uint32_t n)
{
    uint32_t n_left = 0;
    while (thread->n_open > n) {
        const struct otter_open *open = &thread->open[--thread->n_open];
        if (OTTER_UNLIKELY(open->transfer)) {
            otter_write_transfer_end(thread, time, open);
        }
        otter_write_leave(thread->writer, time, open->region);
        n_left++;
    }
    return n_left;
}

// Ends the innermost open `construct` of the current task and all constructs open inside it. If
// none is open, counts the end as unbegun.
void otter_leave_innermost(struct otter_thread *thread, uint64_t time,
                           enum otter_construct construct);

// Leaves the region and the open constructs of the current explicit task, which has left this
// thread unreported.
void otter_leave_task(struct otter_thread *thread, uint64_t time);

// Gives the current task, which is unnumbered, its number and pushes it on the stack.
void otter_number_current_task(struct otter_thread *thread, uint64_t time);

// Writes the switch to the current task, which was resumed. Number 0 names an implicit or initial
// task.
void otter_write_resumed(struct otter_thread *thread, uint64_t time);

// Writes the pending records (enum otter_pending) before a record at `time`.
OTTER_COLD void otter_write_all_pending(struct otter_thread *thread, uint64_t time);

static inline void otter_write_pending(struct otter_thread *thread, uint64_t time)
{
    if (OTTER_UNLIKELY(thread->pending)) {
        otter_write_all_pending(thread, time);
    }
}

// The same, except for `except`, a bit of enum otter_pending, which stays pending.
OTTER_COLD void otter_write_pending_except(struct otter_thread *thread, uint64_t time,
                                           enum otter_pending except);

// Notes that the thread has written a chunk; the next record reports it.
void otter_thread_note_flush(struct otter_thread *thread, uint64_t begin, uint64_t end);

// Begins most calls. *Returns* the thread, ready to write at `time` and with nothing pending, or
// NULL.
static inline struct otter_thread *otter_record_begin_at(uint64_t *time)
{
    struct otter_thread *thread = otter_record_begin();
    if (thread) {
        *time = otter_stamp(thread);
        otter_write_pending(thread, *time);
    }
    return thread;
}

// The same for a call that changes no state of the thread: NULL while it is paused.
static inline struct otter_thread *otter_record_begin_mark(uint64_t *time)
{
    struct otter_thread *thread = otter_record_begin();
    if (!thread) {
        return NULL;
    }
    *time = otter_stamp(thread);
    if (OTTER_UNLIKELY(thread->is_paused)) {
        otter_write_pending_except(thread, *time, OTTER_PENDING_UNNUMBERED);
        otter_record_end(thread);
        return NULL;
    }
    otter_write_pending(thread, *time);
    return thread;
}

// Sets a recording thread to `stop`, which is not OTTER_STOP_NONE. *Returns* false if it was not
// recording. *Thread*: any.
bool otter_thread_stop(struct otter_thread *thread, enum otter_stop stop);

// Counts one lost event if the calling thread has failed.
OTTER_COLD void otter_thread_count_lost(void);

// Closes the session for the thread, whose events are then ignored. Once `busy` is 0 its counts and
// its location belong to the closing thread, unless the thread has ended itself (OTTER_STOP_FREE).
// *Thread*: any.
void otter_thread_close(struct otter_thread *thread);

// Stops the thread for good; its later events count as lost.
void otter_thread_fail(struct otter_thread *thread);

// Leaves all open constructs at `now`, or at the end of their region: a worker reports its end only
// at its next use. The bottom frame remains, since a stopped thread may still read it. *Thread*:
// the owner of `thread`.
void otter_thread_leave_all(struct otter_thread *thread, uint64_t now);

// Warns, once, that memory is short. *Thread*: any.
OTTER_COLD void otter_thread_warn_of_memory(void);

// Fails the calling thread, which has used OTTER_LAST_NUMBER: a further number would be used twice.
OTTER_COLD void otter_thread_fail_for_numbers(struct otter_thread *thread);

// *Returns* the next running number of `counter`, a counter of `thread`. The thread fails with the
// last number.
static inline uint32_t otter_next_number(struct otter_thread *thread, uint32_t *counter)
{
    uint32_t number = ++*counter;
    if (OTTER_UNLIKELY(number == OTTER_LAST_NUMBER)) {
        otter_thread_fail_for_numbers(thread);
    }
    return number;
}

// ---- all threads

struct otter_thread *otter_thread_first(void); // the others by ->next
// Ignores all later events of the calling thread.
void otter_thread_ignore_current(void);
