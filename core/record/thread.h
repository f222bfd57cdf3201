// Everything one recording thread owns, and the way in and out of every recording call.
//
// A call reads:  thread = otter_record_begin(); if (!thread) return; time = otter_stamp(thread); ... otter_record_end(thread);
// Between begin and end the thread alone touches its struct; before begin and after end whoever stopped it may.
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
// What the compiler cannot know.
#define OTTER_ASSUME(condition) ((condition) ? (void)0 : __builtin_unreachable())
#define OTTER_APART __attribute__((noinline)) // registers that it saves cost its caller nothing

// ---- tasks as 64 bits

// 63: always set; 62: untied; 61-48: location of the creator; 47-32: region; 31-0: the creator's running number, from 1.
// Parallel regions have the same shape, with their own running number.
#define OTTER_ID_VALID (UINT64_C(1) << 63)
#define OTTER_ID_UNTIED (UINT64_C(1) << 62)
#define OTTER_ID_FORKED_IN_PAUSE                                                                   \
    (UINT64_C(1) << 62) // of a parallel region: no ThreadFork was written
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
// The last running number of a task, a region or an operation: those of OTF2 have 32 bits, and the
// largest means "undefined".
#define OTTER_LAST_NUMBER (UINT32_MAX - 1)
// What it says to whoever reads the archive.
static inline uint64_t otter_id_public(uint64_t id)
{
    return id ? (uint64_t)otter_id_location(id) << 32 | otter_id_number(id) : 0;
}

// ---- a thread

enum otter_stop {
    OTTER_STOP_WIPED =
        0, // what a child finds in the memory of its parent's threads, made by whatever means
    OTTER_GO,
    OTTER_STOP_CHANGE, // records, and shall look what is wanted (see control.h) before it goes on
    OTTER_STOP_UNATTACHED, // no struct yet
    OTTER_STOP_UNOPENED,   // no location yet
    OTTER_STOP_FAILED,     // nothing more can be kept; events are counted
    OTTER_STOP_CLOSED,     // the session is over; events are ignored
    OTTER_STOP_FREE,       // the thread has ended; the struct may be another's
};

// Rare conditions that every call must look at before it writes; one test for all.
enum otter_pending {
    OTTER_PENDING_RESUME = 1,  // the current task was resumed and that is not recorded yet
    OTTER_PENDING_ACQUIRE = 2, // a mutex is being acquired
    OTTER_PENDING_INITIAL = 4, // the initial task began before this thread had a location
    OTTER_PENDING_FLUSH = 8,   // the thread was busy writing a chunk
    OTTER_PENDING_LIGHT = 16,  // the current task has no number: see light.h
};

struct otter_open { // a construct that is open
    uint32_t region;
    uint16_t construct;
    bool is_wait : 1;    // other tasks may run meanwhile
    bool is_written : 1; // was open when this thread was paused: see pause.h
    uint8_t device;      // of a target construct, and where `transfer` is: see record/device.h
    uint64_t transfer;   // of what moves data: the id with which its beginning is written; else 0
};

enum otter_frame_kind {
    // what runs outside any task the runtime told us of: the bottom of each stack
    OTTER_FRAME_OUTSIDE = 0,
    OTTER_FRAME_INITIAL,
    OTTER_FRAME_IMPLICIT,
    OTTER_FRAME_TRANSPARENT, // an implicit task that the runtime puts around the code of a teams construct: not recorded
    OTTER_FRAME_HIDDEN, // an implicit task of the runtime's own threads: not recorded, nor what is synchronised in it; see also pause.c
    OTTER_FRAME_EXPLICIT,
};

// A task on this thread's stack of tasks, the current one on top.
struct otter_frame {
    enum otter_frame_kind kind;
    uint64_t task;     // of an explicit task, else 0
    uint64_t parallel; // of an implicit task, else 0
    uint32_t first_open;
    uint32_t team; // comm
    uint32_t thread_num;
    uint32_t requested;  // threads, where this thread forked the region
    uint32_t n_barriers; // that it has entered
    bool is_written;     // as of struct otter_open
};

