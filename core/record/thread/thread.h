// The state of one recording thread, and the list of all threads.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "otter/record.h"
#include "record/thread/ids.h"
#include "recording/writer.h"

#define OTTER_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define OTTER_COLD __attribute__((cold, noinline))

// Tells the compiler a fact that it cannot derive.
#define OTTER_ASSUME(condition) ((condition) ? (void)0 : __builtin_unreachable())
#define OTTER_APART __attribute__((noinline)) // callers need not save registers on their fast path

enum otter_stop {
    OTTER_STOP_WIPED = 0, // thread of a child process: the memory of the parent's threads is zeroed
    OTTER_STOP_NONE,
    OTTER_STOP_CHANGE,     // recording, but its next call applies what control/wanted.h asks for
    OTTER_STOP_UNATTACHED, // no struct yet
    OTTER_STOP_UNOPENED,   // no location yet
    OTTER_STOP_FAILED,     // can no longer record; its events are counted as lost
    OTTER_STOP_CLOSED,     // the session is closed; events are ignored
    OTTER_STOP_FREE,       // the thread has ended; another thread may reuse the struct
};

// Rare conditions that every call handles before it writes. One test covers them all.
enum otter_pending {
    OTTER_PENDING_RESUME = 1,      // the current task was resumed, but that is not recorded yet
    OTTER_PENDING_ACQUIRE = 2,     // a mutex is being acquired
    OTTER_PENDING_INITIAL = 4,     // the initial task began before this thread had a location
    OTTER_PENDING_FLUSH = 8,       // the thread has written a chunk
    OTTER_PENDING_UNNUMBERED = 16, // the current task has no number: see unnumbered.h
};

struct otter_open { // an open construct
    uint32_t region;
    uint16_t construct;
    bool is_wait : 1;    // the thread may run other tasks inside it
    bool is_written : 1; // whether it was open when this thread's pause began: see pause.h
    uint8_t device;      // target construct: its device (device.h); transfer: its RMA window
    uint64_t transfer;   // id of the transfer's start; 0: not a transfer
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
    uint64_t task;     // id of an explicit task, otherwise 0
    uint64_t parallel; // id of an implicit task's region, otherwise 0
    uint32_t first_open;
    uint32_t team; // communicator
    uint32_t thread_num;
    uint32_t requested;  // threads requested, if this thread forked the region
    uint32_t n_barriers; // barriers that the task has entered
    bool is_written;     // see struct otter_open
};

struct otter_team_slot;
struct otter_pause;
struct otter_region_totals;
struct otter_label;

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

struct otter_label_cache_entry { // see label.h
    const struct otter_label *label;
    const char *qualifier;
};

struct otter_thread {
    _Atomic uint32_t stop; // enum otter_stop
    _Atomic uint32_t busy;
    _Atomic bool is_hidden; // whether the current task's frame is HIDDEN; only this thread reads it
    _Atomic bool has_failed; // the thread was stopped because it can no longer record
    uint32_t pending;        // bits of enum otter_pending
    uint32_t location;
    struct otter_location_writer *writer;
    uint64_t last_time;
    uint32_t n_tasks, n_parallels, n_operations;
    uint64_t undeferred;      // the last created task, if it begins immediately
    uint64_t undeferred_time; // when `undeferred` was created

    struct otter_open *open;
    struct otter_frame *frames;
    uint32_t n_open, open_room, n_frames, frames_room;

    struct {
        uint64_t time, mutex;
        uint64_t last_time; // of the last test, while the thread spins with omp_test_lock
        uint32_t region;
    } acquire;
    struct otter_held held[OTTER_MAX_HELD];
    uint32_t n_held;
    uint64_t initial_time;
    uint64_t flush_begin, flush_end;
    uint64_t forked; // the region just forked, until its implicit task begins on this thread
    uint64_t joined; // the region whose implicit task has just ended here, until the region's end
    uint32_t forked_requested, joined_requested;
    bool is_paused;                // only this thread accesses `is_paused` and `unnumbered`
    otter_task *unnumbered;        // the current task's 64 bits, if unnumbered: see unnumbered.h
    uint32_t n_flushes;            // how many calls of otter_control_flush this thread has applied
    uint32_t n_replaced;           // value of otter_modules_n_replaced that this thread has applied
    uint32_t n_uncreated;          // numbers of tasks whose creation is not recorded
    _Atomic uint64_t n_unrecorded; // tasks created during pauses
    struct otter_pause *pause;     // NULL before the first pause
    // NULL before max-size is reached: see region_totals.h
    struct otter_region_totals *region_totals;

