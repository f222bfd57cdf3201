// Mutual exclusion. The record of an acquire waits for its outcome: a failed test and a nested lock
// that the thread already holds never report "acquired".
#include "otter/record.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/lock.h"
#include "base/log.h"
#include "record/entry/call.h"
#include "record/thread/region.h"
#include "record/thread/stack.h"

// The limit bounds memory: all further mutexes count as one.
enum { FIRST_ROOM = 1024, MAX_MUTEXES = 1 << 18 };

struct mutex {
    uint64_t address;
    uint32_t id;
    _Atomic uint32_t order; // of the last acquisition
};

// Open addressing, at most half full. Mutexes are never removed: a new mutex at the address of a
// destroyed one continues its count. Readers acquire no lock, so an outgrown table is never freed.
struct table {
    size_t room; // a power of two
    _Atomic(struct mutex *) slots[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // protects changes of the variables below
static _Atomic(struct table *) mutexes;
static uint32_t n_mutexes;
static atomic_bool is_full;
static struct mutex the_rest;

static size_t slot_of(const struct table *table, uint64_t address)
{
    size_t i = (size_t)((address * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (table->room - 1);
    for (;; i = (i + 1) & (table->room - 1)) {
        const struct mutex *mutex = atomic_load_explicit(&table->slots[i], memory_order_acquire);
        if (!mutex || mutex->address == address) {
            return i;
        }
    }
}

// Caller holds `lock`.
static bool grow(void)
{
    struct table *old = atomic_load(&mutexes);
    size_t room = old ? old->room * 2 : FIRST_ROOM;
    struct table *table = calloc(1, sizeof(*table) + room * sizeof(table->slots[0]));
    if (!table) {
        return false;
    }
    table->room = room;
    for (size_t i = 0; old && i < old->room; i++) {
        struct mutex *mutex = atomic_load(&old->slots[i]);
        if (mutex) {
            atomic_store(&table->slots[slot_of(table, mutex->address)], mutex);
        }
    }
    atomic_store_explicit(&mutexes, table, memory_order_release);
    return true;
}

// Permanent: a mutex that is acquired as `the_rest` must be released as such.
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
    const struct table *table = atomic_load(&mutexes);
    if (n_mutexes == MAX_MUTEXES || ((!table || 2 * (size_t)n_mutexes >= table->room) && !grow())) {
        return give_up();
    }
    struct mutex *mutex = malloc(sizeof(*mutex));
    if (!mutex) {
        return give_up();
    }
    *mutex = (struct mutex){.address = address, .id = ++n_mutexes};
    struct table *to = atomic_load(&mutexes);
    atomic_store_explicit(&to->slots[slot_of(to, address)], mutex, memory_order_release);
    return mutex;
}

OTTER_COLD static struct mutex *find_or_add(uint64_t address)
{
    struct otter_held_signals held;
    otter_lock(&lock, &held);
    const struct table *table = atomic_load(&mutexes);
    struct mutex *mutex = table ? atomic_load(&table->slots[slot_of(table, address)]) : NULL;
    if (!mutex) {
        mutex = add(address);
    }
    otter_unlock(&lock, &held);
    return mutex;
}

static struct mutex *find(uint64_t address)
{
    const struct table *table = atomic_load_explicit(&mutexes, memory_order_acquire);
    struct mutex *mutex = NULL;
    if (table) {
        mutex = atomic_load_explicit(&table->slots[slot_of(table, address)], memory_order_acquire);
    }
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

void otter_mutex_acquire(enum otter_construct construct, uint32_t detail, uint64_t mutex,
                         const void *code)
{
    uint64_t time;
    struct otter_thread *thread = otter_record_begin_at(&time);
    if (!thread) {
        return;
    }
    thread->acquire.time = time;
    thread->acquire.mutex = mutex;
    thread->acquire.construct = (uint16_t)construct;
    thread->acquire.region = otter_region(thread, construct, detail, code);
    thread->pending |= OTTER_PENDING_ACQUIRE;
    otter_record_end(thread);
}

// Enters the acquiring construct, at the time of its beginning if that was reported.
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

// A runtime reports a release afterwards. Another thread may have acquired the mutex by then, so
// the mutex's own count is not used.
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
