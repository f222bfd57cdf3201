// The structs of all recording threads, their states, and the records that wait for a next call.
#include "record/thread.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/lock.h"
#include "base/log.h"
#include "record/control.h"
#include "record/output.h"
#include "record/parallel.h"
#include "record/pause.h"
#include "record/region.h"
#include "record/session.h"
#include "record/region_totals.h"

enum { FIRST_OPEN_ROOM = 64, FIRST_FRAMES_ROOM = 32 };

// The initial and the final struct of every thread.
static struct otter_thread unattached = {.stop = OTTER_STOP_UNATTACHED};
static struct otter_thread ignored = {.stop = OTTER_STOP_CLOSED};

_Thread_local struct otter_thread *otter_current_thread = &unattached;

static _Atomic(struct otter_thread *) first_thread;

// Memory from the system: the program's allocator may itself be traced, or damaged.
static void *allocate(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void *grow(void *old, size_t old_size, size_t new_size)
{
    return old ? mremap(old, old_size, new_size, MREMAP_MAYMOVE) : allocate(new_size);
}

static pthread_key_t key; // its destructor reports the end of threads that no runtime reports
static bool has_key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

static void set_key(const struct otter_thread *thread)
{
    if (has_key) {
        pthread_setspecific(key, thread);
    }
}

// A runtime's later destructor may still report the thread's end, so this one waits for the next
// round of destructors.
static void on_thread_exit(void *thread)
{
    static _Thread_local bool is_ending;
    if (thread != otter_current_thread) {
        return;
    }
    if (!is_ending) {
        is_ending = true;
        set_key(thread);
        return;
    }
    otter_thread_end();
}

static void make_key(void)
{
    has_key = pthread_key_create(&key, on_thread_exit) == 0;
}

// *Returns* the struct of a thread that has ended, or a new one.
static struct otter_thread *find_memory(void)
{
    for (struct otter_thread *thread = otter_thread_first(); thread; thread = thread->next) {
        uint32_t is_free = OTTER_STOP_FREE;
        if (atomic_compare_exchange_strong(&thread->stop, &is_free, OTTER_STOP_UNOPENED)) {
            return thread;
        }
    }
    struct otter_thread *thread = allocate(sizeof(*thread));
    if (!thread) {
        return NULL;
    }
    thread->open = allocate(FIRST_OPEN_ROOM * sizeof(*thread->open));
    thread->frames = allocate(FIRST_FRAMES_ROOM * sizeof(*thread->frames));
    if (!thread->open || !thread->frames) {
        return NULL; // loses a page or two; memory is short anyway
    }
    madvise(thread, sizeof(*thread),
            MADV_WIPEONFORK); // if refused, the handler of the forked child suffices
    thread->open_room = FIRST_OPEN_ROOM;
    thread->frames_room = FIRST_FRAMES_ROOM;
    thread->stop = OTTER_STOP_UNOPENED;
    thread->next = atomic_load(&first_thread);
    while (!atomic_compare_exchange_weak(&first_thread, &thread->next, thread)) {
    }
    return thread;
}

// *Returns* NULL without memory.
static struct otter_thread *create_thread(void)
{
    struct otter_thread *thread = find_memory();
    if (!thread) {
        return NULL;
    }
    thread->frames[0] = (struct otter_frame){.kind = OTTER_FRAME_OUTSIDE};
    thread->n_frames = 1;
    thread->n_open = 0;
    thread->is_hidden = false;
    thread->kind = OTTER_THREAD_UNKNOWN;
    thread->os_thread = (uint64_t)syscall(SYS_gettid);
    otter_region_forget(thread);
    pthread_once(&key_once, make_key);
    set_key(thread);
    return thread;
}

struct otter_thread *otter_thread_first(void)
{
    return atomic_load(&first_thread);
}

// Neither a member of a team nor a thread of a runtime's own.
static bool is_independent(const struct otter_thread *thread)
{
    enum otter_thread_kind kind = atomic_load(&thread->kind);
    return (kind == OTTER_THREAD_INITIAL || kind == OTTER_THREAD_UNKNOWN) &&
           !atomic_load(&thread->is_hidden);
}

bool otter_thread_others_run(void)
{
    const struct otter_thread *self = otter_current_thread;
    if (!otter_session_is_ours() || !is_independent(self)) {
        return false; // a forked child has no other thread
    }
    for (struct otter_thread *thread = otter_thread_first(); thread; thread = thread->next) {
        bool is_there = atomic_load(&thread->stop) != OTTER_STOP_FREE;
        if (thread != self && is_there && is_independent(thread)) {
            return true;
        }
    }
    return false;
}

void otter_thread_ignore_current(void)
{
    otter_current_thread = &ignored;
}

static bool is_in_use(uint32_t stop)
{
    return stop == OTTER_STOP_NONE || stop == OTTER_STOP_CHANGE || stop == OTTER_STOP_UNOPENED ||
           stop == OTTER_STOP_FAILED;
}

bool otter_thread_stop(struct otter_thread *thread, enum otter_stop stop)
{
    uint32_t now = atomic_load(&thread->stop);
    while (now == OTTER_STOP_NONE || now == OTTER_STOP_CHANGE) {
        if (atomic_compare_exchange_weak(&thread->stop, &now, stop)) {
            return true;
        }
    }
    return false;
}

void otter_thread_close(struct otter_thread *thread)
{
    uint32_t now = atomic_load(&thread->stop);
    while (is_in_use(now)) {
        if (atomic_compare_exchange_weak(&thread->stop, &now, OTTER_STOP_CLOSED)) {
            return;
        }
    }
}

void otter_thread_fail(struct otter_thread *thread)
{
    atomic_store(&thread->has_failed, true);
    otter_thread_stop(thread, OTTER_STOP_FAILED);
}

void otter_thread_warn_of_memory(void)
{
    static atomic_flag has_warned = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&has_warned)) {
        otter_warning(
            "out of memory: what a thread does is not recorded until there is some; it is counted as lost");
    }
}