    const struct otter_team_slot *team_slot; // the slot used last
    uint64_t n_lost;
    uint64_t n_repaired;   // starts without an end: the end of an enclosing construct ended them
    uint64_t n_unbegun;    // ends without a start
    uint64_t n_unfinished; // starts still open when the recording ended
    // events in signal handlers that interrupted a record; n_lost does not include them
    uint64_t n_lost_in_handlers;
    _Atomic enum otter_thread_kind kind;
    uint64_t os_thread;
    struct otter_thread *next;
    struct otter_region_cache_entry region_cache[OTTER_REGION_CACHE_SIZE];
    struct otter_label_cache_entry label_cache[OTTER_LABEL_CACHE_SIZE];
};

// The calling thread's struct. At first this is a stopped struct that all threads share, so that
// one test covers first use, a full disk and the session's end.
extern _Thread_local struct otter_thread *otter_current_thread;

// *Returns* the struct of the calling thread, possibly without a location; NULL if nothing is to be
// recorded.
struct otter_thread *otter_thread_self(void);

static inline bool otter_is_recording(const struct otter_thread *thread)
{
    uint32_t stop = atomic_load_explicit(&thread->stop, memory_order_relaxed);
    return stop == OTTER_STOP_NONE || stop == OTTER_STOP_CHANGE;
}

// *Returns* whether the current task of `thread`, the calling thread, is an unrecorded implicit
// task of the runtime's own threads.
static inline bool otter_is_hidden_on(const struct otter_thread *thread)
{
    return OTTER_UNLIKELY(atomic_load_explicit(&thread->is_hidden, memory_order_relaxed));
}

static inline bool otter_is_hidden(void)
{
    return otter_is_hidden_on(otter_current_thread);
}

// Counts a task created during a pause. *Thread*: the thread itself.
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

// ---- states of a thread

// *Returns* whether a thread with this state (enum otter_stop) has a struct and has not ended.
bool otter_is_in_use(uint32_t stop);

// Sets a recording thread to `stop`, which is not OTTER_STOP_NONE. *Returns* false if it was not
// recording. *Thread*: any.
bool otter_thread_stop(struct otter_thread *thread, enum otter_stop stop);

// Closes the session for the thread, whose events are then ignored. Once `busy` is 0 its counts and
// its location belong to the closing thread, unless the thread has ended itself (OTTER_STOP_FREE).
// *Thread*: any.
void otter_thread_close(struct otter_thread *thread);

// Stops the thread for good; its later events count as lost.
void otter_thread_fail(struct otter_thread *thread);

// Makes the struct of the calling thread, which is ending, available to other threads.
void otter_thread_release(struct otter_thread *thread);

// Calls `end` on each thread with a struct when the thread exits. Once, before the first thread.
void otter_thread_end_at_exit(void (*end)(void));

// Warns, once, that memory has run out. *Thread*: any.
OTTER_COLD void otter_thread_warn_of_memory(void);

// Fails the calling thread, which has used OTTER_LAST_NUMBER, since the next number would not be
// unique.
OTTER_COLD void otter_thread_fail_for_numbers(struct otter_thread *thread);

// *Returns* the next number of `counter`, which belongs to `thread`. The thread fails at the last
// number.
static inline uint32_t otter_next_number(struct otter_thread *thread, uint32_t *counter)
{
    uint32_t number = ++*counter;
    if (OTTER_UNLIKELY(number == OTTER_LAST_NUMBER)) {
        otter_thread_fail_for_numbers(thread);
    }
    return number;
}

// Empties the thread's cache of regions. *Thread*: the thread itself.
void otter_thread_forget_regions(struct otter_thread *thread);

// ---- all threads

struct otter_thread *otter_thread_first(void); // the other threads follow by ->next

// Makes every recording thread look for changes with its next call.
void otter_threads_request_change(void);

// Ignores all later events of the calling thread.
void otter_thread_ignore_current(void);