struct otter_team_slot;
struct otter_pause;
struct otter_totalling;

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
    _Atomic bool is_hidden;  // the current task is of kind HIDDEN; for the thread itself
    _Atomic bool has_failed; // it was stopped because nothing more could be kept
    uint32_t pending;        // bits of enum otter_pending
    uint32_t location;
    struct otter_location_writer *writer;
    uint64_t last_time;
    uint32_t n_tasks, n_parallels, n_operations;
    uint64_t undeferred,
        undeferred_time; // the task last created, if it is to begin at once, and when

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
    uint64_t forked; // the region just forked, until its implicit task begins here
    uint64_t joined; // the region whose implicit task has just ended here, until its end
    uint32_t forked_requested, joined_requested;
    bool is_paused;       // this and `light` are the thread's alone, whoever stops it
    otter_task *light;    // where the current task's 64 bits are, if it has no number: see light.h
    uint32_t n_flushes;   // of otter_control_flush that this thread has followed
    uint32_t n_replaced;  // of otter_modules_n_replaced, likewise
    uint32_t n_uncreated; // numbers of tasks whose creation is not recorded
    _Atomic uint64_t n_unrecorded;     // tasks created in pauses
    struct otter_pause *pause;         // NULL before the first
    struct otter_totalling *totalling; // NULL before max-size is reached: see totals.h

    const struct otter_team_slot *team_slot; // the last one used
    uint64_t n_lost;
    uint64_t n_repaired;   // beginnings without an end: something around them ended
    uint64_t n_unbegun;    // ends without a beginning
    uint64_t n_unfinished; // beginnings that were open when the recording ended
    uint64_t
        n_lost_in_handlers; // not in n_lost: events of signal handlers that interrupted a record
    _Atomic enum otter_thread_kind kind;
    uint64_t os_thread;
    struct otter_thread *next;
    struct otter_region_cache_entry region_cache[OTTER_REGION_CACHE_SIZE];
    struct otter_label_cache_entry label_cache[OTTER_LABEL_CACHE_SIZE];
};

// The calling thread's; starts at a stopped one that all threads share, so that first use, a full disk and the session's end are one test.
extern _Thread_local struct otter_thread *otter_current_thread;

// Makes `thread` able to record or says that it cannot (NULL); counts what is lost.
OTTER_COLD struct otter_thread *otter_record_begin_stopped(void);

static inline bool otter_is_recording(const struct otter_thread *thread)
{
    uint32_t stop = atomic_load_explicit(&thread->stop, memory_order_relaxed);
    return stop == OTTER_GO || stop == OTTER_STOP_CHANGE;
}