// Signals are held until the thread has its struct: a handler that records would make a second one.
static struct otter_thread *attach(void)
{
    struct otter_held_signals held;
    otter_signals_hold(&held);
    if (otter_current_thread == &unattached) {
        struct otter_thread *created = create_thread();
        otter_current_thread = created ? created : &unattached;
    }
    struct otter_thread *thread = otter_current_thread;
    otter_signals_release(&held);
    if (thread == &unattached) {
        otter_session_count_lost(1);
        otter_thread_warn_of_memory();
        return NULL;
    }
    return thread;
}

struct otter_thread *otter_thread_self(void)
{
    struct otter_thread *thread = otter_current_thread;
    switch (atomic_load_explicit(&thread->stop, memory_order_relaxed)) {
    case OTTER_STOP_NONE:
    case OTTER_STOP_CHANGE:
    case OTTER_STOP_UNOPENED: return thread;
    case OTTER_STOP_UNATTACHED: break;
    default: return NULL;
    }
    return otter_session_is_live() ? attach() : NULL;
}

// Applies the requested changes. Later changes set `stop` again.
static struct otter_thread *follow(void)
{
    struct otter_thread *thread = otter_record_begin();
    if (thread) {
        otter_control_apply(thread);
    } else {
        otter_thread_stop(otter_current_thread, OTTER_STOP_CHANGE); // amid a record: later
    }
    return thread;
}

// Opens the thread's location for its first record.
static struct otter_thread *open_location(struct otter_thread *thread)
{
    enum otter_status status = otter_session_open_location(thread);
    if (status == OTTER_UNSUPPORTED) {
        atomic_store(&thread->stop, OTTER_STOP_CLOSED);
        return NULL;
    }
    if (status) {
        uint32_t unopened = OTTER_STOP_UNOPENED; // or closed meanwhile
        thread->n_lost++;
        atomic_store(&thread->has_failed, true);
        atomic_compare_exchange_strong(&thread->stop, &unopened, OTTER_STOP_FAILED);
        return NULL;
    }
    return follow();
}

