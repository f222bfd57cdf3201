// A lock-free table of the parallel regions whose workers may still be in them.
#include "record/thread/recent.h"

// The regions whose workers may still be in them, by id. A new region reuses the entry of a region
// that has ended. If the entry was already reused, the worker's end gets the current time instead
// of the region's.
enum { N_RECENT = 4096, N_PROBES = 64 };

struct recent {
    _Atomic uint64_t id;
    _Atomic uint64_t end_time; // UINT64_MAX: not ended
    _Atomic uint32_t parent_team;
};

static struct recent recents[N_RECENT];
static const uint64_t being_changed = 1; // stored instead of the id while an entry is changed

static struct recent *place_of(uint64_t id, unsigned probe)
{
    return &recents[(otter_id_number(id) + otter_id_location(id) * 61U + probe) % N_RECENT];
}

// *Returns* the entry of a region, or NULL.
static struct recent *find_recent(uint64_t id)
{
    for (unsigned i = 0; i < N_PROBES; i++) {
        struct recent *recent = place_of(id, i);
        if (atomic_load_explicit(&recent->id, memory_order_acquire) == id) {
            return recent;
        }
    }
    return NULL;
}

// *Returns* false when another thread changes the entry at the same time.
static bool try_reuse(struct recent *recent, uint64_t before, uint64_t id, uint32_t parent_team)
{
    if (before == being_changed ||
        !atomic_compare_exchange_strong(&recent->id, &before, being_changed)) {
        return false;
    }
    atomic_store_explicit(&recent->end_time, UINT64_MAX, memory_order_release);
    atomic_store_explicit(&recent->parent_team, parent_team, memory_order_release);
    atomic_store_explicit(&recent->id, id, memory_order_release);
    return true;
}

void otter_recent_add(uint64_t id, uint32_t parent_team)
{
    for (unsigned i = 0; i < N_PROBES; i++) {
        struct recent *recent = place_of(id, i);
        uint64_t before = atomic_load_explicit(&recent->id, memory_order_acquire);
        uint64_t end = atomic_load_explicit(&recent->end_time, memory_order_acquire);
        if (end != UINT64_MAX && try_reuse(recent, before, id, parent_team)) {
            return;
        }
    }
    // none of the probed regions has ended, and their ends may never be reported
    struct recent *recent = place_of(id, 0);
    try_reuse(recent, atomic_load_explicit(&recent->id, memory_order_acquire), id, parent_team);
}

// Does nothing if another region takes over the entry at the same time.
void otter_recent_end(uint64_t id, uint64_t time)
{
    struct recent *recent = find_recent(id);
    uint64_t ours = id;
    if (recent && atomic_compare_exchange_strong(&recent->id, &ours, being_changed)) {
        atomic_store_explicit(&recent->end_time, time, memory_order_release);
        atomic_store_explicit(&recent->id, id, memory_order_release);
    }
}

uint32_t otter_recent_parent_team(uint64_t id)
{
    const struct recent *recent = find_recent(id);
    if (!recent) {
        return OTTER_COMM_ALL_THREADS;
    }
    uint32_t parent = atomic_load_explicit(&recent->parent_team, memory_order_acquire);
    return atomic_load_explicit(&recent->id, memory_order_acquire) == id ? parent
                                                                         : OTTER_COMM_ALL_THREADS;
}

uint64_t otter_parallel_end_time(const struct otter_frame *frame)
{
    if (!otter_id_number(frame->parallel)) {
        return UINT64_MAX;
    }
    const struct recent *recent = find_recent(frame->parallel);
    if (!recent) {
        return UINT64_MAX;
    }
    uint64_t time = atomic_load_explicit(&recent->end_time, memory_order_acquire);
    return atomic_load_explicit(&recent->id, memory_order_acquire) == frame->parallel ? time
                                                                                      : UINT64_MAX;
}

// The end of a worker's implicit task is reported when the worker is used again (quirk 'late end').
uint64_t otter_stamp_end(struct otter_thread *thread)
{
    const struct otter_frame *frame = otter_top_frame(thread);
    uint64_t end = frame->thread_num ? otter_parallel_end_time(frame) : UINT64_MAX;
    if (end == UINT64_MAX) {
        return otter_stamp(thread);
    }
    thread->last_time = end > thread->last_time ? end : thread->last_time + 1;
    return thread->last_time;
}