// `is_again`: a change of what is wanted can wait.
static inline bool otter_may_record(const struct otter_thread *thread, bool is_again)
{
    return is_again ? otter_is_recording(thread)
                    : atomic_load_explicit(&thread->stop, memory_order_relaxed) == OTTER_GO;
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
    // Pairs with the membarrier of whoever stops threads: either it sees `busy`, or this sees `stop`.
    atomic_store_explicit(&thread->busy, 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    if (OTTER_UNLIKELY(!otter_may_record(thread, is_again))) {
        atomic_store_explicit(&thread->busy, 0, memory_order_release);
        return otter_record_begin_stopped();
    }
    OTTER_ASSUME(thread);
    return thread;
}

// The calling thread, ready to record, or NULL: drop the event.
static inline struct otter_thread *otter_record_begin(void)
{
    return otter_record_begin_on(otter_current_thread, false);
}

// The same for what belongs to the record before: no pause begins or ends in between.
static inline struct otter_thread *otter_record_begin_again(void)
{
    return otter_record_begin_on(otter_current_thread, true);
}

static inline void otter_record_end(struct otter_thread *thread)
{
    atomic_store_explicit(&thread->busy, 0, memory_order_release);
}

// The struct of the calling thread, without a location if it has none yet; NULL when nothing is to be recorded.
struct otter_thread *otter_thread_self(void);

// Like otter_record_begin for what changes the thread's state and writes nothing: a thread without a location stays so.
static inline struct otter_thread *otter_state_begin(void)
{
    struct otter_thread *thread = otter_thread_self();
    bool is_unopened =
        thread && atomic_load_explicit(&thread->stop, memory_order_relaxed) == OTTER_STOP_UNOPENED;
    return is_unopened ? thread : otter_record_begin();
}

// A task is created in a pause. The thread alone counts.
static inline void otter_count_unrecorded(struct otter_thread *thread)
{
    uint64_t n = atomic_load_explicit(&thread->n_unrecorded, memory_order_relaxed);
    atomic_store_explicit(&thread->n_unrecorded, n + 1, memory_order_relaxed);
}

// The time of this call: later than that of any call before on this thread. While it is paused no clock is read: nobody will know.
static inline uint64_t otter_stamp(struct otter_thread *thread)
{
    if (OTTER_UNLIKELY(thread->is_paused)) {
        return ++thread->last_time;
    }
    uint64_t now = otter_clock_now();
    thread->last_time = OTTER_UNLIKELY(now <= thread->last_time) ? thread->last_time + 1 : now;
    return thread->last_time;
}

// How many of the tasks that the thread has created were created outside of pauses.
static inline uint64_t otter_thread_n_created(const struct otter_thread *thread)
{
    return thread->n_tasks - thread->n_uncreated;
}

// ---- the stacks

static inline struct otter_frame *otter_top_frame(struct otter_thread *thread)
{
    return &thread->frames[thread->n_frames - 1]; // the bottom frame is there from the start
}

// Makes room for one more frame. Out of memory: the thread fails, false.
OTTER_COLD bool otter_frames_grow(struct otter_thread *thread);

// Adds a frame. Out of memory: the thread fails, NULL.
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

// Adds an open construct (no record).
bool otter_open_push_slowly(struct otter_thread *thread, struct otter_open open);
static inline bool otter_open_push(struct otter_thread *thread, struct otter_open open)
{
    if (OTTER_UNLIKELY(thread->n_open == thread->open_room)) {
        return otter_open_push_slowly(thread, open);
    }
    thread->open[thread->n_open++] = open;
    return true;
}

// The end of what `open` moves, before its Leave. Where an untied task leaves its thread it is written there: it belongs to the
// beginning, on the same location. core/record/target.c.
OTTER_COLD void otter_write_transfer_end(struct otter_thread *thread, uint64_t time,
                                         const struct otter_open *open);

// Leaves open constructs of the current frame until `n` are open. Returns how many it left.
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

// Ends the innermost open `construct` of the current task, and those left open inside it; none: counted. core/record/construct.c.
void otter_leave_innermost(struct otter_thread *thread, uint64_t time,
                           enum otter_construct construct);

// The current task, an explicit one, is not here any more, and nothing was told of that: its region and what it had open are left.
void otter_task_is_gone(struct otter_thread *thread, uint64_t time);

// The current task has no number (see light.h): it gets one, and lies on the stack.
void otter_light_settle(struct otter_thread *thread, uint64_t time);

// Writes the switch back to the current task, which was resumed (number 0: an implicit or initial one).
void otter_write_resumed(struct otter_thread *thread, uint64_t time);

// Writes what is pending (see enum otter_pending), before a record at `time`.
OTTER_COLD void otter_settle_pending(struct otter_thread *thread, uint64_t time);

static inline void otter_settle(struct otter_thread *thread, uint64_t time)
{
    if (OTTER_UNLIKELY(thread->pending)) {
        otter_settle_pending(thread, time);
    }
}

// The same, but for what is in `kept`, a bit of enum otter_pending: it stays pending.
OTTER_COLD void otter_settle_but(struct otter_thread *thread, uint64_t time,
                                 enum otter_pending kept);

// A chunk of the thread was written meanwhile; said with its next record.
void otter_thread_note_flush(struct otter_thread *thread, uint64_t begin, uint64_t end);

// How most calls begin: ready to write at `time`, what was pending written; or NULL.
static inline struct otter_thread *otter_record_begin_at(uint64_t *time)
{
    struct otter_thread *thread = otter_record_begin();
    if (thread) {
        *time = otter_stamp(thread);
        otter_settle(thread, *time);
    }
    return thread;
}

// Likewise for what changes nothing that a thread remembers: NULL while it is paused.
static inline struct otter_thread *otter_record_begin_mark(uint64_t *time)
{
    struct otter_thread *thread = otter_record_begin();
    if (!thread) {
        return NULL;
    }
    *time = otter_stamp(thread);
    if (OTTER_UNLIKELY(thread->is_paused)) {
        otter_settle_but(thread, *time, OTTER_PENDING_LIGHT);
        otter_record_end(thread);
        return NULL;
    }
    otter_settle(thread, *time);
    return thread;
}

// From recording to `stop`, which is not OTTER_GO. Any thread; false: it was not recording.
bool otter_thread_stop(struct otter_thread *thread, enum otter_stop stop);

// One more call that the calling thread, which has failed, cannot record. Of any other thread nothing is lost.
OTTER_COLD void otter_thread_count_lost(void);

// The session is over for the thread: its events are ignored. Its counts and its location belong to
// the closing thread as soon as `busy` is 0, unless the thread has ended itself by then
// (OTTER_STOP_FREE). Any thread.
void otter_thread_close(struct otter_thread *thread);

// Stops the thread for good and counts what it loses from now on.
void otter_thread_fail(struct otter_thread *thread);

// Leaves everything that is open on the thread: now, or when its region ended (a worker tells its end only when it is used again). Whoever
// calls owns the thread. The bottom frame stays: a stopped thread may still look at it.
void otter_thread_leave_all(struct otter_thread *thread, uint64_t now);

// One warning, whenever it is called first. Any thread.
OTTER_COLD void otter_thread_tell_want_of_memory(void);

// The calling thread has given OTTER_LAST_NUMBER. It fails: a further number would be used twice.
OTTER_COLD void otter_thread_fail_for_numbers(struct otter_thread *thread);

// The next running number of the thread; `counter` is one of its own. The thread fails with the
// last.
static inline uint32_t otter_next_number(struct otter_thread *thread, uint32_t *counter)
{
    uint32_t number = ++*counter;
    if (OTTER_UNLIKELY(number == OTTER_LAST_NUMBER)) {
        otter_thread_fail_for_numbers(thread);
    }
    return number;
}

// ---- all threads

struct otter_thread *otter_thread_first(void); // the rest by ->next
// The current thread's pointer, for threads that shall never record again: ignored, cheaply.
void otter_thread_ignore_current(void);