struct otter_thread *otter_record_begin_stopped(void)
{
    struct otter_thread *thread = otter_thread_self();
    uint32_t change = OTTER_STOP_CHANGE;
    if (thread && atomic_compare_exchange_strong(&thread->stop, &change, OTTER_STOP_NONE)) {
        return follow();
    }
    if (thread && atomic_load(&thread->stop) == OTTER_STOP_UNOPENED) {
        return open_location(thread);
    }
    if (!thread) {
        otter_thread_count_lost();
        return NULL;
    }
    return otter_record_begin(); // a signal handler has opened the location, or applied the change
}

// Events that a pause omits are not lost.
void otter_thread_count_lost(void)
{
    struct otter_thread *thread = otter_current_thread;
    if (atomic_load(&thread->stop) == OTTER_STOP_FAILED &&
        otter_control_query() == OTTER_CONTROL_RECORDING) {
        thread->n_lost++;
    }
}

void otter_thread_fail_for_numbers(struct otter_thread *thread)
{
    static atomic_flag has_warned = ATOMIC_FLAG_INIT;
    otter_thread_fail(thread);
    otter_output_note_loss();
    if (!atomic_flag_test_and_set(&has_warned)) {
        otter_warning("a thread has created %" PRIu32
                      " tasks, regions or operations, as many as an archive can tell apart: what "
                      "the thread does from now on is counted as lost",
                      OTTER_LAST_NUMBER);
    }
}

bool otter_frames_grow(struct otter_thread *thread)
{
    size_t size = thread->frames_room * sizeof(*thread->frames);
    void *frames = grow(thread->frames, size, size * 2);
    if (!frames || frames == MAP_FAILED) {
        otter_thread_fail(thread);
        return false;
    }
    thread->frames = frames;
    thread->frames_room *= 2;
    return true;
}

bool otter_open_push_slowly(struct otter_thread *thread, struct otter_open open)
{
    size_t size = thread->open_room * sizeof(*thread->open);
    void *room = grow(thread->open, size, size * 2);
    if (!room || room == MAP_FAILED) {
        otter_thread_fail(thread);
        return false;
    }
    thread->open = room;
    thread->open_room *= 2;
    thread->open[thread->n_open++] = open;
    return true;
}

void otter_thread_begin(enum otter_thread_kind kind)
{
    struct otter_thread *thread = otter_thread_self();
    if (thread) {
        thread->kind = kind;
    }
}

void otter_thread_leave_all(struct otter_thread *thread, uint64_t now)
{
    if (thread->is_paused) {
        otter_pause_finish(thread, now);
    }
    uint64_t time = thread->last_time + 1;
    otter_write_pending(thread, time);
    for (;;) {
        const struct otter_frame *frame = otter_top_frame(thread);
        uint64_t end = otter_parallel_end_time(frame);
        bool has_ended = end != UINT64_MAX;
        uint64_t wanted = has_ended ? end : now;
        time = wanted > time ? wanted : time;
        uint32_t n = otter_leave_down_to(thread, time, frame->first_open);
        thread->n_unfinished += has_ended ? 0 : n;
        if (frame->kind == OTTER_FRAME_IMPLICIT) {
            otter_write_team_end(thread->writer, time, frame->team);
        }
        if (thread->n_frames == 1) {
            return;
        }
        thread->n_frames--;
    }
}

// Resets all that the next thread of this struct must not inherit.
static void recycle(struct otter_thread *thread)
{
    otter_region_totals_release(thread);
    thread->writer = NULL;
    thread->pending = 0;
    thread->last_time = thread->forked = thread->joined = thread->undeferred = 0;
    thread->n_unrecorded = thread->n_uncreated = 0;
    thread->is_paused = false;
    thread->unnumbered = NULL;
    thread->n_tasks = thread->n_parallels = thread->n_operations = thread->n_held = 0;
    thread->n_lost = thread->n_repaired = thread->n_unbegun = thread->n_unfinished = 0;
    thread->n_lost_in_handlers = 0;
    thread->has_failed = false;
    thread->team_slot = NULL;
    otter_current_thread = &unattached;
    set_key(NULL);
    atomic_store(&thread->busy, 0);
    atomic_store(&thread->stop,
                 OTTER_STOP_FREE); // another thread may reuse the struct from here on
}

