// Kokkos memory spaces: the bytes in use in each, and their high water.
#include "otter/record.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include "base/lock.h"
#include "base/log.h"
#include "record/blocks.h"
#include "record/entry/call.h"
#include "record/process/output.h"
#include "record/thread/label.h"
#include "recording/journal.h"
#include "trace/schema.h"

enum { MAX_NAME = 63 }; // Kokkos's limit

struct space {
    char name[MAX_NAME + 1];
    _Atomic uint64_t in_use, high_water; // bytes
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct space spaces[OTTER_MAX_SPACES];
static _Atomic uint32_t n_spaces; // entries with smaller indexes change only in their bytes
static atomic_bool is_full;       // no more spaces get a metric

static uint32_t find(const char *name, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (strncmp(spaces[i].name, name, MAX_NAME) == 0) {
            return i;
        }
    }
    return OTTER_MAX_SPACES;
}

// Caller holds `lock`.
static uint32_t define(const char *name)
{
    uint32_t n = atomic_load(&n_spaces);
    char encoded[3 * MAX_NAME + 8];
    enum otter_status status = OTTER_UNSUPPORTED;
    if (n < OTTER_MAX_SPACES) {
        strncpy(spaces[n].name, name, MAX_NAME);
        status =
            otter_output_define("space %" PRIu32 " %s", n,
                                otter_journal_encode(spaces[n].name, encoded, sizeof(encoded)));
    }
    if (status) {
        otter_warning(
            "only %u memory spaces of Kokkos can be recorded: '%.*s' and later ones are left out",
            (unsigned)n, MAX_NAME, name);
        atomic_store(&is_full, true);
        return OTTER_MAX_SPACES;
    }
    atomic_store(&n_spaces, n + 1);
    return n;
}

OTTER_COLD static uint32_t find_or_define(const char *name)
{
    struct otter_held_signals held;
    otter_lock(&lock, &held);
    uint32_t space = find(name, atomic_load(&n_spaces));
    if (space == OTTER_MAX_SPACES && !atomic_load(&is_full)) {
        space = define(name);
    }
    otter_unlock(&lock, &held);
    return space;
}

// A block that is already known at this address was freed without a report.
static uint64_t allocate(struct space *space, const void *block, uint64_t bytes)
{
    static atomic_flag has_warned = ATOMIC_FLAG_INIT;
    uint64_t replaced = 0;
    if (!otter_blocks_add((uintptr_t)block, bytes, &replaced)) {
        if (!atomic_flag_test_and_set(&has_warned)) {
            otter_warning("out of memory: the recorded memory use of Kokkos lacks some blocks");
        }
        return atomic_load(&space->in_use);
    }
    uint64_t after = atomic_fetch_add(&space->in_use, bytes - replaced) + (bytes - replaced);
    uint64_t high = atomic_load_explicit(&space->high_water, memory_order_relaxed);
    while (after > high && !atomic_compare_exchange_weak(&space->high_water, &high, after)) {
    }
    return after;
}

static uint64_t deallocate(struct space *space, const void *block)
{
    uint64_t known = 0;
    otter_blocks_remove((uintptr_t)block, &known);
    return atomic_fetch_sub(&space->in_use, known) - known;
}

// *Returns* OTTER_MAX_SPACES for a space without a metric.
static uint32_t space_of(const char *name)
{
    uint32_t id = find(name, atomic_load_explicit(&n_spaces, memory_order_acquire));
    bool is_new = id == OTTER_MAX_SPACES && !atomic_load(&is_full);
    return OTTER_UNLIKELY(is_new) ? find_or_define(name) : id;
}

static void write_level(struct otter_thread *thread, uint64_t time, uint32_t id, const void *block,
                        uint64_t bytes, bool is_allocated)
{
    struct space *space = &spaces[id];
    uint64_t in_use = is_allocated ? allocate(space, block, bytes) : deallocate(space, block);
    otter_write_metric(thread->writer, time, id, in_use,
                       atomic_load_explicit(&space->high_water, memory_order_relaxed));
}

static uint32_t region_of(struct otter_thread *thread, enum otter_construct construct,
                          const char *label, uint32_t id, const char *space)
{
    struct otter_label_cache_entry unused;
    return id < OTTER_MAX_SPACES ? otter_label_region(thread, construct, label, spaces[id].name)
                                 : otter_label_find(&unused, construct, label, space);
}

void otter_memory(enum otter_construct construct, const char *space, const char *label,
                  const void *block, uint64_t bytes)
{
    uint64_t time;
    struct otter_thread *thread = otter_record_begin_at(&time);
    if (!thread) {
        return;
    }
    uint32_t id = space_of(space), region = region_of(thread, construct, label, id, space);
    otter_write_enter(thread->writer, time, region);
    otter_write_parameter(thread->writer, time, OTTER_PARAMETER_BYTES, bytes);
    if (id < OTTER_MAX_SPACES) {
        write_level(thread, time, id, block, bytes, construct == OTTER_CONSTRUCT_KOKKOS_ALLOCATE);
    }
    otter_write_leave(thread->writer, time, region);
    otter_record_end(thread);
}
