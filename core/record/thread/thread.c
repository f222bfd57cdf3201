// The structs of all recording threads, and their states.
#include "record/thread/thread.h"

#include <inttypes.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/lock.h"
#include "base/log.h"
#include "record/process/output.h"
#include "record/process/processors.h"
#include "record/process/state.h"

enum { FIRST_OPEN_ROOM = 64, FIRST_FRAMES_ROOM = 32 };

// The struct that every thread starts and ends with. Threads share it, so `busy` keeps them from
// changing it (record/entry/quick.h).
static struct otter_thread unattached = {.stop = OTTER_STOP_UNATTACHED, .busy = 1};

static struct otter_thread ignored = {.stop = OTTER_STOP_CLOSED, .busy = 1};

_Thread_local struct otter_thread *otter_current_thread = &unattached;

static _Atomic(struct otter_thread *) first_thread;

// Gets memory from the system, since the program's allocator may itself be traced or damaged.
static void *allocate(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

// key whose destructor ends threads that exit without a report from a runtime
static pthread_key_t key;
static bool has_key;
static void (*end_thread)(void);

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
    end_thread();
}

void otter_thread_end_at_exit(void (*end)(void))
{
    end_thread = end;
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
        return NULL; // leaks a page or two, but memory has run out anyway
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

void otter_thread_forget_regions(struct otter_thread *thread)
{
    for (size_t i = 0; i < OTTER_REGION_CACHE_SIZE; i++) {
        thread->region_cache[i].kind = UINT64_MAX;
    }
}

// *Returns* NULL if out of memory.
static struct otter_thread *create_thread(void)
{
    struct otter_thread *thread = find_memory();
    if (!thread) {
        return NULL;
    }
    thread->frames[0] = (struct otter_frame){.kind = OTTER_FRAME_OUTSIDE};
    thread->n_frames = 1;
    thread->n_open = 0;
    thread->open[0].construct = OTTER_CONSTRUCT_UNKNOWN;
    thread->is_hidden = false;
    thread->kind = OTTER_THREAD_UNKNOWN;
    thread->os_thread = (uint64_t)syscall(SYS_gettid);
    otter_processors_note();
    otter_thread_forget_regions(thread);
    set_key(thread);
    return thread;
}

struct otter_thread *otter_thread_first(void)
{
    return atomic_load(&first_thread);
}

// A thread that is opening its location checks for changes afterwards.
void otter_threads_request_change(void)
{
    for (struct otter_thread *thread = otter_thread_first(); thread; thread = thread->next) {
        uint32_t go = OTTER_STOP_NONE;
        atomic_compare_exchange_strong(&thread->stop, &go, OTTER_STOP_CHANGE);
    }
}

// Returns whether the thread is neither a member of a team nor one of a runtime's own threads.
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

bool otter_is_in_use(uint32_t stop)
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
    while (otter_is_in_use(now)) {
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
        otter_warning("out of memory: events are lost until memory is available again");
    }
}

// Signals are held until the thread has its struct, since a handler that records would create a
// second one.
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

void otter_thread_release(struct otter_thread *thread)
{
    otter_current_thread = &unattached;
    set_key(NULL);
    atomic_store(&thread->busy, 0);
    atomic_store(&thread->stop,
                 OTTER_STOP_FREE); // another thread may reuse the struct from here on
}

void otter_thread_fail_for_numbers(struct otter_thread *thread)
{
    static atomic_flag has_warned = ATOMIC_FLAG_INIT;
    otter_thread_fail(thread);
    otter_output_note_loss();
    if (!atomic_flag_test_and_set(&has_warned)) {
        otter_warning("a thread has created %" PRIu32
                      " tasks, regions or operations, as many as an archive can number: its "
                      "further events count as lost",
                      OTTER_LAST_NUMBER);
    }
}

void otter_thread_begin(enum otter_thread_kind kind)
{
    struct otter_thread *thread = otter_thread_self();
    if (thread) {
        thread->kind = kind;
    }
}

bool otter_thread_is_unused(void)
{
    const struct otter_thread *thread = otter_current_thread;
    uint32_t stop = atomic_load(&thread->stop);
    return stop == OTTER_STOP_UNATTACHED || (stop == OTTER_STOP_UNOPENED && thread->n_frames <= 2);
}