// Sets `busy`, so that the closing thread waits for this thread's end. *Returns* false if the
// session has closed first, or if the thread is amid a record (pthread_exit() in a signal handler).
static bool begin_to_end(struct otter_thread *thread)
{
    if (otter_is_recording(thread)) {
        return otter_record_begin();
    }
    if (atomic_load_explicit(&thread->busy, memory_order_relaxed)) {
        return false;
    }
    atomic_store_explicit(&thread->busy, 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    if (is_in_use(atomic_load(&thread->stop))) {
        return true;
    }
    otter_record_end(thread);
    return false;
}

// Completes the thread's file and frees its memory, so that a program's memory depends on its
// living threads alone.
void otter_thread_end(void)
{
    struct otter_thread *thread = otter_current_thread;
    if (!is_in_use(atomic_load(&thread->stop)) || !begin_to_end(thread)) {
        return;
    }
    if (!thread->has_failed && thread->writer) {
        otter_thread_leave_all(thread, otter_clock_now());
    }
    otter_region_totals_end(thread);
    if (otter_session_end_thread(thread)) {
        recycle(thread);
    } else {
        otter_record_end(thread);
    }
}

bool otter_thread_is_unused(void)
{
    const struct otter_thread *thread = otter_current_thread;
    uint32_t stop = atomic_load(&thread->stop);
    return stop == OTTER_STOP_UNATTACHED || (stop == OTTER_STOP_UNOPENED && thread->n_frames <= 2);
}

// ---- pending records

static void write_initial(struct otter_thread *thread)
{
    uint32_t region = otter_region(thread, OTTER_CONSTRUCT_INITIAL_TASK, 0, NULL);
    otter_write_enter(thread->writer, thread->initial_time, region);
    otter_open_push(
        thread, (struct otter_open){.region = region, .construct = OTTER_CONSTRUCT_INITIAL_TASK});
}

// An acquire without "acquired": the lock was not available (omp_test_lock), or this thread already
// holds it (nested locks).
static void write_acquire(struct otter_thread *thread)
{
    otter_write_enter(thread->writer, thread->acquire.time, thread->acquire.region);
    otter_write_leave(thread->writer, thread->acquire.time, thread->acquire.region);
}

void otter_thread_note_flush(struct otter_thread *thread, uint64_t begin, uint64_t end)
{
    thread->flush_begin = begin > thread->last_time ? begin : thread->last_time + 1;
    thread->flush_end = end > thread->flush_begin ? end : thread->flush_begin;
    thread->pending |= OTTER_PENDING_FLUSH;
}

static void write_flush(struct otter_thread *thread, uint64_t time)
{
    otter_write_flush(thread->writer, thread->flush_begin < time ? thread->flush_begin : time,
                      thread->flush_end);
}

void otter_write_resumed(struct otter_thread *thread, uint64_t time)
{
    uint64_t task = otter_top_frame(thread)->task;
    otter_write_task_switch(thread->writer, time, task ? otter_id_location(task) : thread->location,
                            otter_id_number(task));
}

void otter_write_all_pending(struct otter_thread *thread, uint64_t time)
{
    uint32_t pending = thread->pending;
    thread->pending = 0;
    if (pending & OTTER_PENDING_UNNUMBERED) {
        otter_number_current_task(thread, time);
    }
    if (pending & OTTER_PENDING_INITIAL) {
        write_initial(thread);
    }
    if (pending & OTTER_PENDING_ACQUIRE) {
        write_acquire(thread);
    }
    if (pending & OTTER_PENDING_FLUSH) {
        write_flush(thread, time);
    }
    if (pending & OTTER_PENDING_RESUME) {
        otter_write_resumed(thread, time);
    }
}

void otter_write_pending_except(struct otter_thread *thread, uint64_t time,
                                enum otter_pending except)
{
    uint32_t left = thread->pending & except;
    thread->pending &= ~(uint32_t)except;
    otter_write_pending(thread, time);
    thread->pending |= left;
}
