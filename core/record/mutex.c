// Mutual exclusion. An acquire is recorded only when its outcome is known: for a failed test, or a
// nested lock that the thread already holds, "acquired" is never reported.
#include "otter/record.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/lock.h"
#include "base/log.h"
#include "base/table.h"
#include "record/entry/call.h"
#include "record/process/state.h"
#include "record/thread/region.h"
#include "record/thread/stack.h"

// The limit bounds memory; all further mutexes are treated as one.
enum { MAX_MUTEXES = 1 << 18 };

struct mutex {
    uint32_t id;
    _Atomic uint32_t order; // number of the last acquisition
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // protects changes of the variables below
// Mutexes by address. They are never removed, so a new mutex at the address of a destroyed one
// continues its count.
static struct otter_table mutexes;
static uint32_t n_mutexes;
static atomic_bool is_full;
static struct mutex the_rest;

// Treats all later mutexes as `the_rest`, for good, since a mutex acquired as `the_rest` must also
// be released as `the_rest`.
static struct mutex *give_up(void)
{
    if (!atomic_exchange(&is_full, true)) {
        otter_warning("%s: further locks are recorded as one",
                      n_mutexes == MAX_MUTEXES ? "too many locks" : "out of memory");
    }
    return &the_rest;
}

// Caller holds `lock`.
static struct mutex *add(uint64_t address)
{
    struct mutex *mutex = n_mutexes < MAX_MUTEXES ? malloc(sizeof(*mutex)) : NULL;
    if (!mutex) {
        return give_up();
    }
    *mutex = (struct mutex){.id = n_mutexes + 1};
    if (!otter_table_add(&mutexes, address, mutex)) {
        free(mutex);
        return give_up();
    }
    n_mutexes++;
    return mutex;
}

OTTER_COLD static struct mutex *find_or_add(uint64_t address)
{
    struct otter_held_signals held;
    otter_lock(&lock, &held);
    struct mutex *mutex = otter_table_find(&mutexes, address);
    if (!mutex) {
        mutex = add(address);
    }
    otter_unlock(&lock, &held);
    return mutex;
}

static struct mutex *find(uint64_t address)
{
    struct mutex *mutex = otter_table_find(&mutexes, address);
    if (OTTER_UNLIKELY(!mutex)) {
        mutex =
            atomic_load_explicit(&is_full, memory_order_relaxed) ? &the_rest : find_or_add(address);
    }
    return mutex;
}

// *Returns* the construct executed while the mutex is held; UNKNOWN for locks, which are released
// elsewhere.
static enum otter_construct block_of(enum otter_construct construct)
{
    switch (construct) {
    case OTTER_CONSTRUCT_CRITICAL: return OTTER_CONSTRUCT_CRITICAL_BLOCK;
    case OTTER_CONSTRUCT_ORDERED: return OTTER_CONSTRUCT_ORDERED_BLOCK;
    case OTTER_CONSTRUCT_ATOMIC: return OTTER_CONSTRUCT_ATOMIC_BLOCK;
    default: return OTTER_CONSTRUCT_UNKNOWN;
    }
}

static enum otter_construct release_of(enum otter_construct construct)
{
    switch (construct) {
    case OTTER_CONSTRUCT_SET_LOCK:
    case OTTER_CONSTRUCT_TEST_LOCK: return OTTER_CONSTRUCT_UNSET_LOCK;
    case OTTER_CONSTRUCT_SET_NEST_LOCK:
    case OTTER_CONSTRUCT_TEST_NEST_LOCK: return OTTER_CONSTRUCT_UNSET_NEST_LOCK;
    default: return construct;
    }
}

// *Returns* whether the thread spins with omp_test_lock: its pending acquire is of the same lock at
// the same place, and failed less than 5 us ago. LLVM 18 and older report omp_test_lock as
// omp_set_lock. A spin ends after a tenth of a second, so that a killed program loses little. It
// also ends when another record is pending, which must not follow a later one.
static bool is_spin(const struct otter_thread *thread, enum otter_construct construct,
                    uint64_t mutex, uint32_t region, uint64_t time)
{
    enum { PART = 20000 }; // 5 us is this part of a tenth of a second
    bool is_test = construct == OTTER_CONSTRUCT_TEST_LOCK || construct == OTTER_CONSTRUCT_SET_LOCK;
    return is_test && thread->pending == OTTER_PENDING_ACQUIRE && thread->acquire.mutex == mutex &&
           thread->acquire.region == region &&
           time - thread->acquire.last_time < otter_session_tenth_of_second() / PART &&
           time - thread->acquire.time < otter_session_tenth_of_second();
}

void otter_mutex_acquire(enum otter_construct construct, uint32_t detail, uint64_t mutex,
                         const void *code)
{
    struct otter_thread *thread = otter_record_begin();
    if (!thread) {
        return;
    }
    uint64_t time = otter_stamp(thread);
    uint32_t region = otter_region(thread, construct, detail, code);
    if (!is_spin(thread, construct, mutex, region, time)) {
        otter_write_pending(thread, time);
        thread->acquire.time = time;
        thread->acquire.mutex = mutex;
        thread->acquire.region = region;
    }
    thread->acquire.last_time = time;
    thread->pending |= OTTER_PENDING_ACQUIRE;
    otter_record_end(thread);
}

// Enters the acquiring construct, at its reported start time if there is one.
static uint32_t enter_acquire(struct otter_thread *thread, uint64_t time,
                              enum otter_construct construct, uint32_t detail, uint64_t mutex,
                              const void *code)
{
    if (!(thread->pending & OTTER_PENDING_ACQUIRE) || thread->acquire.mutex != mutex) {
        otter_write_pending(thread, time);
        uint32_t region = otter_region(thread, construct, detail, code);
        otter_write_enter(thread->writer, time, region);
        return region;
    }
    thread->pending &= ~(uint32_t)OTTER_PENDING_ACQUIRE;
    otter_write_pending(thread, thread->acquire.time);
    otter_write_enter(thread->writer, thread->acquire.time, thread->acquire.region);
    return thread->acquire.region;
}

static void hold(struct otter_thread *thread, uint32_t mutex, uint32_t order)
{
    if (thread->n_held < OTTER_MAX_HELD) {
        thread->held[thread->n_held++] = (struct otter_held){.mutex = mutex, .order = order};
    }
}

void otter_mutex_acquired(enum otter_construct construct, uint32_t detail, uint64_t address,
                          const void *code)
{
    struct otter_thread *thread = otter_record_begin();
    if (!thread) {
        return;
    }
    uint64_t time = otter_stamp(thread);
    uint32_t region = enter_acquire(thread, time, construct, detail, address, code);
    struct mutex *mutex = find(address);
    uint32_t order = atomic_fetch_add_explicit(&mutex->order, 1, memory_order_relaxed) + 1;
    hold(thread, mutex->id, order);
    otter_write_lock_acquire(thread->writer, time, mutex->id, order);
    enum otter_construct block = block_of(construct);
    if (block) {
        uint32_t block_region = otter_region(thread, block, detail, code);
        otter_write_enter(thread->writer, time, block_region);
        otter_open_push(thread,
                        (struct otter_open){.region = region, .construct = (uint16_t)construct});
        otter_open_push(thread,
                        (struct otter_open){.region = block_region, .construct = (uint16_t)block});
    } else {
        otter_write_leave(thread->writer, time, region);
    }
    otter_record_end(thread);
}

// Leaves the block executed under the mutex and all constructs inside it. The acquiring construct
// around it stays open.
static bool leave_block(struct otter_thread *thread, uint64_t time, enum otter_construct block)
{
    const struct otter_frame *frame = otter_top_frame(thread);
    for (uint32_t i = thread->n_open; i > frame->first_open; i--) {
        if (thread->open[i - 1].construct == block) {
            thread->n_repaired += otter_leave_down_to(thread, time, i - 1) - 1;
            return true;
        }
    }
    thread->n_unbegun++;
    return false;
}

// Runtimes report a release after it has happened. Another thread may have acquired the mutex by
// then, so the mutex's own count is not used.
static uint32_t remove_held(struct otter_thread *thread, const struct mutex *mutex)
{
    for (uint32_t i = thread->n_held; i > 0; i--) {
        if (thread->held[i - 1].mutex == mutex->id) {
            uint32_t order = thread->held[i - 1].order;
            size_t n_above = thread->n_held - i;
            memmove(&thread->held[i - 1], &thread->held[i], n_above * sizeof(thread->held[0]));
            thread->n_held--;
            return order;
        }
    }
    return atomic_load_explicit(
        &mutex->order,
        memory_order_relaxed); // acquired by another thread, or too many mutexes are held
}

void otter_mutex_released(enum otter_construct construct, uint32_t detail, uint64_t address,
                          const void *code)
{
    uint64_t time;
    struct otter_thread *thread = otter_record_begin_at(&time);
    if (!thread) {
        return;
    }
    const struct mutex *mutex = find(address);
    uint32_t order = remove_held(thread, mutex);
    enum otter_construct block = block_of(construct);
    if (block) {
        bool was_open = leave_block(thread, time, block);
        otter_write_lock_release(thread->writer, time, mutex->id, order);
        if (was_open) {
            otter_leave_down_to(thread, time, thread->n_open - 1);
        }
    } else {
        uint32_t region = otter_region(thread, release_of(construct), detail, code);
        otter_write_enter(thread->writer, time, region);
        otter_write_lock_release(thread->writer, time, mutex->id, order);
        otter_write_leave(thread->writer, time, region);
    }
    otter_record_end(thread);
}
